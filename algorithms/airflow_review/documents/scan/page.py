"""A scanned page to the blocks a printed one has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.document import BBox
from algorithms.airflow_review.documents.pdf.grid import Grid, find_grids
from algorithms.airflow_review.documents.pdf.page import page_blocks
from algorithms.airflow_review.documents.pdf.paging import Page, Recognition
from algorithms.airflow_review.documents.pdf.segments import OUTSIDE, Segment
from algorithms.airflow_review.documents.pdf.textline import rounded
from algorithms.airflow_review.documents.scan.cell_lines import Box, ink_lines, picture_of
from algorithms.airflow_review.documents.scan.lexicon import put_right
from algorithms.airflow_review.documents.scan.picture import ink_of, straightened
from algorithms.airflow_review.documents.scan.recognizer import Gray, Recognized, Recognizer
from algorithms.airflow_review.documents.scan.ruling import find_ruling, without_specks
from algorithms.airflow_review.documents.straightening import Straightening

_PAPER: Final = 255
_DASH: Final = "—"
_LIKE_DASHES: Final = frozenset("一-–－ー_~")  # alone in a cell
_SAME_LINE: Final = 0.5  # of the height: lines of text whose middles are closer stand side by side
_BODY: Final = 0.8  # of the height of a line's box: the font size
_AROUND_GRID_PX: Final = 6
_DIRT_PX: Final = 2  # of ink in a row of pixels that are no text
_LEAST_GRID_GLYPHS: Final = 4.0  # a smaller "table" is a glyph or a stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """A straightened page with the tables on it."""

    gray: Gray
    text_ink: Gray  # without the rules of the tables
    rule_ink: Gray
    grids: tuple[Grid, ...]
    glyph_px: float
    pt_per_px: float

    def pixels(self, x0: float, top: float, x1: float, bottom: float) -> Box:
        """A rectangle in points as pixels."""
        return Box(*(round(value / self.pt_per_px) for value in (x0, top, x1, bottom)))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text to be read, and the cell it stands in."""

    box: Box
    cell: tuple[int, int] | None = None  # grid, area; None outside of tables
    is_dash: bool = False


def read_page(
    picture: Gray, pt_per_px: float, recognizer: Recognizer, straightening_of: Callable[[float], Straightening]
) -> Page:
    """The lines and tables of a scanned page; lengths in points of the straightened page.

    `straightening_of` is told by how much the picture was turned [degrees, anticlockwise].
    """
    gray, angle_deg = straightened(picture)
    straightening = straightening_of(angle_deg)
    sheet = _sheet(gray, pt_per_px)
    lines = [*_cell_lines(sheet), *_free_lines(sheet, recognizer)]
    read = _read(lines, sheet, recognizer)
    inside: list[list[list[Segment]]] = [[[] for _ in grid.areas] for grid in sheet.grids]
    outside: list[Segment] = []
    for at, (line, recognition) in enumerate(zip(lines, read, strict=True)):
        if recognition.text:
            segment = _segment(recognition, at)
            (outside if line.cell is None else inside[line.cell[0]][line.cell[1]]).append(segment)
    return Page(
        number=straightening.page,
        height=gray.shape[0] * pt_per_px,
        glyphs=sum(len(item.text) for item in read),
        picture_share=1.0,
        has_rules=bool(sheet.grids),
        recognized=[item for item in read if item.text],
        straightening=straightening,
        blocks=page_blocks(straightening.page, sheet.grids, inside, _by_line(outside)),
    )


def _sheet(gray: Gray, pt_per_px: float) -> _Sheet:
    ink = ink_of(gray)
    ruling = find_ruling(ink, pt_per_px)
    least_pt = _LEAST_GRID_GLYPHS * ruling.glyph_px * pt_per_px
    grids = tuple(grid for grid in find_grids(ruling.drawing) if grid.xs[-1] - grid.xs[0] > least_pt)
    rule_ink = ruling.ink_on(grids, pt_per_px)
    return _Sheet(
        gray=gray,
        text_ink=without_specks(ink & ~rule_ink, ruling.glyph_px),
        rule_ink=rule_ink,
        grids=grids,
        glyph_px=ruling.glyph_px,
        pt_per_px=pt_per_px,
    )


