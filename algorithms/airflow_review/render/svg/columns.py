"""Columns of figures at the right of a drawing: as wide as their texts, the bars take what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.render.svg.pen import (
    GAP,
    HEADS,
    LEGEND,
    PADDING,
    TITLE,
    TOP,
    WIDTH,
    column_width,
    document,
    label,
    number,
    row,
    shorten,
    text_width,
)

ROW: Final = Decimal(22)
BASE: Final = Decimal(15)  # base line of a row's texts
_LEAST_NAME, _MOST_NAME = 90, 200
_LEAST_TRACK: Final = 150
_MOST_TAG: Final = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure in its column."""

    text: str
    role: str = "ink"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row: what stands beside its bars, and what the pointer is told."""

    subject: str
    tooltip: str
    name: str
    figures: tuple[Figure, ...]
    tag: str
    tag_role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where everything of a drawing stands, in units of the drawing."""

    name_width: Decimal
    track_left: Decimal
    track_width: Decimal
    rights: tuple[Decimal, ...]  # right ends of the figures
    tag_left: Decimal
    width: Decimal

    @classmethod
    def of(cls, heads: Sequence[str], lines: Sequence[Line]) -> Columns:
        """Measure all texts; a drawing grows beyond its usual width where very long figures ask for it."""
        name = column_width((line.name for line in lines), least=_LEAST_NAME).min(Decimal(_MOST_NAME))
        widths = [
            column_width([head, *(line.figures[index].text for line in lines)]) for index, head in enumerate(heads[:-1])
        ]
        tag = column_width([heads[-1], *(line.tag for line in lines)]).min(Decimal(_MOST_TAG))
        taken = name + sum(widths) + tag + GAP * (len(widths) + 2) + PADDING * 2
        track = (WIDTH - taken).max(Decimal(_LEAST_TRACK))
        track_left = PADDING + name + GAP
        rights, right = [], track_left + track
        for width in widths:
            right += GAP + width
            rights.append(right)
        return cls(
            name_width=name,
            track_left=track_left,
            track_width=track,
            rights=tuple(rights),
            tag_left=right + GAP,
            width=right + GAP + tag + PADDING,
        )

    def heads(self, heads: Sequence[str], y: Decimal) -> Iterator[str]:
        """The titles above figures and tags."""
        for head, right in zip(heads, self.rights, strict=False):
            yield label(right, y, head, "faint", anchor="end")
        yield label(self.tag_left, y, heads[-1], "faint")

    def texts(self, line: Line, y: Decimal) -> Iterator[str]:
        """Name, figures and tag of one row on their base line."""
        yield label(Decimal(PADDING), y, shorten(line.name, self.name_width))
        for figure, right in zip(line.figures, self.rights, strict=True):
            yield number(right, y, figure.text, figure.role)
        yield label(self.tag_left, y, shorten(line.tag, Decimal(_MOST_TAG)), line.tag_role, bold=True)


def drawing_of(
    title: str,
    description: str,
    legend_marks: Iterator[str],
    heads: Sequence[str],
    lines: Sequence[Line],
    axis: Callable[[Columns], Iterator[str]],
    marks: Callable[[int, Columns, Decimal], Iterator[str]],
) -> str:
    """A drawing with one row a line. `axis` draws the ticks' figures, `marks` what stands in the track of a row, from its number and upper edge."""
    columns = Columns.of(heads, lines)
    rows = []
    for index, line in enumerate(lines):
        top = TOP + ROW * index
        parts = [*marks(index, columns, top), *columns.texts(line, top + BASE)]
        rows.append(row(line.subject, line.tooltip, top, ROW, columns.width, parts, striped=index % 2 == 1))
    head = [
        label(Decimal(PADDING), TITLE, title, bold=True),
        *legend_marks,
        *columns.heads(heads, HEADS),
        *axis(columns),
    ]
    return document(title, description, columns.width, TOP + ROW * len(lines) + PADDING, [*head, *rows])


def legend(marks: Sequence[tuple[str, Decimal, str]]) -> Iterator[str]:
    """Marks with their words from left to right: the mark (drawn at 0), its width, the word."""
    left = Decimal(PADDING)
    for mark, width, word in marks:
        yield f'<g transform="translate({left},0)">{mark}</g>'
        yield label(left + width + 5, LEGEND, word, "faint")
        left += width + 5 + text_width(word) + GAP * 2
