"""Sound plans that look as if they had a fault, two or more for each kind: nothing above a note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType
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
    place,
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


def results_rounded_half_up() -> PlanExtract:
    row = calculated(face(), CLIMATE, calculation("gas", "100×2.134×1.4=299"), PEOPLE, need="1221")
    return sound_plan(basis(row, gas_m3_min="2.134"))


def rounded_on_the_way() -> PlanExtract:
    base = calculation("climate", "60×4.6×1.62×70%×1.2=376")
    adjusted = calculation("climate", "376×1.0×1.3×1.5=733")
    row = calculated(face(), base, adjusted, GAS, PEOPLE, need="733")
    return replace(sound_plan(without(row, "k_height", "k_length", "speed_m_s", "area_m2")), tables=(), statements=())


def intermediate_printed_behind_the_expression() -> PlanExtract:
    chain = calculation("climate", "60×11.3×1.0×1.2×1.5=1220.4=1221")
    return sound_plan(calculated(face(), chain, GAS, PEOPLE, need="1221"))


def rounded_half_up_with_more_planned() -> PlanExtract:
    row = calculated(heading(), calculation("gas", "100×1.512×1.9=287"), need="287", planned="290")
    row = basis(without(row, "fan_flow_m3_min", "people"), gas_m3_min="1.512", gas_unbalance="1.9")
    return replace(sound_plan(row), statements=())


def rounded_down_where_another_method_governs() -> PlanExtract:
    return sound_plan(calculated(face(), CLIMATE, calculation("gas", "100×2.13×1.4=298"), PEOPLE, need="1221"))


def net_area_with_seventy_percent() -> PlanExtract:
    row = calculated(
        face(attributes={"area_label": "平均净断面积"}),
        calculation("climate", "60×70%×16.2×1.0×1.2×1.5=1225"),
        GAS,
        PEOPLE,
        need="1225",
    )
    own = tuple(s for s in OWN_RULES if s.key != "area_basis")
    return replace(sound_plan(replace(basis(row, area_m2="16.2"), table_area=None)), statements=own)


def nothing_said_of_the_area() -> PlanExtract:
    own = tuple(s for s in OWN_RULES if s.key != "area_basis")
    return replace(sound_plan(), statements=own)


def at_the_edge_of_two_brackets() -> PlanExtract:
    row = calculated(face(), calculation("climate", "60×11.3×1.5×1.1×1.0=1119"), GAS, PEOPLE, need="1119")
    edge = {"intake_temperature_c": "23", "mining_height_m": "2.5", "face_length_m": "150"}
    return sound_plan(basis(row, **edge, speed_m_s="1.5", k_height="1.1", k_length="1.0"))


def coefficients_in_another_order() -> PlanExtract:
    row = calculated(face(), calculation("climate", "60×1.5×1.2×11.3×1.0=1221"), GAS, PEOPLE, need="1221")
    return sound_plan(without(row, "k_height", "k_length", "speed_m_s"))


def a_family_of_its_own_that_is_not_printed() -> PlanExtract:
    """Both faces take what no family of the library has: the mine's table stands elsewhere or was not read."""
    rows = (
        basis(
            calculated(face(), calculation("climate", "60×11.3×1.0×1.3×1.25=1102"), GAS, PEOPLE, need="1102"),
            k_height="1.3",
            k_length="1.25",
        ),
        basis(
            calculated(
                face("102综采工作面"), calculation("climate", "60×11.3×1.0×1.3×1.25=1102"), GAS, PEOPLE, need="1102"
            ),
            k_height="1.3",
            k_length="1.25",
        ),
    )
    return replace(sound_plan(*rows), tables=())


def a_range_for_headings_beside_the_faces_own() -> PlanExtract:
    wide = statement("gas_unbalance", "1.8", "2.5", scope="炮掘", place_type=PlaceType.COAL_FACE)
    return replace(sound_plan(), statements=(*OWN_RULES, wide))


