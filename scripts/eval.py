"""Run scenarios through the whole server (HTTP, policy, graph, wrapper, guards, ledger) and say what differed.

    python scripts/eval.py evals/ticket_desk.json [--model scripted|offline|live] [--k 4] [--json OUT] [--only ID …]

`scripted` (default) plays the turns of the file through an OpenAI-compatible server on this machine; `offline` uses the embedded
model; `live` the model that is configured for the server. Each mode runs the scenarios marked for it. pass^k: the share of
scenarios that passed all k tries. Exit 0: every scenario passed every try; 1: some did not; 2: nothing could be run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evals.claim_reading import ClaimFinder  # noqa: E402 - the project is no package on the path
from evals.judging import Result, Verdict  # noqa: E402
from evals.report import as_json, table  # noqa: E402
from evals.running import run_file  # noqa: E402
from evals.scenario import ScenarioError, ScenarioFile, load_scenarios  # noqa: E402
from evals.server_process import ServerStartError  # noqa: E402


def main() -> int:
    """Run, print, and say by the exit code whether all passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="scenario file")
    parser.add_argument("--model", choices=["scripted", "offline", "live"], default="scripted")
    parser.add_argument("--k", type=int, default=4, help="tries of each scenario")
    parser.add_argument("--json", type=Path, help="write everything that was seen to this file")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="run these scenarios only")
    args = parser.parse_args()
    if args.k < 1:
        parser.error("--k must be at least 1")
    try:
        known = _chosen(load_scenarios(args.file), args.only)
        results = run_file(known, mode=args.model, k=args.k, claimed=ClaimFinder(), on_result=_tell)
    except (ScenarioError, ServerStartError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if not results:
        sys.stderr.write(f"{args.file.name}: no scenario is meant for --model {args.model}\n")
        return 2
    print("\n".join(table(results, k=args.k)))
    if args.json is not None:
        report = as_json(results, model=args.model, k=args.k)
        args.json.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0 if all(result.verdict is Verdict.PASSED for result in results) else 1


def _chosen(known: ScenarioFile, only: list[str]) -> ScenarioFile:
    if strays := sorted(set(only) - {scenario.id for scenario in known.scenarios}):
        raise ScenarioError(f"no scenario {', '.join(strays)}")
    kept = tuple(scenario for scenario in known.scenarios if not only or scenario.id in only)
    return known.model_copy(update={"scenarios": kept})


def _tell(result: Result) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"{result.verdict:9} {result.scenario.id}\n")


if __name__ == "__main__":
    sys.exit(main())
