"""Ruled tables of a page: the text of each grid cell; rows that only baselines tell apart are split."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.cell_text import join_lines
from algorithms.airflow_review.documents.pdf.columns import Column
from algorithms.airflow_review.documents.pdf.glyphs import Glyphs
from algorithms.airflow_review.documents.pdf.grid import Grid
from algorithms.airflow_review.documents.pdf.paging import PageCell, PageRow, PageTable
from algorithms.airflow_review.documents.pdf.row_groups import group_rows
from algorithms.airflow_review.documents.pdf.segments import OUTSIDE, Segment
from algorithms.airflow_review.documents.pdf.textline import NUMBER, TextLine, cell_text, lines_of, rounded

_PHANTOM_PT: Final = 4.0  # a strip thinner than this without text lies between the lines of a double rule
_SAME_BASE: Final = 0.42  # of the font size
_OFF_BASE: Final = 0.35  # of the font size: a line this far from all rows belongs to all of them


def cells_of(glyphs: Glyphs, grid: Grid, first: int) -> NDArray[np.intp]:
    """For each glyph `first` + the index of the area its centre lies in, or OUTSIDE; shape `(n_glyphs,)`."""
    column = np.searchsorted(grid.xs, (glyphs.x0 + glyphs.x1) / 2, side="right") - 1
    row = np.searchsorted(grid.ys, (glyphs.top + glyphs.bottom) / 2, side="right") - 1
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    owner = np.array(grid.area_at, np.intp)
    return np.where(inside, first + owner[row.clip(0, rows - 1), column.clip(0, columns - 1)], OUTSIDE)


def ruled_table(grid: Grid, segments: Sequence[Sequence[Segment]], page: int) -> PageTable:
    """The table of a grid; `segments` holds those of each area."""
    filled = [area for area, inside in zip(grid.areas, segments, strict=True) if inside]
    keep_rows = _real_strips(grid.ys, {area.row for area in filled})
    keep_columns = _real_strips(grid.xs, {area.column for area in filled})
    cells = [
        PageCell(
            text=cell_text(inside),
            bbox=rounded(*grid.bbox(area)),
            rows=_count_between(keep_rows, area.row, area.row + area.rows),
            columns=_count_between(keep_columns, area.column, area.column + area.columns),
        )
        for area, inside in zip(grid.areas, segments, strict=True)
    ]
    borders = (*(grid.xs[column] for column in keep_columns), grid.xs[-1])
    rows: list[PageRow] = []
    for at in keep_rows:
        row = PageRow(
            cells=[cells[grid.area_at[at][column]] for column in keep_columns],
            page=page,
            bbox=rounded(grid.xs[0], grid.ys[at], grid.xs[-1], grid.ys[at + 1]),
        )
        rows += _split(row, [_own(grid, segments, at, column) for column in keep_columns], borders)
    return PageTable(rows=rows, borders=borders, ruled=True)


def _real_strips(borders: Sequence[float], filled: set[int]) -> list[int]:
    strips = range(len(borders) - 1)
    return [at for at in strips if at in filled or borders[at + 1] - borders[at] > _PHANTOM_PT]


def _count_between(strips: Sequence[int], first: int, end: int) -> int:
    return bisect_left(strips, end) - bisect_left(strips, first)


def _own(grid: Grid, segments: Sequence[Sequence[Segment]], row: int, column: int) -> Sequence[Segment]:
    """Segments of the cell that starts at a place and lies in this row only."""
    at = grid.area_at[row][column]
    is_first = column == 0 or grid.area_at[row][column - 1] != at
    return segments[at] if is_first and grid.areas[at].rows == 1 else ()


def _split(row: PageRow, inside: Sequence[Sequence[Segment]], borders: Sequence[float]) -> list[PageRow]:
    """The rows of a strip whose rows are told apart by baselines only.

    Proof of several rows are two baselines on which two columns hold numbers, one column on both.
    """
    bases = [line.base for line in _across(inside) if _count_numbers(line) > 1]
    if len(bases) < 2 or not any(_stacks_numbers(own, bases) for own in inside):  # noqa: PLR2004 - two rows
        return [row]
    whole = [_belongs_to_all(own, bases) for own in inside]
    lines = _across([own for own, is_whole in zip(inside, whole, strict=True) if not is_whole])
    groups = group_rows(lines, [Column(x0, x1) for x0, x1 in pairwise(borders)])
    bases = [max(group, key=lambda line: len(line.segments)).base for group in groups]
    edges = [row.bbox[1], *((a + b) / 2 for a, b in pairwise(bases)), row.bbox[3]]
    parts = [
        PageRow(cells=list(row.cells), page=row.page, bbox=rounded(row.bbox[0], edges[at], row.bbox[2], edges[at + 1]))
        for at in range(len(groups))
    ]
    for column, (cell, own) in enumerate(zip(row.cells, inside, strict=True)):
        if cell.rows > 1 or whole[column]:
            cell.rows += len(groups) - 1
        elif column == 0 or row.cells[column - 1] is not cell:
            _divide(cell, own, column, groups, parts)
    return parts


def _count_numbers(line: TextLine) -> int:
    return sum(NUMBER.fullmatch(segment.text) is not None for segment in line.segments)


def _stacks_numbers(own: Sequence[Segment], bases: Sequence[float]) -> bool:
    """Whether one cell holds numbers on two of the baselines: `20.7` in one and `18030` in another are one row."""
    numbers = [part for part in own if NUMBER.fullmatch(part.text)]
    return sum(any(abs(part.base - base) < _SAME_BASE * part.size for part in numbers) for base in bases) > 1


def _across(inside: Sequence[Sequence[Segment]]) -> list[TextLine]:
    """Lines over all cells of a strip; each cell has found its baselines for itself."""
    lines: list[TextLine] = []
    for segment in sorted((part for cell in inside for part in cell), key=lambda part: part.base):
        if lines and segment.base - lines[-1].base < _SAME_BASE * segment.size:
            lines[-1].segments.append(segment)
        else:
            lines.append(TextLine([segment]))
    for line in lines:
        line.segments.sort(key=lambda part: part.x0)
    return lines


def _belongs_to_all(own: Sequence[Segment], bases: Sequence[float]) -> bool:
    """A single line between two baselines."""
    lines = lines_of(own)
    return len(lines) == 1 and min(abs(lines[0].base - base) for base in bases) > _OFF_BASE * lines[0].size


def _divide(
    cell: PageCell, own: Sequence[Segment], column: int, groups: Sequence[Sequence[TextLine]], parts: Sequence[PageRow]
) -> None:
    row_of = {id(segment): at for at, group in enumerate(groups) for line in group for segment in line.segments}
    texts: dict[int, list[str]] = {}
    for line in lines_of(own):
        texts.setdefault(row_of[id(line.segments[0])], []).append(line.text)
    left, right = (cell.bbox[0], cell.bbox[2]) if cell.bbox else (0.0, 0.0)
    for at, part in enumerate(parts):
        piece = PageCell(
            text=join_lines(texts.get(at, [])),
            bbox=rounded(left, part.bbox[1], right, part.bbox[3]),
            columns=cell.columns,
        )
        part.cells[column : column + cell.columns] = [piece] * cell.columns
