"""Rows of a table from the distances of its lines, where no rules tell the rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations, pairwise
from statistics import median
from typing import Final

from algorithms.airflow_review.documents.pdf.textline import NUMBER, TextLine

CLOSE: Final = 0.8  # of the distance of rows: a line this close to its neighbour may be part of its row
_WIDER: Final = 1.3  # white between rows against white between the lines of one row
_ALIKE: Final = 0.9  # of the widest white between two rows of numbers: white as wide divides as well


def row_bands(lines: Sequence[TextLine]) -> list[int]:
    """The number of the row each line belongs to, counted from 0.

    Where white of one kind parts groups of lines and narrower white stands inside them, the groups are the rows, if no
    group has two numbers below each other. Else a line with a number is a row, and what stands between two of them is
    wrapped text of one or the other: the widest white divides. White of one width all along divides at every line.
    """
    by_white = _rows_by_white(lines)
    if by_white is not None:
        return by_white
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


def _rows_by_white(lines: Sequence[TextLine]) -> list[int] | None:
    """Rows of several lines each, told by the white between them; None where the white does not tell."""
    gaps = [below.base - above.base for above, below in pairwise(lines)]
    numbered = sum(map(_has_number, lines))
    ordered = sorted(gaps)
    for narrow, wide in reversed(list(pairwise(ordered))):
        if wide < _WIDER * narrow:
            continue
        rows = list(accumulate((gap >= wide for gap in gaps), initial=0))
        groups = [[line for line, row in zip(lines, rows, strict=True) if row == at] for at in range(rows[-1] + 1)]
        with_numbers = [group for group in groups if any(map(_has_number, group))]
        is_wrapped = numbered > len(with_numbers) > 1
        if is_wrapped and not any(map(_stacks_numbers, groups)):
            return rows
    return None


def _stacks_numbers(lines: Sequence[TextLine]) -> bool:
    """Two numbers below each other: lines of different rows."""
    numbers = [(s.x0, s.x1, line.base) for line in lines for s in line.segments if NUMBER.fullmatch(s.text)]
    return any(a[2] != b[2] and a[0] < b[1] and b[0] < a[1] for a, b in combinations(numbers, 2))
