"""The reference documents in every format: each of the nine pairs gives the same, published figures and no finding."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import Review, Severity, Verdict
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.rules.library import load_rules

REFERENCE = Path(__file__).parents[2] / "fixtures" / "airflow" / "reference"
PAIRS = [(plan, report) for plan in ("pdf", "docx", "txt") for report in ("pdf", "xlsx", "docx")]


@cache
def plan_of(suffix: str) -> PlanExtract:
    return read_plan(parse_document(REFERENCE / f"plan.{suffix}"))


@cache
def report_of(suffix: str) -> ReportExtract:
    return read_report(parse_document(REFERENCE / f"report.{suffix}"))


@cache
def review_of(plan: str, report: str) -> Review:
    return review_extracts(plan_of(plan), report_of(report), load_rules(), ())


@pytest.mark.parametrize(("plan", "report"), PAIRS)
def test_r_air_1_every_pair_of_formats_gives_the_published_figures(plan: str, report: str) -> None:
    result = review_of(plan, report)

    sums = [(s.subtotal_recomputed, s.coefficient, s.required_recomputed) for s in result.plan.systems]
    assert sums == [
        (Decimal(9228), Decimal("1.2"), Decimal("11073.6")),
        (Decimal(17853), Decimal("1.2"), Decimal("21423.6")),
    ]
    assert result.plan.mine_total.recomputed == Decimal("32497.2")
    assert result.report is not None
    assert (result.report.total_intake_m3_min, result.report.total_return_m3_min) == (Decimal(35181), Decimal(35713))
    assert sorted(fan.flow_m3_min or 0 for fan in result.report.fans) == [Decimal("13716.14"), Decimal("22512.68")]
    assert (len(result.plan.places), len(result.report.readings)) == (92, 95)
    assert [f for f in result.findings if f.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("plan", ["pdf", "docx"])
def test_r_air_2_what_is_read_does_not_depend_on_the_container(plan: str) -> None:
    def figures(suffix: str) -> list[object]:
        return [
            (
                p.name,
                p.type,
                p.system,
                p.required and p.required.value,
                [(c.expression, c.stated) for c in p.calculations],
            )
            for p in plan_of(suffix).places
        ]

    assert figures(plan) == figures("txt")


def test_r_air_4_nothing_is_judged_without_a_station_and_nothing_else_is_left_open() -> None:
    result = review_of("pdf", "xlsx")

    rows = [row for row in result.comparisons if row.basis == "measured_required"]
    open_rows = [row for row in rows if row.verdict is Verdict.NOT_JUDGED]
    # The six allowance rows of vehicles have no station, as the plan itself says.
    assert len([row for row in open_rows if "无轨胶轮车" in row.subject_name]) == 6
    assert {row.verdict for row in rows if row not in open_rows} <= {Verdict.OK, Verdict.WATCH}
    assert all(row.reason for row in open_rows)


def test_every_value_of_the_plan_leads_to_a_page_and_a_row() -> None:
    result = review_of("pdf", "xlsx")

    assert all(p.evidence and p.evidence[0].page and p.evidence[0].row for p in result.plan.places)
    assert all(c.evidence and c.evidence[0].page for p in result.plan.places for c in p.calculations)
    assert result.report is not None
    assert all(r.evidence and r.evidence[0].row and r.evidence[0].sheet for r in result.report.readings)
