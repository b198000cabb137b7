"""What of a session waits for a person, as clients read it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from agents.session_agent import PendingApproval
from db.db_conn import fmt_dt
from db.records import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The run that waits, and for what; no run and nothing where none does."""

    run: Run | None = None
    approvals: tuple[PendingApproval, ...] = ()

    @property
    def items(self) -> list[dict[str, Any]]:
        """The approvals as a client reads them."""
        until = None if self.run is None else self.run.waits_until
        return [interrupt_item(approval, until) for approval in self.approvals]


def asked_under(approvals: Iterable[PendingApproval], policy_version: str | None) -> tuple[PendingApproval, ...]:
    """The questions as people are asked them: the digest also says under which policy.

    An answer to one that was asked under another policy does not fit.
    """
    return tuple(
        replace(one, args_digest=hashlib.sha256(f"{one.args_digest}\0{policy_version or ''}".encode()).hexdigest())
        for one in approvals
    )


def interrupt_item(approval: PendingApproval, waits_until: datetime | None) -> dict[str, Any]:
    """One pending approval as a client reads it; at `waits_until` it counts as rejected."""
    return {
        "interrupt_id": approval.interrupt_id,
        "tool_call_id": approval.tool_call_id,
        "name": approval.name,
        "title": approval.title,
        "args": approval.args,
        "args_digest": approval.args_digest,
        "allowed": list(approval.allowed),
        "schema": approval.schema,
        "reason": approval.reason,
        "expires_at": None if waits_until is None else fmt_dt(waits_until),
    }
