"""A changed policy tried on what is on record: only what it would decide otherwise is listed."""

from __future__ import annotations

from typing import Any

import pytest

from agents.guards.dry_run import RecordedCall, RecordedRun, replay, replay_all
from agents.guards.policy import AgentPolicy

AS_RECORDED: dict[str, Any] = {"allow": ["look_up", "pay_out", "ls"], "approval": ["pay_out"]}


def call(tool: str, code: str = "", *, approved: bool = False) -> RecordedCall:
    return RecordedCall(tool=tool, code=code, was_approved=approved, is_registered=tool != "ls")


def run(*calls: RecordedCall, text: str = "查一下", escalated_by: str = "") -> RecordedRun:
    return RecordedRun(run_id="r1", agent="desk", text=text, escalated_by=escalated_by, calls=calls)


USUAL = run(
    call("look_up"),
    call("look_up", "bad_arguments"),
    call("pay_out", approved=True),
    call("pay_out", "rejected_by_human_approval"),
    call("wipe_all", "not_allowed"),
    call("ls"),
)


def test_the_policy_that_was_in_force_flips_nothing():
    assert replay(USUAL, AgentPolicy(**AS_RECORDED)) == []


@pytest.mark.parametrize(
    ("change", "flips"),
    [
        ({"allow": ["look_up", "pay_out", "ls"], "approval": []}, [
            ("pay_out", "allowed after approval", "allowed"),
            ("pay_out", "refused: rejected_by_human_approval", "allowed"),
        ]),
        ({"allow": ["look_up", "ls"], "approval": []}, [
            ("pay_out", "allowed after approval", "refused: not_allowed"),
            ("pay_out", "refused: rejected_by_human_approval", "refused: not_allowed"),
        ]),
        ({"approval": ["pay_out", "look_up"]}, [("look_up", "allowed", "refused: approval_required")]),
        ({"limits": {"max_tool_calls_per_run": 1}}, [
            ("pay_out", "allowed after approval", "refused: call_limit"),
            ("pay_out", "refused: rejected_by_human_approval", "refused: call_limit"),
        ]),
        ({"allow": ["look_up", "pay_out", "ls", "wipe_all"]}, [("wipe_all", "refused: not_allowed", "allowed")]),
    ],
    ids=["no-approval", "no-tool", "more-approval", "lower-limit", "more-allowed"],
)  # fmt: skip
def test_each_change_lists_the_decisions_it_turns(change, flips):
    found = replay(USUAL, AgentPolicy(**{**AS_RECORDED, **change}))

    assert [(flip.subject, flip.before, flip.after) for flip in found] == flips


def test_a_rule_of_escalation_flips_the_message_and_nothing_behind_it():
    danger = run(call("look_up"), text="着火了，有人被困")
    strict = AgentPolicy(**AS_RECORDED, escalate=["safety_incident"])

    assert [(f.subject, f.before, f.after) for f in replay(danger, strict)] == [
        ("message", "no escalation", "safety_incident")
    ]
    escalated = run(text="着火了，有人被困", escalated_by="safety_incident")
    assert replay(escalated, strict) == []
    assert [f.after for f in replay(escalated, AgentPolicy(**AS_RECORDED))] == ["no escalation"]


def test_an_agent_that_is_gone_would_be_allowed_nothing():
    found = replay_all([run(call("look_up"))], {})

    assert [flip.after for flip in found] == ["refused: not_allowed"]
