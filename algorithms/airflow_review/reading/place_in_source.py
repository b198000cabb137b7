"""Evidence for what is read: the line or cell a value was printed in."""

from __future__ import annotations

from algorithms.airflow_review.documents.document import Line, Table
from algorithms.airflow_review.evidence import Evidence


def of_line(file: str, line: Line, quote: str = "") -> Evidence:
    """Evidence of a line; the quote is a part of its text, by default all of it."""
    return Evidence(
        file=file,
        page=line.page,
        line=line.line,
        bbox=line.bbox,
        quote=quote if quote and quote in line.text else line.text.strip(),
    )


def of_cell(file: str, table: Table, row_index: int, column_index: int) -> Evidence:
    """Evidence of one cell; both indexes count from 0, the evidence's row and column from 1."""
    row = table.rows[row_index]
    cell = row.cells[column_index]
    if table.printed_rows:
        row_index, column_index = column_index, row_index
        row = table.printed_rows[row_index]  # a table that goes on over the page has each row on its own page
    return Evidence(
        file=file,
        page=row.page,
        sheet=table.sheet,
        line=row.line,
        table=table.index,
        row=row_index + 1,
        column=column_index + 1,
        bbox=cell.bbox or row.bbox,
        quote=cell.text.strip(),
    )
