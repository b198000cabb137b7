"""Tables with no paragraph between them share a rule and look like one grid; here they part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import or_
from typing import Final

from algorithms.airflow_review.documents.pdf.paging import PageRow, PageTable
from algorithms.airflow_review.documents.pdf.textline import NUMBER

_HEADER_CELLS: Final = 3


def part_touching(table: PageTable) -> list[PageTable]:
    """The tables in a grid: cut where the columns change, and where the header row comes again."""
    changes = _column_changes(table.rows)
    cuts = [at for at in range(1, len(table.rows)) if at in changes or _repeats_header(table, at)]
    edges = [0, *cuts, len(table.rows)]
    if not cuts:
        return [table]
    return [_part(table, table.rows[start:end]) for start, end in pairwise(edges)]


def _column_changes(rows: Sequence[PageRow]) -> set[int]:
    """Rows above which all have a column border that no row from there on has, and the other way round."""
    borders = [_inner_borders([row]) for row in rows]
    below = list(accumulate(reversed(borders), or_))[::-1]
    above = list(accumulate(borders, or_))
    return {
        at
        for at in range(1, len(rows))
        if above[at - 1] - below[at] and below[at] - above[at - 1] and _is_cut_through(rows, at)
    }


def _is_cut_through(rows: Sequence[PageRow], at: int) -> bool:
    upper, lower = rows[at - 1].cells, rows[at].cells
    return all(one is not other for one, other in zip(upper, lower, strict=True))


def _inner_borders(rows: Sequence[PageRow]) -> set[int]:
    return {at for row in rows for at, (left, right) in enumerate(pairwise(row.cells)) if left is not right}


def _repeats_header(table: PageTable, at: int) -> bool:
    header, row = _header(table.rows), [cell.text for cell in table.rows[at].cells]
    if at < 2 or row[0] != header.cells[0].text or row != [cell.text for cell in header.cells]:  # noqa: PLR2004 - a table has a header and a row
        return False
    is_header = sum(map(bool, row)) >= _HEADER_CELLS and not any(map(NUMBER.fullmatch, row))
    return is_header and _is_cut_through(table.rows, at)


def _header(rows: Sequence[PageRow]) -> PageRow:
    """The first row that is not one cell over the whole width."""
    return next((row for row in rows if row.cells[0] is not row.cells[-1]), rows[0])


def _part(table: PageTable, rows: list[PageRow]) -> PageTable:
    """A table of its own, without the columns that only its neighbours have."""
    kept = [0, *(at + 1 for at in sorted(_inner_borders(rows)))]
    for cell in {id(cell): cell for row in rows for cell in row.cells}.values():
        line = next(row.cells for row in rows if any(cell is other for other in row.cells))
        cell.columns = sum(line[at] is cell for at in kept)
    for row in rows:
        row.cells = [row.cells[at] for at in kept]
    borders = (*(table.borders[at] for at in kept), table.borders[-1])
    return PageTable(rows=rows, borders=borders, ruled=table.ruled)
