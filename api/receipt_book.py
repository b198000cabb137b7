"""Receipts of a thread as guards read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from typing_extensions import override

from agents.guards.receipt_source import ReceiptSource
from agents.guards.receipts import Receipt, Status
from db.guard_store import GuardStore


class ReceiptBook(ReceiptSource):
    """Reads what the ledger of calls wrote, so receipts survive a restart and come from sub-agents too."""

    def __init__(self, store: GuardStore) -> None:
        self._store = store

    @override
    async def of_thread(self, session_id: str, run_id: str) -> Sequence[Receipt]:
        return [
            Receipt(
                receipt_id=row.receipt_id,
                effect=row.effect,
                tool=row.tool,
                status=cast("Status", row.status),
                args=row.facts,
                args_digest=row.args_digest,
                approval_id=row.approval_id,
                result_ref=row.result_ref,
                turn="this" if row.run_id == run_id else "earlier",
            )
            for row in await self._store.receipts_of_session(session_id)
        ]
