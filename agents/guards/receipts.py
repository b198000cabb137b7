"""Receipts: what code saw happen. The only evidence an outcome or a claim may rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["ok", "pending", "rejected", "failed", "unknown"]
Turn = Literal["this", "earlier"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One call of a tool that has an effect, as the wrapper of calls recorded it.

    Attributes:
        effect: Name of the effect, such as `refund.issued`.
        status: `ok` only if the call ended well, its evidence is there and its approval, if it needs one, was consumed.
            `unknown`: it may have happened, nobody saw.
        args: Facts of the call (arguments and what proves the effect), by name; amounts as numbers.
        turn: Whether the call belongs to this turn or to an earlier one of the same thread.
    """

    receipt_id: str
    effect: str
    tool: str
    status: Status
    args: Mapping[str, Any] = field(default_factory=dict)
    args_digest: str = ""
    approval_id: str | None = None
    result_ref: str | None = None
    turn: Turn = "this"
