"""What mines, systems and places are called changes no figure, no verdict and no finding of a review."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.model import Review
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.rules.library import load_rules
from tests.support.truth_plan import FIXTURES

PAIRS = [("c05_plan.docx", "c05_report.csv"), ("f07_plan.txt", "f07_report.xlsx"), ("f16_plan.docx", "f16_report.csv")]
NAMING = {"name", "system", "series_after", "station", "location", "mine", "subject", "where", "label"}
OTHER = str.maketrans("123456789东西南北一二三四", "891234567南北西东二三四一")


def renamed(value: Any, field: str = "") -> Any:
    """The same extract with every name written with other digits, directions and numerals."""
    if isinstance(value, str):
        return value.translate(OTHER) if field in NAMING else value
    if isinstance(value, tuple):
        return tuple(renamed(item, field) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: renamed(getattr(value, f.name), f.name) for f in fields(value) if f.init})
    return value


def figures(review: Review) -> tuple[Any, ...]:
    plan = review.plan
    return (
        [
            (p.required_m3_min, p.required_source, p.planned_m3_min, [c.status for c in p.calculations])
            for p in plan.places
        ],
        [(s.members, s.subtotal_recomputed, s.required_recomputed, s.status) for s in plan.systems],
        (plan.mine_total.recomputed, plan.mine_total.status),
        [r.place_id for r in review.report.readings] if review.report else None,
        [(c.basis, c.required, c.measured, c.ratio, c.verdict) for c in review.comparisons],
        [(f.kind, f.severity, f.unit, f.rule, f.cause) for f in review.findings],
        review.summary.verdict,
    )


@pytest.mark.parametrize(("plan_file", "report_file"), PAIRS)
def test_other_names_give_the_same_review(plan_file: str, report_file: str) -> None:
    plan = read_plan(parse_document(FIXTURES / "faults" / plan_file))
    report = read_report(parse_document(FIXTURES / "faults" / report_file))
    rules = load_rules()

    before = review_extracts(plan, report, rules, ())
    after = review_extracts(renamed(plan), renamed(report), rules, ())

    assert [p.name for p in after.plan.places] != [p.name for p in before.plan.places]
    assert figures(after) == figures(before)
