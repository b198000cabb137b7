"""R-GRD-5, R-POL-1: the policy of document 002 is data that code reads, and the prompts say it too."""

from __future__ import annotations

from decimal import Decimal

from agents.profiles import load_profiles
from config import PROJECT_ROOT

DESK = load_profiles()["ticket_desk"]
TOOLS = {"order_lookup", "refund_eligibility", "issue_refund", "kb_search", "send_email"}


def test_r_pol_1_the_policy_is_that_of_the_document() -> None:
    policy = DESK.policy

    assert set(DESK.tools) == TOOLS
    assert set(policy.approval) == {"issue_refund", "send_email"}
    assert policy.limits.max_tool_calls_per_run == 8
    assert (policy.limits.max_cost_per_run, policy.limits.currency) == (Decimal("0.30"), "USD")
    assert set(policy.escalate) == {"legal_threat", "fraud_flag", "duplicate_ticket"}
    assert policy.outcomes == {"refund_proposed": ("refund.issued",)}


def test_the_worker_may_call_no_more_than_its_parent() -> None:
    (worker,) = DESK.subagents

    assert worker.name == "refund_worker"
    assert set(worker.tools) <= TOOLS


def test_r_grd_5_agent_and_worker_are_told_not_to_claim_a_refund_they_did_not_issue() -> None:
    for prompt in (DESK.prompt, *(worker.prompt for worker in DESK.subagents)):
        (rule,) = [line for line in prompt.splitlines() if "REFUND_PROPOSED" in line]
        assert "除非" in rule
        assert "issue_refund" in rule
        assert "成功" in rule


def test_the_skill_names_every_tool_and_every_refusal_of_a_refund() -> None:
    skill = (PROJECT_ROOT / "skills" / "ticket-desk" / "SKILL.md").read_text(encoding="utf-8")

    codes = {"not_eligible", "nothing_left", "amount_too_high", "already_refunded", "refund_failed", "order_not_found"}
    assert {word for word in TOOLS | codes | {"rejected_by_human_approval"} if word not in skill} == set()
