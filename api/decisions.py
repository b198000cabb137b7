"""Answers to approvals: checked as a whole before anything is stored; one that was given already is recognised."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.session_agent import Decision, PendingApproval
from api.errors import RefusedError
from api.sse_events import EventType
from api.turn import Decisions


class DecisionBody(BaseModel):
    """One answer as a client sends it; clients of version 1 send no `args_digest`."""

    model_config = ConfigDict(extra="ignore")

    interrupt_id: str = Field(min_length=1, max_length=200)
    args_digest: str | None = None
    decision: Literal["approve", "edit", "reject"]
    args: dict[str, Any] | None = None
    reason: str = Field(default="", max_length=2_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """A client's answers: those that wait for one, and where the log already has the others."""

    open: tuple[tuple[PendingApproval, DecisionBody], ...]
    taken_after: int | None
    """Number of the frame before the segment that an already given answer started."""


def sort_answers(
    bodies: Sequence[DecisionBody], *, pending: Collection[PendingApproval], frames: Iterable[Mapping[str, Any]]
) -> Sorted:
    """Match answers with what waits for them.

    Args:
        bodies: What the client sent.
        pending: What waits for a person.
        frames: The log of the run, which holds the answers that were given.

    Raises:
        RefusedError: An answer fits nothing, contradicts one that was given, or is about other arguments.
    """
    waiting = {approval.interrupt_id: approval for approval in pending}
    taken = _taken(frames)
    matched: dict[str, tuple[PendingApproval, DecisionBody]] = {}
    taken_after = None
    for body in bodies:
        if body.interrupt_id in matched:
            raise RefusedError("bad_decision", interrupt_id=body.interrupt_id, reason="同一操作给出了两个决定。")
        if (approval := waiting.get(body.interrupt_id)) is not None:
            _check(body, approval)
            matched[body.interrupt_id] = (approval, body)
        elif (given := taken.get(body.interrupt_id)) is not None:
            if (given.decision, given.args) != (body.decision, body.args):
                raise RefusedError("decision_conflict", interrupt_id=body.interrupt_id)
            taken_after = given.after
        else:
            raise RefusedError("interrupt_not_found", interrupt_id=body.interrupt_id)
    return Sorted(open=tuple(matched.values()), taken_after=taken_after)


def to_decisions(answers: Iterable[tuple[PendingApproval, DecisionBody]]) -> Decisions:
    """Checked answers as the agent wants them."""
    pairs = list(answers)
    return Decisions(
        by_interrupt={
            body.interrupt_id: Decision(decision=body.decision, args=body.args, reason=body.reason) for _, body in pairs
        },
        denied=frozenset(approval.tool_call_id for approval, body in pairs if body.decision == "reject"),
    )


def to_record(answers: Iterable[tuple[PendingApproval, DecisionBody]], *, user_name: str) -> list[dict[str, Any]]:
    """The same answers as the log keeps them: who decided what about which arguments."""
    return [
        {
            "interrupt_id": approval.interrupt_id,
            "tool_call_id": approval.tool_call_id,
            "args_digest": approval.args_digest,
            "decision": body.decision,
            "args": body.args,
            "reason": body.reason,
            "user_name": user_name,
        }
        for approval, body in answers
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    decision: str
    args: dict[str, Any] | None
    after: int


def _taken(frames: Iterable[Mapping[str, Any]]) -> dict[str, _Taken]:
    taken: dict[str, _Taken] = {}
    segment_seq = 0
    for frame in frames:
        if frame["type"] == EventType.SESSION:
            segment_seq = frame["seq"]
        for given in frame.get("decisions") or ():
            taken[given["interrupt_id"]] = _Taken(decision=given["decision"], args=given["args"], after=segment_seq - 1)
    return taken


def _check(body: DecisionBody, approval: PendingApproval) -> None:
    if body.args_digest is not None and body.args_digest != approval.args_digest:
        raise RefusedError("args_changed", interrupt_id=body.interrupt_id)
    if body.decision not in approval.allowed:
        raise RefusedError(
            "decision_not_allowed",
            interrupt_id=body.interrupt_id,
            decision=body.decision,
            allowed="、".join(approval.allowed),
        )
    if (body.decision == "edit") != (body.args is not None):
        reason = "修改后批准需要给出 args。" if body.decision == "edit" else "只有 edit 可以带 args。"
        raise RefusedError("bad_decision", interrupt_id=body.interrupt_id, reason=reason)
