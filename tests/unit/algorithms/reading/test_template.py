"""The template and its check: a model may choose and correct, the document has the last word (R-AIR-2, R-PIT-16, 21)."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.evidence import WindowStatus
from algorithms.airflow_review.reading.extract_json import (
    ExtractFormatError,
    plan_extract_from_json_text,
    plan_extract_to_json_text,
)
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.shapes import as_mapping, as_window, mappings
from algorithms.airflow_review.reading.template import extraction_template
from algorithms.airflow_review.reading.validate import _Checker, validate_plan_extraction
from tests.support.truth_plan import FIXTURES

MARKERS = {"section_area_basis": ["净断面", "有效断面"]}


@lru_cache(maxsize=1)
def document():
    return parse_document(FIXTURES / "faults" / "f07_plan.txt")


@lru_cache(maxsize=1)
def _template_text():
    return json.dumps(extraction_template(document(), read_plan(document()), MARKERS), ensure_ascii=False)


def template():
    return json.loads(_template_text())


def check(filled):
    return validate_plan_extraction(filled, document())


def test_a_template_confirmed_as_it_is_gives_the_deterministic_extract():
    result = check(template())

    assert result.ok
    assert result.extract == read_plan(document())


def test_r_pit_16_the_template_carries_the_allowed_words():
    assert template()["vocabulary"]["parameter_markers"] == MARKERS


def test_every_candidate_points_to_evidence_of_the_document():
    filled = template()
    place = filled["candidates"]["places"][0]

    assert filled["evidence"][place["required_m3_min"]["evidence"][0]]["quote"] == place["required_m3_min"]["text"]


def test_a_number_the_document_does_not_print_is_dropped_and_listed():
    filled = template()
    filled["candidates"]["places"][0]["required_m3_min"] = 987654

    result = check(filled)

    assert result.extract.places[0].required == read_plan(document()).places[0].required
    assert len(result.extract.places[0].unproven) == 1
    assert [(i.path, i.code) for i in result.issues] == [("places[0].required_m3_min", "not_in_source")]


def test_a_number_printed_for_another_place_is_none_of_this_one():
    filled = template()
    filled["candidates"]["places"][0]["planned_m3_min"] = "1040"  # the row below

    result = check(filled)

    assert result.extract.places[0].planned == read_plan(document()).places[0].planned
    assert [(i.path, i.code) for i in result.issues] == [("places[0].planned_m3_min", "not_in_source")]


def test_a_number_that_contradicts_what_was_read_asks_a_person_even_where_it_is_printed():
    filled = template()
    filled["candidates"]["places"][0]["planned_m3_min"] = "366"  # its need by gas

    result = check(filled)

    assert [i.code for i in result.issues] == ["contradicts"]
    assert result.extract.places[0].planned == read_plan(document()).places[0].planned
    assert len(result.extract.places[0].unproven) == 1


def test_a_value_that_was_not_read_is_taken_from_the_places_own_passages_only():
    read = replace(read_plan(document()).places[0], planned=None)
    found = {}
    for number in ("1040", "366"):
        checker = _Checker(document=document(), read=replace(read_plan(document()), places=(read,)))
        found[number] = checker.check({"places": [{"name": read.name, "planned_m3_min": number}]}).extract.places[0]

    assert found["1040"].planned is None
    assert len(found["1040"].unproven) == 1
    planned = found["366"].planned
    assert planned is not None
    assert planned.value == Decimal(366)
    assert "100×2.44×1.5=366" in planned.evidence[0].quote


def test_a_value_in_another_unit_is_not_in_the_source():
    planned = read_plan(document()).places[0].planned
    assert planned is not None
    read = planned.value
    for other in (read * 60, read / 60):
        filled = template()
        filled["candidates"]["places"][0]["planned_m3_min"] = str(other)

        result = check(filled)

        assert result.extract.places[0].planned.value == read
        assert [i.code for i in result.issues] == ["not_in_source"]


@pytest.mark.parametrize("field", ["required_m3_min", "planned_m3_min", "area_m2", "basis", "markers", "calculations"])
def test_what_a_template_leaves_out_stays_as_the_document_prints_it(field):
    filled = template()
    for place in filled["candidates"]["places"]:
        place[field] = None

    assert check(filled).extract.places == read_plan(document()).places


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stopped", True),
        ("no_station", True),
        ("type", "other_roadway"),
        ("system", "西回风井系统"),
        ("series_after", "x"),
    ],
)
def test_a_claim_that_would_take_a_place_out_of_the_judgement_is_the_documents_alone(field, value):
    filled = template()
    filled["candidates"]["places"][0][field] = value

    result = check(filled)

    known = read_plan(document()).places[0]
    assert replace(result.extract.places[0], unproven=()) == known
    assert len(result.extract.places[0].unproven) == 1


def test_another_month_than_the_document_prints_is_refused_and_asked():
    filled = template()
    filled["candidates"]["period"] = "2025-01-01 ~ 2025-01-31"

    result = check(filled)

    assert result.extract.period == read_plan(document()).period
    assert [i.code for i in result.issues] == ["contradicts"]
    assert len(result.extract.unproven) == 1


def test_another_method_does_not_excuse_a_calculation():
    filled = template()
    filled["candidates"]["places"][0]["calculations"][0]["method"] = "other"

    result = check(filled)

    assert result.extract.places[0].calculations == read_plan(document()).places[0].calculations
    assert [i.code for i in result.issues] == ["contradicts"]


def test_a_place_that_is_left_out_is_kept_and_told():
    filled = template()
    del filled["candidates"]["places"][3]

    result = check(filled)

    assert len(result.extract.places) == len(read_plan(document()).places)
    assert [i.code for i in result.issues] == ["left_out"]


def test_an_invented_place_is_refused():
    filled = template()
    filled["candidates"]["places"].append({"name": "99999综采工作面", "required_m3_min": 925})

    result = check(filled)

    assert "99999综采工作面" not in {p.name for p in result.extract.places}
    assert [i.code for i in result.issues] == ["not_in_source"]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("type", "工作面", "unknown_word"),
        ("required_m3_min", "很多", "wrong_type"),
        ("basis", {"宽度": 3}, "unknown_word"),
        ("name", "", "missing_name"),
    ],
)
def test_schema_errors_are_readable_issues(field, value, code):
    filled = template()
    filled["candidates"]["places"][0][field] = value

    assert code in {i.code for i in check(filled).issues}


def test_an_invented_calculation_is_refused():
    filled = template()
    filled["candidates"]["places"][0]["calculations"][0]["expression"] = "60×99×99"

    result = check(filled)

    assert [i.code for i in result.issues] == ["not_in_source", "left_out"]
    assert result.extract.places[0].calculations == read_plan(document()).places[0].calculations


def test_r_pit_21_a_period_that_cannot_be_read_goes_to_a_person():
    filled = template()
    filled["candidates"]["period"] = "本月"

    result = check(filled)

    assert result.extract.period.status is WindowStatus.UNPARSABLE
    assert [i.code for i in result.issues] == ["unparsable_effective_window"]


@pytest.mark.parametrize("filled", [None, [], "x", 3, {"places": "none"}])
def test_r_pit_21_nonsense_is_an_issue_and_no_exception(filled):
    assert "no_places" in {i.code for i in check(filled).issues}


@pytest.mark.parametrize(
    "shape",
    [
        lambda body: body,
        lambda body: json.dumps(body, ensure_ascii=False),
        lambda body: [body],
        lambda body: {
            **body,
            "places": {p["name"]: {k: v for k, v in p.items() if k != "name"} for p in body["places"]},
        },
        lambda body: {**body, "places": json.dumps(body["places"], ensure_ascii=False)},
    ],
)
def test_r_pit_21_the_shapes_models_send_are_brought_into_one(shape):
    result = check(shape(copy.deepcopy(template()["candidates"])))

    assert result.extract.places == read_plan(document()).places


@pytest.mark.parametrize(
    "value",
    [
        "2024-12-01 ~ 2024-12-31",
        ["2024-12-01", "2024-12-31"],
        {"start": "2024年12月1日", "end": "2024/12/31"},
        {"from": "2024-12-01 9:00", "to": "2024-12-31"},
        {"text": "2024年12月"},
        '{"start": "2024-12-01", "end": "2024-12-31"}',
    ],
)
def test_r_pit_21_windows_are_salvaged_from_every_shape(value):
    window = as_window(value)

    assert (window.start, window.end) == (date(2024, 12, 1), date(2024, 12, 31))


def test_shapes_that_are_none_become_empty():
    assert as_mapping(7) == {}
    assert mappings(None) == ()
    assert as_window(None).status is WindowStatus.MISSING
    assert as_window(3).status is WindowStatus.UNPARSABLE


def test_an_extract_survives_json_to_the_last_digit():
    extract = read_plan(document())
    text = plan_extract_to_json_text(extract)

    assert plan_extract_from_json_text(text) == extract
    assert plan_extract_to_json_text(plan_extract_from_json_text(text)) == text


def test_other_json_is_refused_with_a_reason():
    with pytest.raises(ExtractFormatError, match="配风计划"):
        plan_extract_from_json_text('{"places": 3}')


def test_a_template_that_fills_one_place_only_keeps_all_others_in_their_order():
    place = template()["candidates"]["places"][3]

    result = check({"places": [place]})

    assert result.extract.places == read_plan(document()).places
    assert {i.code for i in result.issues} == {"left_out"}


def test_a_place_the_table_does_not_have_is_added_behind_the_others_with_a_question():
    filled = template()
    filled["candidates"]["places"].insert(0, {"name": "采区内巷道", "required_m3_min": 133})

    result = check(filled)

    assert result.extract.places[:-1] == read_plan(document()).places
    assert result.extract.places[-1].name == "采区内巷道"
    assert result.extract.places[-1].unproven
