"""Where sentences end, in Chinese and English, in prose, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ALWAYS: Final = frozenset("。！？；\n")
_CLOSERS: Final = "\"')]”’）】」』*_"
# A full stop after one of these, within letters (e.g.) or after an initial abbreviates; after a unit (m/s, kPa) it ends a sentence.
_ABBREVIATION: Final = re.compile(
    r"(?:^|[^a-z0-9])(?:[a-z](?:\.[a-z])+|no|nos|vs|etc|approx|ca|dr|mr|mrs|ms|fig|figs|eq|sec|vol|dept|inc|ltd|est|al|cf|st|max|min|avg|ref)$",
    re.IGNORECASE | re.ASCII,
)
_INITIAL: Final = re.compile(r"(?:^|[\s(])[A-Z]$")
_LIST_MARKER: Final = re.compile(r"(?:^|\n)[ \t>*-]*[0-9]{1,3}$")
_LOOK_BACK: Final = 16
"""Characters before a full stop that decide whether it abbreviates."""


def find_end(text: str, start: int = 0, *, complete: bool = True) -> int | None:
    """The index after the first sentence end at or after `start`; None if there is none, or not yet.

    A full stop ends a sentence if white space follows, so never inside 3.5 or `e.g.`. With `complete` false the text goes on: a mark
    that the next character may undo is no end yet, so the answer never depends on where a stream was cut.
    """
    for index in range(start, len(text)):
        char = text[index]
        if char in _ALWAYS:
            return index + 1
        if char in ".!?":
            end = index + 1
            while end < len(text) and text[end] in _CLOSERS:
                end += 1
            if end == len(text):
                if not complete:
                    return None
                return end
            if text[end].isspace() and not (char == "." and _abbreviates(text, index)):
                return end
            if char in "!?" and not text[end].isascii():
                return end
    return None


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Half-open spans of the sentences of a whole text, without gaps."""
    start = 0
    while start < len(text):
        end = find_end(text, start) or len(text)
        yield start, end
        start = end


def _abbreviates(text: str, stop: int) -> bool:
    before = text[max(0, stop - _LOOK_BACK) : stop]
    return any(pattern.search(before) for pattern in (_ABBREVIATION, _INITIAL, _LIST_MARKER))
