"""A changed policy tried on what is on record: only what it would decide otherwise is listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.guards.dry_run import RecordedCall, RecordedModelCall, RecordedRun, replay, replay_all
from agents.guards.policy import AgentPolicy
from agents.guards.receipts import Receipt

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


GATED_OF_TWO = AgentPolicy(**{**AS_RECORDED, "limits": {"max_tool_calls_per_run": 2}})


@pytest.mark.parametrize(
    "calls",
    [
        (call("pay_out", "rejected_by_human_approval"), call("look_up"), call("look_up", "call_limit")),
        (call("look_up"), call("look_up", "call_limit"), call("pay_out", "rejected_by_human_approval")),
        (call("look_up"), call("look_up", "call_limit"), call("pay_out", approved=True)),
        (call("look_up"), call("look_up", "call_limit"), call("pay_out", "approval_required")),
    ],
    ids=["rejected-first", "rejected-last", "approved-last", "lapsed"],
)
def test_a_call_that_waited_keeps_the_place_it_took_before_it_was_asked_about(calls):
    assert replay(run(*calls), GATED_OF_TWO) == []


def test_an_answer_that_was_escalated_is_no_message_that_was():
    assert replay(run(call("look_up")), AgentPolicy(**AS_RECORDED)) == []


def spent(*micro: int | None) -> RecordedRun:
    return replace(run(), model_calls=[RecordedModelCall(cost_micro=cost, currency="USD") for cost in micro])


@pytest.mark.parametrize(
    ("recorded", "limits", "flips"),
    [
        (spent(10, 10), {"max_model_calls_per_run": 2}, []),
        (spent(10, 10), {"max_model_calls_per_run": 1}, [("model call 2", "made", "stopped: model_call_limit")]),
        (spent(100, 10), {"max_cost_per_run": "0.0001", "currency": "USD"},
         [("model call 2", "made", "stopped: cost_limit")]),
        (spent(100, 10), {"max_cost_per_run": "0.0001", "currency": "CNY"},
         [("model call 2", "made", "stopped: cost_unknown")]),
        (spent(None), {"max_cost_per_run": "1"}, [("model call 1", "made", "stopped: cost_unknown")]),
        (replace(spent(10), stopped_by="model_call_limit"), {"max_model_calls_per_run": 1}, []),
        (replace(spent(10), stopped_by="model_call_limit"), {"max_model_calls_per_run": 2},
         [("model call 2", "stopped: model_call_limit", "made")]),
        (replace(spent(), stopped_by="cost_unknown"), {}, [("model call 1", "stopped: cost_unknown", "made")]),
        (replace(spent(10), stopped_by="tool_call_limit"), {"max_model_calls_per_run": 1}, []),
    ],
    ids=["as-many", "fewer", "dearer", "other-money", "no-price", "same-stop", "no-stop", "price-not-asked", "tools"],
)  # fmt: skip
def test_a_limit_on_model_calls_and_money_lists_the_call_it_would_stop_before(recorded, limits, flips):
    found = replay(recorded, AgentPolicy(**{**AS_RECORDED, "limits": limits}))

    assert [(flip.subject, flip.before, flip.after) for flip in found] == flips


def test_the_servers_own_bound_on_model_calls_holds_too():
    assert [f.after for f in replay(spent(1, 1), AgentPolicy(**AS_RECORDED), max_model_calls=1)] == [
        "stopped: model_call_limit"
    ]


def test_the_very_policy_that_decided_lists_no_stop_of_calls_side_by_side():
    policy = AgentPolicy(**AS_RECORDED, limits={"max_cost_per_run": "0.0001", "currency": "USD"})

    assert replay(replace(spent(100, 100), policy_version=policy.version), policy) == []


def test_other_outcomes_list_the_runs_they_rename():
    paid = Receipt(receipt_id="r", effect="refund.issued", tool="pay_out", status="ok")
    recorded = replace(run(), outcome="resolved", receipts=[paid, replace(paid, effect="mail.sent", turn="earlier")])
    named = AgentPolicy(**AS_RECORDED, outcomes={"told": ["mail.sent"], "paid": ["refund.issued"]})

    assert [(f.subject, f.before, f.after) for f in replay(recorded, named)] == [("outcome", "resolved", "paid")]
    assert replay(replace(recorded, outcome="paid"), named) == []
    assert replay(replace(recorded, outcome=""), named) == []
