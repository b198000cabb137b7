"""The closed list of kinds is proven whole: a fault of each through the whole review, and two sound documents near to it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from algorithms.airflow_review import review
from algorithms.airflow_review.model import FindingKind
from algorithms.airflow_review.render.json_text import review_to_json_text
from tests.support.papers import plan_paper, survey_paper
from tests.support.papers.judging import Found, Near, judged, loud, rules, told, written
from tests.unit.algorithms.kinds import calculations, coefficients, measured, sums_and_lists

GROUPS = (calculations, coefficients, sums_and_lists, measured)
FOUND: dict[str, Found] = {name: case for group in GROUPS for name, case in group.FOUND.items()}
NEAR: dict[str, Near] = {name: case for group in GROUPS for name, case in group.NEAR.items()}


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_a_fault_and_two_sound_documents_near_to_it(kind: FindingKind) -> None:
    assert Counter(case.kind for case in FOUND.values())[kind.value] >= 1
    assert Counter(case.kind for case in NEAR.values())[kind.value] >= 2


def test_no_case_hides_another_of_its_name() -> None:
    assert len(FOUND) == sum(len(group.FOUND) for group in GROUPS)
    assert len(NEAR) == sum(len(group.NEAR) for group in GROUPS)


@pytest.mark.parametrize("name", FOUND)
def test_a_fault_is_told_once_and_at_its_subject(name: str) -> None:
    case = FOUND[name]
    result = judged(*case.papers())

    assert (case.kind, case.severity, case.subject) in told(result)
    assert loud(result) == ([] if case.severity == "note" else [(case.kind, case.subject)])


@pytest.mark.parametrize("name", NEAR)
def test_what_only_looks_like_a_fault_is_none(name: str) -> None:
    case = NEAR[name]
    result = judged(*case.papers())

    assert case.kind not in {kind for kind, _, _ in told(result)}
    assert loud(result) == list(case.loud)


def test_two_chambers_of_one_name_with_their_own_inputs_are_a_note() -> None:
    result = judged(plan_paper.SOUND.more(sums_and_lists.OTHER_SUBSTATION))

    assert [(kind, severity) for kind, severity, _ in told(result)] == [("duplicate_entry", "note")]


def test_the_sound_papers_give_no_finding_at_all() -> None:
    result = judged(plan_paper.SOUND, survey_paper.SOUND)

    assert told(result) == []
    assert result.summary.verdict == "conclusive"
    assert {p.required_source for p in result.plan.places} == {"recomputed"}
    assert all(p.calculations for p in result.plan.places)


def test_the_cases_take_the_steps_of_the_review_itself(tmp_path: Path) -> None:
    short = survey_paper.SOUND.flowing(plan_paper.HEADING, "18.5", "0.40")

    direct = review(*written(tmp_path, plan_paper.SOUND, short), rules=rules())

    assert review_to_json_text(direct) == review_to_json_text(judged(plan_paper.SOUND, short))
