"""What the stores take and give: one frozen record for each kind of row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, Literal, TypeVar

Item = TypeVar("Item")


class RunStatus(StrEnum):
    """Life of a run: queued, running, interrupted and cancelling are active, the others final."""

    QUEUED = "queued"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ESCALATED = "escalated"
    LIMITED = "limited"


ACTIVE_STATUSES: Final = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.INTERRUPTED, RunStatus.CANCELLING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation of one user with one agent; its id is the graph's thread id."""

    session_id: str
    user_name: str
    agent: str
    title: str
    permission_mode: str
    plan_mode: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as the page shows it; `parts` are the frames of an assistant's turn in time order."""

    message_id: str
    session_id: str
    run_id: str | None
    role: str
    content: str
    parts: list[dict[str, Any]]
    status: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a session; `path` is the virtual one, `/workspace/...`, and `size` counts bytes."""

    file_id: str
    session_id: str
    run_id: str | None
    role: Literal["upload", "output"]
    path: str
    name: str
    media_type: str
    size: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One turn of an agent from its input to its final `done`, across interruptions."""

    run_id: str
    session_id: str
    user_name: str
    agent: str
    status: RunStatus
    created_at: datetime
    stop_reason: str | None = None
    outcome: str | None = None
    error_code: str | None = None
    last_seq: int = 0
    owner: str | None = None
    lease_until: datetime | None = None
    epoch: int = 0
    policy_hash: str | None = None
    waits_until: datetime | None = None
    permission_mode: str = "default"
    plan_mode: str = "off"
    cancel_requested_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """One frame of a run's log: `frame` is the JSON text as it was sent.

    `tool_call_id_result` is set on the result of a tool call and on nothing else; a second result of a call is refused.
    """

    run_id: str
    seq: int
    type: str
    frame: str
    created_at: datetime
    tool_call_id_result: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow:
    """One model call; input includes what was cached, output includes reasoning, money is in millionths.

    `cost_micro` is None when no price was known, which is not the same as free.
    """

    call_id: str
    run_id: str
    session_id: str
    user_name: str
    agent: str
    role: str
    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    usage_source: str
    cost_micro: int | None
    currency: str
    price_version: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageTotals:
    """Sums over model calls; `cost_micro` is None as soon as one of them has no price or another currency."""

    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    reasoning_tokens: int
    cost_micro: int | None
    currency: str
    sources: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A governed call that is about to happen; ids and digests, no content."""

    audit_id: str
    run_id: str
    tool_call_id: str
    organization_id: str
    user_id: str
    session_id: str
    surface: str
    agent: str
    model: str
    trace_id: str
    tool: str
    tool_version: str
    policy_version: str
    input_digest: str
    effects: tuple[str, ...]
    allowed: bool
    rule: str
    code: str | None
    detail: str
    needs_approval: bool
    counter: str
    max_calls: int | None
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """A call that takes its place in the count of its run; `max_calls` is how many of its kind there may be."""

    run_id: str
    tool_call_id: str
    counter: str
    max_calls: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """What was decided about a call in its transaction; `code` says why it may not happen."""

    audit_id: str
    code: str | None
    rule: str
    approval_id: str | None = None
    approver: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectReceipt:
    """What one call did, or did not do, about one effect; `facts` are its arguments and what proves it."""

    receipt_id: str
    effect: str
    tool: str
    args_digest: str
    facts: dict[str, Any]
    approval_id: str | None
    result_ref: str | None
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRow(EffectReceipt):
    """The same with the call it belongs to."""

    run_id: str
    session_id: str
    tool_call_id: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEnd:
    """How an admitted call ended."""

    audit_id: str
    outcome: str
    code: str
    incident_id: str
    detail: str
    result_digest: str
    ended_at: datetime
    receipts: Sequence[EffectReceipt] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A person's word about one call; it fits only a call that agrees with it in every field."""

    approval_id: str
    organization_id: str
    run_id: str
    tool_call_id: str
    session_id: str
    user_id: str
    tool: str
    tool_version: str
    input_digest: str
    policy_version: str
    state: Literal["approved", "rejected", "consumed"]
    decided_by: str
    reason: str
    decided_at: datetime
    expires_at: datetime
    consumed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AloneCall:
    """A call that was let through without a person; `outcome` is None while nobody knows how it ended."""

    audit_id: str
    tool_call_id: str
    tool: str
    outcome: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardVerdict:
    """What a guard decided about a text: the `original` stays here, `shown` is what the user got instead."""

    verdict_id: str
    run_id: str
    session_id: str
    message_id: str | None
    guard: str
    verdict: str
    code: str
    policy_version: str
    original: str
    shown: str
    spans: list[dict[str, Any]]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """Something a person shall look at: an escalated message, a corrected answer, a sampled action.

    Attributes:
        kind: `escalation`, `outcome`, `guard`, `sample` or `confidence`.
        rule: What put it here: the pattern's name, the guard's code, the sampled tool.
        subject: What there is to judge, in words.
        signals: What code knew at the time: receipts, guard verdicts, retries.
        verdict: The person's: whether the system was right; None until there is one.
    """

    review_id: str
    kind: str
    rule: str
    run_id: str
    session_id: str
    user_name: str
    agent: str
    model: str
    tool: str
    policy_version: str
    subject: str
    signals: dict[str, Any]
    created_at: datetime
    due_at: datetime
    verdict: str | None = None
    note: str = ""
    decided_by: str | None = None
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """A stretch of a list; `next_cursor` asks for the one after it and is None at the end."""

    items: Sequence[Item]
    next_cursor: str | None
