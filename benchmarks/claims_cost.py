"""Cost of looking for claims, of screening a message and of passing an answer through the stream gate, and how each grows with length.

    python benchmarks/claims_cost.py [--rounds 9]

Prints CPU milliseconds (median and worst round) for texts of 2,000 characters: answers that are nothing but claims, answers about airflow,
and, for the gate, the same cut into single characters. Then, for hostile texts, the ratio of the time for 16,000 characters to that for
4,000: 4 is linear, 16 quadratic.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.guards.claims.finder import find_claims  # noqa: E402 - the project is run from its folder
from agents.guards.claims.lexicon import build_lexicon  # noqa: E402
from agents.guards.escalation import Screen, load_rules  # noqa: E402
from agents.guards.stream_gate import StreamGate  # noqa: E402

_SETS = ROOT / "tests" / "fixtures" / "governance"
_AIRFLOW = (
    "采煤工作面 3107 的计划风量为 760 m³/min，实测 745.6 m³/min，比计划低 14.4 m³/min。总进风 35181 m³/min，总回风 35713 m³/min。"
    "建议先核对 2 号测站的读数，再确认结论。The surplus is thin, so ask the shift lead first.\n"
)
_HOSTILE: Mapping[str, str] = {
    "claims": "工单已",
    "spelled words": "s u e ",
    "dotted words": "律·",
    "incident": "瓦斯超",
    "English": "the refund of the email was ",
}
_LENGTH = 2_000


def spent_ms(work: Callable[[str], object], text: str) -> float:
    """CPU milliseconds of one call."""
    start = time.process_time()
    work(text)
    return (time.process_time() - start) * 1e3


def main() -> int:
    """Run in turn and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    cases = json.loads((_SETS / "claims_dev.json").read_text(encoding="utf-8"))
    lexicon = build_lexicon({effect for case in cases for effect in case["effects_claimed"]})
    screen = Screen(load_rules())

    def claims(text: str) -> object:
        return find_claims(text, lexicon)

    def gate(text: str) -> object:
        opened = StreamGate(hold_words=lexicon.trigger_pattern, verify=lambda _: None, clock=lambda: 0.0)
        return [opened.feed(char) for char in text], opened.close()

    works: dict[str, Callable[[str], object]] = {"claims": claims, "screen": screen.find, "gate": gate}
    texts = {"all claims": "\n".join(case["text"] for case in cases), "airflow": _AIRFLOW * 20}
    for kind, text in texts.items():
        for name, work in works.items():
            work(text[:_LENGTH])
            times = [spent_ms(work, text[:_LENGTH]) for _ in range(rounds)]
            print(f"{kind}: {name} {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
    for kind, seed in _HOSTILE.items():
        long = (seed * 16_000)[:16_000]
        for name, work in works.items():
            pairs = [(spent_ms(work, long[:4_000]), spent_ms(work, long)) for _ in range(3)]
            short, whole = (statistics.median(values) for values in zip(*pairs, strict=True))
            print(
                f"hostile {kind}: {name} {short:.0f} ms, four times as long {whole:.0f} ms, ratio {whole / short:.1f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
