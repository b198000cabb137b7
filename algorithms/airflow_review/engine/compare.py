"""The three comparisons, kept apart: planned / required, measured / planned, measured / required (contract §3).

A measured flow below the need is a shortage for every type of object, whatever the policy; the policy ratio of the
object's own type only tells shortage from serious. No threshold is ever taken from another type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.engine.issue import MINE
from algorithms.airflow_review.engine.measured import Measured, face_need, measure_place
from algorithms.airflow_review.engine.mine_air import MineAir
from algorithms.airflow_review.engine.stations import Stations, expects_station
from algorithms.airflow_review.engine.survey import Doubtful, Survey, flow_of, least_flow, plain
from algorithms.airflow_review.evidence import Evidence, PlaceType
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.messages.catalogue import NOTHING, Text, chained, say
from algorithms.airflow_review.model import Comparison, Place, Plan, System, Verdict
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.rules.records import Constant
from algorithms.airflow_review.value_class import dataclass

PLAN_REQUIRED: Final = "plan_required"
MEASURED_PLANNED: Final = "measured_planned"
MEASURED_REQUIRED: Final = "measured_required"
_POLICY_TYPES: Final = frozenset(
    {
        PlaceType.COAL_FACE,
        PlaceType.STANDBY_FACE,
        PlaceType.HEADING,
        PlaceType.CHAMBER,
        PlaceType.OTHER_ROADWAY,
        PlaceType.RETURN_SYSTEM,
        PlaceType.MINE,
        PlaceType.MAIN_FAN,
    }
)
_BY_SPEED_ONLY: Final = frozenset({PlaceType.OTHER_ROADWAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One subject with its figures, m³/min, before a verdict."""

    subject: str
    name: str
    type: PlaceType
    required: Decimal | None
    planned: Decimal | None
    measured: Decimal | None
    reason: Text = NOTHING
    evidence: tuple[Evidence, ...] = ()
    proof: tuple[Evidence, ...] = field(default=())  # of the plan's figures


def policy(rules: RuleSet, kind: PlaceType) -> Constant:
    """The ratio that tells shortage from serious; an unknown type is judged as a coal face (R-PIT-21)."""
    own = kind if kind in _POLICY_TYPES else PlaceType.COAL_FACE
    return rules.constant(f"compare.serious.{own.value}")


def compare_plan(plan: Plan, plan_extract: PlanExtract, rules: RuleSet) -> tuple[Comparison, ...]:
    """Planned against required, one row a place and a system."""
    rows = []
    for index, place in enumerate(plan.places):
        extract = plan_extract.places[index] if index < len(plan_extract.places) else None
        case = _place_case(place, None, extract.evidence if extract is not None else place.evidence)
        rows.append(_plan_row(case, rules))
    return tuple(rows)


def _plan_row(case: _Case, rules: RuleSet) -> Comparison:
    if case.planned is None or case.required is None or not case.required:
        return _row(case, PLAN_REQUIRED, Verdict.NOT_JUDGED, reason=say("reason.plan_incomplete"))
    ratio = case.planned / case.required
    limit = rules.constant("compare.plan_excess")
    verdict = Verdict.SHORTAGE if ratio < 1 else Verdict.EXCESS if ratio > limit.value else Verdict.OK
    return _row(case, PLAN_REQUIRED, verdict, rules.constant("compare.required") if ratio < 1 else limit)


def compare_report(
    survey: Survey, stations: Stations, air: MineAir, doubtful: Mapping[int, Doubtful]
) -> tuple[Comparison, ...]:
    """Measured against planned and against required, for places, systems and mine, after the time gate was passed."""
    rows: list[Comparison] = []
    for index, place in enumerate(survey.plan.places):
        rows += _place_rows(survey, stations, index, place, doubtful)
    for index, system in enumerate(survey.plan.systems):
        rows += _system_rows(survey, stations, index, system, doubtful)
    return (*rows, *_fan_rows(survey, stations, doubtful), *_mine_rows(survey, air))


def not_judged(survey: Survey, reason: Text) -> tuple[Comparison, ...]:
    """Every subject as not judged, with the gate's reason; no figure is compared."""
    cases = [_place_case(place, None, ()) for place in survey.plan.places]
    cases += [_system_case(system, system.required_stated, None, ()) for system in survey.plan.systems]
    cases.append(_mine_case(survey, survey.plan.mine_total.stated, None))
    return tuple(
        _row(case, basis, Verdict.NOT_JUDGED, reason=reason)
        for case in cases
        for basis in (MEASURED_PLANNED, MEASURED_REQUIRED)
    )


