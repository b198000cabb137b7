"""Cost of a whole review beside its floor: reading the plan's raw text with the same engine, both as whole processes in turn.

    python benchmarks/review_cost.py [--rounds 5] [--plan FILE --report FILE]

Prints CPU seconds (user + system, children included), peak memory of the largest process, and the ratio of the medians; wall time is left
out because it says more about the machine than about the program. Goals: performance.md and the issue of the review.
"""

from __future__ import annotations

import argparse
import multiprocessing
import multiprocessing.connection
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "fixtures" / "airflow" / "reference"
FLOOR = """
import sys, pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
print(sum(len(page.get_textpage().get_text_range()) for page in document))
"""


def _measure_here(command: list[str], pipe: multiprocessing.connection.Connection) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    pipe.send((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))


def measure(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak MiB of one run, in a process of its own so that runs do not add up."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_measure_here, args=(command, theirs))
    process.start()
    result: tuple[float, float] = ours.recv()
    process.join()
    return result


def main() -> int:
    """Run both in turn and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plan", type=Path, default=REFERENCE / "plan.pdf")
    parser.add_argument("--report", type=Path, default=REFERENCE / "report.xlsx")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        review = [
            sys.executable,
            "scripts/airflow_review.py",
            str(args.plan),
            str(args.report),
            "--json",
            f"{folder}/review.json",
        ]
        commands = {
            "review": [*review[:1], str(ROOT / review[1]), *review[2:]],
            "floor": [sys.executable, "-c", FLOOR, str(args.plan)],
        }
        figures: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for turn in range(args.rounds + 1):
            for name, command in commands.items():
                figure = measure(command)
                if turn:  # the first round warms files and bytecode
                    figures[name].append(figure)
    for name, rows in figures.items():
        cpu = [row[0] for row in rows]
        print(
            f"{name:7} cpu s  min {min(cpu):.2f}  median {statistics.median(cpu):.2f}  max {max(cpu):.2f}   peak MiB {max(row[1] for row in rows):.0f}"
        )
    ratio = statistics.median(row[0] for row in figures["review"]) / statistics.median(
        row[0] for row in figures["floor"]
    )
    print(f"ratio   review / floor {ratio:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
