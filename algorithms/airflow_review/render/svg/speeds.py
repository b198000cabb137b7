"""Air speeds against their limits: one row a place, all on one logarithmic axis, worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import log10
from typing import Final

from algorithms.airflow_review.render.air_speeds import AirSpeed, SpeedStanding
from algorithms.airflow_review.render.figures import figure
from algorithms.airflow_review.render.json_text import decimal_text
from algorithms.airflow_review.render.svg.columns import ROW, Columns, Figure, Line, drawing_of, legend
from algorithms.airflow_review.render.svg.pen import HEADS, beyond, box, diamond, disc, label, unknown_box
from algorithms.airflow_review.render.words import Words

ROLE_OF_STANDING: Final = {
    SpeedStanding.ABOVE: "bad",
    SpeedStanding.BELOW: "bad",
    SpeedStanding.DIFFERS: "bad",
    SpeedStanding.MANUAL: "manual",
    SpeedStanding.INSIDE: "good",
    SpeedStanding.UNLIMITED: "faint",
}
_LEAST_M_S, _MOST_M_S = Decimal("0.1"), Decimal(10)  # what lies beyond is an arrow at the edge
_TICKS: Final = tuple(Decimal(text) for text in ("0.1", "0.25", "0.5", "1", "2", "4", "8"))
_LIMIT_WIDTH: Final = Decimal(3)


def speed_rows(
    lines: Sequence[AirSpeed], words: Words, *, names: Sequence[str], has_report: bool, part: str = ""
) -> str:
    """One row per place: the allowed span as a band between two strokes, a diamond for the planned speed, a disc for each measured one.

    Marks beyond a limit are red and have their figure and a word in red too. `names` are the lines' names, told apart where two are alike.
    """
    texts = [_texts(line, name, words, has_report=has_report) for line, name in zip(lines, names, strict=True)]
    heads = [words.say(f"chart.{key}") for key in ("low", "high", "planned", "measured")]
    heads.append(words.say("column.status"))
    return drawing_of(
        words.say("chart.speeds") + part,
        words.say("chart.speeds_desc"),
        _legend(words),
        heads,
        texts,
        _axis,
        lambda index, columns, top: _marks(lines[index], columns, top),
    )


def _axis(columns: Columns) -> Iterator[str]:
    for tick in _TICKS:
        yield label(_at(tick, columns), HEADS, decimal_text(tick), "faint", anchor="middle")


def _legend(words: Words) -> Iterator[str]:
    zero, middle = Decimal(0), Decimal(33)
    band = [box(zero, middle - 4, Decimal(26), Decimal(8), "band")]
    band += [box(x, middle - 7, _LIMIT_WIDTH, Decimal(14), "ink") for x in (zero, Decimal(23))]
    return legend(
        [
            ("".join(band), Decimal(26), words.say("chart.allowed")),
            (diamond(Decimal(6), middle, Decimal(6), "plan"), Decimal(12), words.say("chart.planned_speed")),
            (disc(Decimal(5), middle, Decimal(4), "good"), Decimal(10), words.say("chart.measured_speed")),
            (disc(Decimal(5), middle, Decimal(4), "bad"), Decimal(10), words.say("chart.outside")),
            ("", zero, words.say("chart.axis_logarithmic")),
        ]
    )


def _at(speed_m_s: Decimal, columns: Columns) -> Decimal:
    inside = speed_m_s.max(_LEAST_M_S).min(_MOST_M_S)
    share = Decimal(str(log10(inside / _LEAST_M_S) / log10(_MOST_M_S / _LEAST_M_S)))
    return columns.track_left + columns.track_width * share


def _marks(line: AirSpeed, columns: Columns, top: Decimal) -> Iterator[str]:
    middle = top + ROW / 2
    if line.low_m_s is None and line.high_m_s is None:
        yield unknown_box(columns.track_left, middle - 4, columns.track_width, Decimal(8))
    else:
        left = _at(_LEAST_M_S if line.low_m_s is None else line.low_m_s, columns)
        right = _at(_MOST_M_S if line.high_m_s is None else line.high_m_s, columns)
        yield box(left, middle - 4, right - left, Decimal(8), "band")
        if line.low_m_s is not None:
            yield box(left - _LIMIT_WIDTH, middle - 8, _LIMIT_WIDTH, Decimal(16), "ink")
        if line.high_m_s is not None:
            yield box(right, middle - 8, _LIMIT_WIDTH, Decimal(16), "ink")
    if line.planned_m_s is not None:
        role = ROLE_OF_STANDING[line.standing] if line.is_outside(line.planned_m_s) else "plan"
        yield from _mark(line.planned_m_s, columns, middle, role, is_planned=True)
    for _, speed in line.measured_m_s:
        role = ROLE_OF_STANDING[line.standing] if line.is_outside(speed) else "good"
        yield from _mark(speed, columns, middle, role, is_planned=False)


def _mark(speed_m_s: Decimal, columns: Columns, y: Decimal, role: str, *, is_planned: bool) -> Iterator[str]:
    x = _at(speed_m_s, columns)
    if _LEAST_M_S <= speed_m_s <= _MOST_M_S:
        yield diamond(x, y, Decimal(6), role) if is_planned else disc(x, y, Decimal(4), role)
    else:
        yield beyond(x, y, role, to_right=speed_m_s > _MOST_M_S)


def _texts(line: AirSpeed, name: str, words: Words, *, has_report: bool) -> Line:
    role = ROLE_OF_STANDING[line.standing]
    measured = [speed for _, speed in line.measured_m_s]
    return Line(
        subject=line.subject,
        tooltip=_tooltip(line, words),
        name=name,
        figures=(
            _limit(line.low_m_s, words),
            _limit(line.high_m_s, words),
            _speeds(line, [] if line.planned_m_s is None else [line.planned_m_s], words, is_expected=True),
            _speeds(line, measured, words, is_expected=has_report),
        ),
        tag=words.name("speed", line.standing),
        tag_role=role,
    )


def _limit(value: Decimal | None, words: Words) -> Figure:
    return Figure(text=figure(value, words), role="faint")


def _speeds(line: AirSpeed, speeds: list[Decimal], words: Words, *, is_expected: bool) -> Figure:
    if not speeds:
        return (
            Figure(text=words.say("chart.unknown"), role="manual")
            if is_expected and line.type
            else Figure(text=words.say("none"), role="faint")
        )
    low, high = min(speeds), max(speeds)
    text = (
        figure(low, words) if low == high else words.say("chart.span", low=figure(low, words), high=figure(high, words))
    )
    return Figure(
        text=text, role=ROLE_OF_STANDING[line.standing] if any(line.is_outside(speed) for speed in speeds) else "ink"
    )


def _tooltip(line: AirSpeed, words: Words) -> str:
    stations = [
        words.say("chart.station", station=station, speed=figure(speed, words)) for station, speed in line.measured_m_s
    ]
    return words.say(
        "chart.speed_tooltip",
        name=line.name,
        low=figure(line.low_m_s, words),
        high=figure(line.high_m_s, words),
        planned=figure(line.planned_m_s, words),
        measured=words.say("list.join").join(stations) or words.say("none"),
        standing=words.name("speed", line.standing),
        findings=words.say("list.join").join(line.findings),
        by_need=words.say("chart.by_need") if line.is_by_need else "",
    ).strip()
