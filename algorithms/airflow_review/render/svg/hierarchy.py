"""The sums as a tree: mine, return-air systems, places; each row with three small bars, each sum with its check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.render.blocks import Tone
from algorithms.airflow_review.render.figures import figure
from algorithms.airflow_review.render.sum_tree import Level, TreeRow
from algorithms.airflow_review.render.svg.columns import Figure, legend
from algorithms.airflow_review.render.svg.palette import ROLE_OF_VERDICT, tag_of
from algorithms.airflow_review.render.svg.pen import (
    GAP,
    HEADS,
    PADDING,
    TITLE,
    TOP,
    WIDTH,
    box,
    column_width,
    document,
    label,
    number,
    row,
    shorten,
    text_width,
    unknown_box,
)
from algorithms.airflow_review.render.words import Words

_ROW, _NOTE = Decimal(24), Decimal(15)
_BASE: Final = Decimal(14)  # base line of a row's texts
_BAR_TOP, _BAR = Decimal(18), Decimal(4)  # below the figures
_INDENT: Final = Decimal(14)
_LEAST_NAME, _MOST_NAME = 90, 210
_MOST_TAG: Final = Decimal(110)
_ROLE_OF_TONE: Final = {
    Tone.GOOD: "good",
    Tone.WATCH: "watch",
    Tone.BAD: "bad",
    Tone.MANUAL: "manual",
    Tone.PLAIN: "faint",
}


class TreeScale:
    """Which airflow fills a bar: one for mine, systems and fans, one for the places."""

    def __init__(self, rows: Sequence[TreeRow]) -> None:
        self._most: dict[bool, Decimal] = {False: Decimal(0), True: Decimal(0)}
        for one in rows:
            known = [value for value in (one.required, one.recomputed, one.planned, one.measured) if value is not None]
            is_place = one.level is Level.PLACE
            self._most[is_place] = max([*known, self._most[is_place]])

    def share(self, value: Decimal, one: TreeRow) -> Decimal:
        """The part of a full bar, 0 to 1."""
        most = self._most[one.level is Level.PLACE]
        return value / most if most > 0 and value > 0 else Decimal(0)


def height_of(one: TreeRow) -> Decimal:
    """How high a row is with its notes, in units of the drawing."""
    return _ROW + _NOTE * len(one.notes) + (4 if one.notes else 0)


def tree_rows(rows: Sequence[TreeRow], scale: TreeScale, words: Words, *, has_report: bool, part: str = "") -> str:
    """Rows of the tree with three bars each; `scale` is that of the whole tree, so that its parts can be compared."""
    layout = _Layout(rows, words, has_report=has_report)
    parts: list[str] = []
    top = TOP
    for index, one in enumerate(rows):
        height = height_of(one)
        marks = layout.marks(one, top, scale)
        parts.append(row(one.subject, _tooltip(one, words), top, height, layout.width, marks, striped=index % 2 == 1))
        top += height
    title = words.say("chart.tree") + part
    return document(
        title,
        words.say("chart.tree_desc"),
        layout.width,
        top + PADDING,
        [label(Decimal(PADDING), TITLE, title, bold=True), *_legend(words), *layout.heads(), *parts],
    )


def _legend(words: Words) -> Iterator[str]:
    zero, high = Decimal(0), Decimal(31)
    return legend(
        [
            (box(zero, high, Decimal(22), _BAR, "ink"), Decimal(22), words.say("column.required")),
            (box(zero, high, Decimal(22), _BAR, "plan"), Decimal(22), words.say("column.planned")),
            (box(zero, high, Decimal(22), _BAR, "good"), Decimal(22), words.say("column.measured")),
            (unknown_box(zero, Decimal(28), Decimal(22), Decimal(10)), Decimal(22), words.say("chart.unknown_mark")),
            ("", zero, words.say("chart.tree_scales")),
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One airflow of a row: its figure and its bar."""

    figure: Figure
    value: Decimal | None  # what the bar shows, m³/min
    bar_role: str
    remark: str = ""  # at the left of the figure


