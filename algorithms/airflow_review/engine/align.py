"""The time gate: a plan and a measurement are compared only when they are known to belong to the same time (R-PIT-21)."""

from __future__ import annotations

from datetime import date

from algorithms.airflow_review.engine.issue import MINE, make_finding
from algorithms.airflow_review.evidence import Window, WindowStatus
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import Alignment, AlignmentStatus, Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet


def align(plan_period: Window, report_window: Window) -> Alignment:
    """ALIGNED when the days measured lie inside the plan's period, ALIGN_FAILED when they lie outside.

    ALIGN_MANUAL when a time is missing or cannot be read, or when only a part of the days lies inside: without
    knowing when the air was measured a comparison means nothing.
    """
    planned, measured = _days(plan_period), _days(report_window)
    if planned is None or measured is None:
        name, window = ("配风计划执行期", plan_period) if planned is None else ("测风时间", report_window)
        what = "未写明" if window.status is WindowStatus.MISSING else f"“{window.text}”读不出日期"
        return Alignment(status=AlignmentStatus.ALIGN_MANUAL, reason=f"{name}{what}，不作定性，转人工复核。")
    spans = f"测风时间 {_span(report_window)}，计划执行期 {_span(plan_period)}"
    if planned[0] <= measured[0] and measured[1] <= planned[1]:
        return Alignment(status=AlignmentStatus.ALIGNED, reason=f"{spans}：测风时间在执行期之内。")
    if measured[1] < planned[0] or planned[1] < measured[0]:
        return Alignment(status=AlignmentStatus.ALIGN_FAILED, reason=f"{spans}：两者没有重叠，不作比较。")
    return Alignment(status=AlignmentStatus.ALIGN_MANUAL, reason=f"{spans}：只有部分日期重叠，转人工复核。")


def _days(window: Window) -> tuple[date, date] | None:
    if window.status is not WindowStatus.OK or window.start is None or window.end is None:
        return None
    return window.start, window.end


def _span(window: Window) -> str:
    return f"{window.start} 至 {window.end}"


def plan_window_findings(plan: PlanExtract, rules: RuleSet) -> tuple[Finding, ...]:
    """`unparsable_effective_window` where the plan's period is missing or cannot be read."""
    return _unreadable(plan.period, "配风计划执行期", "在计划中写明执行期起止日期，或由人工确认执行期。", rules)


def window_findings(
    plan: PlanExtract, report: ReportExtract, alignment: Alignment, rules: RuleSet
) -> tuple[Finding, ...]:
    """What the time gate found in the report: a window that cannot be read, or one outside the plan's period."""
    unreadable = _unreadable(report.window, "测风时间", "在报表中写明测风起止日期，或由人工确认测风时间。", rules)
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
            message=alignment.reason,
            clears_when="换用执行期内的测风报表，或换用测风当月的配风计划。",
            evidence=(*report.window.evidence, *plan.period.evidence),
        ),
    )


def _unreadable(window: Window, name: str, clears_when: str, rules: RuleSet) -> tuple[Finding, ...]:
    if window.status is WindowStatus.OK:
        return ()
    what = "没有写明" if window.status is WindowStatus.MISSING else f"“{window.text}”读不出日期"
    return (
        make_finding(
            rules,
            FindingKind.UNPARSABLE_EFFECTIVE_WINDOW,
            MINE,
            severity=Severity.MANUAL,
            rule="align.window",
            stated=window.text or None,
            message=f"{name}{what}，时间不明，不作定性，转人工复核。",
            clears_when=clears_when,
            evidence=window.evidence,
        ),
    )
