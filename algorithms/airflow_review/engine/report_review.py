"""Judges a measurement report against a plan: time gate, names, readings, mine, comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from algorithms.airflow_review.engine.align import align, window_findings
from algorithms.airflow_review.engine.compare import compare_plan, compare_report, not_judged
from algorithms.airflow_review.engine.mine_air import MineAir, measure_mine, mine_findings
from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.engine.readings import check_readings
from algorithms.airflow_review.engine.shortage import comparison_findings, fan_notes
from algorithms.airflow_review.engine.station_limits import limit_findings
from algorithms.airflow_review.engine.stations import Stations, coverage_findings, name_findings, tie_stations
from algorithms.airflow_review.engine.survey import Survey, reading_id, value_of
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import FanExtract, PlanExtract, ReadingExtract, ReportExtract
from algorithms.airflow_review.messages.catalogue import Text
from algorithms.airflow_review.model import (
    Alignment,
    AlignmentStatus,
    Comparison,
    Fan,
    Finding,
    Plan,
    Reading,
    Report,
)
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportResult:
    """The report as judged; findings carry no id yet, a cause is `<kind>:<subject>`."""

    report: Report
    alignment: Alignment
    comparisons: tuple[Comparison, ...]
    findings: tuple[Finding, ...]


def review_report(
    plan: Plan,
    plan_extract: PlanExtract,
    report_extract: ReportExtract,
    rules: RuleSet,
    plan_findings: Sequence[Finding] = (),
) -> ReportResult:
    """Everything a measurement report says about a plan.

    When the time gate is not passed nothing is compared and nothing is missed: measured rows are not_judged, the
    checks inside the report stay. `plan_findings` are those of the plan's own review; they become causes.
    """
    words = NameWords.of(rules.data["names"])
    survey = Survey(
        plan=plan,
        plan_extract=plan_extract,
        report=_with_kinds(report_extract, plan, words),
        rules=rules,
        words=words,
        plan_findings=tuple(plan_findings),
    )
    alignment = align(plan.period, report_extract.window)
    stations = tie_stations(survey)
    checks = check_readings(survey, stations)
    air = measure_mine(survey, stations, checks.doubtful)
    findings = [
        *window_findings(plan_extract, report_extract, alignment, rules),
        *checks.findings,
        *limit_findings(survey, stations, frozenset(checks.doubtful)),
        *mine_findings(survey, stations, air),
    ]
    comparisons = compare_plan(plan, plan_extract, rules)
    if alignment.status is AlignmentStatus.ALIGNED:
        measured = compare_report(survey, stations, air, checks.doubtful)
        findings += [
            *name_findings(survey, stations),
            *coverage_findings(survey, stations),
            *comparison_findings(survey, measured),
            *fan_notes(survey),
        ]
    else:
        measured = not_judged(survey, Text(alignment.reason, alignment.reason_en))
    return ReportResult(
        report=_report(survey, stations, air),
        alignment=alignment,
        comparisons=(*comparisons, *measured),
        findings=tuple(findings),
    )


def _with_kinds(report: ReportExtract, plan: Plan, words: NameWords) -> ReportExtract:
    """A station whose block says nothing of its kind is a face or a heading by the type word of its name."""
    roadways = {words.key(p.name).full for p in plan.places if p.type in {PlaceType.OTHER_ROADWAY, PlaceType.CHAMBER}}
    readings = []
    for reading in report.readings:
        key = words.key(reading.station)
        named = reading.kind == "other" and key.group and key.full not in roadways
        readings.append(replace(reading, kind=_KIND_OF_GROUP[key.group]) if named else reading)
    return replace(report, readings=tuple(readings))


_KIND_OF_GROUP = {"face": "face", "standby": "face", "heading": "heading"}


def _report(survey: Survey, stations: Stations, air: MineAir) -> Report:
    extract = survey.report
    return Report(
        mine=extract.mine,
        window=extract.window,
        readings=tuple(_reading(survey, stations, index, reading) for index, reading in enumerate(extract.readings)),
        total_intake_m3_min=value_of(extract.total_intake),
        total_return_m3_min=value_of(extract.total_return),
        fans=tuple(_fan(survey, stations, index, fan) for index, fan in enumerate(extract.fans)),
        rates=air.rates,
    )


def _reading(survey: Survey, stations: Stations, index: int, reading: ReadingExtract) -> Reading:
    place = stations.place_of.get(index)
    return Reading(
        id=reading_id(index),
        station=reading.station,
        place_id=None if place is None else survey.plan.places[place].id,
        kind=reading.kind,
        area_m2=value_of(reading.area),
        speed_m_s=value_of(reading.speed),
        flow_m3_min=value_of(reading.flow),
        temperature_c=value_of(reading.temperature),
        ch4_pct=value_of(reading.ch4),
        co2_pct=value_of(reading.co2),
        evidence=reading.evidence,
    )


def _fan(survey: Survey, stations: Stations, index: int, fan: FanExtract) -> Fan:
    system = stations.fan_system.get(index)
    return Fan(
        name=fan.name,
        system=None if system is None else survey.plan.systems[system].id,
        flow_m3_min=value_of(fan.flow),
        pressure_pa=value_of(fan.pressure),
        pressure_kind=fan.pressure_kind,
        blade_angle_deg=value_of(fan.blade_angle),
        speed_rpm=value_of(fan.speed),
        power_kw=value_of(fan.power),
        efficiency=value_of(fan.efficiency),
        evidence=fan.evidence,
    )
