"""Traps of layout that lie in the text itself, through the whole review; those of files stand beside their parsers."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review.model import CheckStatus, Place, Review
from tests.support.papers.judging import judged, loud, told
from tests.support.papers.plan_paper import EAST, FACE, HEADING, SOUND, STANDBY, SUBSTATION, PlanPaper
from tests.support.papers.survey_paper import FACE_OUT
from tests.support.papers.survey_paper import SOUND as SURVEY

TESTS = Path(__file__).resolve().parent
TRAPS = 30
CLIMATE = "Q采=60×11.3×1.0×1.2×1.5=1221m³/min"


def place(review: Review, name: str) -> Place:
    return next(p for p in review.plan.places if p.name == name)


def is_as_sound(plan: PlanPaper | str) -> bool:
    """Whether the face is read and judged as in the sound plan, and nothing is told."""
    review = judged(plan)
    face, sound = place(review, FACE), place(judged(SOUND), FACE)
    figures = [(c.method, c.stated, c.inputs, c.status) for c in face.calculations]
    return told(review) == [] and figures == [(c.method, c.stated, c.inputs, c.status) for c in sound.calculations]


def test_every_trap_has_a_test_that_bears_its_number() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    named = re.findall(r"^def test_(?:r_pit_\d+_)?((?:l\d+_)+)", text, re.MULTILINE)

    assert {int(n) for found in named for n in re.findall(r"\d+", found)} >= set(range(1, TRAPS + 1))


def test_l9_a_formula_broken_over_lines_with_the_equals_sign_in_front() -> None:
    assert is_as_sound(SOUND.changed(FACE, {CLIMATE: "Q采=60×11.3×1.0×1.2\n×1.5\n=1221m³/min"}))


@pytest.mark.parametrize("symbol", ["Q采1", "Q 采 1", "Q采①", "Q_{采1}"])
def test_l10_subscripts_in_every_form(symbol: str) -> None:
    assert is_as_sound(SOUND.changed(FACE, {"Q采=60": f"{symbol}=60"}))


@pytest.mark.parametrize("sign", ["x", "X", "*", "·", "∙", "＊", "⨯", "✕"])
def test_l12_every_sign_of_multiplication(sign: str) -> None:
    assert is_as_sound(SOUND.changed(FACE, {CLIMATE: CLIMATE.replace("×", sign)}))


@pytest.mark.parametrize("sign", ["/", "∕", "／"])
def test_l12_every_sign_of_division(sign: str) -> None:
    review = judged(SOUND.changed(SUBSTATION, {"0.02÷(1.2": f"0.02{sign}(1.2"}))

    assert told(review) == []
    assert [c.status for c in place(review, SUBSTATION).calculations] == [CheckStatus.OK]


def test_l13_a_division_shown_as_plus_is_repaired_and_told() -> None:
    review = judged(SOUND.changed(SUBSTATION, {"0.02÷(1.2": "0.02+(1.2"}))

    assert told(review) == [("extraction_doubt", "note", SUBSTATION)]


@pytest.mark.parametrize("dash", ["～", "~", "-", "—", "至", "–"])
def test_l15_ranges_with_every_dash(dash: str) -> None:
    low = SOUND.said("综采K取1.2～1.6", f"综采K取1.2{dash}1.6").changed(
        FACE, {"（K=1.4）": "（K=1.1）", "100×2.13×1.4=298.2": "100×2.13×1.1=234.3"}
    )

    assert told(judged(SOUND.said("综采K取1.2～1.6", f"综采K取1.2{dash}1.6"))) == []
    assert loud(judged(low)) == [("coefficient_out_of_bracket", FACE)]


def test_l18_a_fraction_among_per_cents_is_told_and_never_read_as_clean_air() -> None:
    review = judged(SOUND, SURVEY.changed(FACE_OUT, ch4="0.0030"))

    assert loud(review) == [("unit_suspect", FACE_OUT)]


def test_l23_slips_of_single_characters() -> None:
    plan = SOUND.changed(FACE, {"Q采=60": "Q采＝60", "最多同时工作人数42人": "最多同时工作人数４２人"})

    assert is_as_sound(plan)
    assert told(judged(SOUND.text().replace("硐室", "碉室"))) == []


def test_l23_a_result_run_together_with_the_next_number_is_a_doubt_and_no_need() -> None:
    review = judged(SOUND.changed(HEADING, {"15×18.5=628m³/min": "15×18.5=628630m³/min"}))

    assert ("extraction_doubt", "note", HEADING) in told(review)
    assert loud(review) == []
    assert place(review, HEADING).required_m3_min == Decimal(628)


@pytest.mark.parametrize("period", ["2025年3月", "2025年3月1日～31日", "2025.3.1－2025.3.31", "2025-03-01至2025-03-31"])
def test_l26_a_month_in_every_spelling(period: str) -> None:
    review = judged(replace(SOUND, period=period), SURVEY)

    assert told(review) == []
    assert {c.verdict.value for c in review.comparisons if c.basis == "measured_required"} <= {"ok", "watch"}


def test_l26_this_month_without_a_name_is_a_manual_check() -> None:
    text = replace(SOUND, period="本月").text().replace("2025年3月份", "")
    review = judged(text, SURVEY)

    assert told(review) == [("unparsable_effective_window", "manual", "矿井")]
    assert review.summary.verdict == "manual"


def test_l27_units_glued_to_their_numbers() -> None:
    assert is_as_sound(SOUND.changed(FACE, {"11.3m²": "11.3㎡", "1221m³/min": "1221㎥/min"}))
    assert is_as_sound(SOUND.changed(FACE, {CLIMATE: "Q采=60×11.3m2×1.0m/s×1.2×1.5=1221m3/min"}))


@pytest.mark.parametrize("mark", ["同上", "〃"])
def test_l28_a_mark_for_the_cell_above_is_no_place_and_no_number(mark: str) -> None:
    rows = SOUND.text().replace(f"2\t{STANDBY}\t备用工作面\t10.2", f"2\t{STANDBY}\t备用工作面\t{mark}")
    review = judged(rows)

    assert mark in rows
    assert mark not in {p.name for p in review.plan.places}
    assert [p.required_m3_min for p in review.plan.places] == [p.required_m3_min for p in judged(SOUND).plan.places]
    assert loud(review) == []


def test_l30_one_quantity_in_three_places_with_two_values_is_a_conflict() -> None:
    plan = replace(SOUND, summary=((EAST, "2925", "1.2", "3542.4"), ("西风井系统", "1372", "1.2", "1646.4")))

    assert loud(judged(plan)) == [("conflicting_values", EAST)]
