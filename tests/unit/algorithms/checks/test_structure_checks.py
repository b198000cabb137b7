"""Checks 26 to 36 of a reviewer's list: sums, lists, systems, fans."""

from __future__ import annotations

from dataclasses import replace

from tests.support.papers.judging import judged, loud, told
from tests.support.papers.plan_paper import (
    CROSSCUT,
    EAST,
    FACE,
    HEADING,
    ROADWAY,
    ROCK,
    SOUND,
    SUBSTATION,
    WEST,
    PlanPaper,
    part,
)

SECOND = "103回风顺槽掘进工作面"
IN_SERIES = replace(part(HEADING), name=SECOND, remark=f"与{HEADING}串联，用其回风")


def finds(plan: PlanPaper, kind: str, subject: str, severity: str = "warning") -> bool:
    """Whether this finding is there, and no other above a note."""
    review = judged(plan)
    return (kind, severity, subject) in told(review) and loud(review) == [(kind, subject)]


def test_check_26_three_too_many_in_a_subtotal() -> None:
    assert finds(replace(SOUND, subtotals={EAST: "2955"}), "subtotal_mismatch", EAST)


def test_check_27_one_chamber_under_both_systems() -> None:
    assert finds(SOUND.more(replace(part(SUBSTATION), system=WEST, lines=())), "duplicate_entry", SUBSTATION)


def test_check_28_a_heading_of_the_working_plan_and_a_new_substation_are_missing() -> None:
    substation = replace(SOUND, remarks=("本月二采区新变电所投入使用，硐室名单：一采区变电所、二采区新变电所。",))

    assert finds(SOUND.changed(ROCK, row=False, lines=()), "missing_place", ROCK)
    assert finds(substation, "missing_place", "二采区新变电所")


def test_check_29_stopped_and_sealed_places_with_air() -> None:
    assert finds(SOUND.changed(HEADING, status="停掘"), "stopped_place", HEADING)
    assert finds(SOUND.changed(ROADWAY, remark="已封闭"), "stopped_place", ROADWAY)


def test_check_30_a_total_that_is_not_the_subtotal_times_the_reserve() -> None:
    wrong = replace(SOUND, system_needs={EAST: "3524.4"})
    twice = replace(SOUND, system_needs={EAST: "4250.88"})  # 2952 × 1.2 × 1.2
    once = replace(SOUND, coefficients={WEST: "1.0"})

    assert finds(wrong, "total_mismatch", EAST)
    assert finds(twice, "coefficient_inconsistent", EAST)
    assert finds(once, "coefficient_inconsistent", WEST)


def test_check_31_the_reserve_out_of_its_range_or_otherwise_in_the_text() -> None:
    unruled = replace(
        SOUND, principles=tuple(p for p in SOUND.principles if not p.startswith("备用系数")), reserve="1.05"
    )
    otherwise = SOUND.said("备用系数取1.2。", "备用系数取1.15。")

    assert finds(unruled, "coefficient_out_of_bracket", "矿井")
    assert finds(otherwise, "coefficient_inconsistent", "矿井")


def test_check_32_a_place_that_drains_to_one_system_and_is_summed_in_the_other() -> None:
    plan = SOUND.text().replace(f"{ROCK}\t掘进工作面\t正常生产\t{WEST}", f"{ROCK}\t掘进工作面\t正常生产\t{EAST}")

    assert plan != SOUND.text()
    assert loud(judged(plan)) == [("conflicting_values", ROCK)]


def test_check_33_the_second_of_a_series_summed_again() -> None:
    assert finds(SOUND.more(IN_SERIES), "series_counted_twice", SECOND)


def test_check_34_text_table_and_summary_say_three_things() -> None:
    table = replace(SOUND.changed(ROADWAY, need="461", planned="465", speed="0.42"), subtotals={EAST: "2997"})
    summary = replace(SOUND, summary=((EAST, "2925", "1.2", "3542.4"), (WEST, "1372", "1.2", "1646.4")))

    assert finds(table, "conflicting_values", ROADWAY)
    assert finds(summary, "conflicting_values", EAST)


def test_check_35_a_need_or_a_duty_beyond_the_fan() -> None:
    weak = replace(SOUND, fans=(("东风井主扇", EAST, "", "3400", "2056", "2876"), SOUND.fans[1]))
    unstable = replace(SOUND, fans=(("东风井主扇", EAST, "", "4600", "2750", "2876"), SOUND.fans[1]))

    assert finds(weak, "fan_capacity", EAST, "error")
    assert finds(unstable, "fan_capacity", EAST, "error")


def test_check_36_one_place_short_although_the_total_is_enough() -> None:
    plan = SOUND.changed(FACE, planned="1150", speed="1.70").changed(CROSSCUT, planned="320", speed="0.37")

    assert finds(plan, "planned_below_required", FACE, "error")
