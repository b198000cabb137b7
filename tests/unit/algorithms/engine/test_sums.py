"""Sums of systems and mine, the reserve coefficient, main fans, totals of the text."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

import pytest

from algorithms.airflow_review.engine.plan_review import PlanResult, review_plan
from algorithms.airflow_review.extract import PlanExtract, SystemExtract
from algorithms.airflow_review.model import CheckStatus, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support import plans
from tests.support.plans import calculation, printed, statement, system

EAST, WEST = "一号回风立井系统", "二号回风立井系统"


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def two_systems(
    *systems: SystemExtract, total: str | None = "32497.2", stated: str | None = "1.2", **values: object
) -> PlanExtract:
    """The published figures: items of 9228 and 17853, reserve 1.2."""
    rows = [
        plans.place(f"{name}{index}", "other_roadway", required, required, system=where)
        for where, name, needs in ROWS
        for index, required in enumerate(needs)
    ]
    own = (statement("reserve_coefficient", stated, stated),) if stated else ()
    return plans.plan(
        rows,
        systems=systems or (system(EAST, "9228", "1.2", "11073.6"), system(WEST, "17853", "1.2", "21423.6")),
        mine_total=printed(total),
        statements=own,
        **values,
    )


ROWS = ((EAST, "一号巷", ("4000", "5000", "228")), (WEST, "二号巷", ("9000", "8000", "853")))


def loud(plan: PlanExtract) -> list[tuple[str, str]]:
    return [(f.kind.value, f.subject_name) for f in review(plan).findings if f.severity is not Severity.NOTE]


def review(plan: PlanExtract) -> PlanResult:
    return review_plan(plan, rules())


def test_r_air_5_the_totals_of_the_hierarchy_are_exact() -> None:
    plan = review(two_systems()).plan

    assert [(s.subtotal_recomputed, s.required_recomputed) for s in plan.systems] == [
        (Decimal(9228), Decimal("11073.6")),
        (Decimal(17853), Decimal("21423.6")),
    ]
    assert plan.mine_total.recomputed == Decimal("32497.2")
    assert {s.status for s in plan.systems} == {CheckStatus.OK}
    assert loud(two_systems()) == []


@pytest.mark.parametrize(
    ("east", "total", "expected"),
    [
        (system(EAST, "9231", "1.2", "11077.2"), "32500.8", [("subtotal_mismatch", EAST)]),
        (system(EAST, "9228", "1.2", "11173.6"), "32597.2", [("total_mismatch", EAST)]),
        (system(EAST, "9228", "1.2", "11074"), "32497.6", []),
        (system(EAST, "9228", "1.2", "13288.32"), "34711.92", [("coefficient_inconsistent", EAST)]),
        (system(EAST, "9228", "1.0", "9228"), "30651.6", [("coefficient_inconsistent", EAST)]),
        (system(EAST, "9228", None, "11073.6"), "32497.2", []),
        (system(EAST, None, None, "11073.6"), "32497.2", []),
    ],
)
def test_a_wrong_sum_is_reported_at_its_system_and_only_there(
    east: SystemExtract, total: str, expected: list[tuple[str, str]]
) -> None:
    assert loud(two_systems(east, system(WEST, "17853", "1.2", "21423.6"), total=total)) == expected


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        ("32497.2", []),
        ("32498", []),
        ("32479.2", [("total_mismatch", "矿井")]),
        ("38996.64", [("coefficient_inconsistent", "矿井")]),
    ],
)
def test_the_mines_total_is_the_sum_of_its_systems(total: str, expected: list[tuple[str, str]]) -> None:
    assert loud(two_systems(total=total)) == expected


def test_the_mine_may_need_more_by_people_than_by_places() -> None:
    by_people = calculation("people", "4×7000×1.2=33600", label="Q矿")

    assert loud(two_systems(total="33600", loose_calculations=(by_people,))) == []


def test_a_reserve_that_differs_between_text_and_tables_concerns_the_mine() -> None:
    assert loud(two_systems(stated="1.15")) == [("coefficient_inconsistent", "矿井")]


@pytest.mark.parametrize(("stated", "severity"), [(None, Severity.WARNING), ("1.35", Severity.NOTE)])
def test_a_reserve_outside_the_usual_range_is_a_note_where_the_plan_rules_it(
    stated: str | None, severity: Severity
) -> None:
    systems = (system(EAST, "9228", "1.35", "12457.8"), system(WEST, "17853", "1.35", "24101.55"))

    found = review(two_systems(*systems, total="36559.35", stated=stated)).findings

    assert [(f.kind, f.severity) for f in found] == [(FindingKind.COEFFICIENT_OUT_OF_BRACKET, severity)]


def test_a_reserve_outside_the_range_the_plan_itself_prints_is_a_warning() -> None:
    systems = (system(EAST, "9228", "1.35", "12457.8"), system(WEST, "17853", "1.35", "24101.55"))
    plan = two_systems(*systems, total="36559.35", stated="1.35")
    own_range = statement("reserve_range", "1.15", "1.25")

    assert loud(replace(plan, statements=(*plan.statements, own_range))) == [("coefficient_out_of_bracket", "矿井")]


def test_a_summary_that_differs_from_the_tables_is_a_conflict() -> None:
    summary = (system(EAST, "9282", "1.2", "11073.6"), system(WEST, "17853", "1.2", "21423.6"))

    assert loud(replace(two_systems(), summary=summary)) == [("conflicting_values", EAST)]


def test_sums_printed_in_the_summary_alone_are_enough() -> None:
    plan = two_systems()
    plan = replace(plan, systems=(), summary=plan.systems)

    assert [s.required_stated for s in review(plan).plan.systems] == [Decimal("11073.6"), Decimal("21423.6")]
    assert loud(plan) == []


def test_a_total_of_the_text_is_told_once_for_its_system() -> None:
    wrong = calculation("system_total", "17853×1.2=21243.6", where=f"{WEST}：")
    other = calculation("mine_total", "11073.6+21423.6=32479.2")

    assert loud(two_systems(loose_calculations=(wrong,))) == [("total_mismatch", WEST)]
    assert loud(two_systems(loose_calculations=(other,))) == [("total_mismatch", "矿井")]
    both = two_systems(
        system(EAST, "9228", "1.2", "11073.6"),
        system(WEST, "17853", "1.2", "21243.6"),
        total="32317.2",
        loose_calculations=(wrong,),
    )
    assert loud(both) == [("total_mismatch", WEST)]


def fan_plan(need: str = "2790", capacity: str = "3400", **values: str) -> PlanExtract:
    return plans.sound_plan(fans=(plans.fan("东风井主扇", need, capacity, **values),))


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (fan_plan(), []),
        (fan_plan(capacity="2700"), ["fan_capacity"]),
        (fan_plan(pressure="2056", pressure_max="2876"), []),
        (fan_plan(pressure="2600", pressure_max="2876"), ["fan_capacity"]),
        (fan_plan(need="2970"), ["conflicting_values"]),
    ],
)
def test_a_fan_must_carry_its_system(plan: PlanExtract, expected: list[str]) -> None:
    assert loud(plan) == [(kind, "东风井系统") for kind in expected]


def test_r_pit_15_equal_rows_are_summed_as_often_as_they_are_printed() -> None:
    rows = [plans.place("临时硐室", "chamber", "60", "60"), plans.place("临时硐室", "chamber", "60", "60")]
    plan = plans.plan(rows, systems=(system("东风井系统", "60", "1.2", "72"),))

    found = review(plan).findings
    assert review(plan).plan.systems[0].subtotal_recomputed == 120
    assert [f.kind for f in found if f.severity is not Severity.NOTE] == [FindingKind.DUPLICATE_ENTRY]
    # the sum leaves one of the two out: that is the same fault, told once
    assert {f.cause for f in found if f.kind is FindingKind.SUBTOTAL_MISMATCH} == {"duplicate_entry:P002"}


def test_a_unit_slip_in_the_planned_column_does_not_excuse_the_sum_of_the_required_one() -> None:
    slipped = plans.roadway(planned=plans.printed("7.0"), table_speed=None)
    sums = plans.system("东风井系统", "1640", "1.2", "1968", None)

    found = [
        f
        for f in review(plans.sound_plan(slipped, systems=(sums,))).findings
        if f.kind is FindingKind.SUBTOTAL_MISMATCH
    ]

    assert [(f.severity, f.cause, f.stated) for f in found] == [(Severity.WARNING, None, Decimal(1640))]