def the_explanation_holds_the_substituted_values() -> PlanExtract:
    return sound_plan(basis(face(), k_length="1.50", k_height="1.20"))


def reserve_printed_with_another_number_of_digits() -> PlanExtract:
    return sound_plan(systems=(system("东风井系统", "2325", "1.20", "2790", "2335"),))


def five_per_person() -> PlanExtract:
    return sound_plan(calculated(face(), CLIMATE, GAS, calculation("people", "5×42=210"), need="1221"))


def first_grade_explosive() -> PlanExtract:
    row = heading(attributes={"roadway_kind": "煤巷", "drive_method": "炮掘"})
    blast = calculation("explosive", "25×9.6=240")
    row = calculated(row, *row.calculations, blast, need="628")
    row = basis(row, charge_kg="9.6", gas_unbalance="1.9")
    row = replace(row, calculations=(calculation("gas", "100×1.48×1.9=281.2"), *row.calculations[1:]))
    own = (
        *(s for s in OWN_RULES if s.key != "explosive_factor"),
        statement("explosive_factor", "25", scope="一级煤矿许用炸药"),
    )
    return replace(sound_plan(row), statements=own)


def two_fans_in_one_heading() -> PlanExtract:
    row = calculated(
        heading(), *heading().calculations[:2], calculation("local_fan", "350+420+15×18.5=1047.5"), need="1048"
    )
    return sound_plan(without(row, "fan_count"))


def rock_heading_with_nine() -> PlanExtract:
    row = calculated(
        heading(attributes={"roadway_kind": "岩巷", "drive_method": "综掘"}),
        *heading().calculations[:2],
        calculation("local_fan", "350×1+9×18.5=517"),
        need="517",
    )
    return sound_plan(row)


def old_coefficient_for_fans() -> PlanExtract:
    """Another way of taking the local fan's air; no rule of the library has this form."""
    row = calculated(heading(), *heading().calculations[:2], calculation("local_fan", "350×1.25=437.5"), need="438")
    return sound_plan(row)


def store_by_the_folded_constant() -> PlanExtract:
    row = place(
        "爆破材料库",
        "chamber",
        "126",
        "130",
        calculation("air_changes", "0.07×1800=126"),
        basis={"volume_m3": "1800"},
        chapter_required="126",
    )
    return sound_plan(face(), row)


def a_round_figure_above_the_largest() -> PlanExtract:
    row = calculated(face(), CLIMATE, GAS, PEOPLE, need="1230")
    return sound_plan(row)


def the_floor_above_every_method() -> PlanExtract:
    return sound_plan(substation())


def taken_by_the_least_speed() -> PlanExtract:
    row = calculated(heading(), *heading().calculations[:2], need="278")
    check = speed_check("60×0.25×18.5=277.5", "278", "60×4×18.5=4440")
    return sound_plan(replace(without(row, "fan_flow_m3_min"), speed_checks=(check,)))


def four_and_a_half_with_infusion() -> PlanExtract:
    check = speed_check("60×0.25×5.9=88.5", "1221", "60×5×4.6=1380")
    row = replace(basis(face(), area_max_m2="5.9", area_min_m2="4.6"), speed_checks=(check,))
    return replace(sound_plan(row), statements=(*OWN_RULES, statement("infusion_and_sprays", text="stated")))


def a_roadway_at_its_least_speed() -> PlanExtract:
    row = place(
        "一采区运料巷",
        "other_roadway",
        "167",
        "167",
        calculation("speed_min", "60×0.15×18.5=166.5"),
        basis={"area_m2": "18.5"},
        chapter_required="167",
        table_area="18.5",
        table_speed="0.15",
    )
    return replace(sound_plan(face(), row), statements=())


def a_stricter_gas_limit_of_the_mine() -> PlanExtract:
    row = calculated(roadway(), calculation("gas", "125×3.20×1.3=520"), *roadway().calculations[1:], need="520")
    own = (statement("gas_factor", "125", scope="采区内", place_type=PlaceType.OTHER_ROADWAY),)
    return replace(sound_plan(face(), replace(row, table_speed=None)), statements=own)


