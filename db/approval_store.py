"""What people decided about calls that waited for them; the ledger of calls consumes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from db.audit_tables import APPROVAL
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.records import Approval, EffectReceipt
from db.rows import columns_of, insert_records, to_record
from obs.sanitize import sanitize


class ApprovalStore:
    """Keeps decisions; a rejection goes on record in the audit chain in the same transaction."""

    def __init__(self, db: Database, ledger: CallLedgerStore) -> None:
        self._db = db
        self._ledger = ledger

    async def decide(
        self,
        approvals: Sequence[Approval],
        *,
        trace_id: str,
        agent: str,
        receipts: Mapping[str, Sequence[EffectReceipt]] | None = None,
    ) -> None:
        """Add decisions, all or none.

        Args:
            approvals: Approved and rejected ones; only the former let a call happen.
            trace_id: Of the run that goes on with them.
            agent: The run's agent.
            receipts: What the rejected calls did not do, by approval id.
        """

        def add(connection: Connection) -> None:
            insert_records(connection, APPROVAL, approvals, "approval")
            for approval in approvals:
                if approval.state == "rejected":
                    # What a person typed may hold anything; the record, unlike the decision itself, leaves the server.
                    said = replace(approval, reason=sanitize(approval.reason))
                    undone = (receipts or {}).get(approval.approval_id, ())
                    self._ledger.reject(connection, said, trace_id=trace_id, agent=agent, receipts=undone)

        await self._db.write(add, durable=True)

    async def of_session(self, session_id: str) -> list[Approval]:
        """Every decision about the calls of a session, oldest first."""
        query = select(*columns_of(APPROVAL, Approval)).where(APPROVAL.c.session_id == session_id)
        ordered = query.order_by(APPROVAL.c.decided_at, APPROVAL.c.approval_id)
        rows = await self._db.read(lambda connection: connection.execute(ordered).all())
        return [to_record(Approval, row) for row in rows]

    async def latest(self, limit: int) -> list[Approval]:
        """The newest decisions of all sessions, newest first."""
        query = select(*columns_of(APPROVAL, Approval)).order_by(APPROVAL.c.decided_at.desc()).limit(limit)
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return [to_record(Approval, row) for row in rows]
