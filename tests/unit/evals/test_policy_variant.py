"""A file's limits and approvals reach the server as a profile; everything else stays as shipped."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from agents.profiles import load_profiles
from evals.policy_variant import write_profiles
from evals.scenario import Store


def test_without_wishes_the_profiles_are_the_shipped_ones(tmp_path: Path) -> None:
    assert load_profiles(write_profiles(tmp_path / "p", Store())) == load_profiles()


def test_limits_and_approvals_of_the_desk_follow_the_file(tmp_path: Path) -> None:
    store = Store.model_validate(
        {"limits": {"max_tool_calls_per_run": 3, "max_cost_per_run_usd": "0.05"}, "approval": ["send_email"]}
    )

    varied, shipped = load_profiles(write_profiles(tmp_path / "p", store)), load_profiles()

    policy = varied["ticket_desk"].policy
    assert (policy.limits.max_tool_calls_per_run, policy.limits.max_cost_per_run) == (3, Decimal("0.05"))
    assert policy.approval == ("send_email",)
    assert policy.version != shipped["ticket_desk"].policy.version
    assert (policy.allow, policy.outcomes) == (
        shipped["ticket_desk"].policy.allow,
        shipped["ticket_desk"].policy.outcomes,
    )
    assert varied["ticket_desk"].subagents == shipped["ticket_desk"].subagents
    assert varied["ventilation"] == shipped["ventilation"]
