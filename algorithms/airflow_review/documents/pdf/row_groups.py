"""The lines of each row of a table, single wrapped words given to the row they continue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median_low
from typing import Final

from algorithms.airflow_review.documents.pdf.columns import Column, touched
from algorithms.airflow_review.documents.pdf.row_bands import CLOSE, row_bands
from algorithms.airflow_review.documents.pdf.textline import NUMBER, TextLine

_OPEN_NUMBER: Final = re.compile(r"^[\d０-９,，]+[.．]$")


def group_rows(lines: Sequence[TextLine], columns: Sequence[Column]) -> list[list[TextLine]]:
    """The lines of each row from top to bottom."""
    numbered = zip(row_bands(lines), lines, strict=True)
    bands = [[line for _, line in band] for _, band in groupby(numbered, key=lambda pair: pair[0])]
    numeric, step = _numeric_columns(bands, columns), _row_step(bands)
    rows: list[list[TextLine]] = []
    for band in bands:
        is_rest = rows and _continues_name(band, columns) and not _is_section(band, rows[-1], columns, numeric, step)
        if is_rest or (rows and _continues_number(band, rows[-1], columns)):
            rows[-1] += band
        else:
            rows.append(band)
    return rows


def _continues_number(band: Sequence[TextLine], above: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    """The row above ends a cell with a decimal point, and this one has its decimals: a number broken in its cell."""
    open_at = {touched(columns, s)[0] for line in above for s in line.segments if _OPEN_NUMBER.search(s.text)}
    return any(touched(columns, s)[0] in open_at and s.text.isdecimal() for line in band for s in line.segments)


def _numeric_columns(bands: Sequence[Sequence[TextLine]], columns: Sequence[Column]) -> set[int]:
    """Columns that hold more numbers than words."""
    balance = [0] * len(columns)
    for segment in (segment for band in bands for line in band for segment in line.segments):
        met = touched(columns, segment)
        if len(met) == 1:
            balance[met[0]] += 1 if NUMBER.fullmatch(segment.text) else -1
    return {at for at, count in enumerate(balance) if count > 0}


def _row_step(bands: Sequence[Sequence[TextLine]]) -> float:
    """The usual distance of two rows that hold numbers."""
    bases = [line.base for band in bands for line in band if any(NUMBER.fullmatch(s.text) for s in line.segments)]
    steps = [below - above for above, below in pairwise(bases)]
    return median_low(steps) if steps else 0.0


def _is_section(
    band: Sequence[TextLine], above: Sequence[TextLine], columns: Sequence[Column], numeric: set[int], step: float
) -> bool:
    """Words alone in a column of numbers, a whole row below: a heading set over the middle of the table."""
    (segment,) = (segment for line in band for segment in line.segments)
    is_word = any(char > "\u4e00" for char in segment.text) and not NUMBER.fullmatch(segment.text)
    return is_word and touched(columns, segment)[0] in numeric and band[0].base - above[-1].base >= CLOSE * step > 0


def _continues_name(band: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    """One word in a column behind the first, with nothing beside it: the rest of a name above."""
    segments = [segment for line in band for segment in line.segments]
    met = touched(columns, segments[0])
    return len(segments) == 1 and len(columns) > len(met) == 1 and met[0] > 0
