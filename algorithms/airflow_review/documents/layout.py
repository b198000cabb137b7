"""Placing cells with spans on a grid, the same for docx, xlsx and ruled pdf tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from algorithms.airflow_review.documents.document import BBox, Cell, Row, Table
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A cell as it stands on the grid: its first place and the rows and columns it covers."""

    row: int
    column: int
    text: str
    rows: int = 1
    columns: int = 1
    bbox: BBox | None = None


def lay_out(placed: Iterable[Placed], rows: int, columns: int) -> list[list[Cell]]:
    """A full `rows` × `columns` grid: merged cells at every place they cover, empty cells elsewhere."""
    grid: list[list[Cell | None]] = [[None] * columns for _ in range(rows)]
    for item in placed:
        key = (item.row, item.column)
        first = Cell(text=item.text, key=key, bbox=item.bbox)
        again = Cell(text=item.text, key=key, origin=False, bbox=item.bbox)
        for row in range(item.row, min(item.row + item.rows, rows)):
            for column in range(item.column, min(item.column + item.columns, columns)):
                grid[row][column] = first if (row, column) == key else again
    return [
        [cell or Cell(text="", key=(at, column)) for column, cell in enumerate(cells)] for at, cells in enumerate(grid)
    ]


def plain_table(
    index: int,
    texts: Sequence[Sequence[str]],
    *,
    lines: Sequence[int] | None = None,
    sheet: str | None = None,
    ruled: bool = False,
) -> Table:
    """A table without merged cells; short rows are filled up with empty cells at the right."""
    width = max(map(len, texts))
    rows = [
        Row(
            cells=tuple(
                Cell(text=row[column] if column < len(row) else "", key=(at, column)) for column in range(width)
            ),
            line=lines[at] if lines else None,
        )
        for at, row in enumerate(texts)
    ]
    return Table(index=index, rows=tuple(rows), sheet=sheet, ruled=ruled)
