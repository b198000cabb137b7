"""Cost of a whole review beside its floor, reading the plan's raw text with the same engine, and how it grows with the plan's pages.

    python benchmarks/review_cost.py [--rounds 5] [--plan FILE --report FILE] [--pages 16 63 250]

All runs are whole processes in turn. Prints CPU seconds (user + system, children included), peak memory of the largest process, the
ratio of the medians, then CPU seconds and milliseconds a page for plans of other lengths (the plan's own pages, repeated or cut, with the same report) and
the straight line through them. Wall time is left out because it says more about the machine than about the program.
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
from collections.abc import Mapping, Sequence
from pathlib import Path

import pikepdf

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "fixtures" / "airflow" / "reference"
FLOOR = """
import sys, pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
print(sum(len(page.get_textpage().get_text_range()) for page in document))
"""

Figure = tuple[float, float]  # CPU seconds, peak MiB


def _measure_here(command: list[str], pipe: multiprocessing.connection.Connection) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    pipe.send((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))


def measure(command: list[str]) -> Figure:
    """CPU seconds and peak MiB of one run, in a process of its own so that runs do not add up."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_measure_here, args=(command, theirs))
    process.start()
    result: Figure = ours.recv()
    process.join()
    return result


def measure_in_turn(commands: Mapping[str, list[str]], rounds: int) -> dict[str, list[Figure]]:
    """The figures of `rounds` runs of each command, taken in turn after one round that warms files and bytecode."""
    figures: dict[str, list[Figure]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            figure = measure(command)
            if turn:
                figures[name].append(figure)
    return figures


def plan_of(source: Path, pages: int, target: Path) -> Path:
    """A plan of so many pages: those of the source, again and again."""
    with pikepdf.open(source) as whole, pikepdf.new() as made:
        for at in range(pages):
            made.pages.append(whole.pages[at % len(whole.pages)])
        made.save(target)
    return target


def fit(points: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
    """Slope, intercept and coefficient of determination of the least-squares line through (pages, seconds)."""
    pages, seconds = [point[0] for point in points], [point[1] for point in points]
    slope, intercept = statistics.linear_regression(pages, seconds)
    return slope, intercept, statistics.correlation(pages, seconds) ** 2


def main() -> int:
    """Run all and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plan", type=Path, default=REFERENCE / "plan.pdf")
    parser.add_argument("--report", type=Path, default=REFERENCE / "report.xlsx")
    parser.add_argument("--pages", type=int, nargs="*", default=[16, 63, 250], metavar="N")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = {pages: plan_of(args.plan, pages, Path(folder, f"plan{pages}.pdf")) for pages in args.pages}

        def review(plan: Path) -> list[str]:
            script = str(ROOT / "scripts" / "airflow_review.py")
            return [sys.executable, script, str(plan), str(args.report), "--json", f"{folder}/review.json"]

        def floor(plan: Path) -> list[str]:
            return [sys.executable, "-c", FLOOR, str(plan)]

        commands = {"review": review(args.plan), "floor": floor(args.plan)}
        for pages, plan in made.items():
            commands |= {f"review {pages}": review(plan), f"floor {pages}": floor(plan)}
        figures = measure_in_turn(commands, args.rounds)
    cpu = {name: [row[0] for row in rows] for name, rows in figures.items()}
    for name in ("review", "floor"):
        print(
            f"{name:7} cpu s  min {min(cpu[name]):.2f}  median {statistics.median(cpu[name]):.2f}  max {max(cpu[name]):.2f}"
            f"   peak MiB {max(row[1] for row in figures[name]):.0f}"
        )
    print(f"ratio   review / floor {statistics.median(cpu['review']) / statistics.median(cpu['floor']):.1f}")
    for pages in args.pages:
        ours, least = (statistics.median(cpu[f"{name} {pages}"]) for name in ("review", "floor"))
        peak = max(row[1] for row in figures[f"review {pages}"])
        print(
            f"{pages:4} pages  review cpu s {ours:.2f}  ms a page {1000 * ours / pages:.1f}  floor {least:.2f}  peak MiB {peak:.0f}"
        )
    if len(set(args.pages)) > 1:
        slope, intercept, determined = fit([(n, statistics.median(cpu[f"review {n}"])) for n in args.pages])
        print(f"line    {1000 * slope:.1f} ms a page + {intercept:.2f} s   R² {determined:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
