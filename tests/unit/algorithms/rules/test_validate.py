from __future__ import annotations

import json
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.rules.library import load_rules
from algorithms.airflow_review.rules.rule_error import RuleError
from algorithms.airflow_review.rules.validate import bracket_problems, find_problems

HEAD = {"clause": "待核对", "source": "试验", "effective_from": None, "effective_to": None}


def table(*brackets: tuple[str | None, str | None], bounds: tuple[str | None, str | None]) -> dict[str, Any]:
    rows = [{"low": low, "high": high, "value_low": "1.0", "value_high": "1.1"} for low, high in brackets]
    return {
        "id": "table.own",
        "family": "own",
        "coefficient": "k_length",
        "match_field": "face_length_m",
        "place_types": ["coal_face"],
        "bounds": list(bounds),
        "brackets": rows,
        **HEAD,
    }


def formula(**changes: Any) -> dict[str, Any]:
    sound = {
        "id": "own.gas",
        "method": "gas",
        "place_types": ["coal_face"],
        "input": "gas_m3_min",
        "variants": [{"id": "one", "expression": "100*gas_m3_min", "when": {}}],
        **HEAD,
    }
    return {**sound, **changes}


def refusal(folder: Path, **sections: Any) -> str:
    head = {"id": "jia", "edition": "2024版", "mine": "甲煤矿"}
    (folder / "library.json").write_text(json.dumps(head), encoding="utf-8")
    (folder / "own.json").write_text(json.dumps(sections), encoding="utf-8")
    with pytest.raises(RuleError) as refused:
        load_rules(folder)
    return str(refused.value)


def test_our_own_library_has_no_problem() -> None:
    assert list(find_problems(load_rules())) == []


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (table((None, "15"), ("18", None), bounds=(None, None)), "15 与 18 之间缺档"),
        (table((None, "18"), ("15", None), bounds=(None, None)), "重叠"),
        (table(("15", "80"), bounds=(None, "80")), "覆盖 15 至 80"),
        (table(("80", "80"), bounds=("80", "80")), "空的"),
        (table(bounds=(None, None)), "brackets 是空的"),
    ],
)
def test_a_table_with_a_hole_is_refused(tmp_path: Path, record: dict[str, Any], problem: str) -> None:
    assert problem in refusal(tmp_path, tables=[record])


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (formula(variants=[{"id": "one", "expression": "100*gaz", "when": {}}]), "没有参数“gaz”"),
        (formula(variants=[{"id": "one", "expression": "100*", "when": {}}]), "算式“100*”无法读懂"),
        (
            formula(variants=[{"id": "one", "expression": "100*gas_m3_min", "when": {"weather": ["dry"]}}]),
            "没有条件“weather”",
        ),
        (
            formula(variants=[{"id": "one", "expression": "100*gas_m3_min", "when": {"zone": ["above"]}}]),
            "没有值“above”",
        ),
        (formula(variants=[{"id": "one", "expression": "100*gas_m3_min", "when": {"zone": []}}]), "永远选不到"),
        (
            formula(variants=[{"id": name, "expression": "100*gas_m3_min", "when": {}} for name in ("one", "two")]),
            "算式“two”永远选不到",
        ),
        (formula(variants=[]), "variants 是空的"),
        (formula(deviation="oops"), "没有问题类别“oops”"),
        (formula(method="magic"), "magic"),
    ],
)
def test_a_formula_nobody_can_use_is_refused(tmp_path: Path, record: dict[str, Any], problem: str) -> None:
    assert problem in refusal(tmp_path, formulas=[record])


def test_two_records_in_force_on_one_day_are_refused(tmp_path: Path) -> None:
    constant = {"id": "reserve.high", "value": "1.2", "unit": "1", **HEAD}

    assert "reserve.high" in refusal(tmp_path, constants=[constant, constant])


@given(st.lists(st.integers(0, 400), min_size=2, max_size=7, unique=True))
def test_brackets_that_share_their_ends_have_no_problem(edges: list[int]) -> None:
    bounds = [Decimal(edge) for edge in sorted(edges)]
    brackets = tuple(
        Bracket(low=low, high=high, value_low=Decimal(1), value_high=Decimal(1)) for low, high in pairwise(bounds)
    )

    assert list(bracket_problems(brackets, (bounds[0], bounds[-1]))) == []
