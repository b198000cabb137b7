"""The lines of each row of a table, single wrapped words given to the row they continue."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from algorithms.airflow_review.documents.pdf.columns import Column, touched
from algorithms.airflow_review.documents.pdf.row_bands import row_bands
from algorithms.airflow_review.documents.pdf.textline import TextLine


def group_rows(lines: Sequence[TextLine], columns: Sequence[Column]) -> list[list[TextLine]]:
    """The lines of each row from top to bottom."""
    numbered = zip(row_bands(lines), lines, strict=True)
    bands = [[line for _, line in band] for _, band in groupby(numbered, key=lambda pair: pair[0])]
    rows: list[list[TextLine]] = []
    for band in bands:
        if rows and _continues_name(band, columns):
            rows[-1] += band
        else:
            rows.append(band)
    return rows


def _continues_name(band: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    """One word in a column behind the first, with nothing beside it: the rest of a name above."""
    segments = [segment for line in band for segment in line.segments]
    met = touched(columns, segments[0])
    return len(segments) == 1 and len(columns) > len(met) == 1 and met[0] > 0
