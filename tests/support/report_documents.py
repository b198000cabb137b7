"""Documents of measurement reports made of rows of texts, as the parsers would hand them over."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.airflow_review.documents.document import Block, Cell, Document, DocumentKind, Line, Row, Table
from algorithms.airflow_review.evidence import Printed


def document(*blocks: Block, file: str = "report.docx", kind: DocumentKind = DocumentKind.DOCX) -> Document:
    """A document of these blocks."""
    return Document(file=file, sha256="0" * 64, kind=kind, pages=None, blocks=blocks)


def line(text: str) -> Line:
    """A line of text."""
    return Line(text=text)


def table(*rows: Sequence[str], index: int = 1) -> Table:
    """A table; `<` repeats the cell to the left (merged), `^` the cell above (merged)."""
    width = max(map(len, rows))
    grid: list[list[Cell]] = []
    for at, texts in enumerate(rows):
        cells: list[Cell] = []
        for column in range(width):
            text = texts[column] if column < len(texts) else ""
            if text == "<":
                cells.append(_again(cells[column - 1]))
            elif text == "^":
                cells.append(_again(grid[at - 1][column]))
            else:
                cells.append(Cell(text=text, key=(at, column)))
        grid.append(cells)
    return Table(index=index, rows=tuple(Row(cells=tuple(cells)) for cells in grid))


def _again(cell: Cell) -> Cell:
    return Cell(text=cell.text, key=cell.key, origin=False)


def number(printed: Printed | None) -> object:
    """The value of a printed number."""
    return None if printed is None else printed.value
