"""The generated cases: the same from the same seed, right where they are clean, wrong exactly where they say so."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.corpus.case import Case, make_case, write_case
from tests.support.corpus.figures import ceil_at, half_up_at, value_of
from tests.support.corpus.plan_mistakes import PLACE_MISTAKES
from tests.support.corpus.report_mistakes import REPORT_MISTAKES
from tests.support.corpus.sum_mistakes import SUM_MISTAKES

MISTAKES = [*PLACE_MISTAKES, *SUM_MISTAKES, *REPORT_MISTAKES]
CLEAN = "nothing of that name"  # asks for no mistake: the case stays clean


@pytest.fixture(scope="module")
def clean_cases() -> list[Case]:
    return [make_case(5, number, mistake=CLEAN) for number in range(1, 25)]


def test_the_same_seed_gives_the_same_documents(tmp_path: Path) -> None:
    rows = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        rows.append(json.dumps([write_case(make_case(3, n, browserless=True), folder, None) for n in (1, 2)]))

    assert rows[0] == rows[1]


def test_a_clean_case_prints_only_accepted_results(clean_cases: list[Case]) -> None:
    for case in clean_cases:
        for place in case.mine.places:
            for method in place.methods:
                exact = value_of(method.formula)
                printed = Fraction(method.printed)
                decimals = len(method.printed.partition(".")[2])
                assert printed in {exact, ceil_at(exact), half_up_at(exact), half_up_at(exact, decimals)}, (
                    method.formula
                )


def test_a_clean_case_plans_at_least_the_exact_need(clean_cases: list[Case]) -> None:
    for case in clean_cases:
        for place in case.mine.places:
            assert Fraction(place.planned) >= place.true_need, (case.name, place.name)


def test_a_clean_case_adds_up(clean_cases: list[Case]) -> None:
    for case in clean_cases:
        mine = case.mine
        total = Fraction(0)
        for index, system in enumerate(mine.systems):
            rows = [place for place in mine.of_system(index) if not place.series_after]
            assert Fraction(system.subtotal) == sum(Fraction(place.table_required) for place in rows)
            assert Fraction(system.required) == Fraction(system.subtotal) * Fraction(mine.reserve)
            total += Fraction(system.required)
        assert Fraction(mine.total) == total


def test_a_clean_survey_measures_no_place_short_and_nothing_faster_than_allowed(clean_cases: list[Case]) -> None:
    for case in clean_cases:
        needs = {(place.name, place.system): place for place in case.mine.places}
        for reading in case.survey.readings:
            if not reading.place:
                continue
            place = needs[reading.place, reading.system or 0]
            assert Fraction(reading.flow) >= place.true_need or place.series_after, (case.name, place.name)
            assert reading.speed is not None
            assert Fraction(reading.speed) <= 4


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_can_be_sown_and_says_what_must_be_found(mistake: str) -> None:
    cases = (make_case(9, number, mistake=mistake) for number in range(1, 60))
    case = next(case for case in cases if mistake in case.mistakes)

    asked = [finding for finding in case.findings if not finding.optional]

    assert len(asked) == 1
    assert asked[0].note


def test_at_least_two_cases_in_five_are_clean() -> None:
    cases = [make_case(1, number) for number in range(1, 61)]

    assert sum(not case.findings for case in cases) >= 20
