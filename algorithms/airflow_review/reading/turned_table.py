"""Tables whose columns are places: turned so that every row is one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.documents.document import Cell, Row, Table
from algorithms.airflow_review.reading.grid import Column, Grid, joined
from algorithms.airflow_review.reading.headers import split_header

_LONGEST_HEAD: Final = 2  # rows that may name the places: a title row, then the names


def grid_of_places(
    file: str, table: Table, key_of: Callable[[str], str | None], is_place: Callable[[str], bool]
) -> Grid | None:
    """The turned table of `计算项目 | 2-308顺槽 | 2-310顺槽`; None where no row heads its columns with places."""
    for at, row in enumerate(table.rows[:_LONGEST_HEAD]):
        names = [joined(cell.text) for cell in row.cells]
        heads = [name for name in names[1:] if name]
        known = sum(map(is_place, heads))
        if known and 2 * known >= len(heads) and not is_place(names[0]) and len(table.rows) > at + 1:
            return _turned_grid(file, table, at, key_of)
    return None


def turned(table: Table) -> Table:
    """The table with its columns as rows; evidence still gives row and column as printed."""
    rows = tuple(
        Row(
            cells=tuple(_turned(row.cells[column]) for row in table.rows),
            page=table.rows[0].page,
            bbox=table.rows[0].bbox,
            line=table.rows[0].line,
        )
        for column in range(len(table.rows[0].cells))
    )
    return replace(table, rows=rows, printed_rows=table.rows)


def _turned_grid(file: str, table: Table, names: int, key_of: Callable[[str], str | None]) -> Grid:
    upright = turned(table)
    headers = [split_header(cell.text) for cell in upright.rows[0].cells]
    columns = tuple(
        Column(header=header, key="place" if index == names else key_of(header.label) if index > names else None)
        for index, header in enumerate(headers)
    )
    return Grid(file=file, table=upright, header_rows=1, columns=columns)


def _turned(cell: Cell) -> Cell:
    return replace(cell, key=(cell.key[1], cell.key[0]))
