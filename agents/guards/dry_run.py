"""What a changed policy would have decided about runs that are on record: the decisions that flip, before it is switched on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents.errors import RunLimitError
from agents.guards.outcome_integrity import outcome_of
from agents.guards.policy import AgentPolicy
from agents.guards.receipts import Receipt
from agents.guards.run_budget import Spent, require_within

_OF_POLICY: Final = frozenset({"not_allowed", "approval_required", "call_limit"})
"""Refusals that a policy decides; modes, availability and wrong arguments refuse whatever it says."""
_OF_BUDGET: Final = frozenset({"model_call_limit", "cost_limit", "cost_unknown"})
"""Ends of a run before a model call that it would otherwise have made."""

NOT_REPLAYED: Final = (
    "wall time (max_run_s): how long a run would have taken is not on record",
    "which calls, model calls and answers would follow a flip: what is listed behind it in a run may not happen",
    "model calls side by side are replayed one after another, so max_cost_per_run may stop a run here one call early",
    "checks of answers (response_guard, critical_fields) and reviews (sampling, confidence)",
)
"""What a dry run does not tell, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A call as the audit has it; `code` is empty if it was allowed."""

    tool: str
    code: str
    was_approved: bool
    is_registered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedModelCall:
    """A model call as the ledger has it; `cost_micro` is None if it had no price."""

    cost_micro: int | None
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """A run as the record has it.

    Attributes:
        run_id: Which run.
        agent: Its agent.
        text: What was said.
        escalated_by: Rule of the policy that sent the message to people; empty if none did, also where an answer was escalated.
        calls: What was called, in the order in which the calls took their places.
        policy_version: Version of the policy it ran under; empty if that is not known.
        model_calls: Calls of models, in their order.
        stopped_by: Code of the stop that ended it; empty if none did.
        outcome: How it ended, if it ended well; empty otherwise.
        receipts: Effects it had.
    """

    run_id: str
    agent: str
    text: str
    escalated_by: str
    calls: Sequence[RecordedCall]
    policy_version: str = ""
    model_calls: Sequence[RecordedModelCall] = ()
    stopped_by: str = ""
    outcome: str = ""
    receipts: Sequence[Receipt] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One decision that would be another."""

    run_id: str
    agent: str
    subject: str
    before: str
    after: str


def replay(run: RecordedRun, policy: AgentPolicy, *, max_model_calls: int = 1_000_000) -> list[Flip]:
    """Decide a run again under a policy.

    A run that would be escalated now has no further decisions; one that was, and would not be, has none on record to compare.

    Args:
        run: As it is on record.
        policy: The one to try.
        max_model_calls: The server's own bound.
    """
    hit = policy.screen.find(run.text)
    before, after = run.escalated_by or "no escalation", hit.name if hit is not None else "no escalation"
    if before != after:
        return [_flip(run, "message", before, after)]
    if hit is not None:
        return []
    used: Counter[bool] = Counter()
    flips = []
    for call in _by_place(run.calls):
        was, now = _recorded(call), _decide(call, policy, used)
        if was != now:
            flips.append(_flip(run, call.tool, was, now))
    # The very policy that decided would decide so again; calls side by side could only look otherwise.
    if run.policy_version != policy.version:
        flips.extend(_flips_of_budget(run, policy, max_model_calls))
        flips.extend(_flips_of_outcome(run, policy))
    return flips


def replay_all(
    runs: Iterable[RecordedRun], policies: dict[str, AgentPolicy], *, max_model_calls: int = 1_000_000
) -> list[Flip]:
    """Decide many runs again; an agent that is gone allows nothing."""
    return [
        flip
        for run in runs
        for flip in replay(run, policies.get(run.agent, AgentPolicy()), max_model_calls=max_model_calls)
    ]


def _by_place(calls: Sequence[RecordedCall]) -> list[RecordedCall]:
    """Places are never given back, so a call that got none stands behind all that got one, whenever its row was written."""
    return sorted(calls, key=lambda call: call.code == "call_limit")


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
    # The place is taken before anybody is asked, and kept whatever they say.
    used[call.is_registered] += 1
    if call.tool not in policy.approval:
        return "allowed"
    if call.code == "rejected_by_human_approval":
        return _recorded(call)
    return "allowed after approval" if call.was_approved else "refused: approval_required"


def _flips_of_budget(run: RecordedRun, policy: AgentPolicy, max_model_calls: int) -> Iterator[Flip]:
    was = run.stopped_by if run.stopped_by in _OF_BUDGET else ""
    made = len(run.model_calls)
    for number in range(made + bool(was)):
        if now := _stop_before(number, run, policy, max_model_calls):
            if number < made or now != was:
                before = f"stopped: {was}" if number == made else "made"
                yield _flip(run, f"model call {number + 1}", before, f"stopped: {now}")
            return
    if was:
        yield _flip(run, f"model call {made + 1}", f"stopped: {was}", "made")


def _stop_before(number: int, run: RecordedRun, policy: AgentPolicy, max_model_calls: int) -> str:
    """Why the policy would stop the run before its model call of that number, from 0 on; empty if it would not."""
    earlier = run.model_calls[:number]
    costs = [call.cost_micro for call in earlier if call.cost_micro is not None]
    currencies = {call.currency for call in earlier if call.cost_micro is not None}
    # Whether a call that was never made had a price is known by what stopped it only.
    is_last = number == len(run.model_calls)
    has_price = run.stopped_by != "cost_unknown" if is_last else run.model_calls[number].cost_micro is not None
    spent = Spent(
        model_calls=number,
        cost_micro=sum(costs) if len(costs) == number and len(currencies) <= 1 else None,
        currency=currencies.pop() if len(currencies) == 1 else "",
        is_priced=has_price,
    )
    try:
        require_within(policy.limits, spent, max_model_calls=max_model_calls)
    except RunLimitError as stop:
        return stop.code
    return ""


def _flips_of_outcome(run: RecordedRun, policy: AgentPolicy) -> Iterator[Flip]:
    if run.outcome and (now := outcome_of(run.receipts, policy.outcomes)) != run.outcome:
        yield _flip(run, "outcome", run.outcome, now)


def _flip(run: RecordedRun, subject: str, before: str, after: str) -> Flip:
    return Flip(run_id=run.run_id, agent=run.agent, subject=subject, before=before, after=after)
