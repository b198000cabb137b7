"""One page: glyphs and rules to blocks in reading order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.cell_text import tidy
from algorithms.airflow_review.documents.pdf.glyphs import Glyphs, PageText
from algorithms.airflow_review.documents.pdf.grid import Grid, find_grids
from algorithms.airflow_review.documents.pdf.gutter import in_reading_order
from algorithms.airflow_review.documents.pdf.paging import Page, PageLine, PageTable
from algorithms.airflow_review.documents.pdf.rivers import unruled_tables
from algorithms.airflow_review.documents.pdf.ruled import cells_of, ruled_table
from algorithms.airflow_review.documents.pdf.rules import Drawing
from algorithms.airflow_review.documents.pdf.segments import OUTSIDE, Segment, find_segments
from algorithms.airflow_review.documents.pdf.textline import TextLine, lines_of
from algorithms.airflow_review.documents.pdf.touching import part_touching

_SAME_RUN: Final = 0.2  # of the font size: touching glyphs


def build_page(number: int, text: PageText, drawing: Drawing) -> Page:
    """The lines and tables of a page."""
    grids = find_grids(drawing)
    inside, outside = _sorted_out(grids, text)
    return Page(
        number=number,
        height=text.turn.height,
        glyphs=len(text.glyphs) + len(text.sideways),
        is_invisible=text.is_invisible,
        picture_share=drawing.picture_pt2 / max(text.turn.width * text.turn.height, 1.0),
        has_rules=bool(drawing.horizontal or drawing.vertical),
        blocks=page_blocks(number, grids, inside, outside),
    )


def page_blocks(
    number: int, grids: Sequence[Grid], inside: Sequence[Sequence[Sequence[Segment]]], outside: Sequence[Segment]
) -> list[PageTable | PageLine]:
    """Tables and lines in reading order, from the segments of each area of each grid and those outside."""
    tables = [
        table
        for grid, segments in zip(grids, inside, strict=True)
        for table in part_touching(ruled_table(grid, segments, number))
    ]
    blocks: list[PageTable | PageLine] = [table for table in tables if _has_text(table)]
    for block in _free_blocks(in_reading_order(lines_of(outside)), number):
        blocks.insert(_place(blocks, block), block)
    return blocks


def _has_text(table: PageTable) -> bool:
    return any(cell.text for row in table.rows for cell in row.cells)


def _place(blocks: Sequence[PageTable | PageLine], block: PageTable | PageLine) -> int:
    """Behind the last free block, and behind ruled tables that start above."""
    at = len(blocks)
    while at and isinstance(before := blocks[at - 1], PageTable) and before.ruled and before.top > block.top:
        at -= 1
    return at


def _sorted_out(grids: Sequence[Grid], text: PageText) -> tuple[list[list[list[Segment]]], list[Segment]]:
    """Segments of each area of each grid, and the segments outside."""
    firsts = np.cumsum([0, *(len(grid.areas) for grid in grids)]).tolist()
    inside: list[list[list[Segment]]] = [[[] for _ in grid.areas] for grid in grids]
    outside: list[Segment] = []
    owners = [(at, area) for at, grid in enumerate(grids) for area in range(len(grid.areas))]
    whole = _whole_runs(text.glyphs, _owners(text.glyphs, grids, firsts))
    for segment in find_segments(text.glyphs, whole):
        if segment.cell == OUTSIDE:
            outside.append(segment)
        else:
            at, area = owners[segment.cell]
            inside[at][area].append(segment)
    if len(text.sideways) and grids:
        cells = _owners(text.sideways, grids, firsts)
        for segment in find_segments(_upright(text.sideways, text.sideways_angle), cells):
            if segment.cell != OUTSIDE:
                at, area = owners[segment.cell]
                inside[at][area].append(segment)
    return inside, outside


def _owners(glyphs: Glyphs, grids: Sequence[Grid], firsts: Sequence[int]) -> NDArray[np.intp]:
    cells = np.full(len(glyphs), OUTSIDE, np.intp)
    for grid, first in zip(grids, firsts, strict=False):
        own = cells_of(glyphs, grid, first)
        cells = np.where(own == OUTSIDE, cells, own)
    return cells


def _whole_runs(glyphs: Glyphs, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Cell numbers with each run of touching glyphs drawn in one go kept in one cell.

    A name a little too long for its cell runs over the rule; the last character belongs to the name all the same.
    """
    if len(glyphs) < 2:  # noqa: PLR2004 - a run has two glyphs
        return cells
    gap = glyphs.x0[1:] - glyphs.x1[:-1]
    goes_on = (
        (glyphs.source[1:] == glyphs.source[:-1])
        & (np.abs(np.diff(glyphs.base)) < _SAME_RUN * glyphs.size[1:])
        & (np.abs(gap) < _SAME_RUN * glyphs.size[1:])
    )
    starts = np.concatenate(([0], np.flatnonzero(~goes_on) + 1))
    ends = np.concatenate((starts[1:], [len(glyphs)]))
    torn = np.minimum.reduceat(cells, starts) != np.maximum.reduceat(cells, starts)
    result = cells.copy()
    for start, end in zip(starts[torn].tolist(), ends[torn].tolist(), strict=True):
        own = sorted(cells[start:end].tolist())
        result[start:end] = max(dict.fromkeys(own), key=own.count)
    return result


def _upright(glyphs: Glyphs, angle: float) -> Glyphs:
    """Sideways glyphs turned about the origin, so that their text runs from left to right."""
    cos, sin = round(math.cos(angle)), round(math.sin(angle))
    corners_x, corners_y = np.stack([glyphs.x0, glyphs.x1]), np.stack([glyphs.top, glyphs.bottom])
    xs, ys = corners_x * cos - corners_y * sin, corners_x * sin + corners_y * cos
    return Glyphs(
        code=glyphs.code,
        x0=xs.min(axis=0),
        x1=xs.max(axis=0),
        top=ys.min(axis=0),
        bottom=ys.max(axis=0),
        base=ys.max(axis=0),
        size=glyphs.size,
        source=glyphs.source,
        spaced=glyphs.spaced,
    )


def _free_blocks(lines: Sequence[TextLine], page: int) -> list[PageTable | PageLine]:
    """Unruled tables and the lines between them, in order."""
    blocks: list[PageTable | PageLine] = []
    done = 0
    for run, table in unruled_tables(lines, page):
        blocks += map(_line, lines[done : run.start])
        blocks.append(table)
        done = run.stop
    blocks += map(_line, lines[done:])
    return [block for block in blocks if isinstance(block, PageTable) or block.text]


def _line(line: TextLine) -> PageLine:
    return PageLine(text=tidy(line.text), bbox=line.bbox, size=round(line.size, 1))
