"""R-GRD-2: which critical fields an agent gets, and when the table stands still."""

import pytest

from tools.critical_fields import (
    CriticalField,
    PatternTable,
    capability_critical_field_patterns,
    critical_fields_of_turn,
    select_critical_fields_for_agent,
    should_run_guard,
)
from tools.registry import ToolRegistrationError


def pattern(name, *tools, labels=("需风量",)):
    return CriticalField(name=name, labels=labels, source_tools=frozenset(tools), extract=lambda _: [])


@pytest.fixture
def table():
    table = PatternTable()
    table.register([pattern("required", "plan_read", "review"), pattern("salary", "payroll")])
    return table


def names(patterns):
    return [found.name for found in patterns]


def test_r_grd_2_a_pattern_is_kept_only_if_its_tools_meet_the_agents(table):
    assert names(select_critical_fields_for_agent(["review", "get_time"], table)) == ["required"]
    assert select_critical_fields_for_agent(["get_time"], table) == ()


def test_r_grd_2_a_policy_binds_patterns_to_tool_names(table):
    bound = {"recruit_funnel": ["salary"], "other": ["required"]}

    assert names(capability_critical_field_patterns(["recruit_funnel"], bound, table)) == ["salary"]
    assert names(critical_fields_of_turn(["review", "recruit_funnel"], bound, table)) == ["required", "salary"]
    assert names(critical_fields_of_turn(["payroll", "recruit_funnel"], bound, table)) == ["salary"]


def test_a_policy_that_binds_an_unknown_pattern_is_refused(table):
    with pytest.raises(ToolRegistrationError, match="no critical field 'wage'"):
        capability_critical_field_patterns(["review"], {"review": ["wage"]}, table)


def test_r_grd_2_the_guard_runs_only_with_patterns_and_its_switch(table):
    assert should_run_guard(tuple(table))
    assert not should_run_guard(())
    assert not should_run_guard(tuple(table), response_guard=False)


def test_the_same_pattern_again_is_one_and_another_of_its_name_is_refused(table):
    before = list(table)
    table.register(before)

    assert list(table) == before
    with pytest.raises(ToolRegistrationError, match="'salary' is registered already"):
        table.register([pattern("salary", "payroll")])


def test_r_grd_2_after_the_start_nothing_is_added(table):
    known = list(table)
    table.freeze()

    table.register(known)
    with pytest.raises(ToolRegistrationError, match="comes after the start"):
        table.register([pattern("late", "review")])


@pytest.mark.parametrize("lame", [pattern("x"), pattern("x", "review", labels=())])
def test_a_pattern_that_can_never_apply_is_refused(table, lame):
    with pytest.raises(ToolRegistrationError, match="needs labels and source tools"):
        table.register([lame])
