"""R-GRD-2: one verdict per number, with the place it comes from."""

import random

import pytest

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from agents.guards.verdict import Grounding
from tools.critical_fields import CriticalField, FieldValue


def verdicts(text, *results, patterns=(), user_text=""):
    return ResponseGuard().verify(text, list(results), patterns, user_text)


def only(text, *results, **more):
    (verdict,) = [found for found in verdicts(text, *results, **more) if found.grounding is not Grounding.EXEMPT]
    return verdict


MINE = SeenResult(
    "totals",
    {"mine": "青岭矿", "intake_m3_min": 28416, "required_m3_min": 26178.4, "rate": 0.936},
    call_id="call-7",
    arguments={"mine": "青岭矿"},
)
INTAKE = CriticalField(
    name="intake",
    labels=("总进风",),
    source_tools=frozenset({"totals"}),
    extract=lambda data: [FieldValue("intake_m3_min", data["intake_m3_min"])],
)


@pytest.mark.parametrize(
    ("text", "grounding"),
    [
        ("进风 28416 m³/min。", Grounding.EXACT),
        ("进风约 2.84 万 m³/min。", Grounding.ROUND),
        ("进风 473.6 m³/s。", Grounding.UNIT),
        ("达标率 93.6%。", Grounding.UNIT),
        ("进风三万 m³/min。", Grounding.UNGROUNDED),
        ("进风 28416 m³/s。", Grounding.UNGROUNDED),
        ("进风 28461 m³/min。", Grounding.UNGROUNDED),
    ],
)
def test_a_number_is_matched_exact_rounded_or_converted(text, grounding):
    assert only(text, MINE).grounding is grounding


def test_a_verdict_names_call_field_and_operation():
    verdict = only("进风比需风多 2237.6 m³/min。", MINE)

    assert (verdict.grounding, verdict.operation, verdict.unit) == (Grounding.DERIVED, "diff", "m3/min")
    assert {(s.tool, s.call_id, s.path) for s in verdict.sources} == {
        ("totals", "call-7", "intake_m3_min"),
        ("totals", "call-7", "required_m3_min"),
    }
    text = "进风比需风多 2237.6 m³/min。"
    assert text[verdict.start : verdict.end] == verdict.text == "2237.6"


def test_a_difference_without_a_word_for_it_is_not_borne_out():
    assert only("青岭矿另有 2237.6 m³/min。", MINE).grounding is Grounding.UNGROUNDED


def test_a_contradicted_number_says_what_the_field_holds_and_the_text_is_not_touched():
    verdict = only("总进风 26178.4 m³/min。", MINE, patterns=(INTAKE,))

    assert verdict.grounding is Grounding.CONTRADICTED
    assert verdict.critical == "intake"
    assert [(s.path, s.value) for s in verdict.expected] == [("intake_m3_min", 28416.0)]
    assert verdict.text == "26178.4"


def test_r_grd_2_the_newest_value_of_a_field_wins_and_an_older_one_is_stale():
    later = SeenResult("totals", {**MINE.data, "intake_m3_min": 29100}, arguments=MINE.arguments)

    assert only("总进风 29100 m³/min。", MINE, later, patterns=(INTAKE,)).grounding is Grounding.EXACT
    stale = only("总进风 28416 m³/min。", MINE, later, patterns=(INTAKE,))
    assert (stale.grounding, stale.critical) == (Grounding.CONTRADICTED, "intake")
    assert only("进风 28416 m³/min。", MINE, later).grounding is Grounding.UNGROUNDED


def test_a_call_about_another_thing_makes_nothing_stale():
    other = SeenResult("totals", {"mine": "南坡矿", "intake_m3_min": 9100}, arguments={"mine": "南坡矿"})

    assert not only("青岭矿进风 28416 m³/min。", MINE, other).is_flagged


