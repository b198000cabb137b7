"""Reading the audit: pages of it, its chains, all of it; and letting go of what is old enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select

from db.audit_chain import Anchor, ChainReport, check_chain
from db.audit_tables import AUDIT_DEAD_LETTER, AUDIT_HEAD, AUDIT_OUTBOX, TOOL_AUDIT
from db.call_ledger import BEFORE, END
from db.db_conn import Database
from db.stamp import fmt_dt, utc_now

_CHUNK: Final = 1000
_RETIRED_AT_ONCE: Final = 5000
_FILTERS: Final = ("session_id", "run_id", "user_id", "tool", "outcome", "trace_id", "audit_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCalls:
    """Calls on record that have no end yet, and up to which row of each chain that is known."""

    audit_ids: frozenset[str]
    upto: Mapping[str, int]


class AuditStore:
    """Reads audit rows and retires what is older than it has to be."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._settled_ends: set[tuple[str, int]] = set()

    async def page(
        self,
        *,
        organization_id: str,
        before_seq: int | None,
        limit: int,
        equal: Mapping[str, str],
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[dict[str, Any]]:
        """Rows of an organization, newest first.

        Args:
            organization_id: Whose.
            before_seq: Only rows with a smaller number.
            limit: How many at most.
            equal: Values that columns must have; names among session_id, run_id, user_id, tool, outcome, trace_id, audit_id.
            since: Only rows of this moment or later.
            until: Only rows before this moment.

        Raises:
            ValueError: There is no such filter.
        """
        if strays := equal.keys() - set(_FILTERS):
            raise ValueError(f"the audit is not filtered by {sorted(strays)}")
        where: list[ColumnElement[bool]] = [TOOL_AUDIT.c.organization_id == organization_id]
        where += [TOOL_AUDIT.c[name] == value for name, value in equal.items()]
        if before_seq is not None:
            where.append(TOOL_AUDIT.c.seq < before_seq)
        if since is not None:
            where.append(TOOL_AUDIT.c.happened_at >= since)
        if until is not None:
            where.append(TOOL_AUDIT.c.happened_at < until)
        query = select(TOOL_AUDIT).where(*where).order_by(TOOL_AUDIT.c.seq.desc()).limit(limit)
        return await self._db.read(lambda connection: [_values(row) for row in connection.execute(query)])

    async def heads(self) -> list[Anchor]:
        """The end of every chain, now; a loss of power does not undo what they vouch for."""
        now = fmt_dt(utc_now())

        def read(connection: Connection) -> list[Anchor]:
            return [
                Anchor(organization_id=row.organization_id, seq=row.seq, hash=row.hash, at=now)
                for row in connection.execute(select(AUDIT_HEAD).order_by(AUDIT_HEAD.c.organization_id))
            ]

        heads = await self._db.read(read)
        ends = {(head.organization_id, head.seq) for head in heads}
        if not ends <= self._settled_ends:
            # An anchor of a row that is lost would testify against an honest chain.
            await self._db.settle()
            self._settled_ends = ends
        return heads

    async def verify(self, anchors: Sequence[Anchor], retired: Mapping[str, Sequence[Anchor]]) -> list[ChainReport]:
        """Check every chain against its anchors; a chain that is anchored and gone is reported too.

        Args:
            anchors: Of all organizations.
            retired: By organization, the last rows that retention took away, oldest first.
        """

        def check(connection: Connection) -> list[ChainReport]:
            known = {row.organization_id for row in connection.execute(select(TOOL_AUDIT.c.organization_id).distinct())}
            known |= {row.organization_id for row in connection.execute(select(AUDIT_HEAD.c.organization_id))}
            return [
                _check(
                    connection,
                    organization,
                    [anchor for anchor in anchors if anchor.organization_id == organization],
                    retired.get(organization, ()),
                )
                for organization in sorted(known | {anchor.organization_id for anchor in anchors})
            ]

        return await self._db.read(check)

    async def export(self, write: Callable[[dict[str, Any]], object]) -> int:
        """Hand every row to `write`, by organization and number, a part of them in memory at a time; how many there were.

        `write` is called in a thread of the database; all rows are of one moment.
        """

        def read(connection: Connection) -> int:
            names = select(TOOL_AUDIT.c.organization_id).distinct().order_by(TOOL_AUDIT.c.organization_id)
            count = 0
            for organization in connection.scalars(names).all():
                for row in _rows_of(connection, organization):
                    write(row)
                    count += 1
            return count

        return await self._db.read(read)

    async def open_calls(self, known: OpenCalls | None = None) -> OpenCalls:
        """Which calls have not ended.

        Args:
            known: What this method said before; then it reads the rows since only.
        """

        def read(connection: Connection) -> OpenCalls:
            heads = {row.organization_id: row.seq for row in connection.execute(select(AUDIT_HEAD))}
            if known is None:
                ends = TOOL_AUDIT.alias()
                is_ended = select(ends.c.seq).where(ends.c.audit_id == TOOL_AUDIT.c.audit_id, ends.c.phase == END)
                begun = select(TOOL_AUDIT.c.audit_id).where(TOOL_AUDIT.c.phase == BEFORE, ~is_ended.exists())
                return OpenCalls(audit_ids=frozenset(connection.scalars(begun)), upto=heads)
            opened = set(known.audit_ids)
            for organization, seq in heads.items():
                if seq != (before := known.upto.get(organization, 0)):
                    news = select(TOOL_AUDIT.c.audit_id, TOOL_AUDIT.c.phase).where(
                        TOOL_AUDIT.c.organization_id == organization, TOOL_AUDIT.c.seq > before
                    )
                    for row in connection.execute(news.order_by(TOOL_AUDIT.c.seq)):
                        (opened.discard if row.phase == END else opened.add)(row.audit_id)
            return OpenCalls(audit_ids=frozenset(opened), upto=heads)

        return await self._db.read(read)

    async def retirable(self, older_than: datetime, *, sinks: Sequence[str] = ()) -> list[Anchor]:
        """For each chain whose beginning is older, the last row that may go now; what remains is one piece and never empty.

        Never more than a few thousand rows of a chain, so that calls do not wait long for the deletion: ask again until there is none.

        Args:
            older_than: Younger rows stay.
            sinks: What waits for one of these, or is a dead letter of it, stays with everything after it.
        """

        def find(connection: Connection) -> list[Anchor]:
            ends = []
            for head in connection.execute(select(AUDIT_HEAD)).all():
                mine = TOOL_AUDIT.c.organization_id == head.organization_id
                first = connection.scalar(select(func.min(TOOL_AUDIT.c.seq)).where(mine))
                if first is None:
                    continue
                kept = [head.seq, first + _RETIRED_AT_ONCE]
                young = select(func.min(TOOL_AUDIT.c.seq)).where(mine, TOOL_AUDIT.c.happened_at >= older_than)
                kept.append(connection.scalar(young))
                for table in (AUDIT_OUTBOX, AUDIT_DEAD_LETTER):
                    owed = select(table.c.event_id).where(table.c.sink.in_(sinks))
                    kept.append(
                        connection.scalar(
                            select(func.min(TOOL_AUDIT.c.seq)).where(mine, TOOL_AUDIT.c.event_id.in_(owed))
                        )
                    )
                upto = min(seq for seq in kept if seq is not None) - 1
                last = connection.execute(select(TOOL_AUDIT).where(mine, TOOL_AUDIT.c.seq == upto)).one_or_none()
                if last is not None:
                    at = fmt_dt(last.happened_at)
                    ends.append(Anchor(organization_id=head.organization_id, seq=upto, hash=last.hash, at=at))
            return ends

        return await self._db.read(find)

    async def retire(self, ends: Sequence[Anchor]) -> None:
        """Delete each chain's rows up to its end, inclusive, and what still waited for sinks that are configured no more."""

        def remove(connection: Connection) -> None:
            for end in ends:
                old = (TOOL_AUDIT.c.organization_id == end.organization_id, TOOL_AUDIT.c.seq <= end.seq)
                for table in (AUDIT_OUTBOX, AUDIT_DEAD_LETTER):
                    connection.execute(
                        delete(table).where(table.c.event_id.in_(select(TOOL_AUDIT.c.event_id).where(*old)))
                    )
                connection.execute(delete(TOOL_AUDIT).where(*old))

        await self._db.write(remove, durable=True)


def _check(
    connection: Connection, organization: str, anchors: Sequence[Anchor], retired: Sequence[Anchor]
) -> ChainReport:
    mine = TOOL_AUDIT.c.organization_id == organization
    first = connection.scalar(select(func.min(TOOL_AUDIT.c.seq)).where(mine)) or 0
    # Retention writes an end down before its rows go: of a retirement that is under way, or broke off, the rows are still there.
    gone = [end for end in retired if end.seq < first]
    head = connection.execute(select(AUDIT_HEAD).where(AUDIT_HEAD.c.organization_id == organization)).one_or_none()
    witnesses = list(anchors)
    if head is not None:  # the head in the database is a witness like the others
        witnesses.append(Anchor(organization_id=organization, seq=head.seq, hash=head.hash, at="head"))
    report = check_chain(
        organization, _rows_of(connection, organization), witnesses, retired=gone[-1] if gone else None
    )
    # It stands in the same database as the rows: it finds a lost end, but it anchors nothing.
    anchored = max((anchor.seq for anchor in anchors), default=0)
    return replace(report, anchored_seq=min(anchored, report.last_seq))


def _values(row: Row[Any]) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001 - public in spite of its name


def _rows_of(connection: Connection, organization: str) -> Iterator[dict[str, Any]]:
    where = [TOOL_AUDIT.c.organization_id == organization]  # also rows whose number nobody of us gave them
    while True:
        query = select(TOOL_AUDIT).where(*where).order_by(TOOL_AUDIT.c.seq).limit(_CHUNK)
        rows = connection.execute(query).all()
        yield from map(_values, rows)
        if len(rows) < _CHUNK:
            return
        where[1:] = [TOOL_AUDIT.c.seq > rows[-1].seq]
