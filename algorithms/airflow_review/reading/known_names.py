"""Finding known names of places and systems inside running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.reading.text import circled_to_digits, fold_mapped, normal_name
from algorithms.airflow_review.value_class import dataclass

_LEVELS: Final = re.compile(r"\d{1,2}(?:[.-]\d{1,2}){1,3}")  # 5.1.2 at the head of a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A known name in a text: its normal form and where it stands in the squeezed text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Squeezed:
    """Text as names are compared: folded, without white space, in one case; with the way back to the print."""

    raw: str
    text: str
    offsets: tuple[int, ...]

    def printed(self, start: int, end: int) -> str:
        """The printed text behind `text[start:end]`."""
        return self.raw[self.offsets[start] : self.offsets[end - 1] + 1] if start < end else ""


@lru_cache(maxsize=2048)
def squeeze_mapped(text: str) -> Squeezed:
    """Fold for comparing names; every character keeps the index it came from."""
    folded = fold_mapped(text)
    plain = circled_to_digits(folded.text).casefold()
    if len(plain) == len(folded.text):
        kept = [at for at, char in enumerate(plain) if char != " "]
        return Squeezed(raw=text, text=plain.replace(" ", ""), offsets=tuple(folded.offsets[at] for at in kept))
    chars: list[str] = []
    offsets: list[int] = []
    for char, offset in zip(folded.text, folded.offsets, strict=True):
        if char != " ":
            normal = circled_to_digits(char).casefold()
            chars.append(normal)
            offsets.extend([offset] * len(normal))
    return Squeezed(raw=text, text="".join(chars), offsets=tuple(offsets))


class NameFinder:
    """Finds the longest known names of a text, left to right, without overlap."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = defaultdict(list)
        for name in sorted({normal_name(name) for name in names if name}, key=len, reverse=True):
            self._by_start[name[:2]].append(name)

    def find(self, squeezed: Squeezed) -> tuple[Found, ...]:
        """Names in a text; a printed number is never cut in two."""
        text = squeezed.text
        found: list[Found] = []
        end = 0
        for at in range(len(text) - 1):
            if at < end or text[at : at + 2] not in self._by_start:
                continue
            name = self._name_at(squeezed, at)
            if name is not None:
                end = at + len(name)
                found.append(Found(name=name, start=at, end=end))
        return tuple(found)

    def _name_at(self, squeezed: Squeezed, at: int) -> str | None:
        if _is_inside_number(squeezed, at):
            return None
        text = squeezed.text
        return next((name for name in self._by_start.get(text[at : at + 2], ()) if text.startswith(name, at)), None)


def _is_inside_number(squeezed: Squeezed, at: int) -> bool:
    """Whether a printed number runs on at this place; the number of a heading (②4煤…, 5.1.24煤…) ends before a name."""
    text, offsets, raw = squeezed.text, squeezed.offsets, squeezed.raw
    if at == 0 or not (text[at].isdigit() and text[at - 1].isdigit()) or offsets[at] - offsets[at - 1] > 1:
        return False
    is_numbering = _LEVELS.fullmatch(text[:at]) is not None
    return not is_numbering and raw[offsets[at - 1]].isdecimal()
