"""Checks of single readings: Q = 60·v·S, units, instruments, speeds, gas and heat (domain checks 35, 40–42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import median

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding, span
from algorithms.airflow_review.engine.precision import Interval, decimals_of, printed_interval, usual_decimals
from algorithms.airflow_review.engine.repeat_readings import check_repeats
from algorithms.airflow_review.engine.stations import Stations
from algorithms.airflow_review.engine.survey import Doubtful, Survey, evidence_of, flow_of, plain, reading_subject
from algorithms.airflow_review.evidence import Evidence, Printed
from algorithms.airflow_review.messages.catalogue import Text, listed, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.value_class import dataclass

_HALF = Decimal("0.5")
_MANY = 3  # one or two odd readings are no habit of the report
_SHEETS = (".xlsx", ".xls")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChecks:
    """Findings on readings, and the readings whose flow cannot be trusted with why."""

    findings: tuple[Finding, ...]
    doubtful: Mapping[int, Doubtful]  # by index of the reading


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    """One reading's flow beside its product."""

    index: int
    printed: Interval
    product: Interval
    corrected: Interval  # with the measurer's own section taken off
    exact: Decimal  # 60·v·S of the printed values

    @property
    def fits(self) -> bool:
        return self.printed.meets(self.product)


def check_readings(survey: Survey, stations: Stations) -> ReadingChecks:
    """All checks of single readings."""
    flows = _flows(survey)
    findings, doubtful = _flow_findings(survey, flows)
    findings += _missing_unit_findings(survey, stations, flows, doubtful)
    findings += _gas_unit_findings(survey)
    findings += _instrument_findings(survey)
    findings += check_repeats(survey)
    findings += _doubt_findings(survey)
    return ReadingChecks(findings=tuple(findings), doubtful=doubtful)


def _flows(survey: Survey) -> list[_Flow]:
    sheet = survey.report.file.lower().endswith(_SHEETS)
    usual = {
        name: usual_decimals(getattr(reading, name) for reading in survey.readings) if sheet else 0
        for name in ("area", "speed")
    }
    minutes, person = survey.number("reading.minutes"), survey.number("reading.person_area")
    found = []
    for index, reading in enumerate(survey.readings):
        area, speed, flow = reading.area, reading.speed, reading.flow
        if area is None or speed is None or flow is None:
            continue
        section = printed_interval(area, units=_HALF, usual_decimals=usual["area"])
        velocity = printed_interval(speed, units=_HALF, usual_decimals=usual["speed"])
        less = Interval(low=max(section.low - person, Decimal(0)), high=max(section.high - person, Decimal(0)))
        found.append(
            _Flow(
                index=index,
                printed=printed_interval(flow, units=Decimal(1)),
                product=section.times(velocity).scaled(minutes),
                corrected=less.times(velocity).scaled(minutes),
                exact=minutes * speed.value * area.value,
            )
        )
    return found


def _flow_findings(survey: Survey, flows: Sequence[_Flow]) -> tuple[list[Finding], dict[int, Doubtful]]:
    """Readings whose flow does not follow from speed and section."""
    bad = [flow for flow in flows if not flow.fits]
    if len(bad) >= _MANY and len(bad) * 2 > len(flows):
        if all(flow.printed.meets(flow.corrected) for flow in bad):
            return [], {}  # the report takes the measurer's own section off, throughout
        return [_whole_report(survey, bad)], {
            flow.index: Doubtful(other=flow.exact, is_unit=_is_unit_slip(survey, flow)) for flow in bad
        }
    findings: list[Finding] = []
    doubtful: dict[int, Doubtful] = {}
    for flow in bad:
        is_unit = _is_unit_slip(survey, flow)
        findings.append(_unit_finding(survey, flow) if is_unit else _product_finding(survey, flow))
        doubtful[flow.index] = Doubtful(other=flow.exact, is_unit=is_unit)
    return findings, doubtful


def _is_unit_slip(survey: Survey, flow: _Flow) -> bool:
    """Whether the flow fits as m³/s (or the speed was printed in m/min)."""
    return flow.printed.scaled(survey.number("reading.minutes")).meets(flow.product)


