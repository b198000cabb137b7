"""Each kind of finding a plan can earn, by faults of our own invention: one finding above a note, and only one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType, Window, WindowStatus
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.model import Severity
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support.plans import (
    CLIMATE,
    GAS,
    OWN_RULES,
    PEOPLE,
    basis,
    calculated,
    calculation,
    face,
    fan,
    heading,
    mention,
    printed,
    roadway,
    sound_plan,
    speed_check,
    statement,
    substation,
    sums_of,
    system,
    without,
)

Build = Callable[[], PlanExtract]


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def loud(extract: PlanExtract) -> list[tuple[str, str]]:
    found = review_plan(extract, rules()).findings
    return [(f.kind.value, f.subject_name) for f in found if f.severity is not Severity.NOTE]


def arithmetic() -> PlanExtract:
    return sound_plan(calculated(face(), calculation("climate", "60×11.3×1.0×1.2×1.5=1212"), GAS, PEOPLE, need="1212"))


def rounded_below_the_exact_need() -> PlanExtract:
    row = calculated(heading(), calculation("gas", "125×1.45×1.9=344"), need="344", planned="344")
    row = basis(without(row, "fan_flow_m3_min", "people"), gas_m3_min="1.45", gas_unbalance="1.9")
    return replace(sound_plan(row), statements=())


def seventy_percent_twice() -> PlanExtract:
    return sound_plan(
        calculated(face(), calculation("climate", "60×0.7×11.3×1.0×1.2×1.5=855"), GAS, PEOPLE, need="855")
    )


def second_bracket() -> PlanExtract:
    row = calculated(face(), calculation("climate", "60×11.3×1.0×1.1×1.5=1119"), GAS, PEOPLE, need="1119")
    return sound_plan(basis(row, k_height="1.1"))


def gas_factor_out_of_range() -> PlanExtract:
    row = calculated(face(), CLIMATE, calculation("gas", "100×2.13×1.05=223.65"), PEOPLE, need="1221")
    return sound_plan(basis(row, gas_unbalance="1.05"))


def bracket_without_any_explanation() -> PlanExtract:
    """No coefficient is explained: whichever of the numbers is the height's, none is 1.2."""
    row = calculated(face(), calculation("climate", "60×11.3×1.0×1.1×1.45=1082"), GAS, PEOPLE, need="1082")
    return sound_plan(without(row, "k_height", "k_length", "speed_m_s"))


def explained_otherwise() -> PlanExtract:
    row = calculated(face(), calculation("climate", "60×11.3×1.0×1.2×1.4=1140"), GAS, PEOPLE, need="1140")
    return sound_plan(row)


def reserve_in_one_system_only() -> PlanExtract:
    rows = (face(), heading(system="西风井系统"))
    sums = (sums_of("东风井系统", rows), system("西风井系统", "628", "1.2", "628", "630"))
    return sound_plan(*rows, systems=sums)


def three_per_person() -> PlanExtract:
    return sound_plan(calculated(face(), CLIMATE, GAS, calculation("people", "3×42=126"), need="1221"))


def nine_for_coal() -> PlanExtract:
    rest = heading().calculations[:2]
    return sound_plan(calculated(heading(), *rest, calculation("local_fan", "350×1+9×18.5=517"), need="517"))


def hundred_where_the_plan_says_133() -> PlanExtract:
    row = calculated(roadway(attributes={"zone": "采区外"}), *roadway().calculations, need="416")
    return sound_plan(row)


def fan_without_the_section() -> PlanExtract:
    row = calculated(heading(), *heading().calculations[:2], calculation("local_fan", "350×1=350"), need="350")
    return replace(
        sound_plan(row), statements=(*OWN_RULES, statement("additive_per_m2", "15", place_type=PlaceType.HEADING))
    )


def cube_root_of_the_charge() -> PlanExtract:
    row = heading(attributes={"roadway_kind": "煤巷", "drive_method": "炮掘"})
    blast = calculation("explosive", "25×9.6^(1/3)=53.13")
    row = calculated(row, calculation("gas", "100×1.48×1.9=281.2"), *row.calculations[1:], blast, need="628")
    return sound_plan(basis(row, charge_kg="9.6", gas_unbalance="1.9"))


def length_coefficient_left_out() -> PlanExtract:
    return sound_plan(calculated(face(), calculation("climate", "60×11.3×1.0×1.2=814"), GAS, PEOPLE, need="814"))