def a_greater_least_speed_than_declared() -> PlanExtract:
    own = (statement("min_speed_m_s", "0.15", scope="行人巷", place_type=PlaceType.OTHER_ROADWAY),)
    return replace(sound_plan(face(), roadway()), statements=own)


def a_place_taken_by_experience() -> PlanExtract:
    row = place("躲避硐室", "chamber", "65", "70", calculation("empirical", "65=65"), basis={"people": "6"})
    return sound_plan(face(), row)


def no_gas_to_calculate_with() -> PlanExtract:
    row = calculated(face(), CLIMATE, PEOPLE, need="1221")
    return sound_plan(basis(row, gas_m3_min="0"))


def small_air_beside_large() -> PlanExtract:
    """A small chamber is no slip of unit."""
    return sound_plan(face(), place("瓦斯检查站硐室", "chamber", "20", "20"))


def twice_the_need_is_planned() -> PlanExtract:
    return sound_plan(substation(planned=printed("120")))


def sums_with_decimals() -> PlanExtract:
    row = calculated(
        heading(), *heading().calculations[:2], calculation("local_fan", "350×1+15×18.3=624.5"), need="624.5"
    )
    row = basis(row, area_m2="18.3")
    return sound_plan(
        face(),
        replace(row, table_area=printed("18.3")),
        systems=(system("东风井系统", "1846", "1.2", "2215.2", "1850"),),
    )


def a_system_of_one_place() -> PlanExtract:
    rows = (face(), heading(system="西风井系统"))
    return sound_plan(*rows, systems=(sums_of("东风井系统", rows), sums_of("西风井系统", rows)))


def total_raised_to_the_next_one() -> PlanExtract:
    rows = (face(), substation(required=printed("61"), planned=printed("61"), chapter_required=printed("61")))
    return sound_plan(*rows, systems=(system("东风井系统", "1282", "1.2", "1539", "1286"),), mine_total=printed("1539"))


def mine_total_of_all_items_at_once() -> PlanExtract:
    rows = (face(), heading(system="西风井系统"))
    sums = (system("东风井系统", "1221", "1.2", "1466", "1225"), system("西风井系统", "628", "1.2", "754", "630"))
    return sound_plan(*rows, systems=sums, mine_total=printed("2218.8"))


def two_chambers_of_one_name() -> PlanExtract:
    other = substation(
        system="西风井系统",
        calculations=(calculation("heat", "3600×330×0.02÷(1.2×1.0006×60×5)=66"),),
        required=printed("66"),
        chapter_required=printed("66"),
        planned=printed("66"),
        basis={"heat_kw": printed("330"), "theta": printed("0.02"), "delta_t_c": printed("5")},
    )
    return sound_plan(face(), substation(), other)


def two_names_of_one_meaning() -> PlanExtract:
    return sound_plan(face(), substation("一采区变电所"), substation("一采区变电硐室"))


def the_text_names_it_otherwise() -> PlanExtract:
    listed = (mention("101采煤工作面", "coal_face"), mention("103运输顺槽综掘工作面", "heading"))
    return replace(sound_plan(), mentions=listed)


def a_finished_face_in_the_text_only() -> PlanExtract:
    return replace(sound_plan(), mentions=(mention("99采煤工作面", "coal_face", "已采完封闭"),))


def stopped_without_air() -> PlanExtract:
    row = place("107运输顺槽掘进工作面", "heading", "0", "0", stopped=True, remark="停掘")
    return sound_plan(face(), heading(), row)


def standing_by_is_not_stopped() -> PlanExtract:
    return replace(sound_plan(), mentions=(mention("101综采工作面", "coal_face", "正常生产"),))


def series_counted_once() -> PlanExtract:
    second = heading(
        "105运输顺槽掘进工作面", series_after="103运输顺槽掘进工作面", required=None, planned=None, table_speed=None
    )
    return sound_plan(heading(), second)