def test_an_older_value_may_be_told_as_the_past():
    later = SeenResult("totals", {**MINE.data, "intake_m3_min": 29100}, arguments=MINE.arguments)

    found = verdicts("进风由原来的 28416 变为 29100 m³/min。", MINE, later)
    assert [verdict.is_flagged for verdict in found] == [False, False]


def test_a_number_of_the_user_may_be_repeated_but_not_as_the_systems():
    said = {"user_text": "总进风是不是 30000？", "patterns": (INTAKE,)}

    assert only("并不是您说的 30000。", MINE, **said).grounding is Grounding.USER
    assert only("系统显示总进风为 30000 m³/min。", MINE, **said).grounding is Grounding.CONTRADICTED


@pytest.mark.parametrize(
    "text",
    [
        "第3条、表2、2026年3月18日、9:30、v2.3.1、AR-2026-0317、CH4、8104综采工作面。",
        "一方面要统一口径，另一方面万一不一致，以二者中较小的为准。",
        "1. 复测\n2. 上报\n3. 归档",
        "Step 2 of the one-off check on March 12, 2026 runs at 9:30 am, see https://a.example/v2/items/42.",
        "`retries=3` 与 /workspace/outputs/2026/a7.json",
    ],
)
def test_what_is_no_quantity_is_exempt(text):
    found = verdicts(text, MINE)

    assert found
    assert {verdict.grounding for verdict in found} == {Grounding.EXEMPT}


@pytest.mark.parametrize(
    "text",
    [
        "60×10.8×1.4 = 907.2 m³/min",
        "$60 \\times 10.8 \\times 1.4 = 907.2$",
        "(28416 − 26178.4) / 28416 ≈ 7.87%",
        "28416 ÷ 60 = 473.6 m³/s",
    ],
)
def test_an_equation_over_known_operands_is_recalculated(text):
    face = SeenResult("face", {"area_m2": 10.8, "coefficient": 1.4})
    wrong = text.replace("907.2", "970.2").replace("7.87", "8.77").replace("473.6", "476.3")

    assert not [v for v in verdicts(text, MINE, face) if v.is_flagged]
    assert len([v for v in verdicts(wrong, MINE, face) if v.is_flagged]) == 1


def test_unrelated_results_never_bear_out_a_number_under_a_critical_label():
    noise = SeenResult("other", {"rows": [{"name": f"行{n}", "value": 28000 + n} for n in range(900)]})

    assert only("总进风 28461 m³/min。", MINE, noise, patterns=(INTAKE,)).grounding is Grounding.CONTRADICTED


@pytest.mark.parametrize("endless", ["9" * 400, "九" * 400, "1" + "0" * 350 + "万", "1e99亿", "百分之" + "9" * 400])
def test_an_endless_number_is_no_quantity_and_no_error(endless):
    wild = SeenResult(
        "wild",
        {
            "text": endless,
            "huge": 10**400,
            "row": [10**400, float("inf"), float("nan")],
            "rows": [{"v": 10**400}, {"v": 2}],
        },
    )

    assert all(verdict.text for verdict in verdicts(f"进风 {endless} m³/min。", MINE, wild))


def test_a_text_of_nothing_but_unexplained_numbers_is_flagged_to_its_end():
    found = verdicts("；".join(f"差 {n}.7 m³/min" for n in range(100, 1100)), MINE)

    assert len(found) == 1000
    assert all(verdict.is_flagged for verdict in found)


def test_broken_or_endless_texts_give_verdicts_and_no_errors():
    generator = random.Random(11)
    signs = "0123456789.,%万亿千百十一二三点分之第号|-+*/=×()（）约 \n\\{}`m³/minkPa"
    for _ in range(400):
        text = "".join(generator.choices(signs, k=generator.randrange(0, 80)))
        found = verdicts(text, MINE, patterns=(INTAKE,), user_text=text[::-1])
        assert all(text[v.start : v.end] == v.text for v in found)
    assert verdicts("", MINE) == []
