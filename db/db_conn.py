"""The database: its engine, its own threads, and one transaction for each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL

from db.migrate import upgrade
from db.stamp import fmt_dt, new_id, utc_now

__all__ = ["Database", "fmt_dt", "new_id", "utc_now"]

T = TypeVar("T")
_SQLITE: Final = "sqlite"
# Only another process can hold the file that long: inside this one writers stand in a queue.
_BUSY_TIMEOUT_MS: Final = 15_000
_BEGIN_OPTION: Final = "sqlite_begin"
_SYNCHRONOUS_OPTION: Final = "sqlite_synchronous"


class Database:
    """Runs blocking functions on the database's own threads, each in one transaction.

    SQLite gets one thread for all writes, so that writers queue instead of meeting a locked file, and `threads` readers
    beside it that see the last commit. On a server database `threads` serve both. A caller that is cancelled does not
    learn whether its transaction was committed; it is never half done.
    """

    def __init__(self, url: str, threads: int) -> None:
        self._url = make_url(url)
        is_sqlite = self._url.get_backend_name() == _SQLITE
        self._engine = build_engine(self._url, pool_size=threads + is_sqlite)
        self._write_engine = self._engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"})
        self._durable_engine = self._write_engine.execution_options(**{_SYNCHRONOUS_OPTION: "FULL"})
        self._readers = ThreadPoolExecutor(threads, thread_name_prefix="db")
        self._writers = ThreadPoolExecutor(1, thread_name_prefix="db-write") if is_sqlite else self._readers

    async def start(self) -> None:
        """Make the file's folder where it is missing and bring the tables to the newest form."""
        await self._run(self._writers, self._prepare)

    async def close(self) -> None:
        """Let running transactions end and close every connection."""
        await asyncio.to_thread(self._shut_down)

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` returns; it sees one state of the database and must not write."""

        def transact() -> T:
            with self._engine.begin() as connection:
                return fn(connection)

        return await self._run(self._readers, transact)

    async def write(self, fn: Callable[[Connection], T], *, durable: bool = False) -> T:
        """What `fn` returns, after the commit; an exception of `fn` rolls everything back.

        With `durable` the commit survives a loss of power, which costs SQLite a wait for the disk; without, that of the process.
        """
        engine = self._durable_engine if durable else self._write_engine

        def transact() -> T:
            with engine.begin() as connection:
                return fn(connection)

        return await self._run(self._writers, transact)

    @staticmethod
    async def _run(threads: Executor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def _prepare(self) -> None:
        if self._url.get_backend_name() == _SQLITE and self._url.database:
            Path(self._url.database).parent.mkdir(parents=True, exist_ok=True)
        # Rebuilding a table, SQLite's way to change one, would delete by cascade what refers to it.
        engine = build_engine(self._url, pool_size=1, foreign_keys=False)
        try:
            with engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"}).begin() as connection:
                upgrade(connection)
        finally:
            engine.dispose()

    def _shut_down(self) -> None:
        self._readers.shutdown(wait=True)
        self._writers.shutdown(wait=True)
        self._engine.dispose()


def build_engine(url: URL, *, pool_size: int, foreign_keys: bool = True) -> Engine:
    """An engine that has not connected yet; SQLite works with a write-ahead log and begins when it is told to."""
    if url.get_backend_name() != _SQLITE:
        return create_engine(url, pool_size=pool_size, max_overflow=0, pool_pre_ping=True)
    engine = create_engine(url, pool_size=pool_size, max_overflow=0)

    @event.listens_for(engine, "connect")
    def prepare(dbapi_connection: Any, _record: object) -> None:
        # The driver's own BEGIN comes too late: a read that turns into a write then fails at once on a busy file.
        dbapi_connection.isolation_level = None
        for pragma in (
            f"busy_timeout={_BUSY_TIMEOUT_MS}",  # first: switching to the log below may meet another process
            "journal_mode=WAL",
            f"foreign_keys={int(foreign_keys)}",
        ):
            dbapi_connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(f"PRAGMA synchronous={options.get(_SYNCHRONOUS_OPTION, 'NORMAL')}")
        connection.exec_driver_sql(options.get(_BEGIN_OPTION, "BEGIN"))

    return engine
