"""Chapters 8 and 9: what was measured, fans and rates of the mine."""

from __future__ import annotations

from decimal import Decimal

from algorithms.airflow_review.model import Fan, Rates, Reading, Report, Review
from algorithms.airflow_review.render.blocks import Block, Cell, Column, Paragraph, Section, Table, Tone
from algorithms.airflow_review.render.figures import figure, first_spot, number_cell
from algorithms.airflow_review.render.words import Words


def readings_section(review: Review, words: Words) -> Section:
    """All readings with the place of the plan each was tied to."""
    title = words.say("section.readings")
    if review.report is None:
        no_report = Paragraph(text=words.say("measured.no_report"), tone=Tone.MANUAL)
        return Section(key="readings", title=title, blocks=(no_report,))
    totals = words.say(
        "readings.totals",
        intake=figure(review.report.total_intake_m3_min, words),
        outflow=figure(review.report.total_return_m3_min, words),
        count=len(review.report.readings),
    )
    names = {place.id: place.name for place in review.plan.places}
    table = _readings_table(review.report.readings, names, words)
    return Section(key="readings", title=title, blocks=(Paragraph(text=totals), table), is_wide=True)


def fans_section(review: Review, words: Words) -> Section | None:
    """Main fans and mine-level rates; None without a report."""
    if review.report is None:
        return None
    blocks: list[Block] = []
    if review.report.fans:
        names = {system.id: system.name for system in review.plan.systems}
        blocks.append(_fans_table(review.report.fans, names, words))
    else:
        blocks.append(Paragraph(text=words.say("fans.none"), tone=Tone.MANUAL))
    if review.report.rates is not None:
        blocks.append(_rates_table(review.report, review.report.rates, words))
    return Section(key="fans", title=words.say("section.fans"), blocks=tuple(blocks))


def _readings_table(readings: tuple[Reading, ...], names: dict[str, str], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.id"), width=7),
        Column(title=words.say("column.station"), width=26),
        Column(title=words.say("column.kind"), width=9),
        Column(title=words.say("column.tied_place"), width=24),
        Column(title=words.say("column.area"), width=8, numeric=True),
        Column(title=words.say("column.speed"), width=8, numeric=True),
        Column(title=words.say("column.flow"), width=10, numeric=True),
        Column(title=words.say("column.temperature"), width=8, numeric=True),
        Column(title="CH₄ %", width=7, numeric=True),
        Column(title="CO₂ %", width=7, numeric=True),
        Column(title=words.say("column.evidence"), width=20),
    )
    rows = tuple(
        (
            Cell(text=reading.id),
            Cell(text=reading.station),
            Cell(text=words.name("reading", reading.kind)),
            Cell(text=names.get(reading.place_id or "", words.say("readings.untied"))),
            number_cell(reading.area_m2, words),
            number_cell(reading.speed_m_s, words),
            number_cell(reading.flow_m3_min, words),
            number_cell(reading.temperature_c, words),
            number_cell(reading.ch4_pct, words),
            number_cell(reading.co2_pct, words),
            Cell(text=first_spot(reading.evidence, words)),
        )
        for reading in readings
    )
    return Table(columns=columns, rows=rows)


def _fans_table(fans: tuple[Fan, ...], names: dict[str, str], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.fan"), width=22),
        Column(title=words.say("column.system"), width=18),
        Column(title=words.say("column.flow"), width=11, numeric=True),
        Column(title=words.say("column.pressure"), width=10, numeric=True),
        Column(title=words.say("column.pressure_kind"), width=9),
        Column(title=words.say("column.blade_angle"), width=9, numeric=True),
        Column(title=words.say("column.fan_speed"), width=9, numeric=True),
        Column(title=words.say("column.power"), width=9, numeric=True),
        Column(title=words.say("column.efficiency"), width=11, numeric=True),
        Column(title=words.say("column.evidence"), width=18),
    )
    rows = tuple(
        (
            Cell(text=fan.name),
            Cell(text=names.get(fan.system or "", fan.system or words.say("none"))),
            number_cell(fan.flow_m3_min, words),
            number_cell(fan.pressure_pa, words),
            Cell(text=words.name("pressure", fan.pressure_kind)),
            number_cell(fan.blade_angle_deg, words),
            number_cell(fan.speed_rpm, words),
            number_cell(fan.power_kw, words),
            number_cell(fan.efficiency, words),
            Cell(text=first_spot(fan.evidence, words)),
        )
        for fan in fans
    )
    return Table(columns=columns, rows=rows)


def _rates_table(report: Report, rates: Rates, words: Words) -> Table:
    columns = (
        Column(title=words.say("column.quantity"), width=30),
        Column(title=words.say("column.recomputed"), width=16, numeric=True),
        Column(title=words.say("column.stated_by_report"), width=16, numeric=True),
        Column(title=words.say("column.note"), width=30),
    )
    denominator = words.say("rates.denominator", name=words.name("denominator", rates.denominator))
    computed: list[tuple[str, Decimal | None, str]] = [
        ("total_intake_m3_min", report.total_intake_m3_min, ""),
        ("total_return_m3_min", report.total_return_m3_min, ""),
        ("effective_m3_min", rates.effective_m3_min, ""),
        ("effective_rate", rates.effective_rate, denominator),
        ("external_leakage", rates.external_leakage, ""),
        ("resistance", rates.resistance, ""),
        ("equivalent_orifice_m2", rates.equivalent_orifice_m2, ""),
    ]
    known = {key for key, _, _ in computed}
    computed += [(key, None, "") for key in rates.stated if key not in known]
    rows = tuple(
        (
            Cell(text=words.name("rate", key)),
            number_cell(value, words),
            number_cell(rates.stated.get(key), words),
            Cell(text=note or words.say("none")),
        )
        for key, value, note in computed
        if value is not None or key in rates.stated
    )
    return Table(columns=columns, rows=rows, caption=words.say("caption.rates"))
