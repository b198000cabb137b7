"""The time gate: unknown or other time, no verdict (R-PIT-21, domain check 37)."""

from __future__ import annotations

from datetime import date

import pytest

from algorithms.airflow_review.engine.align import align, plan_window_findings
from algorithms.airflow_review.evidence import PlaceType, Window, WindowStatus
from algorithms.airflow_review.model import AlignmentStatus
from tests.support.surveys import MARCH, extract_of, kinds, place, plan, reading, report, review, rules, verdict

UNREADABLE = Window(text="本月", status=WindowStatus.UNPARSABLE)


def days(first: date, last: date) -> Window:
    return Window(start=first, end=last, text="", status=WindowStatus.OK)


@pytest.mark.parametrize(
    ("window", "status"),
    [
        (days(date(2025, 3, 1), date(2025, 3, 31)), AlignmentStatus.ALIGNED),
        (days(date(2025, 3, 31), date(2025, 3, 31)), AlignmentStatus.ALIGNED),
        (days(date(2025, 3, 25), date(2025, 4, 1)), AlignmentStatus.ALIGN_MANUAL),
        (days(date(2025, 2, 20), date(2025, 2, 28)), AlignmentStatus.ALIGN_FAILED),
        (days(date(2026, 3, 11), date(2026, 3, 20)), AlignmentStatus.ALIGN_FAILED),
        (UNREADABLE, AlignmentStatus.ALIGN_MANUAL),
        (Window(), AlignmentStatus.ALIGN_MANUAL),
    ],
)
def test_r_pit_21_only_days_inside_the_period_are_aligned(window, status):
    assert align(MARCH, window).status is status


def test_r_pit_21_an_unknown_plan_period_is_a_manual_check_even_with_a_readable_report():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), period=UNREADABLE)

    result = review(own, report(reading("北翼泵房", "chamber", "120")))

    assert result.alignment.status is AlignmentStatus.ALIGN_MANUAL
    assert verdict(result, "北翼泵房") == "not_judged"
    assert [f.kind.value for f in plan_window_findings(extract_of(own), rules())] == ["unparsable_effective_window"]


def test_a_failed_gate_gives_no_comparison_no_not_measured_and_keeps_the_checks_inside_the_report():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), place("南翼泵房", PlaceType.CHAMBER))
    late = days(date(2026, 3, 11), date(2026, 3, 20))

    result = review(own, report(reading("北翼泵房", "chamber", "20", area="3.0", speed="1.00"), window=late))

    assert kinds(result) == [("window_mismatch", "manual", "矿井"), ("reading_inconsistent", "warning", "北翼泵房")]
    measured = [c for c in result.comparisons if c.basis != "plan_required"]
    assert measured
    assert {c.verdict.value for c in measured} == {"not_judged"}


def test_a_report_without_a_time_says_so():
    own = plan(place("北翼泵房", PlaceType.CHAMBER))

    result = review(own, report(reading("北翼泵房", "chamber", "120"), window=Window()))

    assert kinds(result) == [("unparsable_effective_window", "manual", "矿井")]
