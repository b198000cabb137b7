"""Checks 1 to 25 of a reviewer's list, each with the list's own example: calculations."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest

from tests.support.papers.judging import judged, loud, needing, told
from tests.support.papers.plan_paper import (
    CHARGING,
    CROSSCUT,
    FACE,
    HEADING,
    PRINCIPLES,
    ROCK,
    SOUND,
    STANDBY,
    STORE,
    SUBSTATION,
    VEHICLES,
    PlanPaper,
)
from tests.support.papers.survey_paper import EAST_FAN, FACE_IN, FACE_OUT
from tests.support.papers.survey_paper import SOUND as SURVEY

CLIMATE: Final = "60×11.3×1.0×1.2×1.5=1221"
RULES_PAGE: Final = Path(__file__).resolve().parents[4] / "docs" / "rules.md"


def finds(plan: PlanPaper, kind: str, subject: str, severity: str = "warning") -> bool:
    """Whether this finding is there, and no other above a note."""
    review = judged(plan)
    above = [] if severity == "note" else [(kind, subject)]
    return (kind, severity, subject) in told(review) and loud(review) == above


def is_told_as_not_judged(words: str) -> bool:
    """Whether the page on rules lists it among what no document shows."""
    _, _, rest = RULES_PAGE.read_text(encoding="utf-8").partition("## What is not judged")
    return words in rest.partition("\n## ")[0]


def climate(chain: str, need: str, **swaps: str) -> PlanPaper:
    return needing(SOUND, FACE, need, {CLIMATE: chain, **swaps})


def test_check_01_a_result_that_does_not_follow_from_its_expression() -> None:
    assert finds(climate("60×11.3×1.0×1.2×1.5=1211", "1211"), "arithmetic_mismatch", FACE)


def test_check_02_a_result_rounded_down_below_the_need() -> None:
    assert finds(climate("60×11.3×1.0×1.2×1.5=1220", "1220"), "rounded_down", FACE)


def test_check_03_seventy_per_cent_of_an_effective_area_and_all_of_a_net_one() -> None:
    effective = climate("60×70%×11.3×1.0×1.2×1.5=855", "855")
    net = SOUND.said(
        "Q=60×v×S×K采高×K采面长，S为平均有效净断面积，已扣除控顶区占用，不再乘70%",
        "Q=60×70%×v×S×K采高×K采面长，S为净断面积",
    ).changed(FACE, {"平均有效净断面积": "平均净断面积"})

    assert finds(effective, "variant_mismatch", FACE)
    assert finds(net, "variant_mismatch", FACE)


def test_check_04_slow_air_for_its_temperature() -> None:
    assert finds(SOUND.changed(FACE, {"进风流温度19℃": "进风流温度24℃"}), "coefficient_out_of_bracket", FACE)


def test_check_05_a_height_coefficient_of_another_bracket() -> None:
    plan = climate("60×11.3×1.0×1.1×1.5=1119", "1119", **{"采高3.8m": "采高3.2m", "K采高=1.2": "K采高=1.1"})

    assert finds(plan, "coefficient_out_of_bracket", FACE)


def test_check_06_a_length_coefficient_of_another_bracket() -> None:
    plan = climate("60×11.3×1.0×1.2×1.0=814", "814", **{"长度240m": "长度220m", "K采面长=1.5": "K采面长=1.0"})

    assert finds(plan, "coefficient_out_of_bracket", FACE)


def test_check_07_two_families_mixed_without_a_table_of_the_mine_is_a_note() -> None:
    without_tables = replace(SOUND, principles=PRINCIPLES[: PRINCIPLES.index("温度与风速取值")])
    one_family = needing(without_tables, FACE, "1526", {CLIMATE: "60×11.3×1.0×1.5×1.5=1526", "K采高=1.2": "K采高=1.5"})

    assert finds(without_tables, "coefficient_inconsistent", FACE, "note")
    assert told(judged(one_family)) == []
    assert told(judged(SOUND)) == []


def test_check_08_temperature_counted_by_speed_and_by_its_own_coefficient() -> None:
    plan = climate(
        "60×11.3×1.2×1.2×1.5×1.05=1538",
        "1538",
        **{"进风流温度19℃": "进风流温度21℃", "v=1.0m/s，": "v=1.2m/s，K温=1.05，"},
    )

    assert finds(plan, "coefficient_inconsistent", FACE)


def test_check_09_a_gas_constant_of_another_limit() -> None:
    company = SOUND.said("采煤工作面按瓦斯涌出量：Q=100×q×K", "采煤工作面按瓦斯涌出量：Q=125×q×K")

    assert finds(company, "wrong_constant", FACE)
    assert finds(SOUND.changed(CROSSCUT, {"133×0.43×1.2=69": "100×0.43×1.2=51.6"}), "wrong_constant", CROSSCUT)


def test_check_10_unbalance_out_of_its_range() -> None:
    face = SOUND.changed(FACE, {"（K=1.4）": "（K=1.05）", "100×2.13×1.4=298.2": "100×2.13×1.05=223.65"})
    heading = SOUND.changed(ROCK, {"（K=1.9）": "（K=2.8）", "100×1.07×1.9=203.3": "100×1.07×2.8=299.6"})

    assert finds(face, "coefficient_out_of_bracket", FACE)
    assert finds(heading, "coefficient_out_of_bracket", ROCK)


def test_check_11_where_a_gas_outflow_comes_from_is_told_as_not_judged() -> None:
    assert told(judged(SOUND.changed(FACE, {"涌出量2.13m³/min": "涌出量2.13m³/min（上月实测）"}))) == []
    assert is_told_as_not_judged("瓦斯涌出量的来源")


def test_check_12_relative_for_absolute_outflow_is_told_as_not_judged() -> None:
    plan = SOUND.changed(
        FACE,
        {"涌出量2.13m³/min": "涌出量4.4m³/min，即(150×2.2×3.2×6)÷1440=4.4", "100×2.13×1.4=298.2": "100×4.4×1.4=616"},
    )

    assert loud(judged(plan)) == []
    assert is_told_as_not_judged("绝对涌出量与相对涌出量")


def test_check_13_carbon_dioxide_left_out_or_by_the_constant_of_gas() -> None:
    named = {"瓦斯绝对涌出量2.13": "二氧化碳绝对涌出量1.59m³/min，瓦斯绝对涌出量2.13"}
    by_gas = {**named, "按人数：": "按二氧化碳涌出量（K=1.5）：Q采=100×1.59×1.5=238.5m³/min。按人数："}

    assert finds(SOUND.changed(FACE, named), "missing_method", FACE)
    assert finds(SOUND.changed(FACE, by_gas), "wrong_constant", FACE)


def test_check_14_people_on_the_roll_are_told_as_not_judged() -> None:
    assert told(judged(SOUND.changed(FACE, {"最多同时工作人数42人": "在册人数42人"}))) == []
    assert is_told_as_not_judged("在册人数")


def test_check_15_explosive_of_another_grade_and_a_cube_root() -> None:
    assert finds(needing(SOUND, ROCK, "428", {"10×17.1=171": "25×17.1=428"}), "wrong_constant", ROCK)
    assert finds(SOUND.changed(ROCK, {"10×17.1=171": "10×17.1^(1/3)=25.8"}), "wrong_constant", ROCK)
    assert is_told_as_not_judged("一次还是一班的装药量")


def test_check_16_the_additive_of_rock_for_coal_and_fans_nobody_installed() -> None:
    rock = needing(SOUND, HEADING, "517", {"350×1+15×18.5=628": "350×1+9×18.5=517"})
    twice = needing(
        SOUND, HEADING, "978", {"350×1+15×18.5": "350×2+15×18.5", "=628m": "=978m", "一台，": "同时运转台数1台，"}
    )

    assert finds(rock, "wrong_constant", HEADING)
    assert finds(twice, "conflicting_values", HEADING)
    assert is_told_as_not_judged("额定吸风量")


def test_check_17_gas_taken_although_climate_gave_more() -> None:
    plan = needing(
        SOUND,
        FACE,
        "409.2",
        {"100×2.13×1.4=298.2": "100×3.41×1.2=409.2", "涌出量2.13": "涌出量3.41", "（K=1.4）": "（K=1.2）"},
    )

    assert finds(plan, "not_the_maximum", FACE)


def test_check_18_one_section_for_both_limits_and_eight_metres_a_second() -> None:
    one_section = {"60×0.25×11.9=178.5": "60×0.25×11.3=169.5", "60×4×10.6=2544": "60×4×11.3=2712"}

    assert finds(SOUND.changed(FACE, one_section), "speed_check_failed", FACE)
    assert finds(SOUND.changed(HEADING, {"60×4×18.5=4440": "60×8×18.5=8880"}), "speed_check_failed", HEADING)


def test_check_19_a_speed_check_that_fails_and_changes_nothing() -> None:
    plan = SOUND.changed(
        HEADING,
        {
            "断面18.5m²，局部通风机一台，实测吸风量350m³/min，瓦斯绝对涌出量1.48m³/min": "断面10.0m²，瓦斯绝对涌出量0.50m³/min",
            "按局部通风机：Q掘=350×1+15×18.5=628m³/min": "",
            "100×1.48×1.7=251.6": "100×0.50×1.7=85",
            "4×25=100": "4×30=120",
            "人数25": "人数30",
            "需风量为628": "需风量为120",
            "60×0.25×18.5=277.5≤628≤60×4×18.5=4440": "60×0.25×10.0=150≤120≤60×4×10.0=2400",
        },
        need="120",
        planned="120",
        area="10.0",
        speed="0.20",
    )

    assert finds(plan, "speed_check_failed", HEADING)


@pytest.mark.parametrize(
    ("swaps", "kind", "severity"),
    [
        ({"温差5℃": "温差-5℃", "60×5)=48": "60×(-5))=-48"}, "unit_suspect", "manual"),
        ({"温差5℃": "温差50℃", "60×5)=48": "60×50)=5"}, "unit_suspect", "manual"),
        ({"60×5)=48": "60×50)=5"}, "conflicting_values", "warning"),
        (
            {"θ=0.02": "θ=0.01", "240×0.02÷": "240×0.01÷", "60×5)=48": "60×5)=24"},
            "coefficient_out_of_bracket",
            "warning",
        ),
        ({"1.0006×60×5)=48": "1000.6×60×5)=0.05"}, "wrong_constant", "warning"),
    ],
    ids=["sign", "size", "substituted otherwise", "theta", "heat capacity in joules"],
)
def test_check_20_heat_of_a_chamber(swaps: dict[str, str], kind: str, severity: str) -> None:
    assert finds(SOUND.changed(SUBSTATION, swaps), kind, SUBSTATION, severity)


def test_check_21_volume_for_hydrogen_and_a_missed_floor() -> None:
    volume = {"最大产氢量0.76m³/min": "硐室容积300m³，最大产氢量0.76m³/min", "200×0.76=152": "200×300=60000"}
    floor = SOUND.changed(
        CHARGING, {"0.76": "0.30", "=152m": "=60m", "需风量为152": "需风量为60"}, need="60", planned="60"
    )

    assert finds(SOUND.changed(CHARGING, volume), "conflicting_values", CHARGING)
    assert finds(floor, "not_the_maximum", CHARGING)


def test_check_22_a_store_without_the_division_by_sixty_is_told_at_the_store_and_not_at_the_fan() -> None:
    plan = SOUND.changed(
        STORE, {"4×1500÷60=100": "4×1500=6000", "需风量为100": "需风量为6000"}, need="6000", planned="6000"
    )

    assert finds(plan, "wrong_constant", STORE)


def test_check_23_diesel_below_four_a_kilowatt_and_a_vehicle_forgotten() -> None:
    below = needing(SOUND, VEHICLES, "457", {"4×(84+42)=504": "5.44×(84+84)×0.5=457", "84kW、42kW": "84kW、84kW"})
    forgotten = needing(SOUND, VEHICLES, "336", {"4×(84+42)=504": "4×84=336"})

    assert finds(below, "wrong_constant", VEHICLES)
    assert finds(forgotten, "conflicting_values", VEHICLES)


def test_check_24_a_standby_face_below_half_of_its_working_need() -> None:
    left_out = needing(SOUND, STANDBY, "299", {"按生产时需风量的一半：Q备=1254×50%=627m³/min": ""})

    assert finds(left_out, "not_the_maximum", STANDBY)
    assert finds(needing(SOUND, STANDBY, "502", {"1254×50%=627": "1254×40%=502"}), "wrong_constant", STANDBY)


def test_check_25_seconds_for_minutes_in_plan_and_report() -> None:
    plan = replace(SOUND.changed(FACE, planned="20.35"), planned_subtotals={"东风井系统": "2961"})
    report = SURVEY.changed(FACE_IN, flow="21.08").changed(FACE_OUT, flow="21.5")

    assert finds(plan, "unit_suspect", FACE)
    assert set(loud(judged(SOUND, report))) == {("unit_suspect", FACE_IN), ("unit_suspect", FACE_OUT)}


def test_check_25_resistance_is_of_cubic_metres_a_second() -> None:
    one_fan = SURVEY.without("西风井主扇").changed(EAST_FAN, flow="4200", remark="静压2800Pa")
    rates = judged(SOUND, one_fan).report.rates  # type: ignore[union-attr]

    assert rates is not None
    assert rates.resistance is not None
    assert round(rates.resistance, 3) == Decimal("0.571")  # 2800 Pa / (70 m³/s)²
