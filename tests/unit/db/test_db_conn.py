"""The database's threads and transactions."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from db.db_conn import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=2)
    await database.start()
    await database.write(lambda connection: connection.execute(text("create table note (word text)")))
    yield database
    await database.close()


def add(word: str) -> Callable[[Connection], None]:
    def insert(connection: Connection) -> None:
        connection.execute(text("insert into note values (:word)"), {"word": word})

    return insert


def count(connection: Connection) -> int:
    return int(connection.scalar(text("select count(*) from note")) or 0)


def test_making_a_database_touches_no_disk(tmp_path: Path) -> None:
    Database(f"sqlite:///{tmp_path}/data/app.db", threads=2)

    assert list(tmp_path.iterdir()) == []


async def test_sqlite_is_set_up_for_one_writer_and_many_readers(database: Database) -> None:
    def pragmas(connection: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return {name: connection.exec_driver_sql(f"pragma {name}").scalar() for name in names}

    expected = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 15_000}
    assert await database.read(pragmas) == expected
    assert await database.write(pragmas) == expected


async def test_a_new_file_that_another_process_is_writing_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("begin immediate")
        ending = threading.Timer(0.3, lambda: other.execute("commit"))
        ending.start()
        database = Database(f"sqlite:///{path}", threads=2)
        await database.start()

        mode = await database.read(lambda connection: connection.exec_driver_sql("pragma journal_mode").scalar())
        await database.close()
        ending.join()

    assert mode == "wal"


async def test_work_runs_on_threads_of_the_database(database: Database) -> None:
    reader = await database.read(lambda _: threading.current_thread().name)
    writers = {await database.write(lambda _: threading.current_thread().name) for _ in range(5)}

    assert reader.startswith("db_")
    assert len(writers) == 1
    assert writers.isdisjoint({reader, threading.current_thread().name})


async def test_a_failing_write_leaves_nothing(database: Database) -> None:
    def fail(connection: Connection) -> None:
        add("half")(connection)
        raise LookupError("on purpose")

    with pytest.raises(LookupError):
        await database.write(fail)

    assert await database.read(count) == 0


async def test_a_write_that_reads_first_does_not_lose_against_another_process(
    database: Database, tmp_path: Path
) -> None:
    foreign = sqlite3.connect(tmp_path / "app.db", isolation_level=None, check_same_thread=False)
    waiting = threading.Event()

    def interleave(connection: Connection) -> int:
        before = count(connection)
        waiting.set()
        time.sleep(0.2)  # the foreign write below comes in here, or has to wait
        add("ours")(connection)
        return before

    def write_foreign() -> None:
        waiting.wait(5)
        foreign.execute("insert into note values ('theirs')")
        foreign.close()

    before, _ = await asyncio.gather(database.write(interleave), asyncio.to_thread(write_foreign))

    assert before == 0
    assert await database.read(count) == 2


async def test_a_reader_sees_one_state_from_its_first_look_to_its_last(database: Database) -> None:
    looked, written = threading.Event(), threading.Event()

    def look_twice(connection: Connection) -> tuple[int, int]:
        first = count(connection)
        looked.set()
        written.wait(5)
        return first, count(connection)

    async def write_between() -> None:
        await asyncio.to_thread(looked.wait, 5)
        await database.write(add("between"))
        written.set()

    seen, _ = await asyncio.gather(database.read(look_twice), write_between())

    assert seen == (0, 0)
    assert await database.read(count) == 1


async def test_twenty_parallel_writers_meet_no_locked_database(database: Database) -> None:
    async def write(name: str) -> None:
        for _ in range(10):
            await database.write(add(name))
            await database.read(count)

    await asyncio.gather(*(write(str(number)) for number in range(20)))

    assert await database.read(count) == 200


async def test_r_lay_4_a_slow_query_stops_neither_the_loop_nor_writers(database: Database) -> None:
    slow = text(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n"
    )
    query = asyncio.ensure_future(database.read(lambda connection: connection.scalar(slow)))
    longest_s, writes = 0.0, 0
    while not query.done():
        started = time.perf_counter()
        await asyncio.sleep(0.005)
        longest_s = max(longest_s, time.perf_counter() - started)
        if writes < 5:
            await database.write(add("meanwhile"))
            writes += 1

    assert await query == 3_000_000
    assert writes == 5
    assert longest_s < 0.25  # generous: the machine of the tests is shared; a blocked loop would show the whole query


async def test_close_waits_for_work_and_ends_it(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=1)
    await database.start()
    await database.write(lambda connection: connection.execute(text("create table note (word text)")))

    def insert_slowly(connection: Connection) -> None:
        time.sleep(0.1)
        add("late")(connection)

    writing = asyncio.ensure_future(database.write(insert_slowly))
    await asyncio.sleep(0)
    await database.close()
    await writing

    with sqlite3.connect(tmp_path / "app.db") as check:
        assert check.execute("select count(*) from note").fetchone() == (1,)
    check.close()
    with pytest.raises(RuntimeError):
        await database.read(count)


async def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "app.db").write_text("this is no database, this is a letter" * 100)
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=1)

    with pytest.raises(Exception, match="not a database"):
        await database.start()
    await database.close()


def _start_and_stop(url: str) -> None:
    async def run() -> None:
        database = Database(url, threads=1)
        await database.start()
        await database.close()

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="the server's platform is Linux")
def test_two_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/app.db"
    context = multiprocessing.get_context("spawn")
    starters = [context.Process(target=_start_and_stop, args=(url,)) for _ in range(2)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join(60)

    assert [starter.exitcode for starter in starters] == [0, 0]


async def test_writers_of_a_read_only_file_hear_why(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=1)
    await database.start()

    def write_where_only_reading_is_meant(connection: Connection) -> None:
        connection.exec_driver_sql("pragma query_only=1")
        connection.execute(text("create table note (word text)"))

    with pytest.raises(OperationalError, match="readonly"):
        await database.write(write_where_only_reading_is_meant)
    await database.close()
