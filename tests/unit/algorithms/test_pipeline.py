"""From extracts, and from files, to a numbered review with a verdict."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review import review
from algorithms.airflow_review.evidence import Window, WindowStatus
from algorithms.airflow_review.extract import ReportExtract
from algorithms.airflow_review.model import FindingKind, Review, Severity
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.rules.library import load_rules
from tests.support import plans

REFERENCE = Path(__file__).parents[2] / "fixtures" / "airflow" / "reference"


def judged(plan: object, report: ReportExtract | None = None) -> Review:
    return review_extracts(plan, report, load_rules(), ())  # type: ignore[arg-type]


def test_a_plan_alone_is_compared_with_its_own_need() -> None:
    result = judged(plans.sound_plan())

    assert result.report is None
    assert result.alignment is None
    assert {row.basis for row in result.comparisons} == {"plan_required"}
    assert result.summary.verdict == "conclusive"


def test_findings_are_numbered_by_severity_and_causes_become_ids() -> None:
    short = plans.face(planned=plans.printed("1150"), table_speed=None)
    stretched = plans.roadway(planned=plans.printed("7.0"), table_speed=None)
    sums = plans.system("东风井系统", "1637", "1.2", "1964.4", "1570")

    findings = judged(plans.sound_plan(short, stretched, systems=(sums,))).findings

    assert [f.id for f in findings] == [f"F{index:03d}" for index in range(1, len(findings) + 1)]
    assert [f.severity for f in findings] == [Severity.ERROR, Severity.WARNING, Severity.NOTE]
    by_id = {f.id: f for f in findings}
    assert by_id[findings[2].cause or ""].kind is FindingKind.UNIT_SUSPECT


@pytest.mark.parametrize(
    ("plan", "verdict"),
    [
        (plans.sound_plan(), "conclusive"),
        (plans.sound_plan(plans.face(planned=plans.printed("1150"), table_speed=None)), "conclusive_with_errors"),
        (plans.sound_plan(period=Window(text="本月", status=WindowStatus.UNPARSABLE)), "manual"),
    ],
)
def test_the_verdict_follows_the_highest_severity_and_the_time_gate(plan: object, verdict: str) -> None:
    assert judged(plan).summary.verdict == verdict


def test_r_pit_21_an_unknown_time_of_measurement_needs_a_person() -> None:
    report = ReportExtract(file="report.csv", window=Window(text="", status=WindowStatus.MISSING))

    result = judged(plans.sound_plan(), report)

    assert result.summary.verdict == "manual"
    assert {row.verdict for row in result.comparisons if row.basis != "plan_required"} <= {"not_judged"}


def test_r_air_12_the_same_extracts_give_the_same_review() -> None:
    plan = plans.sound_plan(plans.face(table_area=plans.printed("15.6")))

    assert judged(plan) == judged(replace(plan))


def test_r_air_5_the_reference_pair_gives_the_published_totals() -> None:
    steps: list[str] = []

    result = review(REFERENCE / "plan.txt", REFERENCE / "report.xlsx", on_step=steps.append)

    systems = {s.subtotal_stated: s for s in result.plan.systems}
    assert set(systems) == {Decimal(9228), Decimal(17853)}
    assert [s.subtotal_recomputed for s in result.plan.systems] == [Decimal(9228), Decimal(17853)]
    assert [s.required_recomputed for s in result.plan.systems] == [Decimal("11073.6"), Decimal("21423.6")]
    assert result.plan.mine_total.recomputed == Decimal("32497.2")
    assert len(result.plan.places) == 92
    assert result.report is not None
    assert (result.report.total_intake_m3_min, result.report.total_return_m3_min) == (Decimal(35181), Decimal(35713))
    assert {fan.flow_m3_min for fan in result.report.fans} == {Decimal("22512.68"), Decimal("13716.14")}
    assert [f for f in result.findings if f.severity is not Severity.NOTE] == []
    assert result.summary.verdict == "conclusive"
    assert steps[0] == "解析文件"
