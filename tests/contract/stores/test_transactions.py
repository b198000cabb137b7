"""What a transaction means, the same on every database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Connection, insert, select, update

from db.audit_tables import RUN_CALLS
from db.db_conn import Database


def calls_of(connection: Connection) -> dict[str, int]:
    return {row.run_id: row.calls for row in connection.execute(select(RUN_CALLS))}


def added(run_id: str) -> Callable[[Connection], None]:
    def add(connection: Connection) -> None:
        mine = RUN_CALLS.c.run_id == run_id
        connection.execute(update(RUN_CALLS).where(mine).values(calls=RUN_CALLS.c.calls + 1))

    return add


async def two_runs(database: Database) -> None:
    rows = [{"run_id": name, "kind": "tool", "calls": 0} for name in ("a", "b")]
    await database.write(lambda connection: connection.execute(insert(RUN_CALLS), rows))


async def test_two_writers_who_wait_for_each_other_both_get_through(database: Database) -> None:
    await two_runs(database)
    met = threading.Barrier(2)

    def crosswise(first: str, second: str) -> Callable[[Connection], None]:
        def write(connection: Connection) -> None:
            added(first)(connection)
            with suppress(threading.BrokenBarrierError):  # writers of a file never meet, and nobody meets twice
                met.wait(1)
            added(second)(connection)

        return write

    await asyncio.gather(database.write(crosswise("a", "b")), database.write(crosswise("b", "a")))

    assert await database.read(calls_of) == {"a": 2, "b": 2}


async def test_a_reader_sees_one_state_from_its_first_look_to_its_last(database: Database) -> None:
    await two_runs(database)
    looked, written = threading.Event(), threading.Event()

    def look_twice(connection: Connection) -> tuple[dict[str, int], dict[str, int]]:
        first = calls_of(connection)
        looked.set()
        assert written.wait(10)
        return first, calls_of(connection)

    async def write_between() -> None:
        assert await asyncio.to_thread(looked.wait, 10)
        await database.write(added("a"))
        written.set()

    (first, second), _ = await asyncio.gather(database.read(look_twice), write_between())

    assert first == second == {"a": 0, "b": 0}
    assert await database.read(calls_of) == {"a": 1, "b": 0}
