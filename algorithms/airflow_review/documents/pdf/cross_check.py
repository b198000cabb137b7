"""Where two engines read other digits on one line of a page.

Lines, and not places: engines agree on baselines but not on the widths of every font. The digits of a line are compared as a
multiset, since the order in which an engine tells them is its own. Where the second engine is blind, it says nothing about the first.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.document import BBox, Doubt
from algorithms.airflow_review.documents.pdf.glyphs import Floats, PageText
from algorithms.airflow_review.documents.pdf.paging import PageLine, PageTable
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.value_class import dataclass

_SAME_LINE_PT: Final = 1.0
_TWICE_PT: Final = 1.0  # one character again at the same place: boldness made by drawing twice
_WIDEST: Final = 1.5  # of the page
_OFF_ANGLE_DEG: Final = 10.0
_OTHER_COUNT: Final = 0.1  # of a line's characters: an engine that sees so many more or fewer does not see the line
_ALIKE: Final = 0.8  # of a page's characters that are no digits: below, an engine does not know the page's fonts
_BREAK_EM: Final = 1.2  # a step along the line that ends a number
_SIGNS: Final = "0123456789."
_OTHER, _UNREAD, _NOTHING = len(_SIGNS), len(_SIGNS) + 1, len(_SIGNS) + 2
_KINDS: Final = len(_SIGNS) + 3
_BEYOND: Final = 0x10000
_NUMBER: Final = re.compile(r"\d[\d.]*")

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One line of a page that two engines read with other digits."""

    base: float  # baseline in reading space [pt]
    first: str  # the numbers the other engine does not have, as they stand in the line
    second: str  # the numbers only the other engine has


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The characters of one engine; all arrays have shape `(n,)`."""

    code: Ints
    x: Floats
    base: Floats

    def select(self, chosen: NDArray[np.bool_] | Ints) -> _Read:
        return _Read(code=self.code[chosen], x=self.x[chosen], base=self.base[chosen])


class CrossCheck:
    """Collects what the second engine says page by page, and says in the end which rows and lines it concerns."""

    def __init__(self) -> None:
        self._found: dict[int, list[Difference]] = {}
        self._unread: list[int] = []

    def add(self, page: int, text: PageText, other: Floats | None) -> None:
        """Compare a page; `other` is None where the second engine could not read it."""
        if other is None:
            self._unread.append(page)
        elif found := compare_digits(text, other):
            self._found[page] = found

    def doubts(self, blocks: Sequence[PageLine | PageTable], numbers: Sequence[int]) -> Iterator[Doubt]:
        """One doubt a row of a table or line with other digits, and one for the pages that were not compared."""
        index = 0
        for block, page in zip(blocks, numbers, strict=True):
            if isinstance(block, PageLine):
                yield from self._doubts_at(page, block.bbox, block.text)
                continue
            index += 1
            for at, row in enumerate(block.rows, start=1):
                quote = " ".join(dict.fromkeys(cell.text for cell in row.cells if cell.text))
                yield from self._doubts_at(row.page, row.bbox, quote, index, at)
        if self._unread:
            first, count = self._unread[0], len(self._unread)
            yield Doubt.of(say("doubt.engine_blind", page=first, count=count), "", page=first)

    def _doubts_at(
        self, page: int, bbox: BBox, quote: str, table: int | None = None, row: int | None = None
    ) -> Iterator[Doubt]:
        own = [found for found in self._found.get(page, ()) if bbox[1] <= found.base <= bbox[3]]
        if own:
            first = " ".join(found.first for found in own if found.first)
            second = " ".join(found.second for found in own if found.second)
            none = say("doubt.no_digits")
            message = say("doubt.engines_differ", first=first or none, second=second or none)
            yield Doubt.of(message, quote, page=page, table=table, row=row, other=second)


def compare_digits(text: PageText, other: Floats) -> list[Difference]:
    """The lines of a page on which the digits of `other` (see `SecondEngine.next_page`) are not those of `text`."""
    own = _Read(code=text.glyphs.code.astype(np.intp), x=text.glyphs.x0, base=text.glyphs.base)
    first = own.select(_on_page(text, own.x, own.base))
    second = _in_reading_space(text, other)
    if not len(first.code) or not len(second.code):
        return []
    lines = _numbered(np.concatenate((first.base, second.base)))
    sides = [_once(first, lines[: len(first.code)]), _once(second, lines[len(first.code) :])]
    ours, theirs = (_counted(read, line, int(lines.max()) + 1) for read, line in sides)
    signs = slice(0, len(_SIGNS))
    missing = (ours[:, signs] - theirs[:, signs]).clip(0).sum(axis=1)
    extra = (theirs[:, signs] - ours[:, signs]).clip(0).sum(axis=1)
    seen, seen_too = ours[:, :_NOTHING].sum(axis=1), theirs[:, :_NOTHING].sum(axis=1)
    is_seen = np.abs(seen - seen_too) <= np.maximum(1, _OTHER_COUNT * seen)
    differs = np.flatnonzero(is_seen & ((extra > 0) | (missing > theirs[:, _UNREAD])))
    if not len(differs) or not _are_alike(first.code, second.code):
        return []
    size = float(text.glyphs.size.mean())
    return [found for at in differs.tolist() if (found := _difference(at, sides, size)) is not None]


def _in_reading_space(text: PageText, other: Floats) -> _Read:
    """The characters that run in the page's direction and stand on the page."""
    turn = text.turn
    x, base = turn.apply(other[:, 1], other[:, 2])
    off = (other[:, 3] - np.degrees(turn.angle) + 180) % 360 - 180
    chosen = _on_page(text, x, base) & (np.abs(off) <= _OFF_ANGLE_DEG)
    return _Read(code=other[:, 0].astype(np.intp), x=x, base=base).select(chosen)


