"""Checks 37 to 42 of a reviewer's list: time, identity, measurement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.papers.judging import judged, loud, told
from tests.support.papers.plan_paper import FACE, PARTS, SOUND, SUBSTATION, PlanPaper
from tests.support.papers.survey_paper import (
    CHAMBERS,
    EAST_FAN,
    FACE_IN,
    FACE_OUT,
    Station,
    SurveyPaper,
)
from tests.support.papers.survey_paper import SOUND as SURVEY

LONG_FACE = "11302综采工作面"


def long_numbers() -> tuple[PlanPaper, SurveyPaper]:
    """The papers with a face of five digits."""
    parts = tuple(replace(p, name=LONG_FACE) if p.name == FACE else p for p in PARTS)
    report = SURVEY.changed(FACE_IN, name=f"{LONG_FACE}进风").changed(FACE_OUT, name=f"{LONG_FACE}回风")
    return replace(SOUND, parts=parts), report


def test_check_37_a_plan_of_december_and_a_report_of_a_later_may() -> None:
    review = judged(
        replace(SOUND, period="2024年12月1日至2024年12月31日"), replace(SURVEY, dates="2026年5月1日至2026年5月10日")
    )

    assert told(review) == [("window_mismatch", "manual", "矿井")]
    assert {c.verdict.value for c in review.comparisons if c.basis != "plan_required"} == {"not_judged"}
    assert review.summary.verdict == "manual"


@pytest.mark.parametrize(
    ("intake", "back"),
    [
        ("11302综采面进风", "11302工作面回风"),
        ("11302面进风侧", "113-02面回风"),
        ("11302采煤工作面进风巷", "11302综采工作面回风巷"),
    ],
)
def test_check_38_a_face_under_other_names(intake: str, back: str) -> None:
    plan, report = long_numbers()
    report = report.changed(f"{LONG_FACE}进风", name=intake).changed(f"{LONG_FACE}回风", name=back)

    assert loud(judged(plan, report)) == []


def test_check_38_a_name_that_may_be_another_place_asks_a_person() -> None:
    parts = tuple(replace(p, name="中央变电所") if p.name == SUBSTATION else p for p in PARTS)
    review = judged(replace(SOUND, parts=parts), SURVEY.changed(SUBSTATION, name="井下主变"))

    assert told(review) == [("alias_uncertain", "manual", "井下主变"), ("not_measured", "note", "中央变电所")]


def test_check_39_the_intake_of_the_face_before_is_not_taken_for_this_face() -> None:
    review = judged(SOUND, SURVEY.changed(FACE_IN, name="99综采工作面进风"))
    reading = next(r for r in review.report.readings if r.station == "99综采工作面进风")  # type: ignore[union-attr]

    assert reading.place_id is None
    assert ("alias_uncertain", "99综采工作面进风") in loud(review)


def test_check_39_a_face_is_judged_by_the_smaller_of_intake_and_return() -> None:
    review = judged(SOUND, SURVEY.flowing(FACE_IN, "12.4", "1.60"))
    row = next(c for c in review.comparisons if c.subject_name == FACE and c.basis == "measured_required")

    assert str(row.measured) == "1190"
    assert row.verdict.value == "shortage"


def test_check_40_swapped_digits_of_a_flow() -> None:
    report = SURVEY.changed(FACE_IN, area="11.3", speed="1.85", flow="1524")

    assert loud(judged(SOUND, report)) == [("reading_inconsistent", FACE_IN)]
    assert loud(judged(SOUND, report.changed(FACE_IN, flow="1254"))) == []


def test_check_41_a_speed_below_the_instruments_range_and_two_readings_apart() -> None:
    medium = replace(SURVEY, notes=("测风仪器：中速风表（0.5～10m/s）。",)).changed(
        SUBSTATION, area="2.2", speed="0.50", flow="66"
    )
    twice = SURVEY.more(Station(name=SUBSTATION, block=CHAMBERS, area="3.6", speed="0.36", flow="78"))

    assert ("reading_inconsistent", "二采区石门") in loud(judged(SOUND, medium))
    assert told(judged(SOUND, twice)) == [("reading_inconsistent", "note", SUBSTATION)]
    assert told(judged(SOUND, twice.changed(SUBSTATION, speed="0.31", flow="67"))) == []


@pytest.mark.parametrize(
    ("report", "kind"),
    [
        (replace(SURVEY, total_intake="5396"), "reading_inconsistent"),
        (replace(SURVEY, total_return="5438"), "reading_inconsistent"),
        (SURVEY.changed(EAST_FAN, flow="3400"), "reading_inconsistent"),
        (replace(SURVEY, notes=("矿井有效风量率104.2%。",)), "reading_inconsistent"),
    ],
    ids=["intake", "return", "negative leakage", "effective rate above 100 %"],
)
def test_check_42_totals_that_do_not_close(report: SurveyPaper, kind: str) -> None:
    assert loud(judged(SOUND, report)) == [(kind, "矿井")]
