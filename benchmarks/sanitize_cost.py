"""Cost of sanitizing one message beside reading it once with `re`, and how it grows with length.

    python benchmarks/sanitize_cost.py [--rounds 5]

Prints CPU microseconds a message (medians) for ordinary messages and for messages with secrets, the ratio of both, and for long texts the
ratio of the time for 16,000 characters to that for 4,000: 4 is linear, 16 quadratic. Rounds alternate, so that a busy machine slows both; what the product
remembers of short texts is forgotten before each.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from obs.sanitize import classes, redact_credentials, sanitize  # noqa: E402 - the project is run from its folder
from tests.support.messages import read  # noqa: E402

_FLOOR = re.compile(r"[A-Za-z0-9_]+")


def spent_us(work: Callable[[str], object], texts: list[str]) -> float:
    """CPU microseconds a text that is read for the first time."""
    for remembered in (classes._short, classes._short_without_credentials):  # noqa: SLF001 - nobody else forgets
        remembered.cache_clear()
    start = time.process_time()
    for text in texts:
        work(text)
    return (time.process_time() - start) / len(texts) * 1e6


def main() -> int:
    """Run in turn and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    sets = {"ordinary": [m.text for m in read("benign")], "with secrets": [m.text for m in read("secret")]}
    works: dict[str, Callable[[str], object]] = {
        "floor": _FLOOR.findall,
        "redact_credentials": redact_credentials,
        "sanitize": sanitize,
    }
    for kind, texts in sets.items():
        figures: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(rounds):
            for name, work in works.items():
                figures[name].append(spent_us(work, texts))
        middle = {name: statistics.median(values) for name, values in figures.items()}
        shown = ", ".join(f"{name} {value:.0f} us ({value / middle['floor']:.0f} x)" for name, value in middle.items())
        print(f"{kind}: {len(texts)} messages, {sum(map(len, texts)) / len(texts):.0f} characters each: {shown}")
    for kind, texts in sets.items():
        long = "\n".join(texts * 12)[:16_000]
        pairs = [(spent_us(sanitize, [long[:4_000]]), spent_us(sanitize, [long])) for _ in range(rounds)]
        short_us, long_us = (statistics.median(values) for values in zip(*pairs, strict=True))
        print(
            f"{kind}: 4,000 characters {short_us / 1e3:.1f} ms, 16,000 characters {long_us / 1e3:.1f} ms, ratio {long_us / short_us:.1f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
