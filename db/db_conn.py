"""The database: its engines, its own threads, and one transaction for each call."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from db.migrate import upgrade
from db.stamp import fmt_dt, new_id, utc_now
from db.write_queue import WriteQueue

__all__ = ["Database", "fmt_dt", "new_id", "utc_now"]

T = TypeVar("T")
_SQLITE: Final = "sqlite"
# Only another process can hold the file that long: inside this one writers stand in a queue.
_BUSY_TIMEOUT_MS: Final = 15_000
_BUSY_PAUSE_S: Final = 0.02
_SYNCHRONOUS_OPTION: Final = "sqlite_synchronous"
_TRIES: Final = 10
_LOST_RACES: Final = frozenset(
    {
        "40001",  # PostgreSQL: serialization failure
        "40P01",  # PostgreSQL: deadlock
        1020,  # MariaDB: the row has changed since it was read
        1205,  # MySQL, MariaDB: waited too long for a lock
        1213,  # MySQL, MariaDB: deadlock
    }
)


class Database:
    """Runs blocking functions on the database's own threads, each in one transaction.

    SQLite gets one thread for all writes, so that writers queue instead of meeting a locked file, and `threads` readers
    beside it that see the last commit. On a server database `threads` serve both. A caller that is cancelled does not
    learn whether its transaction was committed; it is never half done.
    """

    def __init__(self, url: str, threads: int) -> None:
        self._url = make_url(url)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="db")
        is_sqlite = self._url.get_backend_name() == _SQLITE
        self._reading = build_engine(self._url, pool_size=threads)
        self._writing = build_engine(self._url, pool_size=1 if is_sqlite else threads, is_writing=True)
        self._queue = WriteQueue(self._writing, _durable(self._writing)) if is_sqlite else None

    async def start(self) -> None:
        """Make the file's folder where it is missing and bring the tables to the newest form."""
        await self._run(self._prepare)

    async def close(self) -> None:
        """Let running transactions end and close every connection."""
        await asyncio.to_thread(self._shut_down)

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` returns; it sees one state of the database and must not write."""

        def transact() -> T:
            with self._reading.begin() as connection:
                return fn(connection)

        return await self._run(transact)

    async def write(self, fn: Callable[[Connection], T], *, durable: bool = False) -> T:
        """What `fn` returns, after the commit; an exception of `fn` rolls everything back.

        `fn` runs anew if a server database took the transaction back because of another one. With `durable` the commit
        survives a loss of power, which costs SQLite a wait for the disk; without, that of the process.
        """
        if self._queue is not None:
            return await asyncio.wrap_future(self._queue.submit(fn, durable=durable))
        return await self._run(lambda: self._transact(fn))

    async def settle(self) -> None:
        """Make what was committed until now survive a loss of power too."""
        if self._queue is not None:
            await self.write(_touch, durable=True)

    def _transact(self, fn: Callable[[Connection], T]) -> T:
        for _ in range(_TRIES - 1):
            try:
                with self._writing.begin() as connection:
                    return fn(connection)
            except DBAPIError as error:
                if _code_of(error) not in _LOST_RACES:
                    raise
        with self._writing.begin() as connection:
            return fn(connection)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _prepare(self) -> None:
        if self._url.get_backend_name() == _SQLITE and self._url.database:
            Path(self._url.database).parent.mkdir(parents=True, exist_ok=True)
        # Rebuilding a table, SQLite's way to change one, would delete by cascade what refers to it.
        engine = build_engine(self._url, pool_size=1, is_writing=True, foreign_keys=False)
        try:
            with engine.begin() as connection:
                upgrade(connection)
        finally:
            engine.dispose()

    def _shut_down(self) -> None:
        self._threads.shutdown(wait=True)
        if self._queue is not None:
            self._queue.close()
        self._reading.dispose()
        self._writing.dispose()


def build_engine(url: URL, *, pool_size: int, is_writing: bool = False, foreign_keys: bool = True) -> Engine:
    """An engine that has not connected yet.

    SQLite works with a write-ahead log and begins when it is told to. On server databases a reader sees one state, and a
    writer that waited for a row's lock sees what the one before it left there.
    """
    if url.get_backend_name() != _SQLITE:
        isolation = "READ COMMITTED" if is_writing else "REPEATABLE READ"
        return create_engine(url, pool_size=pool_size, max_overflow=0, pool_pre_ping=True, isolation_level=isolation)
    engine = create_engine(url, pool_size=pool_size, max_overflow=0)
    begin_words = "BEGIN IMMEDIATE" if is_writing else "BEGIN"

    @event.listens_for(engine, "connect")
    def prepare(dbapi_connection: Any, _record: object) -> None:
        # The driver's own BEGIN comes too late: a read that turns into a write then fails at once on a busy file.
        dbapi_connection.isolation_level = None
        for pragma in (
            f"busy_timeout={_BUSY_TIMEOUT_MS}",
            "synchronous=NORMAL",
            f"foreign_keys={int(foreign_keys)}",
        ):
            dbapi_connection.execute(f"PRAGMA {pragma}").close()
        _switch_to_log(dbapi_connection)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        wanted = connection.get_execution_options().get(_SYNCHRONOUS_OPTION, "NORMAL")
        if connection.info.get(_SYNCHRONOUS_OPTION, "NORMAL") != wanted:
            # Around every durable write: past the library, whose part of the work is greater than SQLite's.
            driver: Any = connection.connection.driver_connection
            driver.execute(f"PRAGMA synchronous={wanted}").close()
            connection.info[_SYNCHRONOUS_OPTION] = wanted
        connection.exec_driver_sql(begin_words)

    return engine


def _switch_to_log(dbapi_connection: Any) -> None:
    """Write ahead from now on; SQLite does not wait by itself while another process makes the file its own."""
    give_up = monotonic() + _BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            dbapi_connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > give_up:
                raise
            sleep(_BUSY_PAUSE_S)
        else:
            return


def _durable(engine: Engine) -> Engine:
    return engine.execution_options(**{_SYNCHRONOUS_OPTION: "FULL"})


def _touch(connection: Connection) -> None:
    # Every commit that wrote something waits until the log is on the disk, with all that stood in it before.
    connection.exec_driver_sql("PRAGMA user_version=0")


def _code_of(error: DBAPIError) -> object:
    """What the database calls the error: SQLSTATE on PostgreSQL, a number on MySQL and MariaDB."""
    code = getattr(error.orig, "sqlstate", None) or (error.orig.args[0] if error.orig and error.orig.args else None)
    return code.get("C") if isinstance(code, dict) else code  # as pg8000 says it
