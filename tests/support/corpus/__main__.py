"""Writes a corpus: `python -m tests.support.corpus OUT_DIR --seed N --count M`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.support.corpus.case import make_case, write_case
from tests.support.corpus.write_browser import open_browser


def write_corpus(folder: Path, *, seed: int, count: int, only: str | None = None) -> Path:
    """Writes the cases and truth.json into a folder of their group; the path of truth.json."""
    target = folder / "generated"
    target.mkdir(parents=True, exist_ok=True)
    with open_browser() as browser:
        rows = [write_case(make_case(seed, n, mistake=only), target, browser) for n in range(1, count + 1)]
    path = target / "truth.json"
    path.write_text(json.dumps({"group": "generated", "cases": rows}, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="write a corpus of airflow plans and reports with their truth")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only", help="seed this mistake alone in every case")
    args = parser.parse_args(arguments)
    path = write_corpus(args.folder, seed=args.seed, count=args.count, only=args.only)
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
