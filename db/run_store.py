"""Runs and their states; a state changes only by compare-and-set, so that two owners never both win."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, TypedDict

from sqlalchemy import ColumnElement, Connection, Select, case, select, update
from typing_extensions import Unpack

from db.db_conn import Database
from db.errors import NotFoundError
from db.records import ACTIVE_STATUSES, Run, RunStatus
from db.rows import columns_of, insert_records, require_session, to_record
from db.schema import RUN


class RunChanges(TypedDict, total=False):
    """What may change together with a run's status; `last_seq` belongs to the event log."""

    stop_reason: str | None
    outcome: str | None
    error_code: str | None
    owner: str | None
    lease_until: datetime | None
    epoch: int
    policy_hash: str | None
    waits_until: datetime | None
    cancel_requested_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


class RunStore:
    """Keeps runs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def create(self, run: Run) -> None:
        """Add a run.

        Raises:
            NotFoundError: The session is gone.
            DuplicateError: The id is taken.
        """

        def insert(connection: Connection) -> None:
            require_session(connection, run.session_id)
            insert_records(connection, RUN, [run], f"run {run.run_id!r}")

        await self._db.write(insert)

    async def get(self, run_id: str) -> Run:
        """The run.

        Raises:
            NotFoundError: There is none.
        """
        return _found(run_id, await self._first(_runs(RUN.c.run_id == run_id)))

    async def get_owned(self, run_id: str, user_name: str) -> Run:
        """The user's run.

        Raises:
            NotFoundError: There is none, or it is somebody else's.
        """
        return _found(run_id, await self._first(_runs(RUN.c.run_id == run_id, RUN.c.user_name == user_name)))

    async def set_status(
        self, run_id: str, *, expect: AbstractSet[RunStatus], status: RunStatus, **changes: Unpack[RunChanges]
    ) -> bool:
        """Move the run to `status`, and set `changes`, if it is in one of the states of `expect`; say whether it was."""
        change = update(RUN).where(RUN.c.run_id == run_id, RUN.c.status.in_(expect)).values(status=status, **changes)
        return await self._db.write(lambda connection: connection.execute(change).rowcount) == 1

    async def active_of(self, session_id: str) -> Run | None:
        """The session's run that is not final; before queued ones the one that is under way, then the oldest."""
        waits = case((RUN.c.status == RunStatus.QUEUED, 1), else_=0)
        query = _runs(RUN.c.session_id == session_id, RUN.c.status.in_(ACTIVE_STATUSES))
        return await self._first(query.order_by(waits, RUN.c.created_at, RUN.c.run_id))

    async def latest_of(self, session_id: str) -> Run | None:
        """The session's run that was made last, whatever its state."""
        query = _runs(RUN.c.session_id == session_id)
        return await self._first(query.order_by(RUN.c.created_at.desc(), RUN.c.run_id.desc()))

    async def latest(self, limit: int) -> list[Run]:
        """The runs of all sessions that were made last, newest first."""
        query = _runs().order_by(RUN.c.created_at.desc(), RUN.c.run_id.desc()).limit(limit)
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return [to_record(Run, row) for row in rows]

    async def unfinished(self) -> list[Run]:
        """Every run that is not final, oldest first; at start these are what a dead process left."""
        query = _runs(RUN.c.status.in_(ACTIVE_STATUSES)).order_by(RUN.c.created_at, RUN.c.run_id)
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return [to_record(Run, row) for row in rows]

    async def expired(self, now: datetime) -> list[Run]:
        """Runs that waited for a person until `now` or less, the oldest first."""
        query = _runs(RUN.c.status == RunStatus.INTERRUPTED, RUN.c.waits_until <= now)
        rows = await self._db.read(lambda connection: connection.execute(query.order_by(RUN.c.waits_until)).all())
        return [to_record(Run, row) for row in rows]

    async def _first(self, query: Select[Any]) -> Run | None:
        row = await self._db.read(lambda connection: connection.execute(query.limit(1)).one_or_none())
        return None if row is None else to_record(Run, row)


def _runs(*conditions: ColumnElement[bool]) -> Select[Any]:
    return select(*columns_of(RUN, Run)).where(*conditions)


def _found(run_id: str, run: Run | None) -> Run:
    if run is None:
        raise NotFoundError(f"no run {run_id!r}")
    return run
