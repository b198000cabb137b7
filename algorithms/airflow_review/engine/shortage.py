"""Findings of the comparisons: shortage, serious shortage, excess; and the plan's fan figures beside the measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.compare import MEASURED_PLANNED, MEASURED_REQUIRED
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding
from algorithms.airflow_review.engine.survey import Survey, plain, value_of
from algorithms.airflow_review.evidence import PlaceType, Printed
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Comparison, Finding, FindingKind, Severity, Verdict

_SHORT = {
    Verdict.SHORTAGE: (FindingKind.MEASURED_SHORTAGE, Severity.WARNING, "shortage.below_need"),
    Verdict.SERIOUS: (FindingKind.MEASURED_SERIOUS, Severity.ERROR, "shortage.far_below_need"),
}

_SUM_FAULTS = frozenset(
    {FindingKind.TOTAL_MISMATCH, FindingKind.COEFFICIENT_INCONSISTENT, FindingKind.SUBTOTAL_MISMATCH}
)


def comparison_findings(survey: Survey, rows: Sequence[Comparison]) -> list[Finding]:
    """One finding for a subject that is short of its need; notes for too much air.

    A need that only the review raised above the printed one is a consequence of the plan's fault: then the shortage
    is a note with that finding as its cause.
    """
    findings: list[Finding] = []
    told: set[str] = set()
    for row in rows:
        if row.type is PlaceType.MAIN_FAN:
            continue  # what a fan lacks its system lacks: told there
        if row.basis == MEASURED_REQUIRED and row.verdict in _SHORT and row.subject not in told:
            told.add(row.subject)
            findings.append(_short_finding(survey, row))
        elif row.basis == MEASURED_PLANNED and row.verdict is Verdict.EXCESS:
            findings.append(
                _excess_finding(survey, row, f"compare.excess.{row.type.value}", row.planned, say("quantity.planned"))
            )
        elif row.subject == MINE.id and row.ratio is not None and row.ratio > survey.number("compare.excess.mine"):
            findings.append(_excess_finding(survey, row, "compare.excess.mine", row.required, say("quantity.required")))
    return findings


def _short_finding(survey: Survey, row: Comparison) -> Finding:
    kind, severity, key = _SHORT[row.verdict]
    cause = _plan_cause(survey, row)
    measured, required = row.measured or Decimal(0), row.required or Decimal(0)
    message = say(
        key,
        subject=_name_of(row),
        measured=plain(measured),
        required=plain(required),
        missing=plain(required - measured),
        percent=_percent(row),
    )
    if row.reason:
        message = say("shortage.with_reason", message=message, reason=Text(row.reason, row.reason_en))
    return make_finding(
        survey.rules,
        kind,
        Subject(id=row.subject, name=row.subject_name),
        severity=severity if cause is None else Severity.NOTE,
        rule="compare.required" if kind is FindingKind.MEASURED_SHORTAGE else f"compare.serious.{row.type.value}",
        stated=measured,
        expected=required,
        unit="m3/min",
        message=message,
        clears_when=say("shortage.clear"),
        evidence=row.evidence,
        cause=cause,
    )


def _name_of(row: Comparison) -> Text:
    return Subject(id=row.subject, name=row.subject_name).text


def _percent(row: Comparison) -> str:
    return "—" if row.ratio is None else f"{round(100 * row.ratio, 1)} %"


def _plan_cause(survey: Survey, row: Comparison) -> str | None:
    """`<kind>:<subject>` of the plan's fault without which the measured air would do; None where there is none.

    The fault may have made the recomputed need greater than the printed one, or the printed sum greater than it is.
    """
    if row.measured is None:
        return None
    needs = (_printed_need(survey, row), _recomputed_sum(survey, row))
    if not any(need is not None and row.measured >= need for need in needs):
        return None
    members = {s.id: s.members for s in survey.plan.systems}.get(row.subject, ())
    own = [
        f for f in survey.plan_findings if f.subject == row.subject or f.subject in members or row.subject == MINE.id
    ]
    loud = [f for f in own if f.severity is not Severity.NOTE and f.cause is None]
    best = next((f for f in loud if f.subject == row.subject), loud[0] if loud else None)
    return None if best is None else f"{best.kind}:{best.subject}"


def _recomputed_sum(survey: Survey, row: Comparison) -> Decimal | None:
    """The need of a system or the mine where its printed sum is wrong by itself; of a place the printed need counts."""
    wrong = any(
        f.subject == row.subject and f.kind in _SUM_FAULTS and f.severity is not Severity.NOTE
        for f in survey.plan_findings
    )
    if not wrong:
        return None
    if row.subject == MINE.id:
        return survey.plan.mine_total.recomputed
    return next((s.required_recomputed for s in survey.plan.systems if s.id == row.subject), None)


def _printed_need(survey: Survey, row: Comparison) -> Decimal | None:
    for place in survey.plan.places:
        if place.id == row.subject:
            return place.stated_required_m3_min
    for system in survey.plan.systems:
        if system.id == row.subject:
            return system.required_stated
    return survey.plan.mine_total.stated


def _excess_finding(survey: Survey, row: Comparison, rule: str, against: Decimal | None, name: Text) -> Finding:
    return make_finding(
        survey.rules,
        FindingKind.MEASURED_EXCESS,
        Subject(id=row.subject, name=row.subject_name),
        severity=Severity.NOTE,
        rule=rule,
        stated=row.measured,
        expected=against,
        unit="m3/min",
        message=say(
            "shortage.excess",
            subject=_name_of(row),
            measured=plain(row.measured or Decimal(0)),
            what=name,
            against=plain(against or Decimal(0)),
            percent=_percent(row),
        ),
        clears_when=say("shortage.excess.clear"),
        evidence=row.evidence,
    )


def fan_notes(survey: Survey) -> list[Finding]:
    """Pressure and blade angle of a fan where plan and report differ: a note, both may be right at their time."""
    findings = []
    for fan in survey.report.fans:
        planned = next(
            (p for p in survey.plan_extract.fans if survey.words.key(p.name).full == survey.words.key(fan.name).full),
            None,
        )
        if planned is None:
            continue
        for name, unit, own, theirs in (
            (say("quantity.pressure"), "Pa", fan.pressure, planned.pressure),
            (say("quantity.blade_angle"), "deg", fan.blade_angle, planned.blade_angle),
        ):
            if own is not None and theirs is not None and own.value != theirs.value:
                findings.append(_fan_note(survey, fan.name, name, unit, own, theirs))
    return findings


def _fan_note(survey: Survey, fan: str, name: Text, unit: str, own: Printed, theirs: Printed) -> Finding:
    return make_finding(
        survey.rules,
        FindingKind.CONFLICTING_VALUES,
        MINE,
        severity=Severity.NOTE,
        rule="compare.plan_figures",
        stated=value_of(own),
        expected=value_of(theirs),
        unit=unit,
        message=say("fan.figures_differ", fan=fan, what=name, report=own.text, plan=theirs.text),
        clears_when=say("fan.figures_differ.clear"),
        evidence=(*own.evidence, *theirs.evidence),
    )
