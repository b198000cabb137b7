"""Words centred beside the rows they are said of, in tables without rules: a merged cell that nothing draws."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Final

from algorithms.airflow_review.documents.pdf.paging import PageCell, PageRow, PageTable
from algorithms.airflow_review.documents.pdf.textline import NUMBER

_BETWEEN: Final = 0.8  # of the distance of rows: a label this close to a row stands between two rows
_CENTRED: Final = 0.25  # of the distance of rows
_LABEL_COLUMNS: Final = 2


def spread_labels(table: PageTable) -> bool:
    """Fills the words of a label column down over the rows they are centred on; False if their extent is uncertain.

    Only a label that stands between two rows proves a merged cell; then every label of the column must be the centre of
    rows that follow each other without a gap.
    """
    is_certain = True
    for column in range(min(_LABEL_COLUMNS, len(table.rows[0].cells))):
        floating = [row for row in table.rows if _is_label(row, column)]
        rows = [row for row in table.rows if not _is_label(row, column)]
        steps = [_middle(below) - _middle(above) for above, below in pairwise(rows)]
        if not floating or not steps:
            continue
        step = median(steps)
        if not any(abs(_middle(label) - _middle(row)) < _BETWEEN * step for label in floating for row in rows):
            continue
        spans = _spans(table, column, step)
        if spans is None:
            is_certain = False
            continue
        for cell, span in spans:
            cell.rows = len(span)
            for row in span:
                row.cells[column] = cell
        table.rows = rows
    return is_certain


def _middle(row: PageRow) -> float:
    return (row.bbox[1] + row.bbox[3]) / 2


def _is_label(row: PageRow, column: int) -> bool:
    filled = [at for at, cell in enumerate(row.cells) if cell.text]
    return filled == [column] and not NUMBER.fullmatch(row.cells[column].text)


def _spans(table: PageTable, column: int, step: float) -> list[tuple[PageCell, list[PageRow]]] | None:
    """The rows of each label from top to bottom, or None where they do not fit."""
    body = [row for row in table.rows if any(NUMBER.fullmatch(cell.text) for cell in row.cells)]
    labels = [
        row
        for row in table.rows
        if row.cells[column].text and (_is_label(row, column) or any(row is one for one in body))
    ]
    spans: list[tuple[PageCell, list[PageRow]]] = []
    first = 0
    for label in labels:
        ends = [
            end
            for end in range(first, len(body))
            if abs((_middle(body[first]) + _middle(body[end])) / 2 - _middle(label)) < _CENTRED * step
        ]
        if not ends:
            return None
        spans.append((label.cells[column], body[first : ends[0] + 1]))
        first = ends[0] + 1
    return spans