def series_behind_a_place_of_another_table() -> PlanExtract:
    return sound_plan(heading(series_after="七采区老巷"))


def series_printed_and_left_out_of_the_sum() -> PlanExtract:
    second = heading("105运输顺槽掘进工作面", series_after="103运输顺槽掘进工作面")
    return sound_plan(heading(), second, systems=(system("东风井系统", "628", "1.2", "753.6", "630"),))


def the_text_names_it_in_short() -> PlanExtract:
    return replace(sound_plan(), mentions=(mention("变电所", "chamber", ""),))


def sum_right_with_a_cell_that_was_not_read() -> PlanExtract:
    rows = (face(), heading(required=None))
    return sound_plan(*rows, systems=(system("东风井系统", "1849", "1.2", "2218.8", "1855"),))


def area_printed_with_less_decimals() -> PlanExtract:
    row = basis(heading(), area_m2="18.46")
    fan_air = calculation("local_fan", "350×1+15×18.46=626.9")
    row = calculated(row, *heading().calculations[:2], fan_air, need="627")
    return sound_plan(replace(row, table_area=printed("18.5")))


def effective_area_in_the_table() -> PlanExtract:
    row = calculated(
        face(attributes={"area_label": "净断面积"}),
        calculation("climate", "60×70%×16.2×1.0×1.2×1.5=1225"),
        GAS,
        PEOPLE,
        need="1225",
    )
    return sound_plan(replace(basis(row, area_m2="16.2"), table_area=printed("11.34")))


def planned_equals_need() -> PlanExtract:
    return sound_plan(heading(planned=printed("628"), table_speed=None))


def need_and_plan_missing_in_a_series_row() -> PlanExtract:
    return sound_plan(face(), place("一采区联络巷", "other_roadway", None, None, remark="串联用风"))


def fan_with_room() -> PlanExtract:
    return replace(sound_plan(), fans=(fan("东风井主扇", "2790", "5200", pressure="2100", pressure_max="3000"),))


def fan_need_rounded() -> PlanExtract:
    row = system("东风井系统", "2325", "1.15", "2673.75", "2335")
    own = tuple(s for s in OWN_RULES if s.key != "reserve_coefficient")
    return replace(sound_plan(systems=(row,)), statements=own, fans=(fan("东风井主扇", "2674", "5200"),))


def another_places_calculation_strayed_in() -> PlanExtract:
    """A line that contradicts two inputs and leads to none of the place's figures is another place's."""
    stray = calculation("heat", "3600×1200×0.03÷(1.2×1.0006×60×8)=225")
    return sound_plan(face(), replace(substation(), calculations=(*substation().calculations, stray)))


def two_figures_run_together() -> PlanExtract:
    row = replace(
        heading(), calculations=(*heading().calculations[:2], calculation("local_fan", "350×1+15×18.5=628630"))
    )
    return sound_plan(face(), row)


def working_need_printed_like_a_result() -> PlanExtract:
    row = place(
        "104备用综采工作面",
        "standby_face",
        "571",
        "580",
        calculation("standby_half", "1142=1142"),
        calculation("standby_half", "1142×50%=571"),
        calculation("people", "4×11=44"),
        basis={"people": "11"},
        chapter_required="1142",
    )
    return sound_plan(face(), row)


def working_need_calculated_before_its_half() -> PlanExtract:
    row = place(
        "104备用综采工作面",
        "standby_face",
        "571",
        "580",
        calculation("climate", "60×10.6×1.0×1.8=1144.8"),
        calculation("climate", "1144.8×1.0×1.0=1144.8"),
        calculation("standby_half", "50%×1144.8=572.4"),
        calculation("people", "4×11=44"),
        basis={"people": "11"},
    )
    return sound_plan(face(), replace(row, required=printed("573")))


def a_place_named_in_the_summary() -> PlanExtract:
    row = replace(system("101综采工作面", None, None, None, "1225"), name="101综采工作面")
    return replace(sound_plan(), summary=(row,))