def gas_taken_although_climate_is_more() -> PlanExtract:
    return sound_plan(calculated(face(), CLIMATE, GAS, PEOPLE, need="299"))


def below_the_floor() -> PlanExtract:
    return sound_plan(substation(required=printed("48"), chapter_required=printed("48"), planned=printed("48")))


def half_up_result_that_was_not_taken() -> PlanExtract:
    """1220.4 printed 1220 is not why 299 is below it."""
    climate = calculation("climate", "60×11.3×1.0×1.2×1.5=1220")
    return sound_plan(calculated(face(), climate, GAS, PEOPLE, need="299", planned="299"))


def half_up_result_above_the_plan() -> PlanExtract:
    climate = calculation("climate", "60×11.3×1.0×1.2×1.5=1220")
    return sound_plan(calculated(face(), climate, GAS, PEOPLE, need="1220", planned="1100"))


def sections_changed_over_in_two_lines() -> PlanExtract:
    both = replace(speed_check("60×0.25×10.6=159", "1221", "60×4×11.9=2856"), flow_m3_min=None)
    parts = (
        replace(both, high_expression="", high_m3_min=None),
        replace(both, low_expression="", low_m3_min=None),
    )
    return sound_plan(replace(basis(face(), area_max_m2="11.9", area_min_m2="10.6"), speed_checks=parts))


def smallest_section_to_seventy_percent_for_the_least_air() -> PlanExtract:
    check = speed_check("60×0.25×15.6×70%=163.8", "1221", "60×4×15.6×70%=2620.8")
    return sound_plan(replace(basis(face(), area_max_m2="17.3", area_min_m2="15.6"), speed_checks=(check,)))


def conveyor_road_below_a_quarter_metre() -> PlanExtract:
    row = calculated(roadway("一采区胶带巷"), calculation("gas", "100×1.60×1.3=208"), need="208", planned="210")
    return replace(sound_plan(face(), basis(without(row), gas_m3_min="1.60")), statements=())


def eight_metres_a_second() -> PlanExtract:
    check = speed_check("60×0.25×18.5=277.5", "628", "60×8×18.5=8880")
    return sound_plan(heading(speed_checks=(check,)))


def too_little_for_the_section() -> PlanExtract:
    row = calculated(heading(), calculation("people", "4×25=100"), need="120")
    return replace(sound_plan(without(row, "gas_m3_min", "fan_flow_m3_min")), statements=())


def gas_left_out() -> PlanExtract:
    return sound_plan(calculated(face(), CLIMATE, PEOPLE, need="1221"))


def demanded_by_the_chapter() -> PlanExtract:
    demands = (*OWN_RULES, statement("method", text="co2", place_type=PlaceType.COAL_FACE))
    return replace(sound_plan(), statements=demands)


def seconds_for_minutes() -> PlanExtract:
    return sound_plan(face(planned=printed("20.4")), heading())


def watts_for_kilowatts() -> PlanExtract:
    row = calculated(substation(), calculation("heat", "3600×240000×0.02÷(1.2×1.0006×60×5)=47971.22"), need="47971.22")
    return sound_plan(basis(row, heat_kw="240000"))


def subtotal_off() -> PlanExtract:
    return sound_plan(systems=(system("东风井系统", "2352", "1.2", "2822.4", "2335"),))


def total_off() -> PlanExtract:
    return sound_plan(systems=(system("东风井系统", "2325", "1.2", "2709", "2335"),))


def listed_in_two_systems() -> PlanExtract:
    return sound_plan(face(), substation(), substation(system="西风井系统", calculations=(), basis={}))


def left_out_of_the_table() -> PlanExtract:
    return replace(sound_plan(), mentions=(mention("205准备巷掘进工作面", "heading"),))


def sealed_with_air() -> PlanExtract:
    rows = (face(), heading(), roadway("二采区旧回风巷", remark="已封闭", stopped=True))
    return sound_plan(*rows)


def series_with_air_twice() -> PlanExtract:
    return sound_plan(heading(), heading("105运输顺槽掘进工作面", series_after="103运输顺槽掘进工作面"))


def two_sections() -> PlanExtract:
    return sound_plan(heading(table_area=printed("15.8"), table_speed=None))


