"""What code saw happen in a turn: a receipt for each effect a call had, or failed to have. No text can add one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from obs.sanitize import redact_credentials
from tools.call import Call, Ended
from tools.descriptor import ToolTraits, args_digest
from tools.ports import Admission, Outcome, Receipt, ReceiptStatus

_STATUS: Final[Mapping[Outcome, ReceiptStatus]] = {
    Outcome.OK: "ok",
    Outcome.REFUSED: "failed",
    Outcome.FORBIDDEN: "failed",
    Outcome.FAILED: "failed",
    # It may have happened all the same: nobody saw how it ended.
    Outcome.TIMEOUT: "unknown",
    Outcome.CANCELLED: "unknown",
}
"""Outcomes of calls that were made; a call that never ran leaves no receipt."""


def record_step(call: Call, ended: Ended[Any], admission: Admission) -> tuple[Receipt, ...]:
    """The receipts of a call that was made; the wrapper is the only one who asks.

    An effect counts as done (`ok`) only if the call ended well and what the tool declared as its evidence is there; without it the
    effect is `pending`. That an approval was consumed is sure here: a gated call without one is not made.
    """
    status = _STATUS.get(ended.outcome)
    if status is None:
        return ()
    if status == "ok" and call.tool.needs_evidence and not ended.evidence:
        status = "pending"
    return _receipts(
        call.tool,
        call.arguments,
        status=status,
        call_ref=admission.audit_id,
        answer=ended.facts,
        approval_id=admission.approval_id,
        result_ref=ended.evidence,
    )


def rejected_step(tool: ToolTraits, arguments: Mapping[str, Any], *, approval_id: str) -> tuple[Receipt, ...]:
    """The receipts of a call that a person said no to: it was never made."""
    return _receipts(tool, arguments, status="rejected", call_ref=approval_id, approval_id=approval_id)


def scalar_facts(data: Any) -> dict[str, Any]:
    """The plain values at the top of a tool's data: ids, amounts, states that a claim may name."""
    if not isinstance(data, Mapping):
        return {}
    return {str(name): value for name, value in data.items() if isinstance(value, (str, int, float))}


def _receipts(
    tool: ToolTraits,
    arguments: Mapping[str, Any],
    *,
    status: ReceiptStatus,
    call_ref: str,
    answer: Mapping[str, Any] | None = None,
    approval_id: str | None,
    result_ref: str | None = None,
) -> tuple[Receipt, ...]:
    facts = redact_credentials({**arguments, **(answer or {})})
    return tuple(
        Receipt(
            receipt_id=f"{call_ref}.{effect}",
            effect=effect,
            tool=tool.name,
            status=status,
            facts=facts,
            args_digest=args_digest(tool.name, arguments),
            approval_id=approval_id,
            result_ref=result_ref,
        )
        for effect in tool.effects
    )
