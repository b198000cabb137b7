"""What guards decided about texts, and the receipts they decided by."""

from __future__ import annotations

from sqlalchemy import select

from db.db_conn import Database
from db.guard_tables import GUARD_VERDICT, RECEIPT
from db.records import GuardVerdict, ReceiptRow
from db.rows import columns_of, to_record


class GuardStore:
    """Reads verdicts and receipts; only the ledger of calls writes them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def verdicts_of_run(self, run_id: str) -> list[GuardVerdict]:
        """What guards decided in a run, oldest first."""
        query = select(*columns_of(GUARD_VERDICT, GuardVerdict)).where(GUARD_VERDICT.c.run_id == run_id)
        rows = await self._db.read(
            lambda connection: connection.execute(query.order_by(GUARD_VERDICT.c.verdict_id)).all()
        )
        return [to_record(GuardVerdict, row) for row in rows]

    async def receipts_of_session(self, session_id: str) -> list[ReceiptRow]:
        """Every receipt of a session, oldest first; a claim may rest on an earlier turn."""
        query = select(*columns_of(RECEIPT, ReceiptRow)).where(RECEIPT.c.session_id == session_id)
        ordered = query.order_by(RECEIPT.c.created_at, RECEIPT.c.receipt_id)
        rows = await self._db.read(lambda connection: connection.execute(ordered).all())
        return [to_record(ReceiptRow, row) for row in rows]
