"""What the wrapper needs of a database, said without one: a ledger of calls with two promises, one transaction each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

Counter = Literal["tool", "framework"]
ReceiptStatus = Literal["ok", "pending", "rejected", "failed", "unknown"]


class Outcome(StrEnum):
    """How a call ended. `unknown` is written for calls whose process died, never by the wrapper."""

    OK = "ok"
    REFUSED = "refused"
    FORBIDDEN = "forbidden"
    FAILED = "failed"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    DENIED = "denied"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEntry:
    """A call that is about to happen, as it is put on record; ids and digests only, no content.

    Attributes:
        audit_id: Identity of the record, new for each call.
        run_id: The run; with `tool_call_id` it tells a call that the graph enters again.
        tool_call_id: The call's id in the graph, or a new one for a call that came another way.
        model: Model that asked for the call; empty where none did.
        tool_version: Digest of the tool's schema.
        input_digest: Digest of tool and canonical arguments; an approval is bound to it.
        allowed: What was decided in memory.
        rule: The rule that decided.
        code: Why not, for programs; None if allowed.
        detail: What only the audit may know about a refusal.
        needs_approval: Whether an approval has to be consumed.
        counter: What the call counts as: `tool`, or `framework` for the framework's own.
        max_calls: Calls of this kind the run may make at all; None for no bound.
    """

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
    counter: Counter
    max_calls: int | None
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What the ledger decided in its transaction.

    Attributes:
        audit_id: The record of the call: of an earlier entry if the graph enters it again.
        code: Why the call may not happen; None if it may.
        rule: The rule that decided.
        approval_id: The approval that was consumed.
        approver: Who gave it.
    """

    audit_id: str
    code: str | None
    rule: str
    approval_id: str | None = None
    approver: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one call did, or failed to do, about one effect.

    Attributes:
        effect: Name of the effect, such as `report.published`.
        status: `ok` is the only one that supports the claim that it was done. `pending`: accepted, its evidence is not there yet.
            `unknown`: it may have happened, nobody saw.
        facts: Arguments of the call and plain values of its answer, free of credentials; a claim must agree with them.
        result_ref: What proves the effect: a number, an id.
    """

    receipt_id: str
    effect: str
    tool: str
    status: ReceiptStatus
    facts: Mapping[str, Any]
    args_digest: str
    approval_id: str | None
    result_ref: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnd:
    """How an admitted call ended; `detail` is cleaned of secrets, `result_digest` is of what the model reads."""

    audit_id: str
    outcome: Outcome
    code: str
    incident_id: str
    detail: str
    result_digest: str
    ended_at: datetime
    receipts: tuple[Receipt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """A call that takes its place in the count of its run before anybody is asked about it."""

    run_id: str
    tool_call_id: str
    counter: Counter
    max_calls: int | None


class CallLedger(Protocol):
    """Keeps the record of every call. Methods return after the commit, or raise with nothing written."""

    async def reserve(self, place: CallPlace) -> bool:
        """Count a call; False if the run has made as many as it may. Entering or admitting it later counts it no second time."""
        ...

    async def admit(self, entry: CallEntry) -> Admission:
        """Write the before-row with its decision, count the call against its run, consume its approval: all or nothing.

        A refused call is written too, with its end. The refusals of the ledger itself: `approval_required` (none that fits these
        arguments, this user, session, policy; or it expired), `call_limit`, `call_closed` (the call ended already).
        """
        ...

    async def close(self, end: CallEnd) -> None:
        """Write the terminal row with its receipts and hand it to the outbox; a second end of a call changes nothing."""
        ...