def _place_case(place: Place, measured: Measured | None, proof: tuple[Evidence, ...]) -> _Case:
    required = place.required_m3_min if place.required_m3_min is not None else place.stated_required_m3_min
    return _Case(
        subject=place.id,
        name=place.name,
        type=place.type,
        required=required,
        planned=place.planned_m3_min,
        measured=None if measured is None else measured.flow,
        reason=NOTHING if measured is None else measured.reason,
        evidence=() if measured is None else measured.evidence,
        proof=proof[:1],
    )


def _place_rows(
    survey: Survey, stations: Stations, index: int, place: Place, doubtful: Mapping[int, Doubtful]
) -> list[Comparison]:
    measured = measure_place(survey, stations, index, doubtful)
    case = _place_case(place, measured, place.evidence)
    if measured is None or measured.flow is None:
        reason = _why_open(survey, stations, index, measured)
        return [_row(case, basis, Verdict.NOT_JUDGED, reason=reason) for basis in (MEASURED_PLANNED, MEASURED_REQUIRED)]
    required = _required_row(survey, case, measured, place)
    return [_planned_row(survey, case, required.verdict), required]


def _why_open(survey: Survey, stations: Stations, index: int, measured: Measured | None) -> Text:
    if measured is not None:
        return measured.reason
    if any(index in station.candidates for station in stations.open):
        return say("reason.station_open")
    if not expects_station(survey, index):
        return say("reason.no_station")
    return say("reason.not_measured")


def _required_row(survey: Survey, case: _Case, measured: Measured, place: Place) -> Comparison:
    """Measured against required; a heading with two stations is judged at the worse of both."""
    if measured.is_doubtful and measured.least is None:
        reason = say("reason.unit_doubt")
        return _row(case, MEASURED_REQUIRED, Verdict.NOT_JUDGED, reason=reason)
    row = _judge(survey, case)
    if row.verdict is Verdict.NOT_JUDGED:
        return row
    if measured.fan_intake is not None and measured.flow is not None and measured.flow < measured.fan_intake:
        reason = say("reason.recirculation", intake=plain(measured.fan_intake), supply=plain(measured.flow))
        row = _row(case, MEASURED_REQUIRED, Verdict.SERIOUS, policy(survey.rules, case.type), reason=reason)
    need = face_need(place)
    if measured.face_flow is not None and need is not None and measured.face_flow < need:
        at_face = _judge(
            survey,
            _with(
                case,
                required=need,
                measured=measured.face_flow,
                reason=say("reason.at_face"),
            ),
        )
        row = min((row, at_face), key=lambda r: _ORDER[r.verdict])
    if measured.is_doubtful and row.verdict in {Verdict.OK, Verdict.WATCH, Verdict.EXCESS}:
        return _doubtful_row(survey, case, measured.least)
    return row


_ORDER: Final = {
    Verdict.SERIOUS: 0,
    Verdict.SHORTAGE: 1,
    Verdict.NOT_JUDGED: 2,
    Verdict.WATCH: 3,
    Verdict.OK: 4,
    Verdict.EXCESS: 5,
}


def _doubtful_row(survey: Survey, case: _Case, least: Decimal | None) -> Comparison:
    """A reading that contradicts itself passes only if the smaller of its two flows passes too."""
    if least is not None:
        text = say("reason.contradiction_smaller")
        reason = chained((case.reason, text)) if case.reason else text
        row = _judge(survey, _with(case, required=case.required, measured=least, reason=reason))
        if row.verdict in {Verdict.OK, Verdict.WATCH}:
            return row
    reason = say("reason.contradiction_below")
    return _row(case, MEASURED_REQUIRED, Verdict.NOT_JUDGED, policy(survey.rules, case.type), reason=reason)


def _judge_least(survey: Survey, case: _Case, least: Decimal | None) -> Comparison:
    """The verdict of a total: by its printed figure, unless a contradiction leaves less and that would not do."""
    row = _judge(survey, case)
    if least == case.measured or row.verdict not in {Verdict.OK, Verdict.WATCH}:
        return row
    return _doubtful_row(survey, case, least)


def _with(case: _Case, *, required: Decimal | None, measured: Decimal | None, reason: Text) -> _Case:
    return _Case(
        subject=case.subject,
        name=case.name,
        type=case.type,
        required=required,
        planned=case.planned,
        measured=measured,
        reason=reason,
        evidence=case.evidence,
        proof=case.proof,
    )