def _whole_report(survey: Survey, bad: Sequence[_Flow]) -> Finding:
    units = all(_is_unit_slip(survey, flow) for flow in bad)
    first = survey.readings[bad[0].index]
    return make_finding(
        survey.rules,
        FindingKind.UNIT_SUSPECT if units else FindingKind.READING_INCONSISTENT,
        MINE,
        severity=Severity.WARNING,
        rule="reading.unit" if units else "reading.product",
        message=say("reading.all_units" if units else "reading.all_differ", count=len(bad), station=first.station),
        clears_when=say("reading.all_differ.clear"),
        evidence=evidence_of(first, first.flow, first.speed, first.area),
    )


def _unit_finding(survey: Survey, flow: _Flow) -> Finding:
    reading = survey.readings[flow.index]
    stated = reading.flow.value if reading.flow is not None else None
    return make_finding(
        survey.rules,
        FindingKind.UNIT_SUSPECT,
        reading_subject(survey, flow.index),
        severity=Severity.WARNING,
        rule="reading.unit",
        stated=stated,
        expected=flow.exact,
        unit="m3/min",
        message=say("reading.unit", station=reading.station, flow=_text(reading.flow), product=plain(flow.exact)),
        clears_when=say("reading.unit.clear"),
        evidence=evidence_of(reading, reading.flow, reading.speed, reading.area),
    )


def _product_finding(survey: Survey, flow: _Flow) -> Finding:
    reading = survey.readings[flow.index]
    low, high = plain(flow.product.low), plain(flow.product.high)
    return make_finding(
        survey.rules,
        FindingKind.READING_INCONSISTENT,
        reading_subject(survey, flow.index),
        severity=Severity.WARNING,
        rule="reading.product",
        stated=reading.flow.value if reading.flow is not None else None,
        expected=flow.exact,
        unit="m3/min",
        message=say(
            "reading.product_differs",
            station=reading.station,
            flow=_text(reading.flow),
            speed=_text(reading.speed),
            area=_text(reading.area),
            product=plain(flow.exact),
            allowed=span(low, high),
        ),
        clears_when=say("reading.product_differs.clear"),
        evidence=evidence_of(reading, reading.flow, reading.speed, reading.area),
    )


def _text(printed: Printed | None) -> str:
    return "—" if printed is None else printed.text


def _missing_unit_findings(
    survey: Survey, stations: Stations, flows: Sequence[_Flow], doubtful: dict[int, Doubtful]
) -> list[Finding]:
    """A flow without speed and section that fits plan or main return only as m³/s; marks the reading doubtful."""
    checked = {flow.index for flow in flows}
    low, high = survey.number("reading.unit_ratio_low"), survey.number("reading.unit_ratio_high")
    minutes = survey.number("reading.minutes")
    findings = []
    for index, reading in enumerate(survey.readings):
        name, planned = _reference(survey, stations, index)
        if index in checked or reading.flow is None or not planned:
            continue
        ratio = reading.flow.value * minutes / planned
        if reading.flow.value / planned < low / 10 and low <= ratio <= high:
            doubtful[index] = Doubtful(other=None, is_unit=True)
            findings.append(
                make_finding(
                    survey.rules,
                    FindingKind.UNIT_SUSPECT,
                    reading_subject(survey, index),
                    severity=Severity.WARNING,
                    rule="reading.unit",
                    stated=reading.flow.value,
                    unit="m3/min",
                    message=say(
                        "reading.unit_of_plan",
                        station=reading.station,
                        flow=reading.flow.text,
                        what=name,
                        reference=plain(planned),
                    ),
                    clears_when=say("reading.unit.clear"),
                    evidence=evidence_of(reading, reading.flow),
                )
            )
    return findings


def _reference(survey: Survey, stations: Stations, index: int) -> tuple[Text, Decimal | None]:
    """What a flow should be near to: the planned air of the place, the main return of the fan's system."""
    reading = survey.readings[index]
    if reading.kind == "fan":
        fan = next((i for i, fan in enumerate(survey.report.fans) if fan.name == reading.station), None)
        system = None if fan is None else stations.fan_system.get(fan)
        returns = [flow_of(survey.readings[r]) for r, owner in stations.system_of.items() if owner == system]
        return say("quantity.system_return"), returns[0] if len(returns) == 1 else None
    if reading.planned is not None:
        return say("quantity.planned"), reading.planned.value
    place = stations.place_of.get(index)
    return say("quantity.planned"), None if place is None else survey.plan.places[place].planned_m3_min


