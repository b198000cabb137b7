"""The log of what a run has sent: numbered from 1 without a gap, stored before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, select, update

from db.db_conn import Database
from db.errors import ConflictError, NotFoundError
from db.records import RunEvent
from db.rows import columns_of, insert_records, to_record
from db.schema import RUN, RUN_EVENT

# Built once: this statement runs for every frame that is sent.
_FOLLOW: Final = (
    update(RUN)
    .where(RUN.c.run_id == bindparam("of_run"), RUN.c.last_seq == bindparam("before"))
    .values(last_seq=bindparam("last"))
)


class RunEventStore:
    """Keeps frames."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def append(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Add frames at the end of the run's log, all in one commit or none; the run's `last_seq` follows.

        Raises:
            ValueError: The events are of another run, or not numbered one after the other.
            NotFoundError: The run is gone.
            ConflictError: They do not follow the last stored frame: somebody else wrote, or some were left out.
            DuplicateError: A tool call has its result already.
        """
        if events and events[0].run_id != run_id:
            raise ValueError(f"events of run {events[0].run_id!r} are not of run {run_id!r}")
        await self.append_many([events])

    async def append_many(self, stretches: Sequence[Sequence[RunEvent]]) -> None:
        """Do for the logs of several runs what `append` does for one, all in one commit or none.

        One commit for all is what keeps many streams cheap: it costs about as much as one for each of them.
        """
        filled = [stretch for stretch in stretches if stretch]
        for stretch in filled:
            _check(stretch)

        def insert(connection: Connection) -> None:
            for stretch in filled:
                _advance(connection, stretch)
            insert_records(connection, RUN_EVENT, [one for stretch in filled for one in stretch], "a tool's result")

        if filled:
            await self._db.write(insert)

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> list[RunEvent]:
        """At most `limit` frames behind number `after`, in their order; empty also for a run that is gone."""
        query = (
            select(*columns_of(RUN_EVENT, RunEvent))
            .where(RUN_EVENT.c.run_id == run_id, RUN_EVENT.c.seq > after)
            .order_by(RUN_EVENT.c.seq)
            .limit(limit)
        )
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return [to_record(RunEvent, row) for row in rows]

    async def last_seq(self, run_id: str) -> int:
        """Number of the last stored frame, 0 before the first.

        Raises:
            NotFoundError: There is no such run.
        """
        return await self._db.read(lambda connection: _last_seq(connection, run_id))


def _check(stretch: Sequence[RunEvent]) -> None:
    run_id, first = stretch[0].run_id, stretch[0].seq
    if any(event.run_id != run_id or event.seq != first + index for index, event in enumerate(stretch)):
        raise ValueError(f"events are not one stretch of the log of run {run_id!r}")


def _advance(connection: Connection, stretch: Sequence[RunEvent]) -> None:
    run_id, before = stretch[0].run_id, stretch[0].seq - 1
    values = {"of_run": run_id, "before": before, "last": stretch[-1].seq}
    if connection.execute(_FOLLOW, values).rowcount == 0:
        last_seq = _last_seq(connection, run_id)
        raise ConflictError(f"run {run_id!r} has {last_seq} frames, number {before + 1} does not follow")


def _last_seq(connection: Connection, run_id: str) -> int:
    last_seq = connection.scalar(select(RUN.c.last_seq).where(RUN.c.run_id == run_id))
    if last_seq is None:
        raise NotFoundError(f"no run {run_id!r}")
    return int(last_seq)
