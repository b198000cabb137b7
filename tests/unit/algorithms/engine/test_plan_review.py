"""Every kind of finding about a plan: seeded in a plan without a fault, and absent from it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pytest

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType, Window, WindowStatus
from algorithms.airflow_review.extract import PlaceExtract, PlanExtract
from algorithms.airflow_review.model import CheckStatus, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support import plans
from tests.support.plans import calculation, face, heading, printed, roadway, sound_plan, statement, substation


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def loud(plan: PlanExtract) -> list[tuple[str, str]]:
    """(kind, subject name) of every finding above a note."""
    found = review_plan(plan, rules()).findings
    return [(f.kind.value, f.subject_name) for f in found if f.severity is not Severity.NOTE]


def notes(plan: PlanExtract) -> list[tuple[str, str | None]]:
    found = review_plan(plan, rules()).findings
    return [(f.kind.value, f.cause) for f in found if f.severity is Severity.NOTE]


def with_calculation(row: PlaceExtract, index: int, method: str, chain: str, **values: Any) -> PlaceExtract:
    """The row with one calculation replaced."""
    calculations = list(row.calculations)
    calculations[index] = calculation(method, chain, **values)
    return replace(row, calculations=tuple(calculations))


def with_basis(row: PlaceExtract, **values: str) -> PlaceExtract:
    changed = {**row.basis, **{key: printed(text) for key, text in values.items()}}
    return replace(row, basis={key: value for key, value in changed.items() if value is not None})


# The nine benchmark classes: ok, arithmetic, variant, bracket, duplicate, omission, subtotal here; time and shortage
# beside the comparison of reports (time also below).


def test_benchmark_ok_a_plan_without_a_fault_gives_no_finding() -> None:
    result = review_plan(sound_plan(), rules())

    assert result.findings == ()
    assert [p.required_m3_min for p in result.plan.places] == [1221, 628, 60, 416]
    assert {p.required_source for p in result.plan.places} == {"recomputed"}
    assert {c.status for p in result.plan.places for c in p.calculations} == {CheckStatus.OK}


def test_benchmark_arithmetic_a_wrong_result_is_found_at_its_place() -> None:
    row = with_calculation(face(), 0, "climate", "60×11.3×1.0×1.2×1.5=1311")
    row = replace(
        row, required=printed("1311"), chapter_required=printed("1311"), planned=printed("1315"), table_speed=None
    )

    assert loud(sound_plan(row)) == [("arithmetic_mismatch", "101综采工作面")]


def test_benchmark_variant_an_effective_area_times_70_percent_is_found() -> None:
    row = with_calculation(face(), 0, "climate", "60×70%×11.3×1.0×1.2×1.5=855")
    row = replace(
        row, required=printed("855"), chapter_required=printed("855"), planned=printed("860"), table_speed=None
    )
    plan = sound_plan(replace(row, speed_checks=()))

    assert loud(plan) == [("variant_mismatch", "101综采工作面")]
    assert ("planned_below_required", "variant_mismatch:P001") in notes(plan)


def test_benchmark_variant_a_net_area_without_70_percent_is_found() -> None:
    own = statement("area_basis", text="net", place_type=PlaceType.COAL_FACE)
    plan = replace(sound_plan(face()), statements=(own, *plans.OWN_RULES[1:]))

    assert loud(plan) == [("variant_mismatch", "101综采工作面")]


@pytest.mark.parametrize(
    ("basis", "value"),
    [
        ({"intake_temperature_c": "24.5"}, "speed_m_s"),
        ({"mining_height_m": "2.2"}, "k_height"),
        ({"face_length_m": "140"}, "k_length"),
    ],
)
def test_benchmark_bracket_a_coefficient_outside_its_bracket_is_found(basis: dict[str, str], value: str) -> None:
    plan = sound_plan(with_basis(face(), **basis))

    assert loud(plan) == [("coefficient_out_of_bracket", "101综采工作面")], value


@pytest.mark.parametrize("temperature", ["19", "20", "23"])
def test_both_ends_of_a_bracket_belong_to_it(temperature: str) -> None:
    row = with_basis(face(), intake_temperature_c=temperature)

    assert loud(sound_plan(row)) == []


def test_benchmark_duplicate_one_place_in_two_systems_is_found_and_counted_twice() -> None:
    """R-PIT-15: nothing is de-duplicated before it is checked."""
    first = substation()
    second = replace(substation(), calculations=(), system="西风井系统")
    systems = (plans.sums_of("东风井系统", (first,)), plans.sums_of("西风井系统", (second,)))

    result = review_plan(sound_plan(first, second, systems=systems), rules())

    assert [(f.kind, f.severity, f.subject) for f in result.findings] == [
        (FindingKind.DUPLICATE_ENTRY, Severity.WARNING, "P002")
    ]
    assert [s.subtotal_recomputed for s in result.plan.systems] == [60, 60]


def test_two_chambers_of_one_name_with_other_inputs_are_a_note() -> None:
    other = with_calculation(substation(system="西风井系统"), 0, "heat", "3600×315×0.02÷(1.2×1.0006×60×5)=63")
    other = replace(
        with_basis(other, heat_kw="315"), required=printed("63"), chapter_required=printed("63"), planned=printed("65")
    )
    systems = (plans.sums_of("东风井系统", (substation(),)), plans.sums_of("西风井系统", (other,)))
    plan = sound_plan(substation(), other, systems=systems)

    assert loud(plan) == []
    assert notes(plan) == [("duplicate_entry", None)]


def test_benchmark_omission_a_place_of_the_working_plan_is_missed() -> None:
    mentions = (
        plans.mention("101综采面", "coal_face"),
        plans.mention("105回风顺槽掘进工作面", "heading", "本月开工"),
        plans.mention("99综采工作面", "coal_face", "停采"),
    )

    assert loud(sound_plan(mentions=mentions)) == [("missing_place", "105回风顺槽掘进工作面")]


def test_benchmark_subtotal_a_sum_that_does_not_add_up_is_found_once() -> None:
    wrong = plans.system("东风井系统", "2355", "1.2", "2826", "2335")

    assert loud(sound_plan(systems=(wrong,))) == [("subtotal_mismatch", "东风井系统")]


def test_benchmark_time_a_period_that_cannot_be_read_needs_a_person() -> None:
    period = Window(text="本月", status=WindowStatus.UNPARSABLE)

    found = review_plan(sound_plan(period=period), rules()).findings

    assert [(f.kind, f.severity) for f in found] == [(FindingKind.UNPARSABLE_EFFECTIVE_WINDOW, Severity.MANUAL)]


def test_benchmark_shortage_a_plan_below_its_own_need_is_an_error() -> None:
    found = review_plan(sound_plan(face(planned=printed("1150"), table_speed=None)), rules()).findings

    assert [(f.kind, f.severity) for f in found] == [(FindingKind.PLANNED_BELOW_REQUIRED, Severity.ERROR)]


# Rounding


def test_a_result_rounded_down_within_reason_is_a_note() -> None:
    row = with_calculation(face(), 0, "climate", "60×11.3×1.0×1.2×1.5=1220")
    row = replace(row, required=printed("1220"), chapter_required=printed("1220"))

    assert loud(sound_plan(row)) == []
    assert notes(sound_plan(row)) == [("rounded_down", None)]


def test_rounding_down_is_a_warning_where_the_plan_falls_below_the_exact_need() -> None:
    row = with_calculation(face(), 0, "climate", "60×11.3×1.0×1.2×1.5=1220")
    row = replace(
        row, required=printed("1220"), chapter_required=printed("1220"), planned=printed("1220"), table_speed=None
    )

    assert loud(sound_plan(row)) == [("rounded_down", "101综采工作面")]


def test_cutting_off_decimals_is_not_accepted() -> None:
    row = with_calculation(heading(), 2, "local_fan", "350×1+15×18.5=627")
    row = replace(row, required=printed("627"), chapter_required=printed("627"))

    assert loud(sound_plan(row)) == [("rounded_down", "103运输顺槽掘进工作面")]


# Constants and variants by a fact about the place


@pytest.mark.parametrize(
    ("row", "index", "method", "chain"),
    [
        (face(), 2, "people", "3×42=126"),
        (face(), 1, "gas", "125×2.13×1.4=373"),
        (face(), 1, "gas", "67×2.13×1.4=200"),
        (heading(), 2, "local_fan", "350×1+9×18.5=517"),
        (roadway(), 0, "gas", "133×3.20×1.3=554"),
    ],
)
def test_a_constant_that_does_not_belong_to_the_place_is_found(
    row: PlaceExtract, index: int, method: str, chain: str
) -> None:
    changed = with_calculation(row, index, method, chain)
    highest = max(c.stated for c in changed.calculations)
    changed = replace(
        changed,
        required=printed(str(highest)),
        chapter_required=printed(str(highest)),
        planned=printed(str(highest + 5)),
        table_speed=None,
        speed_checks=(),
    )

    assert loud(sound_plan(changed)) == [("wrong_constant", row.name)]


def test_more_air_per_person_than_the_minimum_is_the_mines_own_choice() -> None:
    assert loud(sound_plan(with_calculation(face(), 2, "people", "5×42=210"))) == []


def _explosive(chain: str) -> PlanExtract:
    row = heading(attributes={"roadway_kind": "岩巷", "drive_method": "炮掘", "explosive_grade": "三级煤矿许用炸药"})
    row = with_basis(row, charge_kg="13.1", gas_unbalance="1.9")
    row = with_calculation(row, 0, "gas", "100×1.48×1.9=281.2")
    row = with_calculation(row, 2, "local_fan", "350×1+9×18.5=517")
    row = replace(
        row,
        calculations=(*row.calculations, calculation("explosive", chain)),
        required=printed("517"),
        chapter_required=printed("517"),
        planned=printed("520"),
        table_speed=None,
        speed_checks=(),
    )
    return sound_plan(row)


def test_the_grade_of_the_explosive_chooses_its_constant() -> None:
    assert loud(_explosive("10×13.1=131")) == []
    assert loud(_explosive("25×13.1=327.5")) == [("wrong_constant", "103运输顺槽掘进工作面")]


def _vehicles(chain: str, required: str) -> PlanExtract:
    row = roadway(
        calculations=(*roadway().calculations, calculation("diesel", chain)),
        required=printed(required),
        chapter_required=printed(required),
        planned=printed(str(Decimal(required) + 5)),
        table_speed=None,
    )
    return sound_plan(row)


def test_diesel_by_number_of_vehicles_must_reach_four_per_kilowatt() -> None:
    assert loud(_vehicles("4×(84+42)=504", "504")) == []
    assert loud(_vehicles("5.44×84×1.0=457", "457")) == []
    assert loud(_vehicles("5.44×(84+84)×0.50=457", "457")) == [("wrong_constant", "一采区回风巷")]


def test_an_explosives_store_without_the_division_by_sixty_is_found() -> None:
    row = plans.place(
        "爆炸物品库", "chamber", "7200", "7200", calculation("air_changes", "4×1800=7200"), basis={"volume_m3": "1800"}
    )

    assert loud(sound_plan(row)) == [("wrong_constant", "爆炸物品库")]


def test_heat_coefficients_are_bounded_by_the_kind_of_chamber() -> None:
    row = with_calculation(substation(), 0, "heat", "3600×240×0.15÷(1.2×1.0006×60×5)=360")
    row = replace(
        with_basis(row, theta="0.15"), required=printed("360"), chapter_required=printed("360"), planned=printed("360")
    )

    assert loud(sound_plan(row)) == [("coefficient_out_of_bracket", "一采区变电所")]


# Coefficients and values that contradict each other


def test_a_coefficient_explained_otherwise_than_substituted_is_inconsistent() -> None:
    row = with_basis(face(), k_height="1.5")
    plan = sound_plan(row)

    assert loud(plan) == [("coefficient_inconsistent", "101综采工作面")]
    # the bracket of the mining height holds the substituted 1.2, so the need stays
    assert review_plan(plan, rules()).plan.places[0].required_m3_min == 1221


def test_a_section_that_differs_between_calculation_and_table_is_a_conflict() -> None:
    assert loud(sound_plan(face(table_area=printed("15.6"), table_speed=None))) == [
        ("conflicting_values", "101综采工作面")
    ]


def test_a_need_that_differs_between_calculation_and_table_is_a_conflict_and_its_sum_a_consequence() -> None:
    row = roadway(required=printed("461"), planned=printed("465"), table_speed=None)
    sums = plans.system("东风井系统", "416", "1.2", "499.2", "465")
    plan = sound_plan(row, systems=(sums,))

    assert loud(plan) == [("conflicting_values", "一采区回风巷")]
    assert ("subtotal_mismatch", "conflicting_values:P001") in notes(plan)


def test_temperature_counted_by_speed_and_by_its_own_coefficient_is_found() -> None:
    row = with_calculation(face(), 0, "climate", "60×11.3×1.2×1.2×1.5×1.05=1538")
    row = with_basis(row, speed_m_s="1.2", intake_temperature_c="21", k_temperature="1.05")
    row = replace(
        row,
        required=printed("1538"),
        chapter_required=printed("1538"),
        planned=printed("1540"),
        table_speed=None,
        speed_checks=(),
    )

    assert loud(sound_plan(row)) == [("coefficient_inconsistent", "101综采工作面")]


# Methods


def test_a_method_whose_input_is_printed_must_be_calculated() -> None:
    row = face(calculations=face().calculations[:2])

    assert loud(sound_plan(row)) == [("missing_method", "101综采工作面")]


def test_a_left_out_method_counts_for_the_need() -> None:
    row = with_basis(heading(calculations=heading().calculations[:2]), fan_flow_m3_min="350")
    row = replace(
        row,
        required=printed("252"),
        chapter_required=printed("252"),
        planned=printed("630"),
        table_speed=None,
        speed_checks=(),
    )

    result = review_plan(sound_plan(row), rules())

    assert result.plan.places[0].required_m3_min == Decimal("627.5")


def test_a_standby_face_below_half_of_its_working_need_did_not_take_the_largest_method() -> None:
    row = plans.place(
        "104备用工作面",
        "standby_face",
        "300",
        "300",
        calculation("gas", "100×2.3×1.3=299"),
        basis={"working_need_m3_min": "1254", "gas_m3_min": "2.3", "gas_unbalance": "1.3"},
    )

    assert loud(sound_plan(row)) == [("not_the_maximum", "104备用工作面")]


# Speed


def test_a_check_with_the_wrong_section_fails() -> None:
    check = plans.speed_check("60×0.25×10.6=159", "1221", "60×4×11.9=2856")

    assert {kind for kind, _ in loud(sound_plan(face(speed_checks=(check,))))} == {"speed_check_failed"}


def test_five_metres_a_second_needs_infusion_and_sprays() -> None:
    check = plans.speed_check("60×0.25×11.9=178.5", "1221", "60×5×10.6=3180")
    plan = sound_plan(face(speed_checks=(check,)))
    stated = replace(plan, statements=(*plan.statements, statement("infusion_and_sprays")))

    assert loud(plan) == [("speed_check_failed", "101综采工作面")]
    assert loud(stated) == []


def test_air_below_the_least_speed_fails_even_without_a_printed_check() -> None:
    row = heading(
        calculations=(calculation("people", "4×25=100"),),
        basis={"area_m2": printed("18.5"), "people": printed("25")},
        required=printed("100"),
        chapter_required=printed("100"),
        planned=printed("105"),
        table_speed=None,
        speed_checks=(),
    )

    assert ("speed_check_failed", row.name) in loud(sound_plan(row))


# Units


@pytest.mark.parametrize(("planned", "meant"), [("7.0", "420"), ("25200", "420")])
def test_a_flow_in_another_unit_is_suspect_and_nothing_else(planned: str, meant: str) -> None:
    row = roadway(planned=printed(planned), table_speed=None)
    sums = plans.system("东风井系统", "416", "1.2", "499.2", "420")
    found = review_plan(sound_plan(row, systems=(sums,)), rules()).findings

    assert [(f.kind.value, f.expected) for f in found if f.severity is not Severity.NOTE] == [
        ("unit_suspect", Decimal(meant))
    ]
    assert {f.cause for f in found if f.severity is Severity.NOTE} == {"unit_suspect:P001"}


# Lists of places


def test_a_stopped_place_gets_no_air() -> None:
    plan = sound_plan(mentions=(plans.mention("103运输顺槽掘进工作面", "heading", "停掘"),))

    assert loud(plan) == [("stopped_place", "103运输顺槽掘进工作面")]
    assert (
        loud(
            sound_plan(
                face(stopped=True, required=None, planned=None, chapter_required=None, calculations=()), heading()
            )
        )
        == []
    )


def test_the_second_place_of_a_series_is_not_counted_as_fresh_air() -> None:
    after = heading("105运输顺槽掘进工作面", series_after="103运输顺槽掘进工作面")
    once = replace(after, required=None, planned=None)

    assert loud(sound_plan(heading(), after)) == [("series_counted_twice", "105运输顺槽掘进工作面")]
    assert loud(sound_plan(heading(), once)) == []


def test_a_place_in_the_table_of_another_system_is_found() -> None:
    rows = (face(), heading(system="西风井系统"))
    systems = (plans.sums_of("东风井系统", rows), plans.sums_of("西风井系统", rows))
    mentions = (
        plans.mention("101综采工作面", "coal_face", system_name="东风井系统"),
        plans.mention(rows[1].name, "heading", system_name="东风井系统"),
    )

    assert loud(sound_plan(*rows, systems=systems, mentions=mentions)) == [("conflicting_values", rows[1].name)]


def test_a_place_without_a_type_is_judged_as_a_face_and_not_asked_for_methods() -> None:
    """R-PIT-21: an unknown type uses the face policy."""
    row = plans.place("无名地点", None, "100", "100")

    result = review_plan(sound_plan(row), rules())

    assert result.plan.places[0].type is PlaceType.COAL_FACE
    assert result.plan.places[0].required_source == "plan_stated"
    assert result.findings == ()