def _on_page(text: PageText, x: Floats, base: Floats) -> NDArray[np.bool_]:
    """Which characters stand on the page, with room for a line whose widths the second engine takes for greater."""
    return (x > -1) & (x < _WIDEST * text.turn.width) & (base > 0) & (base < text.turn.height)


def _numbered(base: Floats) -> Ints:
    """The number of the line each baseline belongs to."""
    order = np.argsort(base, kind="stable")
    steps = np.concatenate(([0], (base[order][1:] - base[order][:-1] > _SAME_LINE_PT).cumsum()))
    numbers = np.empty(len(base), np.intp)
    numbers[order] = steps
    return numbers


def _once(read: _Read, line: Ints) -> tuple[_Read, Ints]:
    """Without the characters drawn again in place, in the order they were told."""
    order = np.lexsort((read.x, read.code, line))
    code, x, number = read.code[order], read.x[order], line[order]
    again = (code[1:] == code[:-1]) & (number[1:] == number[:-1]) & (x[1:] - x[:-1] < _TWICE_PT)
    kept = np.sort(order[np.concatenate(([True], ~again))])
    return read.select(kept), line[kept]


def _counted(read: _Read, line: Ints, lines: int) -> NDArray[np.int64]:
    """How often each kind of character stands on each line; shape `(lines, _KINDS)`."""
    kind = _KIND_OF[np.minimum(read.code, _BEYOND)]
    return np.bincount(line * _KINDS + kind, minlength=lines * _KINDS).reshape(lines, _KINDS)


def _are_alike(first: Ints, second: Ints) -> bool:
    """Whether both engines read the same words; one that does not know the fonts cannot contradict."""
    ours, theirs = (Counter(_word_codes(code)) for code in (first, second))
    return (ours & theirs).total() >= _ALIKE * max(ours.total(), 1)


def _word_codes(code: Ints) -> list[int]:
    codes: list[int] = code[_KIND_OF[np.minimum(code, _BEYOND)] == _OTHER].tolist()
    return codes


def _difference(at: int, sides: Sequence[tuple[_Read, Ints]], size: float) -> Difference | None:
    """The numbers that differ; None where only signs differ that belong to no number."""
    parts = [read.select(line == at) for read, line in sides]
    ours, theirs = (Counter(_numbers(part, size)) for part in parts)
    if ours == theirs:
        return None
    return Difference(
        base=float(parts[0].base.mean() if len(parts[0].base) else parts[1].base.mean()),
        first=" ".join((ours - theirs).elements()),
        second=" ".join((theirs - ours).elements()),
    )


def _numbers(read: _Read, size: float) -> list[str]:
    """The numbers of a line, in the order told; a wide step ends one."""
    x = read.x.tolist()
    breaks = [True, *(not 0 <= b - a <= _BREAK_EM * size for a, b in pairwise(x))]
    text = "".join((" " if new else "") + chr(code) for new, code in zip(breaks, read.code.tolist(), strict=False))
    return _NUMBER.findall(unicodedata.normalize("NFKC", text))


def _kinds() -> NDArray[np.intp]:
    table = np.full(_BEYOND + 1, _OTHER, np.intp)
    for kind, sign in enumerate(_SIGNS):
        table[[ord(sign), ord(sign) + 0xFEE0]] = kind  # and its full-width form
    table[[*range(0x21), 0xA0, 0xAD, 0x3000, 0xFEFF, *range(0x2000, 0x2010), 0x202F, 0x2060]] = _NOTHING
    table[0xE000:0xF900] = _UNREAD  # private use: a font without a character map
    table[[0xFFFD, 0xFFFE, 0xFFFF]] = _UNREAD
    return table


_KIND_OF: Final = _kinds()
