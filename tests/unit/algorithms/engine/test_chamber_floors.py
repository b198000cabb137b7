"""Floors the plan's own rules state for chambers: which chambers they hold for."""

from __future__ import annotations

from dataclasses import replace

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import PlaceExtract
from algorithms.airflow_review.model import FindingKind
from algorithms.airflow_review.rules.library import load_rules
from tests.support.plans import OWN_RULES, calculation, face, place, sound_plan, statement


def kinds_with_floor(row: PlaceExtract, flow: str, scope: str) -> list[tuple[FindingKind, str]]:
    """What the review finds where the plan states this floor only."""
    floor = statement("floor_m3_min", flow, scope=scope, place_type=PlaceType.CHAMBER)
    rules = tuple(s for s in OWN_RULES if s.key != "floor_m3_min")
    extract = replace(sound_plan(face(), row), statements=(*rules, floor))
    return [(f.kind, str(f.stated)) for f in review_plan(extract, load_rules()).findings if f.severity.value != "note"]


def pump(required: str) -> PlaceExtract:
    heat = calculation("heat", "3600×180×0.02÷(1.2×1.0006×60×6)=30")
    basis = {"heat_kw": "180", "theta": "0.02", "delta_t_c": "6"}
    return place("二水平中央泵房", "chamber", required, required, heat, basis=basis)


def shed(required: str) -> PlaceExtract:
    hydrogen = calculation("hydrogen", "200×0.42=84")
    return place("三水平电车库", "chamber", required, required, hydrogen, basis={"hydrogen_m3_min": "0.42"})


def test_a_floor_for_a_list_holds_for_chambers_its_general_item_names() -> None:
    assert kinds_with_floor(pump("60"), "60", "机电硐室、爆破材料库") == []


def test_less_than_the_floor_of_the_list_is_not_the_maximum() -> None:
    assert kinds_with_floor(pump("50"), "60", "机电硐室、爆破材料库") == [(FindingKind.NOT_THE_MAXIMUM, "50")]


def test_a_floor_for_the_store_alone_says_nothing_of_a_pump() -> None:
    assert kinds_with_floor(pump("30"), "60", "爆破材料库") == []


def test_the_shed_of_the_locomotives_is_a_charging_chamber() -> None:
    assert kinds_with_floor(shed("100"), "100", "充电硐室") == []
    assert kinds_with_floor(shed("84"), "100", "充电硐室") == [(FindingKind.NOT_THE_MAXIMUM, "84")]