class _Layout:
    """Where the columns stand: the texts decide, the bars share what is left."""

    def __init__(self, rows: Sequence[TreeRow], words: Words, *, has_report: bool) -> None:
        self._words, self._has_report = words, has_report
        self._verdict_head = words.say("chart.sum_or_verdict" if has_report else "chart.sum_or_plan_verdict")
        filled = [one for one in rows if not one.is_heading]
        names = max((text_width(one.name) + _INDENT * one.level for one in filled), default=Decimal(0))
        self._name_width = names.max(Decimal(_LEAST_NAME)).min(Decimal(_MOST_NAME))
        tag_width = column_width([self._verdict_head, *(text for one in filled for text, _ in self._tags(one))])
        tag_width = tag_width.min(_MOST_TAG)
        cells = [cell for one in filled for cell in self._cells(one)]
        heads = [words.say(f"column.{key}") for key in ("required", "planned", "measured")]
        least = column_width([*heads, *(cell.remark + cell.figure.text for cell in cells)]) + GAP
        room = WIDTH - PADDING * 2 - GAP * 4 - self._name_width - tag_width
        self._cell_width = (room / 3).max(least)
        step = self._cell_width + GAP
        self._lefts = [PADDING + self._name_width + GAP + step * index for index in range(3)]
        self._tag_left = self._lefts[-1] + step
        self.width = self._tag_left + tag_width + PADDING

    def heads(self) -> Iterator[str]:
        """The titles of the columns."""
        for left, key in zip(self._lefts, ("required", "planned", "measured"), strict=True):
            yield label(left + self._cell_width, HEADS, self._words.say(f"column.{key}"), "faint", anchor="end")
        yield label(self._tag_left, HEADS, self._verdict_head, "faint")

    def marks(self, one: TreeRow, top: Decimal, scale: TreeScale) -> Iterator[str]:
        """Everything of one row."""
        indent, height = PADDING + _INDENT * one.level, height_of(one)
        for depth in range(one.level):
            yield box(PADDING + _INDENT * depth + 3, top, Decimal(1), height, "rule")
        bold = one.level is not Level.PLACE and not one.is_fan
        room = self.width - indent if one.is_heading else self._name_width - _INDENT * one.level
        yield label(indent, top + _BASE, shorten(one.name, room), bold=bold)
        if one.is_heading:
            return
        for left, cell in zip(self._lefts, self._cells(one), strict=True):
            yield from self._cell(cell, left, top, scale, one)
        # A sum has two tags below each other: its check, and the word for the colour of its measured bar.
        for index, (text, role) in enumerate(self._tags(one)[: 2 if one.notes else 1]):
            at = top + (_BASE if index == 0 else _ROW + _NOTE - 4)
            yield label(self._tag_left, at, shorten(text, _MOST_TAG), role, bold=index == 0 and bool(one.sum_text))
        for index, note in enumerate(one.notes, start=1):
            text = shorten(note, self._tag_left - indent - PADDING - GAP)
            yield label(indent + PADDING, top + _ROW + _NOTE * index - 4, text, "faint")

    def _cell(self, cell: _Cell, left: Decimal, top: Decimal, scale: TreeScale, one: TreeRow) -> Iterator[str]:
        if cell.remark:
            yield label(left, top + _BASE, cell.remark, "watch")
        yield number(left + self._cell_width, top + _BASE, cell.figure.text, cell.figure.role)
        if cell.value is not None:
            yield box(left, top + _BAR_TOP, self._cell_width * scale.share(cell.value, one), _BAR, cell.bar_role)
        elif cell.figure.role == "manual":
            yield unknown_box(left, top + _BAR_TOP, self._cell_width, _BAR)

    def _tags(self, one: TreeRow) -> list[tuple[str, str]]:
        verdict = tag_of(one.verdict, self._words, is_planned_short=one.is_planned_short)
        if not one.sum_text:
            return [verdict]
        check = (one.sum_text, _ROLE_OF_TONE[one.sum_tone])
        return [check, verdict] if self._has_report else [check]  # sums are not judged by the plan alone

    def _cells(self, one: TreeRow) -> tuple[_Cell, _Cell, _Cell]:
        words = self._words
        need = one.recomputed if one.required is None else one.required
        remark = "" if one.recomputed is None else words.say("chart.recomputed", value=figure(one.recomputed, words))
        required = self._figure(one.required, is_asked_for=need is None)
        # Neither a fan nor the mine has a planned sum that a document must print.
        planned = self._figure(one.planned, is_asked_for=not one.is_fan and one.level is not Level.MINE)
        if one.is_planned_short and one.planned is not None:
            planned = Figure(text=planned.text, role="bad")
        measured = self._figure(one.measured, is_asked_for=self._has_report)
        return (
            _Cell(figure=required, value=need, bar_role="ink", remark=remark),
            _Cell(figure=planned, value=one.planned, bar_role="plan"),
            _Cell(figure=measured, value=one.measured, bar_role=ROLE_OF_VERDICT[one.verdict]),
        )

    def _figure(self, value: Decimal | None, *, is_asked_for: bool) -> Figure:
        if value is not None:
            return Figure(text=figure(value, self._words))
        if is_asked_for:
            return Figure(text=self._words.say("chart.unknown"), role="manual")
        return Figure(text=self._words.say("none"), role="faint")


def _tooltip(one: TreeRow, words: Words) -> str:
    if one.is_heading:
        return one.name
    return words.say(
        "chart.tree_tooltip",
        name=one.name,
        required=figure(one.required, words),
        recomputed=words.say("none") if one.recomputed is None else figure(one.recomputed, words),
        planned=figure(one.planned, words),
        measured=figure(one.measured, words),
        verdict=words.name("verdict", one.verdict),
    )
