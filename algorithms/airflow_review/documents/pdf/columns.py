"""Columns of unruled tables: strips of text between rivers of white."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from itertools import combinations, pairwise
from typing import Final

from algorithms.airflow_review.documents.pdf.row_bands import row_bands
from algorithms.airflow_review.documents.pdf.segments import Seam, Segment
from algorithms.airflow_review.documents.pdf.textline import TextLine
from algorithms.airflow_review.value_class import dataclass

_HEADER_BANDS: Final = 3


@dataclass(slots=True)
class Column:
    """An interval along the page, and the numbers of the bands that fill it."""

    x0: float
    x1: float
    bands: set[int] = field(default_factory=set)


def find_columns(lines: Sequence[TextLine]) -> list[Column]:
    """The columns that the lines show, from left to right.

    Segments are added from narrow to wide, those alone in their band last. One over several columns joins them, unless
    two of them are filled in one band or it stands alone: then it is a heading over both.
    """
    columns: list[Column] = []
    segments = [
        (segment, band) for band, line in zip(row_bands(lines), lines, strict=True) for segment in line.segments
    ]
    in_band = Counter(band for _, band in segments)
    for segment, band in sorted(segments, key=lambda pair: (in_band[pair[1]] == 1, pair[0].x1 - pair[0].x0)):
        met = [column for column in columns if column.x0 < segment.x1 and segment.x0 < column.x1]
        is_heading = len(met) > 1 and in_band[band] == 1
        if is_heading or any(one.bands & other.bands for one, other in combinations(met, 2)):
            for column in met:
                column.bands.add(band)
            continue
        merged = Column(segment.x0, segment.x1, {band})
        for column in met:
            merged.x0, merged.x1 = min(merged.x0, column.x0), max(merged.x1, column.x1)
            merged.bands |= column.bands
            columns.remove(column)
        columns.append(merged)
    return _complete(sorted(columns, key=lambda column: column.x0))


def _complete(columns: list[Column]) -> list[Column]:
    """Columns joined with the neighbour they complete: a heading at the left of numbers set to the right."""
    result = columns[:1]
    for column in columns[1:]:
        left = result[-1]
        if left.bands & column.bands or min(len(left.bands), len(column.bands)) > _HEADER_BANDS:
            result.append(column)
        else:
            result[-1] = Column(left.x0, column.x1, left.bands | column.bands)
    return result


def touched(columns: Sequence[Column], segment: Segment) -> list[int]:
    """Indices of the columns a segment stands in; the nearest one if it stands between two."""
    slack = 0.2 * segment.size
    met = [at for at, c in enumerate(columns) if c.x0 + slack < segment.x1 and segment.x0 < c.x1 - slack]
    middle = (segment.x0 + segment.x1) / 2
    return met or [min(range(len(columns)), key=lambda at: abs((columns[at].x0 + columns[at].x1) / 2 - middle))]


def cut_at_rivers(line: TextLine, columns: Sequence[Column]) -> TextLine:
    """The line with segments that run over a river cut there, if two texts meet in it."""
    segments: list[Segment] = []
    for whole in line.segments:
        segments.append(whole)
        for left, right in pairwise(columns):
            rest = segments[-1]
            cuts = [seam for seam in rest.seams if left.x1 <= (seam[1] + seam[2]) / 2 <= right.x0]
            if cuts and rest.x0 < left.x1 and rest.x1 > right.x0:
                segments += _cut(segments.pop(), max(cuts, key=lambda seam: seam[2] - seam[1]))
    return TextLine(segments)


def _cut(segment: Segment, seam: Seam) -> tuple[Segment, Segment]:
    index, left, right = seam
    before, behind = segment.text[:index].rstrip(), segment.text[index:].lstrip()
    shift = len(segment.text) - len(behind)
    return (
        replace(segment, text=before, x1=left, seams=tuple(s for s in segment.seams if s[0] < index)),
        replace(
            segment,
            text=behind,
            x0=right,
            seams=tuple((at - shift, x0, x1) for at, x0, x1 in segment.seams if at > index),
        ),
    )
