"""Reading the audit: pages of it, its chains, and what waits to be relayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from db.audit_chain import Anchor, ChainReport, check_chain
from db.audit_tables import AUDIT_DEAD_LETTER, AUDIT_HEAD, AUDIT_OUTBOX, TOOL_AUDIT
from db.db_conn import Database
from db.stamp import fmt_dt, utc_now

_CHUNK: Final = 1000
_FILTERS: Final = ("session_id", "run_id", "user_id", "tool", "outcome", "trace_id", "audit_id")


class AuditStore:
    """Reads audit rows, keeps the outbox, retires what is older than it has to be."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def page(
        self, *, organization_id: str, before_seq: int | None, limit: int, equal: Mapping[str, str]
    ) -> list[dict[str, Any]]:
        """Rows of an organization, newest first.

        Args:
            organization_id: Whose.
            before_seq: Only rows with a smaller number.
            limit: How many at most.
            equal: Values that columns must have; names among session_id, run_id, user_id, tool, outcome, trace_id, audit_id.

        Raises:
            ValueError: There is no such filter.
        """
        if strays := equal.keys() - set(_FILTERS):
            raise ValueError(f"the audit is not filtered by {sorted(strays)}")
        where: list[ColumnElement[bool]] = [TOOL_AUDIT.c.organization_id == organization_id]
        where += [TOOL_AUDIT.c[name] == value for name, value in equal.items()]
        if before_seq is not None:
            where.append(TOOL_AUDIT.c.seq < before_seq)
        query = select(TOOL_AUDIT).where(*where).order_by(TOOL_AUDIT.c.seq.desc()).limit(limit)
        return await self._db.read(lambda connection: [_values(row) for row in connection.execute(query)])

    async def heads(self) -> list[Anchor]:
        """The end of every chain, now."""
        now = fmt_dt(utc_now())

        def read(connection: Connection) -> list[Anchor]:
            return [
                Anchor(organization_id=row.organization_id, seq=row.seq, hash=row.hash, at=now)
                for row in connection.execute(select(AUDIT_HEAD).order_by(AUDIT_HEAD.c.organization_id))
            ]

        return await self._db.read(read)

    async def verify(self, anchors: Sequence[Anchor], retired: Mapping[str, Anchor]) -> list[ChainReport]:
        """Check every chain against its anchors; a chain that is anchored and gone is reported too.

        Args:
            anchors: Of all organizations.
            retired: By organization, the last row that retention took away.
        """

        def check(connection: Connection) -> list[ChainReport]:
            known = {row.organization_id for row in connection.execute(select(TOOL_AUDIT.c.organization_id).distinct())}
            known |= {row.organization_id for row in connection.execute(select(AUDIT_HEAD.c.organization_id))}
            reports = []
            for organization in sorted(known | {anchor.organization_id for anchor in anchors}):
                mine = [anchor for anchor in anchors if anchor.organization_id == organization]
                head = connection.execute(
                    select(AUDIT_HEAD).where(AUDIT_HEAD.c.organization_id == organization)
                ).one_or_none()
                if head is not None:  # the head in the database is a witness like the others
                    mine.append(Anchor(organization_id=organization, seq=head.seq, hash=head.hash, at="head"))
                report = check_chain(
                    organization, _rows_of(connection, organization), mine, retired=retired.get(organization)
                )
                kept = max((a.seq for a in anchors if a.organization_id == organization), default=0)
                reports.append(_without_head(report, kept))
            return reports

        return await self._db.read(check)

    async def export(self) -> list[dict[str, Any]]:
        """Every row, by organization and number."""

        def read(connection: Connection) -> list[dict[str, Any]]:
            query = select(TOOL_AUDIT).order_by(TOOL_AUDIT.c.organization_id, TOOL_AUDIT.c.seq)
            return [_values(row) for row in connection.execute(query)]

        return await self._db.read(read)

    async def retirable(self, older_than: datetime) -> list[Anchor]:
        """For each chain whose beginning is older, the last row that may go; what remains is one piece and never empty."""

        def find(connection: Connection) -> list[Anchor]:
            ends = []
            for head in connection.execute(select(AUDIT_HEAD)).all():
                mine = TOOL_AUDIT.c.organization_id == head.organization_id
                first = connection.scalar(
                    select(func.min(TOOL_AUDIT.c.seq)).where(mine, TOOL_AUDIT.c.happened_at >= older_than)
                )
                upto = (head.seq if first is None else first) - 1
                last = connection.execute(select(TOOL_AUDIT).where(mine, TOOL_AUDIT.c.seq == upto)).one_or_none()
                if last is not None:
                    at = fmt_dt(last.happened_at)
                    ends.append(Anchor(organization_id=head.organization_id, seq=upto, hash=last.hash, at=at))
            return ends

        return await self._db.read(find)

    async def retire(self, ends: Sequence[Anchor]) -> None:
        """Delete each chain's rows up to its end, inclusive."""

        def remove(connection: Connection) -> None:
            for end in ends:
                mine = TOOL_AUDIT.c.organization_id == end.organization_id
                connection.execute(delete(TOOL_AUDIT).where(mine, TOOL_AUDIT.c.seq <= end.seq))

        await self._db.write(remove, durable=True)

    # -- the outbox ----------------------------------------------------------------------------------------------

    async def due(self, now: datetime, limit: int) -> list[tuple[str, int, dict[str, Any]]]:
        """Events whose turn has come, oldest first: sink, tries so far, the event."""
        query = (
            select(AUDIT_OUTBOX.c.sink, AUDIT_OUTBOX.c.attempts, TOOL_AUDIT)
            .join(TOOL_AUDIT, TOOL_AUDIT.c.event_id == AUDIT_OUTBOX.c.event_id)
            .where(AUDIT_OUTBOX.c.next_try_at <= now)
            .order_by(AUDIT_OUTBOX.c.next_try_at, TOOL_AUDIT.c.seq)
            .limit(limit)
        )

        def read(connection: Connection) -> list[tuple[str, int, dict[str, Any]]]:
            found = []
            for row in connection.execute(query):
                values = _values(row)
                found.append((values.pop("sink"), values.pop("attempts"), values))
            return found

        return await self._db.read(read)

    async def delivered(self, event_id: str, sink: str) -> None:
        """The sink has it."""
        gone = delete(AUDIT_OUTBOX).where(AUDIT_OUTBOX.c.event_id == event_id, AUDIT_OUTBOX.c.sink == sink)
        await self._db.write(lambda connection: connection.execute(gone))

    async def postpone(self, event_id: str, sink: str, *, attempts: int, wait: timedelta) -> None:
        """The sink did not take it; try again after `wait`."""
        change = (
            update(AUDIT_OUTBOX)
            .where(AUDIT_OUTBOX.c.event_id == event_id, AUDIT_OUTBOX.c.sink == sink)
            .values(attempts=attempts, next_try_at=utc_now() + wait)
        )
        await self._db.write(lambda connection: connection.execute(change))

    async def bury(self, event_id: str, sink: str, *, attempts: int, reason: str) -> None:
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

    async def dead_letters(self) -> list[dict[str, Any]]:
        """What waits for an operator, oldest first."""
        query = select(AUDIT_DEAD_LETTER).order_by(AUDIT_DEAD_LETTER.c.failed_at, AUDIT_DEAD_LETTER.c.event_id)
        return await self._db.read(lambda connection: [_values(row) for row in connection.execute(query)])

    async def redrive(self) -> int:
        """Put all of it into the outbox again, with new tries; how much there was."""

        def move(connection: Connection) -> int:
            letters = connection.execute(select(AUDIT_DEAD_LETTER)).all()
            if letters:
                now = utc_now()
                rows = [{"event_id": x.event_id, "sink": x.sink, "attempts": 0, "next_try_at": now} for x in letters]
                connection.execute(insert(AUDIT_OUTBOX), rows)
                connection.execute(delete(AUDIT_DEAD_LETTER))
            return len(letters)

        return await self._db.write(move)


def _values(row: Row[Any]) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001 - public in spite of its name


def _rows_of(connection: Connection, organization: str) -> Iterator[dict[str, Any]]:
    after = 0
    while True:
        query = (
            select(TOOL_AUDIT)
            .where(TOOL_AUDIT.c.organization_id == organization, TOOL_AUDIT.c.seq > after)
            .order_by(TOOL_AUDIT.c.seq)
            .limit(_CHUNK)
        )
        rows = connection.execute(query).all()
        yield from map(_values, rows)
        if len(rows) < _CHUNK:
            return
        after = rows[-1].seq


def _without_head(report: ChainReport, anchored: int) -> ChainReport:
    """The head stands in the same database as the rows: it finds a lost end, but it anchors nothing."""
    return ChainReport(
        organization_id=report.organization_id,
        rows=report.rows,
        first_seq=report.first_seq,
        last_seq=report.last_seq,
        anchored_seq=min(anchored, report.last_seq),
        faults=report.faults,
    )
