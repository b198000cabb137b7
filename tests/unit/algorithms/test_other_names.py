"""Other names and another order of columns change no figure and no finding, with a fault of every kind (small papers)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from algorithms.airflow_review.model import Review
from tests.support.papers.judging import judged
from tests.support.papers.plan_paper import PlanPaper
from tests.support.papers.survey_paper import SurveyPaper
from tests.unit.algorithms.kinds.test_every_kind import FOUND

# Longer names first: what replaces one is replaced no more.
OTHER_NAMES = {
    "甲子沟煤矿": "石羊川煤矿",
    "东风井": "南风井",
    "西风井": "北风井",
    "101综采": "7203综采",
    "102综采": "7204综采",
    "104备用": "7206备用",
    "103运输顺槽": "7208胶带顺槽",
    "103回风顺槽": "7208轨道顺槽",
    "107开切眼": "7210开切眼",
    "105切眼": "7212切眼",
    "106皮带巷": "7214皮带巷",
    "轨道大巷": "辅运大巷",
    "一采区": "五采区",
    "二采区": "六采区",
    "三采区": "八采区",
    "主斜井": "行人斜井",
    "副立井": "混合立井",
}

MOST_KEPT = 3  # columns of a table that keeps their order: pairs and brackets


def renamed(text: str) -> str:
    for index, old in enumerate(OTHER_NAMES):
        text = text.replace(old, f"\0{index}\0")
    for index, new in enumerate(OTHER_NAMES.values()):
        text = text.replace(f"\0{index}\0", new)
    return text


def shuffled(text: str, mark: str, seed: int) -> str:
    """Every table of more than three columns with its columns in another order, one order for each number of columns."""
    chance, orders, lines = random.Random(seed), dict[int, list[int]](), []
    for line in text.splitlines():
        cells = line.split(mark)
        if len(cells) > MOST_KEPT:
            order = orders.setdefault(len(cells), chance.sample(range(len(cells)), len(cells)))
            cells = [cells[at] for at in order]
        lines.append(mark.join(cells))
    return "\n".join(lines) + "\n"


def texts(plan: PlanPaper | str, report: SurveyPaper | str | None) -> tuple[str, str | None]:
    measured = report if report is None or isinstance(report, str) else report.text()
    return plan if isinstance(plan, str) else plan.text(), measured


def figures(review: Review) -> tuple[Any, ...]:
    """All that is no name: figures, verdicts, kinds, severities, ids, causes."""
    places = [
        (p.id, p.type, p.system, p.required_m3_min, p.required_source, p.planned_m3_min, dict(p.basis))
        for p in review.plan.places
    ]
    calculations = [
        (c.method, c.inputs, c.stated, c.recomputed, c.status) for p in review.plan.places for c in p.calculations
    ]
    systems = [(s.id, s.members, s.subtotal_recomputed, s.required_recomputed, s.status) for s in review.plan.systems]
    readings = [(r.place_id, r.flow_m3_min, r.area_m2) for r in review.report.readings] if review.report else []
    rows = [(c.basis, c.required, c.planned, c.measured, c.ratio, c.verdict) for c in review.comparisons]
    found = [(f.id, f.kind, f.severity, f.unit, f.rule, f.cause) for f in review.findings]
    return places, calculations, systems, readings, rows, found, review.summary.verdict


@pytest.mark.parametrize("name", FOUND)
def test_r_air_4_other_names_and_columns_give_the_same_figures_and_findings(name: str) -> None:
    plan, report = texts(*FOUND[name].papers())
    seed = len(name)
    other_plan = renamed(shuffled(plan, "\t", seed))
    other_report = None if report is None else renamed(shuffled(report, ",", seed))

    before, after = judged(plan, report), judged(other_plan, other_report)

    assert other_plan not in {plan, renamed(plan)}
    assert figures(after) == figures(before)
    assert [f.subject_name for f in after.findings] == [renamed(f.subject_name) for f in before.findings]


def test_the_other_names_share_nothing_with_the_old_ones() -> None:
    assert not set(OTHER_NAMES) & set(OTHER_NAMES.values())
