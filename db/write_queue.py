"""Writers of one SQLite file stand in a queue; those that wait at the same time share one commit."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")
# Bounds how long the first of a batch waits for the last; the wait for the disk is shared well enough long before.
_MOST_TOGETHER: Final = 64


@dataclass(frozen=True, slots=True)
class _Write:
    fn: Callable[[Connection], Any]
    is_durable: bool
    result: Future[Any] = field(default_factory=Future)


class WriteQueue:
    """One thread, one connection: writes happen in the order they came, each of them whole or not at all.

    A writer hears of its end after the commit only. One that fails takes nothing of the others with it, unless SQLite
    itself gives the transaction up (the disk is full): then all that share it fail, and nothing of them is stored.
    """

    def __init__(self, engine: Engine, durable_engine: Engine) -> None:
        self._engine = engine
        self._durable_engine = durable_engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="db-write")
        self._waiting: deque[_Write] = deque()
        self._lock = threading.Lock()

    def submit(self, fn: Callable[[Connection], T], *, durable: bool) -> Future[T]:
        """Let `fn` run in its turn; a write that is cancelled while it waits never happens.

        Raises:
            RuntimeError: The queue is closed.
        """
        write = _Write(fn, durable)
        with self._lock:  # what the thread finds, and what it was called for, are the same
            self._thread.submit(self._work)
            self._waiting.append(write)
        return write.result

    def close(self) -> None:
        """Let all that wait happen, take no more."""
        self._thread.shutdown(wait=True)

    def _work(self) -> None:
        with self._lock:  # an earlier round may have taken it all
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST_TOGETHER))]
        writes = [write for write in batch if write.result.set_running_or_notify_cancel()]
        if not writes:
            return
        engine = self._durable_engine if any(write.is_durable for write in writes) else self._engine
        try:
            with engine.begin() as connection:
                ends = [_alone(connection, writes[0])] if len(writes) == 1 else [_beside(connection, w) for w in writes]
        except BaseException as error:  # noqa: BLE001 - raised again by those who wait
            for write in writes:
                write.result.set_exception(error)
            return
        for write, (value, failure) in zip(writes, ends, strict=True):
            if failure is None:
                write.result.set_result(value)
            else:
                write.result.set_exception(failure)


def _alone(connection: Connection, write: _Write) -> tuple[Any, None]:
    return write.fn(connection), None


def _beside(connection: Connection, write: _Write) -> tuple[Any, Exception | None]:
    """Run a write that shares its transaction; what it did before it failed is taken back, nothing else."""
    value, failure = None, None
    connection.exec_driver_sql("SAVEPOINT one")
    try:
        value = write.fn(connection)
    except Exception as error:  # noqa: BLE001 - raised again by the one who waits
        # Raises in turn if SQLite has given the whole transaction up: then nobody's write is kept.
        connection.exec_driver_sql("ROLLBACK TO one")
        failure = error
    connection.exec_driver_sql("RELEASE one")
    return value, failure
