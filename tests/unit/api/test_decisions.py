"""Answers to approvals are checked as a whole, and an answer that was given is recognised."""

from __future__ import annotations

from typing import Any

import pytest

from agents.session_agent import PendingApproval
from api.decisions import DecisionBody, sort_answers, to_decisions, to_record
from api.errors import RefusedError


def approval(interrupt_id: str = "i1") -> PendingApproval:
    return PendingApproval(
        interrupt_id=interrupt_id,
        tool_call_id=f"call-{interrupt_id}",
        name="plan_submit",
        title="提交计划",
        args={"title": "调风"},
        args_digest="d1",
        allowed=("approve", "edit", "reject"),
        schema={},
        reason="",
    )


def body(decision: str = "approve", interrupt_id: str = "i1", **more: Any) -> DecisionBody:
    return DecisionBody.model_validate({"interrupt_id": interrupt_id, "decision": decision, **more})


def resumed(decision: str = "approve", args: Any = None) -> list[dict[str, Any]]:
    given = {"interrupt_id": "i1", "decision": decision, "args": args}
    return [
        {"type": "session", "seq": 1},
        {"type": "session", "seq": 9},
        {"type": "run", "seq": 10, "status": "resumed", "decisions": [given]},
    ]


def refusal(*bodies: DecisionBody, pending: Any = None, frames: Any = ()) -> str:
    with pytest.raises(RefusedError) as caught:
        sort_answers(bodies, pending=[approval()] if pending is None else pending, frames=frames)
    return caught.value.code


def test_an_answer_is_matched_with_what_waits() -> None:
    found = sort_answers([body("reject", reason="数据有误")], pending=[approval(), approval("i2")], frames=())

    assert [(item.interrupt_id, answer.decision) for item, answer in found.open] == [("i1", "reject")]
    assert to_decisions(found.open).denied == {"call-i1"}
    assert to_decisions(found.open).by_interrupt["i1"].reason == "数据有误"


def test_the_digest_is_optional_but_must_fit() -> None:
    assert sort_answers([body(args_digest="d1")], pending=[approval()], frames=()).open
    assert refusal(body(args_digest="other")) == "args_changed"


def test_an_unknown_or_doubled_answer_is_refused() -> None:
    assert refusal(body(interrupt_id="nope")) == "interrupt_not_found"
    assert refusal(body(), body("reject")) == "bad_decision"


def test_an_edit_needs_arguments_and_nothing_else_takes_them() -> None:
    assert refusal(body("edit")) == "bad_decision"
    assert refusal(body("approve", args={"title": "x"})) == "bad_decision"


def test_the_same_answer_again_leads_to_the_segment_it_started() -> None:
    found = sort_answers([body()], pending=(), frames=resumed())

    assert (found.open, found.taken_after) == ((), 8)


def test_another_answer_to_a_decided_question_is_a_conflict() -> None:
    assert refusal(body("reject"), pending=(), frames=resumed()) == "decision_conflict"
    assert refusal(body("edit", args={"a": 2}), pending=(), frames=resumed("edit", {"a": 1})) == "decision_conflict"


def test_the_log_keeps_who_decided_what_about_which_arguments() -> None:
    found = sort_answers([body()], pending=[approval()], frames=())

    (record,) = to_record(found.open, user_name="张工")

    assert (record["user_name"], record["decision"], record["args_digest"]) == ("张工", "approve", "d1")
