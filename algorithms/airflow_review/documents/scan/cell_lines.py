"""The lines of text in the cells of a scanned table: where each stands, and its picture without rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.scan.recognizer import Gray

_JOINED: Final = 0.12  # of the glyph height: white inside a line, between a dash and its glyphs
_FLAT: Final = 0.22  # of the glyph height: a lone stroke this flat is a dash
_LEAST_DASH, _LONGEST_DASH = 0.3, 2.2  # of the glyph height
_SPECK: Final = 0.35  # of the glyph height: what is smaller both ways is dirt
_SIGN: Final = 0.7  # of the glyph height: a minus sign and its white
_MARGIN: Final = 0.2  # of the glyph height, around a line
_INSET_PX: Final = 2


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class InkLine:
    """One line of text in a cell."""

    box: Box
    is_dash: bool = False  # a lone level stroke, which means that there is no value


def ink_lines(text_ink: Gray, cell: Box, glyph_px: float) -> Iterator[InkLine]:
    """The lines of text in a cell from top to bottom; `text_ink` is the page's ink without rules."""
    left, top = cell.left + _INSET_PX, cell.top + _INSET_PX
    inside = text_ink[top : cell.bottom - _INSET_PX, left : cell.right - _INSET_PX] > 0
    for first, last in _bands(inside, glyph_px):
        columns = np.flatnonzero(inside[first:last].any(axis=0))
        wide, high = int(columns[-1]) + 1 - int(columns[0]), last - first
        if max(wide, high) < _SPECK * glyph_px:
            continue
        is_dash = high <= _FLAT * glyph_px and _LEAST_DASH * glyph_px <= wide <= _LONGEST_DASH * glyph_px
        # Room for a sign or a point at either end, which the ink may have lost with the specks.
        start = max(0, int(columns[0]) - round(_SIGN * glyph_px))
        end = min(inside.shape[1], int(columns[-1]) + 1 + round(_SIGN * glyph_px))
        yield InkLine(Box(left + start, top + first, left + end, top + last), is_dash)


def picture_of(gray: Gray, rule_ink: Gray, box: Box, glyph_px: float) -> Gray:
    """The line with some paper around; what is left of rules in it is painted over with the colour of the paper."""
    margin = round(_MARGIN * glyph_px)
    rows, columns = slice(max(0, box.top - margin), box.bottom + margin), slice(max(0, box.left), box.right)
    picture = gray[rows, columns].copy()
    picture[rule_ink[rows, columns] > 0] = int(np.percentile(picture, 80))
    return picture


def _bands(inside: NDArray[np.bool_], glyph_px: float) -> list[tuple[int, int]]:
    """First row and end of each line: rows of ink, joined over slits."""
    rows = np.flatnonzero(inside.any(axis=1))
    if not len(rows):
        return []
    breaks = np.flatnonzero(np.diff(rows) > 1 + _JOINED * glyph_px)
    starts = [int(rows[0]), *(int(rows[at + 1]) for at in breaks)]
    ends = [*(int(rows[at]) + 1 for at in breaks), int(rows[-1]) + 1]
    return list(zip(starts, ends, strict=True))
