"""Rows of a table from the distances of its lines, where no rules tell the rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from algorithms.airflow_review.documents.pdf.textline import NUMBER, TextLine

CLOSE: Final = 0.8  # of the distance of rows: a line this close to its neighbour may be part of its row
_ALIKE: Final = 0.9  # of the widest white between two rows of numbers: white as wide divides as well


def row_bands(lines: Sequence[TextLine]) -> list[int]:
    """The number of the row each line belongs to, counted from 0.

    A line with a number is a row, and what stands between two of them is wrapped text of one or the other: the widest white
    divides. White of one width all along divides at every line.
    """
    keys = [at for at, line in enumerate(lines) if _has_number(line)]
    gaps = [below.base - above.base for above, below in pairwise(lines)]
    if not keys:
        return list(range(len(lines)))
    divides = [False] * len(gaps)
    for start, end in pairwise([0, *keys] if keys[0] else keys):
        widest = max(gaps[start:end])
        divides[start:end] = [gap >= _ALIKE * widest for gap in gaps[start:end]]
    usual = median([gap for gap, divided in zip(gaps, divides, strict=True) if divided] or gaps or [0.0])
    divides[keys[-1] :] = [gap >= CLOSE * usual for gap in gaps[keys[-1] :]]
    return list(accumulate(divides, initial=0))


def _has_number(line: TextLine) -> bool:
    return any(NUMBER.fullmatch(segment.text) for segment in line.segments)