def _cell_lines(sheet: _Sheet) -> list[_Line]:
    return [
        _Line(ink.box, (at, number), ink.is_dash)
        for at, grid in enumerate(sheet.grids)
        for number, area in enumerate(grid.areas)
        for ink in ink_lines(sheet.text_ink, sheet.pixels(*grid.bbox(area)), sheet.glyph_px)
    ]


def _free_lines(sheet: _Sheet, recognizer: Recognizer) -> list[_Line]:
    """Lines outside of tables, where only a detector knows what belongs together."""
    free, ink = sheet.gray.copy(), sheet.text_ink.copy()
    for grid in sheet.grids:
        box = sheet.pixels(grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1])
        rows = slice(max(0, box.top - _AROUND_GRID_PX), box.bottom + _AROUND_GRID_PX)
        columns = slice(max(0, box.left - _AROUND_GRID_PX), box.right + _AROUND_GRID_PX)
        free[rows, columns], ink[rows, columns] = _PAPER, 0
    kept = _rows_with_ink(ink, sheet.glyph_px)
    if not len(kept):
        return []
    # Detection costs by the pixel: the page without its empty stretches and tables.
    return [
        _Line(Box(left, int(kept[top]), right, int(kept[bottom - 1]) + 1))
        for left, top, right, bottom in recognizer.find(free[kept])
        if bottom > top
    ]


def _rows_with_ink(ink: Gray, glyph_px: float) -> NDArray[np.intp]:
    """The rows of pixels around text, with two glyph heights of white kept between one stretch and the next."""
    rows = np.count_nonzero(ink, axis=1) > _DIRT_PX
    around = np.ones(2 * round(glyph_px) + 1)
    return np.flatnonzero(np.convolve(rows, around, mode="same") > 0)


def _read(lines: Sequence[_Line], sheet: _Sheet, recognizer: Recognizer) -> list[Recognition]:
    pictures = [
        picture_of(sheet.gray, sheet.rule_ink, line.box, sheet.glyph_px if line.cell else 0.0)
        for line in lines
        if not line.is_dash
    ]
    found = iter(recognizer.read(pictures))
    result = []
    for line in lines:
        one = Recognized(_DASH, 1.0) if line.is_dash else next(found)
        box = _in_points(line.box, sheet.pt_per_px)
        text = _DASH if line.cell and one.text in _LIKE_DASHES else put_right(one.text)
        result.append(Recognition(bbox=box, raw=one.text, text=text, confidence=one.confidence))
    return result


def _in_points(box: Box, pt_per_px: float) -> BBox:
    return rounded(box.left * pt_per_px, box.top * pt_per_px, box.right * pt_per_px, box.bottom * pt_per_px)


def _segment(recognition: Recognition, line: int) -> Segment:
    x0, top, x1, bottom = recognition.bbox
    size = _BODY * (bottom - top)
    return Segment(
        text=recognition.text, x0=x0, x1=x1, top=top, bottom=bottom, base=bottom, size=size, cell=OUTSIDE, line=line
    )


def _by_line(segments: Sequence[Segment]) -> list[Segment]:
    """Segments from top to bottom and from left to right, those side by side with one line number."""
    lines: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda part: part.top + part.bottom):
        if lines and _is_beside(lines[-1][-1], segment):
            lines[-1].append(segment)
        else:
            lines.append([segment])
    for number, line in enumerate(lines):
        for segment in line:
            segment.line = number
    return [segment for line in lines for segment in sorted(line, key=lambda part: part.x0)]


def _is_beside(one: Segment, other: Segment) -> bool:
    middle, next_middle = (one.top + one.bottom) / 2, (other.top + other.bottom) / 2
    return next_middle - middle < _SAME_LINE * min(one.bottom - one.top, other.bottom - other.top)
