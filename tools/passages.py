"""Passages of Markdown files, found by the words they share with a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAX_FILE_BYTES: Final = 1_000_000
_MAX_PASSAGE_CHARS: Final = 800
_LATIN_WORD: Final = re.compile(r"[a-z0-9][a-z0-9_.\-]*")
_CJK_RUN: Final = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A paragraph with the heading above it; `line` counts from 1."""

    file: str
    heading: str
    line: int
    text: str


def find_passages(root: Path, files: Iterable[Path], query: str, *, limit: int) -> list[Passage]:
    """The passages that fit a question best, best first; none if no word of it occurs.

    Args:
        root: Folder that file names are told relative to.
        files: Markdown files below it; unreadable and very large ones are left out.
        query: Words in Chinese or English.
        limit: Most passages wanted.
    """
    wanted = set(_terms(query))
    passages = [passage for file in files for passage in _split(root, file)]
    bags = [Counter(_terms(f"{passage.heading}\n{passage.text}")) for passage in passages]
    spread = Counter(term for bag in bags for term in wanted & bag.keys())
    scores = [
        sum((1 + math.log(bag[term])) * math.log(1 + len(bags) / spread[term]) for term in wanted & bag.keys())
        for bag in bags
    ]
    ranked = sorted(range(len(passages)), key=lambda index: -scores[index])
    return [passages[index] for index in ranked[:limit] if scores[index] > 0]


def _split(root: Path, file: Path) -> Iterator[Passage]:
    try:
        if file.stat().st_size > _MAX_FILE_BYTES:
            return
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    name, heading, start, block = file.relative_to(root).as_posix(), file.stem, 1, list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip() and not line.startswith("#"):
            block = block or []
            start = number if not block else start
            block.append(line)
            continue
        if block:
            yield Passage(file=name, heading=heading, line=start, text="\n".join(block)[:_MAX_PASSAGE_CHARS])
            block = []
        heading = line.lstrip("# ").strip() or heading


def _terms(text: str) -> Iterator[str]:
    lowered = text.lower()
    yield from _LATIN_WORD.findall(lowered)
    # Chinese has no spaces: neighbouring pairs of characters stand for its words.
    for run in _CJK_RUN.findall(lowered):
        yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))
