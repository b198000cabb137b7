"""What waits to be relayed: events by the sink they go to, and the dead letters no sink took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from db.audit_tables import AUDIT_DEAD_LETTER, AUDIT_OUTBOX, TOOL_AUDIT
from db.db_conn import Database
from db.stamp import utc_now

_CHUNK: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class DueEvent:
    """An event whose turn has come; `event` is None if its row is no longer in the audit. `attempts` are those that failed."""

    event_id: str
    attempts: int
    event: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """How many events wait for a sink, and since when the oldest of them could have gone."""

    sink: str
    events: int
    due_since: datetime


class AuditOutbox:
    """Keeps what is still to be sent, at least once. Its rows are written in the transaction of the audit row (`CallLedgerStore`)."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def due(self, sink: str, now: datetime, limit: int) -> list[DueEvent]:
        """Events of a sink whose turn has come: the longest waiting ones, in the order of their chains.

        A loss of power undoes none of them.
        """
        waiting = (
            select(AUDIT_OUTBOX.c.event_id, AUDIT_OUTBOX.c.attempts)
            .where(AUDIT_OUTBOX.c.sink == sink, AUDIT_OUTBOX.c.next_try_at <= now)
            .order_by(AUDIT_OUTBOX.c.next_try_at, AUDIT_OUTBOX.c.event_id)
            .limit(limit)
        )

        def read(connection: Connection) -> list[DueEvent]:
            attempts: dict[str, int] = {row.event_id: row.attempts for row in connection.execute(waiting)}
            events = (
                select(TOOL_AUDIT)
                .where(TOOL_AUDIT.c.event_id.in_(attempts))
                .order_by(TOOL_AUDIT.c.organization_id, TOOL_AUDIT.c.seq)
            )
            known = {row.event_id: dict(row._mapping) for row in connection.execute(events)}  # noqa: SLF001 - public in spite of its name
            lost = [event_id for event_id in attempts if event_id not in known]
            return [
                DueEvent(event_id=event_id, attempts=attempts[event_id], event=known.get(event_id))
                for event_id in [*lost, *known]
            ]

        events = await self._db.read(read)
        if events:  # what a sink has been told cannot be taken back
            await self._db.settle()
        return events

    async def delivered(self, sink: str, event_ids: Sequence[str]) -> None:
        """The sink has them."""
        gone = delete(AUDIT_OUTBOX).where(AUDIT_OUTBOX.c.sink == sink, AUDIT_OUTBOX.c.event_id.in_(event_ids))
        await self._db.write(lambda connection: connection.execute(gone))

    async def postpone(self, sink: str, event_id: str, *, attempts: int, wait: timedelta) -> None:
        """The sink did not take it; try again after `wait`."""
        change = (
            update(AUDIT_OUTBOX)
            .where(AUDIT_OUTBOX.c.event_id == event_id, AUDIT_OUTBOX.c.sink == sink)
            .values(attempts=attempts, next_try_at=utc_now() + wait)
        )
        await self._db.write(lambda connection: connection.execute(change))

    async def bury(self, sink: str, event_id: str, *, attempts: int, reason: str) -> None:
        """The sink did not take it after all tries: it waits for an operator."""

        def move(connection: Connection) -> None:
            mine = (AUDIT_OUTBOX.c.event_id == event_id, AUDIT_OUTBOX.c.sink == sink)
            if not connection.execute(delete(AUDIT_OUTBOX).where(*mine)).rowcount:
                return
            letter = {
                "event_id": event_id,
                "sink": sink,
                "attempts": attempts,
                "reason": reason,
                "failed_at": utc_now(),
            }
            connection.execute(insert(AUDIT_DEAD_LETTER).values(letter))

        await self._db.write(move)

    async def waiting(self) -> list[Waiting]:
        """What waits, by sink; sinks that are not configured any more are among them."""
        query = select(
            AUDIT_OUTBOX.c.sink, func.count().label("events"), func.min(AUDIT_OUTBOX.c.next_try_at).label("due_since")
        )
        grouped = query.group_by(AUDIT_OUTBOX.c.sink).order_by(AUDIT_OUTBOX.c.sink)

        def read(connection: Connection) -> list[Waiting]:
            return [
                Waiting(sink=row.sink, events=row.events, due_since=row.due_since)
                for row in connection.execute(grouped)
            ]

        return await self._db.read(read)

    async def dead_letters(self) -> dict[str, int]:
        """How many events wait for an operator, by sink."""
        query = select(AUDIT_DEAD_LETTER.c.sink, func.count().label("events")).group_by(AUDIT_DEAD_LETTER.c.sink)
        return await self._db.read(lambda connection: {row.sink: row.events for row in connection.execute(query)})

    async def letters(self, limit: int) -> list[dict[str, Any]]:
        """The oldest of them: event_id, sink, attempts, reason, failed_at."""
        query = select(AUDIT_DEAD_LETTER).order_by(AUDIT_DEAD_LETTER.c.failed_at, AUDIT_DEAD_LETTER.c.event_id)
        read = query.limit(limit)
        return await self._db.read(lambda connection: [dict(row._mapping) for row in connection.execute(read)])  # noqa: SLF001 - as above

    async def redrive(self, sinks: Sequence[str]) -> int:
        """Put the dead letters of these sinks into the outbox again, with new tries; how many there were."""

        def move(connection: Connection) -> int:
            mine = AUDIT_DEAD_LETTER.c.sink.in_(sinks)
            letters = connection.execute(select(AUDIT_DEAD_LETTER).where(mine)).all()
            now = utc_now()
            rows = [{"event_id": x.event_id, "sink": x.sink, "attempts": 0, "next_try_at": now} for x in letters]
            for start in range(0, len(rows), _CHUNK):
                connection.execute(insert(AUDIT_OUTBOX), rows[start : start + _CHUNK])
            connection.execute(delete(AUDIT_DEAD_LETTER).where(mine))
            return len(letters)

        return await self._db.write(move, durable=True)
