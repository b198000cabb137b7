"""Prose set in two columns: the left column is read before the right one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from algorithms.airflow_review.documents.pdf.segments import Segment
from algorithms.airflow_review.documents.pdf.textline import TextLine

_MIN_LINES: Final = 4
_MIN_EM: Final = 8.0  # prose fills its column; table cells are shorter


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines from top to bottom; where a gutter in the middle divides a stretch of prose, its left half first."""
    if not lines:
        return []
    middle = (min(line.segments[0].x0 for line in lines) + max(line.segments[-1].x1 for line in lines)) / 2
    result: list[TextLine] = []
    stretch: list[TextLine] = []
    for line in lines:
        if _is_divided(line, middle):
            stretch.append(line)
        else:
            result += [*_read(stretch, middle), line]
            stretch = []
    return [*result, *_read(stretch, middle)]


def _is_divided(line: TextLine, middle: float) -> bool:
    """Whether the line has at most one segment on each side of the middle, and none across."""
    sides = [segment.x0 > middle for segment in line.segments if not segment.x0 <= middle < segment.x1]
    return len(sides) == len(line.segments) == len(set(sides))


def _read(stretch: Sequence[TextLine], middle: float) -> list[TextLine]:
    left = [TextLine([part]) for line in stretch for part in line.segments if part.x0 <= middle]
    right = [TextLine([part]) for line in stretch for part in line.segments if part.x0 > middle]
    if not (_is_prose(left) and _is_prose(right)):
        return list(stretch)
    gutter = min(line.segments[0].x0 for line in right) - max(line.segments[0].x1 for line in left)
    return [*left, *right] if gutter > median(line.size for line in left) else list(stretch)


def _is_prose(lines: Sequence[TextLine]) -> bool:
    return len(lines) >= _MIN_LINES and median(map(_width_em, (line.segments[0] for line in lines))) >= _MIN_EM


def _width_em(segment: Segment) -> float:
    return (segment.x1 - segment.x0) / segment.size
