"""Between the wrapper of tool calls, which knows no table, and the store of calls, which knows no tool."""

from __future__ import annotations

from dataclasses import fields

from typing_extensions import override

from db.call_ledger import CallLedgerStore
from db.records import AuditEnd, AuditEntry, EffectReceipt
from db.records import CallPlace as PlaceRow
from tools.ports import Admission, CallEnd, CallEntry, CallLedger, CallPlace, Receipt


class ToolLedger(CallLedger):
    """The server's ledger of calls."""

    def __init__(self, store: CallLedgerStore) -> None:
        self._store = store

    @override
    async def reserve(self, place: CallPlace) -> bool:
        return await self._store.reserve(
            PlaceRow(**{field.name: getattr(place, field.name) for field in fields(PlaceRow)})
        )

    @override
    async def admit(self, entry: CallEntry) -> Admission:
        admitted = await self._store.admit(
            AuditEntry(**{field.name: getattr(entry, field.name) for field in fields(AuditEntry)})
        )
        return Admission(**{field.name: getattr(admitted, field.name) for field in fields(Admission)})

    @override
    async def close(self, end: CallEnd) -> None:
        await self._store.close(
            AuditEnd(
                audit_id=end.audit_id,
                outcome=end.outcome.value,
                code=end.code,
                incident_id=end.incident_id,
                detail=end.detail,
                result_digest=end.result_digest,
                ended_at=end.ended_at,
                receipts=[to_row(receipt) for receipt in end.receipts],
            )
        )


def to_row(receipt: Receipt) -> EffectReceipt:
    """A receipt as the database keeps it."""
    values = {field.name: getattr(receipt, field.name) for field in fields(EffectReceipt)}
    return EffectReceipt(**{**values, "facts": dict(receipt.facts)})
