"""The time gate: a plan and a measurement are compared only when they are known to belong to the same time (R-PIT-21)."""

from __future__ import annotations

from datetime import date

from algorithms.airflow_review.engine.issue import MINE, make_finding
from algorithms.airflow_review.evidence import Window, WindowStatus
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Alignment, AlignmentStatus, Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet


def align(plan_period: Window, report_window: Window) -> Alignment:
    """ALIGNED when the days measured lie inside the plan's period, ALIGN_FAILED when they lie outside.

    ALIGN_MANUAL when a time is missing or cannot be read, or when only a part of the days lies inside: without
    knowing when the air was measured a comparison means nothing.
    """
    planned, measured = _days(plan_period), _days(report_window)
    if planned is None or measured is None:
        name, window = (
            (say("time.plan_period"), plan_period) if planned is None else (say("time.measured"), report_window)
        )
        if window.status is WindowStatus.MISSING:
            return _alignment(AlignmentStatus.ALIGN_MANUAL, say("time.gate_not_stated", name=name))
        return _alignment(AlignmentStatus.ALIGN_MANUAL, say("time.gate_unreadable", name=name, text=window.text))
    spans = {"measured": _span(report_window), "planned": _span(plan_period)}
    if planned[0] <= measured[0] and measured[1] <= planned[1]:
        return _alignment(AlignmentStatus.ALIGNED, say("time.within", **spans))
    if measured[1] < planned[0] or planned[1] < measured[0]:
        return _alignment(AlignmentStatus.ALIGN_FAILED, say("time.apart", **spans))
    return _alignment(AlignmentStatus.ALIGN_MANUAL, say("time.partly", **spans))


def _alignment(status: AlignmentStatus, reason: Text) -> Alignment:
    return Alignment(status=status, reason=reason.zh, reason_en=reason.en)


def _days(window: Window) -> tuple[date, date] | None:
    if window.status is not WindowStatus.OK or window.start is None or window.end is None:
        return None
    return window.start, window.end


def _span(window: Window) -> Text:
    return say("time.span", start=window.start, end=window.end)


def plan_window_findings(plan: PlanExtract, rules: RuleSet) -> tuple[Finding, ...]:
    """`unparsable_effective_window` where the plan's period is missing or cannot be read."""
    return _unreadable(plan.period, say("time.plan_period"), say("time.plan_period.clear"), rules)


def window_findings(
    plan: PlanExtract, report: ReportExtract, alignment: Alignment, rules: RuleSet
) -> tuple[Finding, ...]:
    """What the time gate found in the report: a window that cannot be read, or one outside the plan's period."""
    unreadable = _unreadable(report.window, say("time.measured"), say("time.measured.clear"), rules)
    both = plan.period.status is WindowStatus.OK and report.window.status is WindowStatus.OK
    if unreadable or not both or alignment.status is AlignmentStatus.ALIGNED:
        return unreadable
    return (
        make_finding(
            rules,
            FindingKind.WINDOW_MISMATCH,
            MINE,
            severity=Severity.MANUAL,
            rule="align.window",
            stated=_span(report.window),
            expected=_span(plan.period),
            message=Text(alignment.reason, alignment.reason_en),
            clears_when=say("time.apart.clear"),
            evidence=(*report.window.evidence, *plan.period.evidence),
        ),
    )


def _unreadable(window: Window, name: Text, clears_when: Text, rules: RuleSet) -> tuple[Finding, ...]:
    if window.status is WindowStatus.OK:
        return ()
    is_missing = window.status is WindowStatus.MISSING
    key = "time.not_stated" if is_missing else "time.unreadable"
    return (
        make_finding(
            rules,
            FindingKind.UNPARSABLE_EFFECTIVE_WINDOW,
            MINE,
            severity=Severity.MANUAL,
            rule="align.window",
            stated=window.text or None,
            message=say(key, name=name, **({} if is_missing else {"text": window.text})),
            clears_when=clears_when,
            evidence=window.evidence,
        ),
    )
