"""Chapter 5: air speeds, planned and measured, against the limits of each airway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from algorithms.airflow_review.model import InputFile, Review
from algorithms.airflow_review.render.air_speeds import AirSpeed, SpeedStanding, air_speeds
from algorithms.airflow_review.render.blocks import Block, Cell, Column, Paragraph, Section, Table, Tone
from algorithms.airflow_review.render.charts import speed_charts
from algorithms.airflow_review.render.figures import figure, number_cell, spots_by_role
from algorithms.airflow_review.render.words import Words

_TONE: Final = {
    SpeedStanding.ABOVE: Tone.BAD,
    SpeedStanding.BELOW: Tone.BAD,
    SpeedStanding.DIFFERS: Tone.BAD,
    SpeedStanding.MANUAL: Tone.MANUAL,
    SpeedStanding.INSIDE: Tone.GOOD,
    SpeedStanding.UNLIMITED: Tone.PLAIN,
}


def speeds_section(review: Review, words: Words) -> Section | None:
    """The drawing of all places with a limit and a table of the same; None where the review knows neither speed nor limit."""
    lines = air_speeds(review)
    limited = [line for line in lines if line.standing is not SpeedStanding.UNLIMITED]
    rest = [line for line in lines if line.standing is SpeedStanding.UNLIMITED]
    if not limited:
        return None
    blocks: list[Block] = [Paragraph(text=words.say("speeds.sentence"))]
    if rest:
        blocks.append(Paragraph(text=words.say("speeds.unlimited", count=len(rest))))
    names = {system.id: system.name for system in review.plan.systems}
    systems = {place.id: names.get(place.system or "", "") for place in review.plan.places}
    blocks += speed_charts(limited, words, systems=systems, has_report=review.report is not None)
    blocks.append(_table(limited, review.inputs, words))
    return Section(key="speeds", title=words.say("section.speeds"), blocks=tuple(blocks), is_wide=True)


def _table(lines: Sequence[AirSpeed], inputs: tuple[InputFile, ...], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.place"), width=24),
        Column(title=words.say("column.type"), width=11),
        Column(title=words.say("column.area"), width=9, numeric=True),
        Column(title=words.say("column.low"), width=9, numeric=True),
        Column(title=words.say("column.high"), width=9, numeric=True),
        Column(title=words.say("column.planned_speed"), width=10, numeric=True),
        Column(title=words.say("column.measured_speed"), width=24),
        Column(title=words.say("column.status"), width=12),
        Column(title=words.say("column.evidence"), width=25),
    )
    rows = tuple(
        (
            Cell(text=line.name),
            Cell(text=words.name("type", line.type)),
            number_cell(line.area_m2, words),
            number_cell(line.low_m_s, words),
            number_cell(line.high_m_s, words),
            number_cell(line.planned_m_s, words),
            Cell(text=_measured(line, words)),
            Cell(text=_standing(line, words), tone=_TONE[line.standing]),
            Cell(text=spots_by_role(line.evidence, inputs, words)),
        )
        for line in lines
    )
    return Table(columns=columns, rows=rows, caption=words.say("caption.speeds"))


def _measured(line: AirSpeed, words: Words) -> str:
    """The speed alone where one station measured it, else each with its station."""
    if len(line.measured_m_s) == 1:
        return figure(line.measured_m_s[0][1], words)
    stations = (
        words.say("chart.station", station=name, speed=figure(speed, words)) for name, speed in line.measured_m_s
    )
    return words.say("evidence.list_join").join(stations) or words.say("none")


def _standing(line: AirSpeed, words: Words) -> str:
    parts = [words.name("speed", line.standing), *line.findings]
    if line.is_by_need:
        parts.append(words.say("chart.by_need"))
    return " ".join(parts)
