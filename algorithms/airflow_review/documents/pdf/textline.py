"""Lines of a page: the segments of one baseline, and what their texts say together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from algorithms.airflow_review.documents.cell_text import join_lines
from algorithms.airflow_review.documents.document import BBox
from algorithms.airflow_review.documents.pdf.segments import Segment
from algorithms.airflow_review.value_class import dataclass

NUMBER: Final = re.compile(r"[+\-−]?[\d０-９][\d０-９,，.．]*[%％]?")


@dataclass(slots=True)
class TextLine:
    """The segments of one baseline, from left to right."""

    segments: list[Segment]

    @property
    def base(self) -> float:
        """Baseline [pt]."""
        return self.segments[0].base

    @property
    def size(self) -> float:
        """Largest font size [pt]."""
        return max(segment.size for segment in self.segments)

    @property
    def text(self) -> str:
        """The whole line; a wide gap is a space."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def bbox(self) -> BBox:
        """x0, top, x1, bottom [pt]."""
        parts = self.segments
        return rounded(
            min(part.x0 for part in parts),
            min(part.top for part in parts),
            max(part.x1 for part in parts),
            max(part.bottom for part in parts),
        )


def lines_of(segments: Sequence[Segment]) -> list[TextLine]:
    """Segments in their order, grouped by line."""
    return [TextLine(list(group)) for _, group in groupby(segments, key=lambda segment: segment.line)]


def cell_text(segments: Sequence[Segment]) -> str:
    """The text of one cell: segments of a line side by side, lines joined."""
    return join_lines(line.text for line in lines_of(segments))


def rounded(x0: float, top: float, x1: float, bottom: float) -> BBox:
    """A box in tenths of a point."""
    return (round(x0, 1), round(top, 1), round(x1, 1), round(bottom, 1))