def _judge(survey: Survey, case: _Case) -> Comparison:
    if case.measured is None:
        return _row(case, MEASURED_REQUIRED, Verdict.NOT_JUDGED, reason=case.reason or say("reason.no_measured_air"))
    if case.required is None or case.required <= 0:
        reason = case.reason if case.type is PlaceType.MAIN_FAN and case.reason else say("reason.no_required_air")
        return _row(case, MEASURED_REQUIRED, Verdict.NOT_JUDGED, reason=reason)
    limit = policy(survey.rules, case.type)
    ratio = case.measured / case.required
    if ratio < limit.value:
        return _row(case, MEASURED_REQUIRED, Verdict.SERIOUS, limit)
    if ratio < survey.number("compare.required"):
        return _row(case, MEASURED_REQUIRED, Verdict.SHORTAGE, limit)
    verdict = Verdict.WATCH if ratio < survey.number("compare.watch") else Verdict.OK
    return _row(case, MEASURED_REQUIRED, verdict, limit)


def _planned_row(survey: Survey, case: _Case, by_need: Verdict) -> Comparison:
    """Measured against planned: below the plan with the need met is watch; above the type's limit is excess."""
    if case.planned is None or case.planned <= 0 or case.measured is None:
        return _row(case, MEASURED_PLANNED, Verdict.NOT_JUDGED, reason=say("reason.no_planned_air"))
    if by_need is Verdict.NOT_JUDGED:
        return _row(case, MEASURED_PLANNED, Verdict.NOT_JUDGED, reason=say("reason.not_comparable"))
    ratio = case.measured / case.planned
    if ratio < 1:
        verdict = by_need if by_need in {Verdict.SHORTAGE, Verdict.SERIOUS} else Verdict.WATCH
        return _row(case, MEASURED_PLANNED, verdict, survey.rules.constant("compare.required"))
    if case.type in _BY_SPEED_ONLY:
        return _row(case, MEASURED_PLANNED, Verdict.OK, reason=say("reason.by_speed"))
    own = case.type if case.type in _POLICY_TYPES else PlaceType.COAL_FACE
    limit = survey.rules.constant(f"compare.excess.{own.value}")
    return _row(case, MEASURED_PLANNED, Verdict.EXCESS if ratio > limit.value else Verdict.OK, limit)


def _system_rows(
    survey: Survey, stations: Stations, index: int, system: System, doubtful: Mapping[int, Doubtful]
) -> list[Comparison]:
    """A system by its main return: against the printed need and, apart, the recomputed one where it differs."""
    members = [r for r, owner in stations.system_of.items() if owner == index]
    flows = [flow_of(survey.readings[r]) for r in members]
    evidence = tuple(where for r in members for where in survey.readings[r].evidence)
    if not members or None in flows or not _may_be_added(survey, members):
        fans = [survey.report.fans[f] for f, owner in stations.fan_system.items() if owner == index]
        fan_flow = sum((f.flow.value for f in fans if f.flow is not None), Decimal(0))
        return [_without_return(survey, system, fan_flow, tuple(w for f in fans for w in f.evidence))]
    measured = sum((flow for flow in flows if flow is not None), Decimal(0))
    leasts = [least_flow(survey, r, doubtful) for r in members]
    least = None if None in leasts else sum((v for v in leasts if v is not None), Decimal(0))
    case = _system_case(system, system.required_stated, measured, evidence)
    rows = [_judge_least(survey, case, least)] if system.required_stated is not None else []
    if system.required_recomputed is not None and system.required_recomputed != system.required_stated:
        again = _system_case(system, system.required_recomputed, measured, evidence)
        again = _with(again, required=again.required, measured=measured, reason=say("reason.recomputed_need"))
        rows.append(_judge_least(survey, again, least))
    rows.append(_row(case, MEASURED_PLANNED, Verdict.NOT_JUDGED, reason=say("reason.system_not_by_plan")))
    return rows


def _may_be_added(survey: Survey, members: Sequence[int]) -> bool:
    """Whether several return stations of a system carry different air: all returns add up to the printed total.

    Two stations one behind the other carry the same air, and their sum would pass a system that is short.
    """
    total = survey.report.total_return
    returns = [flow_of(reading) for reading in survey.readings if reading.kind == "return"]
    return len(members) == 1 or (
        total is not None and None not in returns and sum(filter(None, returns)) == total.value
    )


def _without_return(survey: Survey, system: System, fan_flow: Decimal, evidence: tuple[Evidence, ...]) -> Comparison:
    """No main return measured: the fan moves the return and the leakage, so it can prove a shortage but no sufficiency."""
    case = _system_case(system, system.required_stated, fan_flow or None, evidence)
    row = _judge(
        survey,
        _with(
            case,
            required=case.required,
            measured=case.measured,
            reason=say("reason.by_main_fan"),
        ),
    )
    if row.verdict in {Verdict.SHORTAGE, Verdict.SERIOUS}:
        return row
    return _row(
        _with(case, required=case.required, measured=None, reason=NOTHING),
        MEASURED_REQUIRED,
        Verdict.NOT_JUDGED,
        reason=say("reason.no_system_return"),
    )


