"""The log of one run while it is under way: numbers frames, stores them before anybody sees them, wakes its readers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

import structlog

from api.sse_events import EventType, frame
from db.db_conn import fmt_dt, utc_now
from db.records import RunEvent

log = structlog.get_logger(__name__)

_TAIL: Final = 1_000


class EventStore(Protocol):
    """Where frames are kept."""

    async def append(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Add frames at the end of the run's log, all or none."""


class LogClosedError(Exception):
    """The run's log cannot be written any more; the cause says why."""


class RunLog:
    """Numbers a run's frames without a gap and writes them: at once when idle, else with all that came meanwhile."""

    def __init__(self, store: EventStore, *, run_id: str, session_id: str, last_seq: int = 0) -> None:
        self.run_id = run_id
        self.session_id = session_id
        self._store = store
        self._last_seq = last_seq
        self._stored_seq = last_seq
        self._pending: list[RunEvent] = []
        # Readers who keep up live on these; who falls behind reads the store, and slows nobody.
        self._tail: deque[RunEvent] = deque(maxlen=_TAIL)
        self._writer: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._failure: Exception | None = None
        self._before_last: Callable[[], Awaitable[None]] | None = None
        self._is_ended = False
        self.is_closed = False
        """The segment is over: nothing comes behind what is stored."""

    @property
    def last_seq(self) -> int:
        """Number of the latest frame, stored or not."""
        return self._last_seq

    def emit(self, event: EventType, /, **fields: Any) -> int:
        """Log one event; it is stored and shown soon. Its number comes back.

        Raises:
            LogClosedError: The store refused earlier frames, or the segment is over.
        """
        if self._failure is not None or self._is_ended:
            raise LogClosedError(f"log of run {self.run_id!r} is closed") from self._failure
        self._last_seq += 1
        now = utc_now()
        text = frame(event, fields, run_id=self.run_id, seq=self._last_seq, session_id=self.session_id, ts=fmt_dt(now))
        self._pending.append(
            RunEvent(
                run_id=self.run_id,
                seq=self._last_seq,
                type=event.value,
                frame=text,
                created_at=now,
                tool_call_id_result=fields["tool_call_id"] if event is EventType.TOOL_RESULT else None,
            )
        )
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return self._last_seq

    async def flush(self) -> None:
        """Wait until everything emitted so far is stored.

        Raises:
            LogClosedError: The store refused.
        """
        while self._writer is not None:
            await asyncio.shield(self._writer)
        if self._failure is not None:
            raise LogClosedError(f"log of run {self.run_id!r} is closed") from self._failure

    async def finish(self, settle: Callable[[], Awaitable[None]], /, **fields: Any) -> None:
        """End the segment: store `done`, run `settle`, then let readers see it.

        Whoever reads `done` may act on it at once, so the run's row has to say the same before.
        """
        await self.flush()
        self._before_last = settle
        self.emit(EventType.DONE, **fields)
        self._is_ended = True
        await self.flush()
        self.close()

    def close(self) -> None:
        """Let readers go; nothing more is emitted."""
        self._is_ended = self.is_closed = True
        self._wake()

    def tail_after(self, after: int) -> list[RunEvent] | None:
        """Stored frames behind number `after`; None if some of them are only in the store."""
        if after >= self._stored_seq:
            return []
        if not self._tail or self._tail[0].seq > after + 1:
            return None
        behind = self._tail[-1].seq - after
        return list(self._tail)[-behind:]

    async def wait_behind(self, after: int, *, timeout_s: float) -> bool:
        """Wait for a stored frame behind `after` or the end of the segment; false if it stayed silent that long."""
        changed = self._changed
        if self._stored_seq > after or self.is_closed:
            return True
        try:
            async with asyncio.timeout(timeout_s):
                await changed.wait()
        except TimeoutError:
            return False
        return True

    async def _write(self) -> None:
        try:
            while self._pending:
                batch, self._pending = self._pending, []
                await self._store.append(self.run_id, batch)
                if self._before_last is not None:
                    await self._before_last()
                self._stored_seq = batch[-1].seq
                self._tail.extend(batch)
                self._wake()
        except Exception as error:
            # Kept for whoever emits or flushes next: an error of a task nobody awaits is lost.
            log.exception("run_log_failed", run_id=self.run_id)
            self._failure = error
            self.close()
        finally:
            self._writer = None

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
