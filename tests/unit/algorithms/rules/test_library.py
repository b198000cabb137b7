from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.rules.library import load_rules
from algorithms.airflow_review.rules.records import UNCHECKED, Formula
from algorithms.airflow_review.rules.rule_error import RuleError
from algorithms.airflow_review.rules.vocabulary import marker_values, single_value
from tests.support import plans

HEAD = {"clause": UNCHECKED, "source": "本矿风量计算细则", "effective_from": None, "effective_to": None}


def mine_folder(folder: Path, **sections: Any) -> Path:
    """A mine's rule folder with its head file and one file of records."""
    head = {"id": "jia", "edition": "2024版", "mine": "甲煤矿", "sources": ["甲煤矿风量计算细则"]}
    (folder / "library.json").write_text(json.dumps(head, ensure_ascii=False), encoding="utf-8")
    (folder / "own.json").write_text(json.dumps(sections, ensure_ascii=False), encoding="utf-8")
    return folder


def test_r_air_3_every_record_says_its_source_and_clause() -> None:
    rules = load_rules()

    assert all(record.source and record.clause and record.edition for record in rules.records)
    assert rules.constant("people.per_person").value == Decimal(4)
    assert rules.ref("calc.maximum").edition == rules.source.edition
    assert "@" in rules.source.id


def test_r_air_3_every_type_of_place_has_its_formulas() -> None:
    methods = {kind: {f.method for f in load_rules().formulas(kind)} for kind in PlaceType}

    assert "climate" in methods[PlaceType.COAL_FACE]
    assert "standby_half" in methods[PlaceType.STANDBY_FACE]
    assert "local_fan" in methods[PlaceType.HEADING]
    assert {"heat", "hydrogen", "air_changes"} <= methods[PlaceType.CHAMBER]
    assert {"gas", "speed_min", "diesel"} <= methods[PlaceType.OTHER_ROADWAY]


def test_a_mines_constant_replaces_ours_and_is_named(tmp_path: Path) -> None:
    constant = {"id": "reserve.high", "value": "1.30", "unit": "1", "policy_source": "甲煤矿", **HEAD}

    rules = load_rules(mine_folder(tmp_path, constants=[constant]))

    assert rules.constant("reserve.high").value == Decimal("1.30")
    assert rules.constant("reserve.high").edition == "2024版"
    assert rules.source.mine == "甲煤矿"
    assert rules.source.edition == "2025.1+2024版"
    assert rules.source.id != load_rules().source.id


def test_r_air_3_a_new_formula_needs_no_code(tmp_path: Path) -> None:
    """A mine that wants 5 m³/min a person says so in its folder."""
    people = {
        "id": "place.people",
        "method": "people",
        "place_types": ["coal_face", "standby_face", "heading", "chamber", "other_roadway"],
        "variants": [{"id": "per_person_5", "expression": "5*people", "when": {}}],
        "minimum": "5*people",
        "input": "people",
        **HEAD,
    }
    rules = load_rules(mine_folder(tmp_path, formulas=[people]))

    found = review_plan(plans.sound_plan(plans.face()), rules).findings

    assert [(f.kind, f.rule.id if f.rule else None) for f in found] == [("wrong_constant", "place.people")]


def test_the_record_in_force_at_the_plans_period_counts(tmp_path: Path) -> None:
    old = {"id": "reserve.high", "value": "1.20", "unit": "1", **HEAD, "effective_to": "2020-12-31"}
    new = {"id": "reserve.high", "value": "1.30", "unit": "1", **HEAD, "effective_from": "2021-01-01"}
    rules = load_rules(mine_folder(tmp_path, constants=[old, new]))

    assert rules.on(date(2020, 6, 1)).constant("reserve.high").value == Decimal("1.20")
    assert rules.on(date(2024, 12, 1)).constant("reserve.high").value == Decimal("1.30")
    assert rules.on(None).constant("reserve.high").value == Decimal("1.30")


def test_r_pit_16_the_vocabulary_of_markers_is_handed_out() -> None:
    rules = load_rules()
    vocabulary = rules.parameter_markers()

    assert vocabulary["section_area_basis"] == ("mean_effective_net", "effective", "net")
    used = {
        name: value
        for r in rules.records
        if isinstance(r, Formula)
        for v in r.variants
        for name, values in v.when.items()
        for value in values
    }
    assert all(value in vocabulary[name] for name, value in used.items())


@pytest.mark.parametrize(
    ("marker", "text", "value"),
    [
        ("section_area_basis", "S采——平均有效净断面积", "mean_effective_net"),
        ("section_area_basis", "净断面积（m²）", "net"),
        ("section_area_basis", "有效通风断面", "effective"),
        ("section_area_basis", "断面", None),
        ("section_area_basis", "mean_effective_net", "mean_effective_net"),
        ("roadway_kind", "半煤岩巷", "semi"),
        ("chamber_kind", "二号胶轮车充电硐室", "charging"),
    ],
)
def test_words_of_a_document_become_marker_values(marker: str, text: str, value: str | None) -> None:
    assert single_value(load_rules().markers[marker], text) == value


def test_a_scope_may_name_several_values() -> None:
    assert marker_values(load_rules().markers["roadway_kind"], "煤巷、半煤岩巷") == ("coal", "semi")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "JSON"),
        ("[]", "对象"),
        ('{"constants": [{"id": "a", "value": "1", "unit": "1", "source": "x"}]}', "clause"),
        ('{"constants": [{"id": "a", "value": "eins", "unit": "1", "source": "x", "clause": "y"}]}', "eins"),
    ],
)
def test_a_rule_file_that_cannot_be_used_is_refused_with_its_name(tmp_path: Path, content: str, message: str) -> None:
    (mine_folder(tmp_path) / "own.json").write_text(content, encoding="utf-8")

    with pytest.raises(RuleError, match=r"own\.json") as refusal:
        load_rules(tmp_path)
    assert message in str(refusal.value)


def test_a_missing_folder_and_a_missing_constant_are_said(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="nowhere"):
        load_rules(tmp_path / "nowhere")
    with pytest.raises(RuleError, match=r"no\.such"):
        load_rules().constant("no.such")