def _system_case(
    system: System, required: Decimal | None, measured: Decimal | None, evidence: tuple[Evidence, ...]
) -> _Case:
    return _Case(
        subject=system.id,
        name=system.name,
        type=PlaceType.RETURN_SYSTEM,
        required=required,
        planned=system.planned_subtotal_stated,
        measured=measured,
        reason=say("reason.printed_need") if measured is not None else NOTHING,
        evidence=evidence,
        proof=system.evidence[:1],
    )


def _fan_rows(survey: Survey, stations: Stations, doubtful: Mapping[int, Doubtful]) -> list[Comparison]:
    """A main fan that runs, against the printed need of its system.

    Fans that share a system share its need: each row holds the air of all of them. A fan moves the outer leakage too,
    so enough air at the fan is no proof for the system, which has a row of its own.
    """
    rows = []
    for index, fan in enumerate(survey.report.fans):
        if fan.flow is None:
            continue
        owner = stations.fan_system.get(index)
        system = None if owner is None else survey.plan.systems[owner]
        together = [f for i, f in enumerate(survey.report.fans) if i == index or stations.fan_system.get(i) == owner]
        flows = [f.flow.value for f in (together if system is not None else [fan]) if f.flow is not None]
        unit_slips = {survey.readings[i].station for i, doubt in doubtful.items() if doubt.is_unit}
        case = _Case(
            subject=fan.name,
            name=fan.name,
            type=PlaceType.MAIN_FAN,
            required=None if system is None else system.required_stated,
            planned=None,
            measured=sum(flows, Decimal(0)),
            reason=_fan_reason(system, len(flows)),
            evidence=(*fan.flow.evidence, *fan.evidence),
            proof=() if system is None else system.evidence[:1],
        )
        if unit_slips & {f.name for f in together}:
            rows.append(_row(case, MEASURED_REQUIRED, Verdict.NOT_JUDGED, reason=say("reason.unit_doubt")))
        else:
            rows.append(_judge(survey, case))
    return rows


def _fan_reason(system: System | None, count: int) -> Text:
    if system is None:
        return say("reason.fan_without_system")
    if count > 1:
        return say("reason.need_of_system_shared", system=system.name, count=count)
    return say("reason.need_of_system", system=system.name)


def _mine_case(survey: Survey, required: Decimal | None, measured: Decimal | None) -> _Case:
    total = survey.report.total_intake
    evidence = (
        total.evidence
        if total is not None
        else tuple(e for r in survey.readings if r.kind == "intake" for e in r.evidence)
    )
    planned = [system.planned_subtotal_stated for system in survey.plan.systems]
    known = [value for value in planned if value is not None]
    return _Case(
        subject=MINE.id,
        name=MINE.name,
        type=PlaceType.MINE,
        required=required,
        planned=sum(known, Decimal(0)) if known and len(known) == len(planned) else None,
        measured=measured,
        evidence=evidence,
        proof=survey.plan.mine_total.evidence[:1],
    )


def _mine_rows(survey: Survey, air: MineAir) -> list[Comparison]:
    total = survey.plan.mine_total
    stated, again = total.stated, total.recomputed
    case = _mine_case(survey, stated if stated is not None else again, air.intake)
    rows = [_judge_least(survey, case, air.least_intake)]
    if again is not None and stated is not None and again != stated:
        other = _with(case, required=again, measured=air.intake, reason=say("reason.recomputed_need"))
        rows.append(_judge_least(survey, other, air.least_intake))
    return rows


def _row(
    case: _Case, basis: str, verdict: Verdict, rule: Constant | None = None, *, reason: Text | None = None
) -> Comparison:
    against = case.planned if basis == MEASURED_PLANNED else case.required
    value = case.planned if basis == PLAN_REQUIRED else case.measured
    both = (
        value is not None
        and against is not None
        and against > 0
        and (verdict is not Verdict.NOT_JUDGED or value is not None)
    )
    why = case.reason if reason is None else reason
    return Comparison(
        subject=case.subject,
        subject_name=case.name,
        type=case.type,
        basis=basis,
        required=case.required,
        planned=case.planned,
        measured=None if basis == PLAN_REQUIRED else case.measured,
        ratio=value / against if both and value is not None and against is not None else None,
        margin_m3_min=value - against if both and value is not None and against is not None else None,
        threshold=None if rule is None else rule.value,
        policy_source=None if rule is None else rule.policy_source,
        verdict=verdict,
        reason=why.zh,
        reason_en=why.en,
        evidence=case.proof if basis == PLAN_REQUIRED else (*case.evidence, *case.proof),
    )
