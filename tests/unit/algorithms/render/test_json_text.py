"""`review.json` keeps every digit, has one form, and comes back as the same review."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.render.json_text import decimal_text, review_from_json_text, review_to_json_text
from tests.unit.algorithms.render.sample import sample_review


@pytest.mark.parametrize("has_report", [True, False])
def test_a_review_comes_back_as_it_was(has_report):
    review = sample_review(has_report=has_report)

    assert review_from_json_text(review_to_json_text(review)) == review


def test_r_air_12_the_same_review_gives_the_same_bytes():
    text = review_to_json_text(sample_review())

    assert review_to_json_text(sample_review()) == text
    assert review_to_json_text(review_from_json_text(text)) == text


def test_the_top_level_is_the_one_of_the_contract():
    document = json.loads(review_to_json_text(sample_review()))

    assert list(document) == [
        "schema", "inputs", "rules", "plan", "report", "alignment", "comparisons", "findings", "summary", "settled",
    ]  # fmt: skip
    assert document["schema"] == "airflow_review/1"
    assert document["plan"]["period"]["start"] == "2024-12-01"
    assert document["plan"]["places"][0]["type"] == "coal_face"


def test_numbers_are_json_numbers_without_rounding():
    text = review_to_json_text(sample_review())
    document = json.loads(text, parse_float=str, parse_int=str)

    assert document["plan"]["systems"][0]["required_stated"] == "11073.6"
    assert document["plan"]["systems"][0]["subtotal_stated"] == "9228"
    assert document["report"]["rates"]["effective_rate"] == "0.8811574429379494613569824621"
    assert document["plan"]["mine_total"]["recomputed"] == "32497.2"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9))
def test_a_decimal_is_written_as_exactly_its_value(value):
    assert Decimal(decimal_text(value)) == value
    assert "E" not in decimal_text(value)


@pytest.mark.parametrize(("value", "text"), [("1E+3", "1000"), ("-0.0", "0"), ("11073.60", "11073.6"), ("0.10", "0.1")])
def test_a_decimal_has_one_notation(value, text):
    assert decimal_text(Decimal(value)) == text


def test_a_number_that_json_does_not_know_is_refused():
    review = sample_review()
    broken = replace(review, summary=replace(review.summary, deficit_m3_min={"P001": Decimal("NaN")}))

    with pytest.raises(ValueError, match="cannot stand in a review"):
        review_to_json_text(broken)


@pytest.mark.parametrize("text", ["{}", "[]", '{"schema": "airflow_review/2"}', "{", '{"schema": "airflow_review/1"}'])
def test_another_text_is_no_review(text):
    with pytest.raises(ValueError, match=r"."):
        review_from_json_text(text)
