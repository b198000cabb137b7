"""Writers of one SQLite file: in their order, whole or not at all, and one commit for those that wait together."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from db.db_conn import Database

T = TypeVar("T")


class Held:
    """A database whose writer is busy until `release`, and what it commits."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.commits = 0
        self._started, self._go_on = threading.Event(), threading.Event()
        event.listen(database._writing, "commit", self._count)

    def _count(self, _connection: Connection) -> None:
        self.commits += 1

    async def hold(self) -> asyncio.Future[None]:
        def wait(_connection: Connection) -> None:
            self._started.set()
            assert self._go_on.wait(10)

        first = asyncio.ensure_future(self.database.write(wait))
        assert await asyncio.to_thread(self._started.wait, 10)
        return first

    async def queued(self, *writes: Callable[[Connection], T], durable: bool = False) -> list[asyncio.Task[T]]:
        tasks = [asyncio.create_task(self.database.write(write, durable=durable)) for write in writes]
        await asyncio.sleep(0)
        return tasks

    def release(self) -> None:
        self._go_on.set()


@pytest.fixture
async def held(tmp_path: Path) -> AsyncIterator[Held]:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=2)
    await database.start()
    await database.write(lambda connection: connection.execute(text("create table note (word text)")))
    yield Held(database)
    await database.close()


def add(word: str) -> Callable[[Connection], str]:
    def insert(connection: Connection) -> str:
        connection.execute(text("insert into note values (:word)"), {"word": word})
        return word

    return insert


def failing(word: str) -> Callable[[Connection], str]:
    def fail(connection: Connection) -> str:
        add(word)(connection)
        raise LookupError(word)

    return fail


async def words(database: Database) -> list[str]:
    return await database.read(lambda connection: [*connection.scalars(text("select word from note order by rowid"))])


async def test_writers_that_wait_together_share_one_commit_in_their_order(held: Held) -> None:
    first = await held.hold()
    tasks = await held.queued(*(add(str(number)) for number in range(20)))
    held.release()

    assert await asyncio.gather(*tasks) == [str(number) for number in range(20)]
    await first
    assert held.commits == 2
    assert await words(held.database) == [str(number) for number in range(20)]


async def test_one_that_fails_takes_nothing_of_the_others_with_it(held: Held) -> None:
    await held.hold()
    tasks = await held.queued(add("a"), failing("b"), add("c"), failing("d"))
    held.release()

    ends = await asyncio.gather(*tasks, return_exceptions=True)

    assert [ends[0], ends[2]] == ["a", "c"]
    assert [type(end) for end in ends[1::2]] == [LookupError, LookupError]
    assert await words(held.database) == ["a", "c"]


async def test_a_writer_hears_of_its_end_after_the_commit_only(held: Held) -> None:
    heard: list[bool] = []
    await held.hold()
    (early,) = await held.queued(add("early"))

    def look(_connection: Connection) -> None:
        threading.Event().wait(0.05)  # long enough for the loop to hear, if there were something to hear
        heard.append(early.done())

    (late,) = await held.queued(look)
    held.release()
    await asyncio.gather(early, late)

    assert heard == [False]


async def test_a_write_that_is_cancelled_while_it_waits_never_happens(held: Held) -> None:
    await held.hold()
    gone, stays = await held.queued(add("gone"), add("stays"))
    gone.cancel()
    await asyncio.sleep(0)
    held.release()
    await stays

    assert gone.cancelled()
    assert await words(held.database) == ["stays"]


async def test_where_sqlite_gives_the_transaction_up_all_that_share_it_fail_and_nothing_is_stored(held: Held) -> None:
    def lose(connection: Connection) -> str:
        connection.exec_driver_sql("rollback")  # what a full disk does
        raise LookupError("disk")

    await held.hold()
    tasks = await held.queued(add("before"), lose, add("behind"))
    held.release()

    ends = await asyncio.gather(*tasks, return_exceptions=True)

    assert [type(end) for end in ends] == [OperationalError] * 3
    assert await words(held.database) == []
    assert await held.database.write(add("next")) == "next"


async def test_more_than_a_batch_is_written_in_several(held: Held) -> None:
    await held.hold()
    tasks = await held.queued(*(add(str(number)) for number in range(200)))
    held.release()

    await asyncio.gather(*tasks)

    assert 2 < held.commits < 10
    assert len(await words(held.database)) == 200


def synchronous(connection: Connection) -> int:
    return int(connection.exec_driver_sql("pragma synchronous").scalar() or 0)


async def test_the_disk_is_waited_for_when_one_of_those_that_share_a_commit_asks(held: Held) -> None:
    await held.hold()
    (loose,) = await held.queued(synchronous)
    (durable,) = await held.queued(synchronous, durable=True)
    held.release()

    assert (await loose, await durable) == (2, 2)
    assert await held.database.write(synchronous) == 1
    assert await held.database.write(synchronous, durable=True) == 2


async def test_settling_makes_a_commit_that_writes_so_that_the_disk_is_waited_for(held: Held, tmp_path: Path) -> None:
    await held.database.write(add("loose"))
    before = (tmp_path / "app.db-wal").read_bytes()

    await held.database.settle()

    assert (tmp_path / "app.db-wal").read_bytes() != before


async def test_a_closed_queue_takes_nothing(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=1)
    await database.start()
    await database.close()

    with pytest.raises(RuntimeError):
        await database.write(add("late"))
