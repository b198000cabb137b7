"""What a changed policy would have decided about runs that are on record: the decisions that flip, before it is switched on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from agents.guards.policy import AgentPolicy

_OF_POLICY: Final = frozenset({"not_allowed", "approval_required", "call_limit"})
"""Refusals that a policy decides; modes, availability and wrong arguments refuse whatever it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A call as the audit has it; `code` is empty if it was allowed."""

    tool: str
    code: str
    was_approved: bool
    is_registered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """A run as the record has it: what was said, why it was escalated (empty if not), what was called."""

    run_id: str
    agent: str
    text: str
    escalated_by: str
    calls: Sequence[RecordedCall]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One decision that would be another."""

    run_id: str
    agent: str
    subject: str
    before: str
    after: str


def replay(run: RecordedRun, policy: AgentPolicy) -> list[Flip]:
    """Decide a run again under a policy.

    A run that would be escalated now has no further decisions; one that was, and would not be, has none on record to compare.
    """
    hit = policy.screen.find(run.text)
    before, after = run.escalated_by or "no escalation", hit.name if hit is not None else "no escalation"
    if before != after:
        return [_flip(run, "message", before, after)]
    if hit is not None:
        return []
    used: Counter[bool] = Counter()
    flips = []
    for call in run.calls:
        was, now = _recorded(call), _decide(call, policy, used)
        if was != now:
            flips.append(_flip(run, call.tool, was, now))
    return flips


def replay_all(runs: Iterable[RecordedRun], policies: dict[str, AgentPolicy]) -> list[Flip]:
    """Decide many runs again; an agent that is gone allows nothing."""
    return [flip for run in runs for flip in replay(run, policies.get(run.agent, AgentPolicy()))]


def _recorded(call: RecordedCall) -> str:
    if call.code:
        return f"refused: {call.code}"
    return "allowed after approval" if call.was_approved else "allowed"


def _decide(call: RecordedCall, policy: AgentPolicy, used: Counter[bool]) -> str:
    if call.code and call.code not in _OF_POLICY and call.code != "rejected_by_human_approval":
        return _recorded(call)
    if call.tool not in policy.allow:
        return "refused: not_allowed"
    limits = policy.limits
    most = limits.max_tool_calls_per_run if call.is_registered else limits.max_framework_calls_per_run
    if used[call.is_registered] >= most:
        return "refused: call_limit"
    if call.tool in policy.approval:
        if call.code == "rejected_by_human_approval":
            return _recorded(call)
        used[call.is_registered] += call.was_approved
        return "allowed after approval" if call.was_approved else "refused: approval_required"
    used[call.is_registered] += 1
    return "allowed"


def _flip(run: RecordedRun, subject: str, before: str, after: str) -> Flip:
    return Flip(run_id=run.run_id, agent=run.agent, subject=subject, before=before, after=after)
