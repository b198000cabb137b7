"""Bullet rows: what each object needs, is planned and gets, on one axis that counts in needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.render.figures import figure, ratio_figure
from algorithms.airflow_review.render.json_text import decimal_text
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.svg.columns import BASE, ROW, Columns, Figure, Line, drawing_of, legend
from algorithms.airflow_review.render.svg.palette import ROLE_OF_VERDICT, tag_of
from algorithms.airflow_review.render.svg.pen import HEADS, beyond, box, label, shorten, unknown_box
from algorithms.airflow_review.render.words import Words

_MOST: Final = Decimal("1.5")  # needs; the axis ends here
_TICKS: Final = (Decimal(0), Decimal("0.5"), Decimal(1), Decimal("1.5"))


def bullet_rows(
    lines: Sequence[Standing], words: Words, *, names: Sequence[str], has_report: bool, part: str = ""
) -> str:
    """One row per object: planned as a band, measured as a bar, required as an upright stroke.

    The axis is airflow over need, so a chamber with 60 and a mine with 30 000 m³/min can be compared by eye; the strokes of the need
    stand below each other. `names` are the lines' names, told apart where two are alike; `part` is added to the title. `data-loc` holds the
    subject's id. A system's planned sum has no reserve in it and is not drawn against the need, only written.
    """
    texts = [_texts(line, name, words, has_report=has_report) for line, name in zip(lines, names, strict=True)]
    heads = [
        *(words.say(f"chart.{key}") for key in ("required", "planned", "measured", "margin")),
        words.say("column.ratio" if has_report else "column.planned_ratio"),
        words.say("column.verdict" if has_report else "column.planned_verdict"),
    ]
    return drawing_of(
        words.say("chart.bullets") + part,
        words.say("chart.bullets_desc"),
        _legend(words),
        heads,
        texts,
        _axis,
        lambda index, columns, top: _bars(lines[index], words, columns, top, has_report=has_report),
    )


def _legend(words: Words) -> Iterator[str]:
    zero = Decimal(0)
    return legend(
        [
            (box(Decimal(4), Decimal(26), Decimal(3), Decimal(14), "ink"), Decimal(10), words.say("column.required")),
            (box(zero, Decimal(27), Decimal(22), Decimal(12), "band"), Decimal(22), words.say("column.planned")),
            (box(zero, Decimal(30), Decimal(22), Decimal(6), "good"), Decimal(22), words.say("column.measured")),
            (unknown_box(zero, Decimal(28), Decimal(22), Decimal(10)), Decimal(22), words.say("chart.unknown_mark")),
            ("", Decimal(0), words.say("chart.axis_in_needs")),
        ]
    )


def _axis(columns: Columns) -> Iterator[str]:
    for tick in _TICKS:
        yield label(_at(tick, columns), HEADS, decimal_text(tick), "faint", anchor="middle")


def _grid(columns: Columns, top: Decimal) -> Iterator[str]:
    """Thin lines between the stripe of a row and its bars."""
    for tick in _TICKS:
        yield box(_at(tick, columns), top, Decimal(1), ROW, "rule")


def _at(ratio: Decimal, columns: Columns) -> Decimal:
    return columns.track_left + columns.track_width * ratio.max(Decimal(0)).min(_MOST) / _MOST


def _bars(line: Standing, words: Words, columns: Columns, top: Decimal, *, has_report: bool) -> Iterator[str]:
    yield from _grid(columns, top)
    left = columns.track_left
    need = line.required
    if need is None or need <= 0:
        yield unknown_box(left, top + 5, columns.track_width, Decimal(12))
        yield label(left + 8, top + BASE, shorten(words.say("chart.no_need"), columns.track_width - 12), "manual")
        return
    to_need = _at(Decimal(1), columns) - left
    if line.planned is not None and not line.is_whole:
        yield from _bar(line.planned / need, columns, top + 4, Decimal(14), "band")
    elif not line.is_whole:
        yield unknown_box(left, top + 4, to_need, Decimal(14))
    if line.measured is not None:
        yield from _bar(line.measured / need, columns, top + 8, Decimal(6), ROLE_OF_VERDICT[line.verdict])
    elif has_report:
        yield unknown_box(left, top + 8, to_need, Decimal(6))
    yield box(left + to_need - Decimal("1.5"), top + 2, Decimal(3), Decimal(18), "ink")


def _bar(ratio: Decimal, columns: Columns, top: Decimal, height: Decimal, role: str) -> Iterator[str]:
    end = _at(ratio, columns)
    yield box(columns.track_left, top, end - columns.track_left, height, role)
    if ratio > _MOST:
        yield beyond(end, top + height / 2, role, to_right=True)


def _texts(line: Standing, name: str, words: Words, *, has_report: bool) -> Line:
    verdict = line.verdict if has_report else line.planned_verdict
    role = ROLE_OF_VERDICT[verdict]
    is_judged = line.margin_m3_min is not None and has_report
    ratio = line.measured_to_required if has_report else line.planned_to_required
    tag, tag_role = tag_of(verdict, words, is_planned_short=line.is_planned_short)
    none = Figure(text=words.say("none"), role="faint")
    return Line(
        subject=line.subject,
        tooltip=_tooltip(line, words),
        name=name,
        figures=(
            _known(line.required, words),
            none
            if line.is_whole and line.planned is None
            else _known(line.planned, words, is_short=line.is_planned_short),
            _known(line.measured, words) if has_report else none,
            Figure(text=figure(line.margin_m3_min, words), role=role) if is_judged else none,
            Figure(text=ratio_figure(ratio, words), role=role) if ratio is not None else none,
        ),
        tag=tag,
        tag_role=tag_role,
    )


def _known(value: Decimal | None, words: Words, *, is_short: bool = False) -> Figure:
    if value is not None:
        return Figure(text=figure(value, words), role="bad" if is_short else "ink")
    return Figure(text=words.say("chart.unknown"), role="manual")


def _tooltip(line: Standing, words: Words) -> str:
    return words.say(
        "chart.tooltip",
        name=line.name,
        required=figure(line.required, words),
        planned=figure(line.planned, words),
        measured=figure(line.measured, words),
        verdict=words.name("verdict", line.verdict),
        reason=line.reason,
    ).strip()
