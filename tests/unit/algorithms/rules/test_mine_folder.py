"""A mine's own rules: a record that would hide a shortage or stay without effect is refused in the user's words."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from algorithms.airflow_review.rules.library import RuleSet, load_rules
from algorithms.airflow_review.rules.rule_error import RuleError

HEAD = {"clause": "待核对", "source": "本矿规定", "effective_from": None, "effective_to": None}
LIBRARY = {"id": "jia", "edition": "2024版", "mine": "甲煤矿", "sources": ["甲煤矿风量计算细则"]}


def written(folder: Path, **sections: Any) -> Path:
    (folder / "library.json").write_text(json.dumps(LIBRARY), encoding="utf-8")
    (folder / "own.json").write_text(json.dumps(sections), encoding="utf-8")
    return folder


def loaded(folder: Path, **sections: Any) -> RuleSet:
    return load_rules(written(folder, **sections))


def refused(folder: Path, **sections: Any) -> str:
    with pytest.raises(RuleError) as refusal:
        loaded(folder, **sections)
    assert refusal.value.sentence("zh") == str(refusal.value)
    assert refusal.value.sentence("en") != str(refusal.value)
    return str(refusal.value)


def constant(identity: str, value: str, unit: str = "1", **changes: Any) -> dict[str, Any]:
    return {"id": identity, "value": value, "unit": unit, **HEAD, **changes}


def limit(**changes: Any) -> dict[str, Any]:
    faces = ["coal_face", "standby_face"]
    return {"id": "speed.face", "place_types": faces, "low_m_s": "0.5", "high_m_s": "3", **HEAD, **changes}


def formula(**changes: Any) -> dict[str, Any]:
    variants = [{"id": "one", "expression": "100*gas_m3_min"}]
    whole = {"id": "own.gas", "method": "gas", "place_types": ["coal_face"], "input": "gas_m3_min", **HEAD}
    return {**whole, "variants": variants, **changes}


def people(**changes: Any) -> dict[str, Any]:
    variants = [{"id": "five", "expression": "5*people"}]
    everywhere = ["coal_face", "standby_face", "heading", "chamber", "other_roadway"]
    head = {"id": "place.people", "method": "people", "input": "people", "place_types": everywhere}
    return formula(**{**head, "variants": variants, **changes})


def table(**changes: Any) -> dict[str, Any]:
    row = {"low": "80", "high": "200", "value_low": "1.0", "value_high": "1.1"}
    whole = {"id": "own.table", "family": "own", "coefficient": "k_length", "match_field": "face_length_m", **HEAD}
    return {**whole, "place_types": ["coal_face"], "bounds": ["80", "200"], "brackets": [row], **changes}


def quantity(**changes: Any) -> dict[str, Any]:
    return {"key": "k_own", "text": "本矿系数", "unit": "1", "coefficient": True, "low": "1", "high": "2", **changes}


@pytest.mark.parametrize(
    ("identity", "value", "unit", "remedy"),
    [
        ("compare.required", "0.9", "1", '请写此范围内的数，如 "1"'),
        ("compare.required", "0.9999", "1", "1～2"),
        ("compare.serious.coal_face", "85", "1", '请写成小数 "0.85"'),
        ("compare.serious.coal_face", "-3", "1", "范围"),
        ("compare.serious.coal_face", "0", "1", "范围"),
        ("compare.serious.mine", "1.01", "1", "范围"),
        ("gas.ch4.place", "1.5", "%", "范围"),
        ("speed.shaft", "16", "m/s", "范围"),
        ("compare.serious.chamber", "0.75", "%", "单位"),
    ],
)
def test_a_threshold_that_would_hide_a_shortage_is_refused(
    tmp_path: Path, identity: str, value: str, unit: str, remedy: str
) -> None:
    said = refused(tmp_path, constants=[constant(identity, value, unit)])

    assert f"own.json {identity}" in said
    assert remedy in said


@pytest.mark.parametrize(("identity", "value"), [("compare.required", "1.05"), ("compare.serious.coal_face", "1")])
def test_a_stricter_threshold_is_taken(tmp_path: Path, identity: str, value: str) -> None:
    assert loaded(tmp_path, constants=[constant(identity, value)]).constant(identity).value == Decimal(value)


def test_a_formula_may_not_drop_or_lower_the_least_result_of_the_law(tmp_path: Path) -> None:
    assert "最低要求" in refused(tmp_path, formulas=[people()])
    assert "最低要求" in refused(tmp_path, formulas=[people(minimum="3*people")])
    taken = loaded(tmp_path, formulas=[people(minimum="5*people")])
    assert [one.minimum for one in taken.records if one.id == "place.people"] == ["5*people"]  # type: ignore[attr-defined]


def test_a_constant_that_no_expression_uses_is_refused(tmp_path: Path) -> None:
    assert "不一致" in refused(tmp_path, constants=[constant("people.per_person", "5", "m3/min")])


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2025-04-01", None, {"2025-03-31": "0.75", "2025-04-01": "0.85", "2026-01-01": "0.85"}),
        (None, "2025-03-31", {"2025-03-31": "0.85", "2025-04-01": "0.75"}),
        ("2025-04-01", "2025-04-30", {"2025-03-31": "0.75", "2025-04-30": "0.85", "2025-05-01": "0.75"}),
    ],
)
def test_ours_stays_in_force_on_every_day_the_mine_leaves_open(
    tmp_path: Path, first: str | None, last: str | None, days: dict[str, str]
) -> None:
    own = constant("compare.serious.coal_face", "0.85", effective_from=first, effective_to=last)
    rules = loaded(tmp_path, constants=[own])

    found = {day: rules.on(date.fromisoformat(day)).constant("compare.serious.coal_face").value for day in days}
    assert found == {day: Decimal(value) for day, value in days.items()}


def test_a_speed_limit_between_two_of_the_mine_is_ours(tmp_path: Path) -> None:
    early, late = limit(effective_to="2024-12-31"), limit(effective_from="2026-01-01")
    rules = loaded(tmp_path, speed_limits=[early, late]).on(date(2025, 6, 1))

    assert [one.high_m_s for one in rules.records if one.id == "speed.face"] == [Decimal(4)]  # type: ignore[attr-defined]


def test_dates_that_run_backwards_are_refused(tmp_path: Path) -> None:
    own = limit(effective_from="2025-05-01", effective_to="2025-04-01")

    assert "起止日期颠倒" in refused(tmp_path, speed_limits=[own])


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"constants": [constant("compare.serious.coalface", "0.85")]}, "compare.serious.coal_face"),
        ({"checks": [{"id": "reading.produkt", "text": "x", **HEAD}]}, "reading.product"),
        ({"speed_limit": [limit()]}, "speed_limits"),
        ({"aliases": [["a", "b"]]}, "names.json"),
        ({"speed_limits": [limit(hihg_m_s="3")]}, "high_m_s"),
        ({"formulas": [formula(variants=[{"id": "a", "expression": "gas_m3_min", "wenn": {}}])]}, "when"),
        ({"formulas": [formula(input="gas")]}, "没有参数“gas”"),
        ({"formulas": [formula(input="people")]}, "不在任何算式中"),
        ({"formulas": [{k: v for k, v in formula().items() if k != "input"}]}, "缺少字段 input"),
        ({"formulas": [formula(minimum="gas_m3_min", minimum_constant="people.perperson")]}, "people.per_person"),
        ({"formulas": [formula(variants=[{"id": "a", "expression": "gas_m3_min/0"}])]}, "除以 0"),
        ({"formulas": [formula(variants=[{"id": "a", "expression": "gas_m3_min/(2-2)"}])]}, "除以 0"),
        ({"quantities": [quantity(low="3")]}, "下限 3 大于上限 2"),
        (
            {"quantities": [{k: v for k, v in quantity().items() if k != "text"}]},
            "own.json quantities k_own：缺少字段 text",
        ),
        ({"speed_limits": [limit(low_m_s="5")]}, "下限 5 大于上限 3"),
        ({"speed_limits": [limit(low_m_s=None, high_m_s=None)]}, "不起作用"),
        ({"tables": [table(coefficient="people")]}, "不是系数"),
        (
            {
                "quantities": [quantity(key="depth_m", coefficient=False)],
                "tables": [table(match_field="depth_m")],
            },
            "读不到",
        ),
        ({"constants": {"id": "x"}}, "须为列表"),
        ({"constants": ["x"]}, "须为对象"),
        ({"tables": [table(brackets=["x"])]}, "须为对象"),
        ({"floors": [{"id": "speed.face", "place_types": ["chamber"], "flow_m3_min": "9", **HEAD}]}, "另一种列表"),
        ({"constants": [constant("compare.watch", "105%")]}, '"1.05"'),
        ({"constants": [constant("compare.watch", "NaN")]}, "不是数"),
        (
            {"speed_limits": [limit(effective_from="2025.4.1")]},
            'effective_from 的值“2025.4.1”不是日期，请写成 "2025-04-01"',
        ),
        ({"speed_limits": [limit(effective_from="2025-02-30")]}, "没有这一天"),
        ({"speed_limits": [limit(place_types=["face"])]}, "coal_face（采煤工作面）"),
        ({"speed_limits": [limit(place_types="coal_face")]}, "须为列表"),
        ({"formulas": [formula(method="magic")]}, "gas（瓦斯涌出量）"),
        ({"speed_limits": [limit(id="own.face", when={"roadway_kind": ["stone"]})]}, "rock（岩巷）"),
        ({"speed_limits": [limit(when={"roadway": ["rock"]})]}, "roadway_kind（巷道类别）"),
        ({"speed_limits": [limit(when={"roadway_kind": "rock"})]}, "须为列表"),
        ({"speed_limits": [limit(), limit()]}, "own.json：“speed.face”有两条记录"),
    ],
)
def test_what_would_stay_without_effect_or_cannot_be_read_is_refused_with_its_remedy(
    tmp_path: Path, sections: dict[str, Any], said: str
) -> None:
    refusal = refused(tmp_path, **sections)

    assert "own.json" in refusal or "k_own" in refusal
    assert said in refusal


@pytest.mark.parametrize("name", ["limits.JSON", "limits.json.txt", "limits.txt", "sub/limits.json"])
def test_a_file_that_looks_like_rules_and_is_not_read_is_refused(tmp_path: Path, name: str) -> None:
    target = written(tmp_path) / name
    target.parent.mkdir(exist_ok=True)
    target.write_text("{}", encoding="utf-8")

    with pytest.raises(RuleError, match="不会被读取"):
        load_rules(tmp_path)


def test_other_papers_may_lie_in_the_folder(tmp_path: Path) -> None:
    (written(tmp_path) / "说明.txt").write_text("本矿规则", encoding="utf-8")

    assert load_rules(tmp_path).source.mine == "甲煤矿"


def test_a_folder_without_files_or_without_its_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="没有规则文件"):
        load_rules(tmp_path)
    (written(tmp_path) / "library.json").unlink()
    with pytest.raises(RuleError, match=r"缺少 library\.json"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"constants": [{"clause": "待核对"}]}'.encode("gbk"), "另存为 UTF-8"),
        (b'{"constants": [],\n}', "多了一个逗号"),
        (b'{"constants": [1, ]}', "多了一个逗号"),
        (b'{"constants": [], "constants": []}', "写了两次"),
        ("{“constants”: []}".encode(), "英文标点"),
    ],
)
def test_a_file_that_is_no_json_is_refused_in_the_users_words(tmp_path: Path, raw: bytes, said: str) -> None:
    (written(tmp_path) / "own.json").write_bytes(raw)

    with pytest.raises(RuleError, match=r"own\.json") as refusal:
        load_rules(tmp_path)
    assert said in str(refusal.value)


def test_one_id_in_two_files_names_both(tmp_path: Path) -> None:
    (written(tmp_path, speed_limits=[limit()]) / "more.json").write_text(
        json.dumps({"speed_limits": [limit()]}), encoding="utf-8"
    )

    with pytest.raises(RuleError, match=r"more\.json、own\.json"):
        load_rules(tmp_path)


def test_the_sources_say_whose_rules_count_and_how_many(tmp_path: Path) -> None:
    rules = loaded(tmp_path, speed_limits=[limit(), limit(id="own.face")])

    assert rules.own_line is not None
    assert rules.own_line.zh == "本矿规则：甲煤矿 2024版，替换 1 条、新增 1 条"
    assert rules.own_line.zh in rules.source.sources
    assert load_rules().own_line is None


def test_a_record_in_the_place_of_ours_leaves_no_place_without_a_rule(tmp_path: Path) -> None:
    assert "少了地点类别 standby_face" in refused(tmp_path, speed_limits=[limit(place_types=["coal_face"])])
    assert "少了地点类别 heading" in refused(
        tmp_path,
        formulas=[people(minimum="5*people", place_types=["coal_face", "standby_face", "chamber", "other_roadway"])],
    )
    assert "条件 mining_method 却比它窄" in refused(
        tmp_path, speed_limits=[limit(when={"mining_method": ["mechanised"]})]
    )
    rock = limit(id="speed.heading_coal", place_types=["heading"], when={"roadway_kind": ["coal"]})
    assert "条件 roadway_kind 却比它窄" in refused(tmp_path, speed_limits=[rock])