SOUND: tuple[tuple[str, Build], ...] = (
    ("arithmetic_mismatch", results_rounded_half_up),
    ("arithmetic_mismatch", rounded_on_the_way),
    ("arithmetic_mismatch", intermediate_printed_behind_the_expression),
    ("rounded_down", rounded_half_up_with_more_planned),
    ("rounded_down", rounded_down_where_another_method_governs),
    ("variant_mismatch", net_area_with_seventy_percent),
    ("variant_mismatch", nothing_said_of_the_area),
    ("coefficient_out_of_bracket", at_the_edge_of_two_brackets),
    ("coefficient_out_of_bracket", coefficients_in_another_order),
    ("coefficient_out_of_bracket", a_family_of_its_own_that_is_not_printed),
    ("coefficient_out_of_bracket", a_range_for_headings_beside_the_faces_own),
    ("coefficient_inconsistent", the_explanation_holds_the_substituted_values),
    ("coefficient_inconsistent", reserve_printed_with_another_number_of_digits),
    ("wrong_constant", five_per_person),
    ("wrong_constant", first_grade_explosive),
    ("wrong_constant", two_fans_in_one_heading),
    ("wrong_constant", rock_heading_with_nine),
    ("wrong_constant", old_coefficient_for_fans),
    ("wrong_constant", store_by_the_folded_constant),
    ("not_the_maximum", a_round_figure_above_the_largest),
    ("not_the_maximum", the_floor_above_every_method),
    ("not_the_maximum", working_need_calculated_before_its_half),
    ("not_the_maximum", taken_by_the_least_speed),
    ("not_the_maximum", working_need_printed_like_a_result),
    ("speed_check_failed", four_and_a_half_with_infusion),
    ("speed_check_failed", a_roadway_at_its_least_speed),
    ("wrong_constant", a_stricter_gas_limit_of_the_mine),
    ("wrong_constant", a_greater_least_speed_than_declared),
    ("missing_method", a_place_taken_by_experience),
    ("missing_method", no_gas_to_calculate_with),
    ("unit_suspect", small_air_beside_large),
    ("unit_suspect", twice_the_need_is_planned),
    ("subtotal_mismatch", sums_with_decimals),
    ("subtotal_mismatch", a_system_of_one_place),
    ("subtotal_mismatch", a_place_named_in_the_summary),
    ("total_mismatch", total_raised_to_the_next_one),
    ("total_mismatch", mine_total_of_all_items_at_once),
    ("duplicate_entry", two_chambers_of_one_name),
    ("duplicate_entry", two_names_of_one_meaning),
    ("missing_place", the_text_names_it_otherwise),
    ("missing_place", a_finished_face_in_the_text_only),
    ("stopped_place", stopped_without_air),
    ("stopped_place", standing_by_is_not_stopped),
    ("series_counted_twice", series_counted_once),
    ("series_counted_twice", series_printed_and_left_out_of_the_sum),
    ("missing_place", the_text_names_it_in_short),
    ("subtotal_mismatch", sum_right_with_a_cell_that_was_not_read),
    ("series_counted_twice", series_behind_a_place_of_another_table),
    ("conflicting_values", area_printed_with_less_decimals),
    ("conflicting_values", effective_area_in_the_table),
    ("conflicting_values", another_places_calculation_strayed_in),
    ("planned_below_required", planned_equals_need),
    ("planned_below_required", need_and_plan_missing_in_a_series_row),
    ("fan_capacity", fan_with_room),
    ("fan_capacity", fan_need_rounded),
    ("extraction_doubt", two_figures_run_together),
)


@pytest.mark.parametrize(("kind", "build"), SOUND, ids=[f"{k}-{b.__name__}" for k, b in SOUND])
def test_what_only_looks_like_a_fault_gives_nothing_above_a_note(kind: str, build: Build) -> None:
    assert loud(build()) == [], kind
