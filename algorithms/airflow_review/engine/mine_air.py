"""Checks of the mine as a whole: totals, balance of intake and return, leakage, effective rate (domain check 42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

from algorithms.airflow_review.engine.document_words import document_words
from algorithms.airflow_review.engine.effective_air import effective_air, unmeasured_air
from algorithms.airflow_review.engine.issue import MINE, make_finding, span
from algorithms.airflow_review.engine.precision import decimals_of
from algorithms.airflow_review.engine.stations import Stations
from algorithms.airflow_review.engine.survey import (
    Doubtful,
    Survey,
    flow_of,
    least_flow,
    plain,
    value_of,
)
from algorithms.airflow_review.evidence import Evidence, Printed
from algorithms.airflow_review.extract import Statement
from algorithms.airflow_review.messages.catalogue import Text, as_printed, listed, rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Rates, Severity
from algorithms.airflow_review.value_class import dataclass

_PLACES = Decimal("0.0001")


@dataclass(frozen=True, slots=True, kw_only=True)
class MineAir:
    """What flows through the mine; m³/min. A sum is None where a reading of its kind has no flow, or there is none."""

    intake_sum: Decimal | None
    return_sum: Decimal | None
    intake: Decimal | None  # printed total, else the sum of the stations
    least_intake: Decimal | None  # the least that totals and readings leave, where they contradict each other
    returned: Decimal | None  # stated total return, else the sum
    fan_sum: Decimal | None
    effective: Decimal | None
    rates: Rates


def measure_mine(survey: Survey, stations: Stations, doubtful: Mapping[int, Doubtful]) -> MineAir:
    """Sums and rates from the readings, apart from what the report states."""
    members = {kind: _stations_of(survey, kind) for kind in ("intake", "return")}
    sums = {kind: _sum([flow_of(survey.readings[i]) for i in own]) for kind, own in members.items()}
    stated_in, stated_out = value_of(survey.report.total_intake), value_of(survey.report.total_return)
    intake = stated_in if stated_in is not None else sums["intake"]
    least = _sum([least_flow(survey, i, doubtful) for i in members["intake"]])
    returned = stated_out if stated_out is not None else sums["return"]
    is_fan_unit = any(doubt.is_unit and survey.readings[i].kind == "fan" for i, doubt in doubtful.items())
    flows = [value_of(fan.flow) for fan in survey.report.fans if _is_running(survey, fan.name)]
    fans = None if is_fan_unit else _sum(flows)
    effective = effective_air(survey, stations, doubtful, intake)
    return MineAir(
        intake_sum=sums["intake"],
        return_sum=sums["return"],
        intake=intake,
        least_intake=min((v for v in (intake, least) if v is not None), default=None),
        returned=returned,
        fan_sum=fans,
        effective=effective,
        rates=_rates(survey, intake, returned, fans, effective),
    )


def _stations_of(survey: Survey, kind: str) -> list[int]:
    """The stations that make up a total; a total that is a station of its own (总回风 with speed and section) is none."""
    totals = {"intake": survey.report.total_intake, "return": survey.report.total_return}
    printed = totals[kind]
    rows = {(e.sheet, e.table, e.row) for e in printed.evidence} if printed is not None else set()
    own = [i for i, reading in enumerate(survey.readings) if reading.kind == kind]
    parts = [i for i in own if not {(e.sheet, e.table, e.row) for e in survey.readings[i].evidence} & rows]
    return parts or own


def _is_running(survey: Survey, name: str) -> bool:
    """Of two fans the standby one has no flow; it does not make the sum unknown."""
    return any(fan.name == name and fan.flow is not None for fan in survey.report.fans)


def _sum(values: Sequence[Decimal | None]) -> Decimal | None:
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(values) else None


def _rates(
    survey: Survey, intake: Decimal | None, returned: Decimal | None, fans: Decimal | None, effective: Decimal | None
) -> Rates:
    denominator = (
        "main_fan"
        if any(
            s.key == "effective_rate_denominator" and document_words().main_fan_sign in s.text + s.scope
            for s in survey.plan_extract.statements
        )
        else "total_intake"
    )
    base = fans if denominator == "main_fan" else intake
    orifice = _orifice(survey)
    return Rates(
        effective_m3_min=effective,
        effective_rate=100 * effective / base if effective is not None and base else None,
        denominator=denominator,
        external_leakage=100 * (fans - returned) / fans if fans and returned is not None else None,
        stated={key: printed.value for key, printed in survey.report.stated_rates.items()},
        resistance=None
        if orifice is None or not orifice
        else (survey.number("rates.orifice") ** 2 / orifice**2).quantize(_PLACES),
        equivalent_orifice_m2=None if orifice is None else orifice.quantize(_PLACES),
    )


def _orifice(survey: Survey) -> Decimal | None:
    """Equivalent orifice of the mine: the sum over its fans of 1.19·Q/√h, Q in m³/s, h static pressure in Pa."""
    total = Decimal(0)
    for fan in survey.report.fans:
        if fan.flow is None and fan.pressure is None:
            continue
        if fan.flow is None or fan.pressure is None or fan.pressure.value <= 0 or fan.pressure_kind != "static":
            return None
        total += survey.number("rates.orifice") * fan.flow.value / 60 / fan.pressure.value.sqrt()
    return total or None


def mine_findings(survey: Survey, stations: Stations, air: MineAir) -> list[Finding]:
    """Totals, balance, leakage, rates and values printed twice with different numbers."""
    intake = _sum_findings(survey, "intake", survey.report.total_intake, air.intake_sum)
    returned = _sum_findings(survey, "return", survey.report.total_return, air.return_sum)
    balance = [] if intake or returned else _balance(survey, air)
    leakage = _leakage(survey, air, is_suspect=bool(returned))
    rate = _effective_rate(survey, air, unmeasured_air(survey, stations), is_suspect=bool(intake))
    stated = _stated_rates(survey, air, is_suspect=bool(intake or returned))
    return [*intake, *returned, *_conflicts(survey), *balance, *leakage, *rate, *stated]


def _sum_findings(survey: Survey, kind: str, stated: Printed | None, total: Decimal | None) -> list[Finding]:
    """A 合计 is arithmetic and must be the sum of the printed rows, rounded at its own decimals at most."""
    if stated is None or total is None or _is_sum(stated, total):
        return []
    if _is_measured(survey, kind):
        share = abs(stated.value - total) / stated.value if stated.value else Decimal(1)
        if share <= survey.number("closure.watch"):
            return []
        severity = Severity.NOTE if share <= survey.number("closure.max") else Severity.WARNING
    else:
        severity = Severity.WARNING
    name = say(f"stated.total_{kind}")
    rows = [where for r in survey.readings if r.kind == kind for where in r.evidence]
    return [
        make_finding(
            survey.rules,
            FindingKind.READING_INCONSISTENT,
            MINE,
            severity=severity,
            rule="reading.total",
            stated=stated.value,
            expected=total,
            unit="m3/min",
            message=say(
                "air.total_differs",
                name=name,
                stated=stated.text,
                total=plain(total),
                difference=plain(stated.value - total),
            ),
            clears_when=say("air.total_differs.clear", name=name),
            evidence=(*stated.evidence, *rows),
        )
    ]


def _is_sum(stated: Printed, total: Decimal) -> bool:
    step = Decimal(1).scaleb(-(decimals_of(stated) or 0))
    return stated.value in {total, total.quantize(step, ROUND_HALF_UP), total.quantize(step, ROUND_CEILING)}


def _is_measured(survey: Survey, kind: str) -> bool:
    """Whether the total is a station of its own: then rows and total are a closure, not a sum."""
    return len(_stations_of(survey, kind)) < sum(reading.kind == kind for reading in survey.readings)


def _balance(survey: Survey, air: MineAir) -> list[Finding]:
    intake = value_of(survey.report.total_intake) or air.intake_sum
    if not intake or air.returned is None:
        return []
    ratio = air.returned / intake
    low, high = survey.number("closure.return_low"), survey.number("closure.return_high")
    if low <= ratio <= high:
        return []
    return [
        make_finding(
            survey.rules,
            FindingKind.READING_INCONSISTENT,
            MINE,
            severity=Severity.WARNING,
            rule="reading.balance",
            stated=ratio.quantize(_PLACES),
            expected=span(plain(low), plain(high)),
            message=say(
                "air.not_closed",
                returned=plain(air.returned),
                intake=plain(intake),
                ratio=plain(ratio),
                allowed=span(plain(low), plain(high)),
            ),
            clears_when=say("air.not_closed.clear"),
            evidence=_total_evidence(survey),
        )
    ]


def _total_evidence(survey: Survey) -> tuple[Evidence, ...]:
    totals = (survey.report.total_intake, survey.report.total_return)
    stated = [where for total in totals if total is not None for where in total.evidence]
    return tuple(stated) or tuple(e for r in survey.readings if r.kind in {"intake", "return"} for e in r.evidence)


def _has_hoist(survey: Survey) -> Statement | None:
    statements = (*survey.report.statements, *survey.plan_extract.statements)
    if any(s.key == "no_return_shaft_hoist" for s in statements):
        return None
    return next((s for s in statements if s.key == "return_shaft_hoist"), None)


def _leakage(survey: Survey, air: MineAir, *, is_suspect: bool) -> list[Finding]:
    """External leakage, computed where fans and return are known, else as stated."""
    stated = survey.report.stated_rates.get("external_leakage")
    value = (
        air.rates.external_leakage if air.rates.external_leakage is not None and not is_suspect else value_of(stated)
    )
    if value is None:
        return []
    evidence = (*(stated.evidence if stated is not None else ()), *_fan_evidence(survey), *_total_evidence(survey))
    if value < 0:
        return [
            make_finding(
                survey.rules,
                FindingKind.READING_INCONSISTENT,
                MINE,
                severity=Severity.WARNING,
                rule="reading.balance",
                stated=value.quantize(_PLACES),
                unit="%",
                message=say("leakage.negative", rate=plain(value)),
                clears_when=say("leakage.negative.clear"),
                evidence=evidence,
            )
        ]
    hoist = _has_hoist(survey)
    limit = survey.rules.constant("rates.leakage_max" if hoist is None else "rates.leakage_max_hoist")
    if value <= limit.value:
        return []
    return [
        make_finding(
            survey.rules,
            FindingKind.LEAKAGE,
            MINE,
            severity=Severity.WARNING,
            rule=limit.id,
            stated=value.quantize(_PLACES),
            expected=limit.value,
            unit="%",
            message=say(
                "leakage.too_high", rate=plain(value), limit=plain(limit.value), source=rule_words(limit.source)
            ),
            clears_when=say("leakage.too_high.clear"),
            evidence=evidence,
        )
    ]


def _fan_evidence(survey: Survey) -> tuple[Evidence, ...]:
    return tuple(where for fan in survey.report.fans if fan.flow is not None for where in fan.flow.evidence)


def _effective_rate(survey: Survey, air: MineAir, unmeasured: Decimal, *, is_suspect: bool) -> list[Finding]:
    """The effective rate as computed, and as stated where the readings do not give one."""
    stated = survey.report.stated_rates.get("effective_rate")
    computed = None if is_suspect or not air.effective else air.rates.effective_rate
    limit = survey.rules.constant("rates.effective_min")
    # Places without a reading have air too: the rate counts as low only if their planned air would not mend it.
    share = 1 + unmeasured / air.effective if air.effective else Decimal(1)
    low = [v for v, f in ((computed, share), (value_of(stated), Decimal(1))) if v is not None and v * f < limit.value]
    high = next((value for value in (computed, value_of(stated)) if value is not None and value > 100), None)  # noqa: PLR2004 - a share
    evidence = (*(stated.evidence if stated is not None else ()), *_total_evidence(survey))
    if high is not None:
        return [_rate_doubt(survey, say("rate.above_all", rate=plain(high)), high, evidence)]
    if not low:
        return []
    if stated is not None and stated.value >= limit.value:
        text = say("rate.stated_is_higher", stated=stated.text, rate=plain(low[0]), limit=plain(limit.value))
        return [_rate_doubt(survey, text, low[0], evidence)]
    return [
        make_finding(
            survey.rules,
            FindingKind.EFFECTIVE_RATE,
            MINE,
            severity=Severity.WARNING,
            rule=limit.id,
            stated=low[0].quantize(_PLACES),
            expected=limit.value,
            unit="%",
            message=say("rate.too_low", rate=plain(low[0]), limit=plain(limit.value)),
            clears_when=say("rate.too_low.clear"),
            evidence=evidence,
        )
    ]


def _rate_doubt(
    survey: Survey, message: Text, value: Decimal, evidence: Sequence[Evidence], severity: Severity = Severity.WARNING
) -> Finding:
    return make_finding(
        survey.rules,
        FindingKind.READING_INCONSISTENT,
        MINE,
        severity=severity,
        rule="reading.stated_rate",
        stated=value.quantize(_PLACES),
        unit="%",
        message=message,
        clears_when=say("rate.doubt.clear"),
        evidence=evidence,
    )


def _stated_rates(survey: Survey, air: MineAir, *, is_suspect: bool) -> list[Finding]:
    """Stated rates against the stated figures they come from; sums of readings may be drawn up differently, a note.

    A total that contradicts its stations (`is_suspect`) is told by itself: its rates are not judged by it.
    """
    findings: list[Finding] = []
    stated = survey.report.stated_rates
    rate, flow, total = stated.get("effective_rate"), stated.get("effective_m3_min"), survey.report.total_intake
    if rate is not None and flow is not None and total is not None and total.value and not is_suspect:
        computed = 100 * flow.value / total.value
        fan_based = 100 * flow.value / air.fan_sum if air.fan_sum else None
        if not _prints_as(rate, computed) and not (fan_based is not None and _prints_as(rate, fan_based)):
            text = say(
                "rate.stated_differs", rate=rate.text, effective=flow.text, intake=total.text, computed=plain(computed)
            )
            findings.append(_rate_doubt(survey, text, rate.value, (*rate.evidence, *flow.evidence, *total.evidence)))
    if flow is not None and air.effective is not None and not _prints_as(flow, air.effective):
        text = say("rate.effective_differs", stated=flow.text, computed=plain(air.effective))
        findings.append(_rate_doubt(survey, text, flow.value, flow.evidence, Severity.NOTE))
    leak = stated.get("external_leakage")
    computed_leak = None if is_suspect else air.rates.external_leakage
    if leak is not None and computed_leak is not None and not _prints_as(leak, computed_leak):
        text = say("leakage.stated_differs", stated=leak.text, computed=plain(computed_leak))
        findings.append(_rate_doubt(survey, text, leak.value, leak.evidence))
    return findings


def _prints_as(printed: Printed, value: Decimal) -> bool:
    """Whether a value is printed like this: rounded or raised at the printed decimals, never off by more."""
    step = Decimal(1).scaleb(-(decimals_of(printed) or 0))
    return abs(printed.value - value) < step


def _conflicts(survey: Survey) -> list[Finding]:
    """One quantity of the report printed with different numbers."""
    by_key: dict[str, list[Statement]] = {}
    for statement in survey.report.statements:
        if statement.key.startswith("stated_"):
            by_key.setdefault(statement.key, []).append(statement)
    findings = []
    for key, statements in by_key.items():
        values = dict.fromkeys(s.low for s in statements)
        if len(values) > 1 and not _are_roundings(statements):
            name = say(key.replace("_", ".", 1)) if key in _STATED else as_printed(key)
            findings.append(_conflict(survey, name, statements))
    return [*findings, *_station_conflicts(survey)]


_STATED = frozenset(
    {
        "stated_total_intake",
        "stated_total_return",
        "stated_effective_m3_min",
        "stated_effective_rate",
        "stated_external_leakage",
        "stated_internal_leakage",
        "stated_equivalent_orifice_m2",
        "stated_resistance",
    }
)


def _are_roundings(statements: Sequence[Statement]) -> bool:
    """90.86 % and 90.9 % are one value."""
    printed = [Printed(value=s.low, text=s.text, evidence=s.evidence) for s in statements if s.low is not None]
    finest = max(printed, key=lambda p: decimals_of(p) or 0)
    return all(_prints_as(p, finest.value) for p in printed)


def _conflict(survey: Survey, name: Text, statements: Sequence[Statement]) -> Finding:
    values = tuple(dict.fromkeys(s.text for s in statements))
    return make_finding(
        survey.rules,
        FindingKind.CONFLICTING_VALUES,
        MINE,
        severity=Severity.WARNING,
        rule="reading.conflict",
        stated=listed(values),
        message=say("air.conflict", name=name, values=listed(values)),
        clears_when=say("air.conflict.clear", name=name),
        evidence=tuple(where for s in statements for where in s.evidence),
    )


def _station_conflicts(survey: Survey) -> list[Finding]:
    """One station in two tables with two flows; in one table the rows may be two stations of one name."""
    seen: dict[tuple[str, str], int] = {}
    findings = []
    for index, reading in enumerate(survey.readings):
        key = (reading.station, reading.location)
        first = seen.setdefault(key, index)
        one, other = survey.readings[first], reading
        if first == index or one.flow is None or other.flow is None or one.flow.value == other.flow.value:
            continue
        if {e.table for e in one.evidence} == {e.table for e in other.evidence} and one.evidence[
            0
        ].sheet == other.evidence[0].sheet:
            continue
        statements = [
            Statement(key="flow", text=r.flow.text, low=r.flow.value, evidence=(*r.evidence, *r.flow.evidence))
            for r in (one, other)
            if r.flow
        ]
        findings.append(_conflict(survey, say("stated.flow_of", station=reading.station), statements))
    return findings