def need_of_text_and_table_differ() -> PlanExtract:
    row = heading(required=printed("682"), planned=printed("690"), table_speed=None, speed_checks=())
    return sound_plan(row)


def plan_gives_less() -> PlanExtract:
    return sound_plan(heading(planned=printed("600"), table_speed=None))


def fan_too_small() -> PlanExtract:
    return replace(sound_plan(), fans=(fan("东风井主扇", "2790", "2600"),))


def duty_near_the_hump() -> PlanExtract:
    return replace(sound_plan(), fans=(fan("东风井主扇", "2790", "5200", pressure="2850", pressure_max="3000"),))


def no_period() -> PlanExtract:
    return sound_plan(period=Window(text="自批准之日起执行", status=WindowStatus.UNPARSABLE))


FOUND: tuple[tuple[Build, str, str], ...] = (
    (arithmetic, "arithmetic_mismatch", "101综采工作面"),
    (rounded_below_the_exact_need, "rounded_down", "103运输顺槽掘进工作面"),
    (seventy_percent_twice, "variant_mismatch", "101综采工作面"),
    (second_bracket, "coefficient_out_of_bracket", "101综采工作面"),
    (gas_factor_out_of_range, "coefficient_out_of_bracket", "101综采工作面"),
    (bracket_without_any_explanation, "coefficient_out_of_bracket", "101综采工作面"),
    (explained_otherwise, "coefficient_inconsistent", "101综采工作面"),
    (reserve_in_one_system_only, "coefficient_inconsistent", "西风井系统"),
    (three_per_person, "wrong_constant", "101综采工作面"),
    (nine_for_coal, "wrong_constant", "103运输顺槽掘进工作面"),
    (fan_without_the_section, "wrong_constant", "103运输顺槽掘进工作面"),
    (cube_root_of_the_charge, "wrong_constant", "103运输顺槽掘进工作面"),
    (length_coefficient_left_out, "coefficient_inconsistent", "101综采工作面"),
    (hundred_where_the_plan_says_133, "wrong_constant", "一采区回风巷"),
    (gas_taken_although_climate_is_more, "not_the_maximum", "101综采工作面"),
    (below_the_floor, "not_the_maximum", "一采区变电所"),
    (half_up_result_that_was_not_taken, "not_the_maximum", "101综采工作面"),
    (half_up_result_above_the_plan, "planned_below_required", "101综采工作面"),
    (sections_changed_over_in_two_lines, "speed_check_failed", "101综采工作面"),
    (smallest_section_to_seventy_percent_for_the_least_air, "speed_check_failed", "101综采工作面"),
    (conveyor_road_below_a_quarter_metre, "speed_check_failed", "一采区胶带巷"),
    (eight_metres_a_second, "speed_check_failed", "103运输顺槽掘进工作面"),
    (too_little_for_the_section, "speed_check_failed", "103运输顺槽掘进工作面"),
    (gas_left_out, "missing_method", "101综采工作面"),
    (demanded_by_the_chapter, "missing_method", "101综采工作面"),
    (seconds_for_minutes, "unit_suspect", "101综采工作面"),
    (watts_for_kilowatts, "unit_suspect", "一采区变电所"),
    (subtotal_off, "subtotal_mismatch", "东风井系统"),
    (total_off, "total_mismatch", "东风井系统"),
    (listed_in_two_systems, "duplicate_entry", "一采区变电所"),
    (left_out_of_the_table, "missing_place", "205准备巷掘进工作面"),
    (sealed_with_air, "stopped_place", "二采区旧回风巷"),
    (series_with_air_twice, "series_counted_twice", "105运输顺槽掘进工作面"),
    (two_sections, "conflicting_values", "103运输顺槽掘进工作面"),
    (need_of_text_and_table_differ, "conflicting_values", "103运输顺槽掘进工作面"),
    (plan_gives_less, "planned_below_required", "103运输顺槽掘进工作面"),
    (fan_too_small, "fan_capacity", "东风井系统"),
    (duty_near_the_hump, "fan_capacity", "东风井系统"),
    (no_period, "unparsable_effective_window", "矿井"),
)


@pytest.mark.parametrize(("build", "kind", "subject"), FOUND, ids=[f"{k}-{b.__name__}" for b, k, _ in FOUND])
def test_a_fault_gives_this_one_finding_above_a_note(build: Build, kind: str, subject: str) -> None:
    assert loud(build()) == [(kind, subject)]