def _gas_unit_findings(survey: Survey) -> list[Finding]:
    """A methane value printed as a fraction among percents: more decimals than usual, far below the others."""
    findings = []
    for name in ("ch4", "co2"):
        values = [(i, v) for i, r in enumerate(survey.readings) if (v := getattr(r, name)) is not None and v.value > 0]
        if not values:
            continue
        usual = usual_decimals(v for _, v in values)
        middle = median(v.value for _, v in values)
        for index, value in values:
            finer = (decimals_of(value) or 0) >= usual + 2
            small = finer and value.value * survey.number("reading.gas_outlier") < middle
            if small or value.value > 100:  # noqa: PLR2004 - no share exceeds 100 %
                reading = survey.readings[index]
                findings.append(
                    make_finding(
                        survey.rules,
                        FindingKind.UNIT_SUSPECT,
                        reading_subject(survey, index),
                        severity=Severity.WARNING,
                        rule="reading.unit",
                        stated=value.value,
                        unit="%",
                        message=say(
                            "reading.gas_unit",
                            station=reading.station,
                            quantity=say(f"quantity.{name}"),
                            value=value.text,
                        ),
                        clears_when=say("reading.gas_unit.clear"),
                        evidence=evidence_of(reading, value),
                    )
                )
    return findings


def _instrument_findings(survey: Survey) -> list[Finding]:
    """Speeds outside the range of every anemometer the report names."""
    spans = _instrument_spans(survey)
    if not spans:
        return []
    findings = []
    for index, reading in enumerate(survey.readings):
        speed = reading.speed
        if speed is None or any(low <= speed.value <= high for low, high in spans):
            continue
        ranges = listed(say("reading.range", low=plain(low), high=plain(high)) for low, high in spans)
        findings.append(
            make_finding(
                survey.rules,
                FindingKind.READING_INCONSISTENT,
                reading_subject(survey, index),
                severity=Severity.WARNING,
                rule="reading.instrument",
                stated=speed.value,
                unit="m/s",
                message=say("reading.instrument", station=reading.station, speed=speed.text, ranges=ranges),
                clears_when=say("reading.instrument.clear"),
                evidence=evidence_of(reading, speed),
            )
        )
    return findings


def _instrument_spans(survey: Survey) -> list[tuple[Decimal, Decimal]]:
    statements = survey.report.statements
    stated = [
        (s.low, s.high) for s in statements if s.key == "instrument_range" and s.low is not None and s.high is not None
    ]
    if stated:
        return stated
    classes = dict.fromkeys(s.scope for s in statements if s.key == "instrument_class")
    return [(survey.number(f"instrument.{c}.low"), survey.number(f"instrument.{c}.high")) for c in classes]


def _doubt_findings(survey: Survey) -> list[Finding]:
    """What the reader could not read; a note, the value stays open."""
    return [
        make_finding(
            survey.rules,
            FindingKind.EXTRACTION_DOUBT,
            _doubt_subject(survey, doubt.table, doubt.row),
            severity=Severity.MANUAL if doubt.needs_check else Severity.NOTE,
            rule="reading.unreadable",
            stated=doubt.quote,
            message=say("doubt.value_unsure" if doubt.needs_check else "doubt.value_open", doubt=_unended(doubt)),
            clears_when=say("doubt.value_open.clear"),
            evidence=_doubt_evidence(survey, doubt.table, doubt.row),
        )
        for doubt in survey.report.doubts
        if doubt.other is None  # two engines read other digits: told apart, the value is not open
    ]


def _unended(doubt: Doubt) -> Text:
    """What is doubtful, as the beginning of a sentence."""
    return Text(doubt.message, doubt.message_en or doubt.message).unended()


def _doubt_subject(survey: Survey, table: int | None, row: int | None) -> Subject:
    at = _reading_at(survey, table, row)
    return MINE if at is None else reading_subject(survey, at)


def _doubt_evidence(survey: Survey, table: int | None, row: int | None) -> tuple[Evidence, ...]:
    at = _reading_at(survey, table, row)
    return () if at is None else survey.readings[at].evidence


def _reading_at(survey: Survey, table: int | None, row: int | None) -> int | None:
    if table is None or row is None:
        return None
    return next(
        (i for i, r in enumerate(survey.readings) if any(e.table == table and e.row == row for e in r.evidence)), None
    )
