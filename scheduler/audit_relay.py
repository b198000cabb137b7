"""Carries audit events from the outbox to their sinks: at least once, each sink for itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog

from db.audit_outbox import AuditOutbox, DueEvent
from db.stamp import utc_now
from obs.sanitize import sanitize
from scheduler.audit_sinks import Sink

log = structlog.get_logger(__name__)

MAX_TRIES: Final = 3
"""How often an event is offered again before it becomes a dead letter."""
_FIRST_WAIT_S: Final = 2.0
_GROWTH: Final = 4.0
_JITTER: Final = 0.2
_BATCH: Final = 50
_DOWN_AFTER: Final = 3
_TIMEOUT_S: Final = 10.0
_REASON_CHARS: Final = 500


class AuditRelay:
    """One task a sink: whoever is slow or down delays nobody else.

    Events go in the order of their chains. One that has to be tried again comes after younger ones: a poisoned event must not stop the rest.
    Receivers sort by `seq` and drop what they know by `event_id`. A sink that fails several events in a row counts as down until the next
    look; what was not offered has lost no try.
    """

    def __init__(
        self, outbox: AuditOutbox, sinks: Sequence[Sink], *, poll_s: float, timeout_s: float = _TIMEOUT_S
    ) -> None:
        self._outbox = outbox
        self._sinks = tuple(sinks)
        self._poll_s = poll_s
        self._timeout_s = timeout_s

    async def run(self) -> None:
        """Work until cancelled; what is not done then, the next process does."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for sink in self._sinks:
                    tasks.create_task(self._serve(sink))
        finally:
            for sink in self._sinks:
                await sink.close()

    async def relay(self, sink: Sink) -> bool:
        """Offer a sink the events that are due, not very many at once; whether there may be more."""
        due = await self._outbox.due(sink.name, utc_now(), _BATCH)
        taken: list[str] = []
        failures = 0
        try:
            for event in due:
                if await self._offer(sink, event):
                    taken.append(event.event_id)
                    failures = 0
                else:
                    failures += 1
                    if failures == _DOWN_AFTER:
                        return False
        finally:  # also when the server stops in between
            if taken:
                await self._outbox.delivered(sink.name, taken)
        return len(due) == _BATCH

    async def _serve(self, sink: Sink) -> None:
        while True:
            try:
                while await self.relay(sink):
                    pass
            except Exception:
                log.exception("audit_relay_failed", sink=sink.name)
            await asyncio.sleep(self._poll_s)

    async def _offer(self, sink: Sink, due: DueEvent) -> bool:
        if due.event is None:
            await self._bury(sink, due.event_id, due.attempts, "its row is not in the audit any more")
            return True
        try:
            async with asyncio.timeout(self._timeout_s):
                await sink.deliver(due.event)
        except TimeoutError:
            await self._failed(sink, due, f"not taken within {self._timeout_s:g} s")
        except Exception as error:  # noqa: BLE001 - a sink may fail in any way; the event is kept
            await self._failed(sink, due, f"{type(error).__name__}: {error}")
        else:
            return True
        return False

    async def _failed(self, sink: Sink, due: DueEvent, reason: str) -> None:
        attempts = due.attempts + 1
        if attempts > MAX_TRIES:
            await self._bury(sink, due.event_id, attempts, sanitize(reason)[:_REASON_CHARS])
            return
        jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - not a secret
        wait = timedelta(seconds=_FIRST_WAIT_S * _GROWTH**due.attempts * jitter)
        await self._outbox.postpone(sink.name, due.event_id, attempts=attempts, wait=wait)

    async def _bury(self, sink: Sink, event_id: str, attempts: int, reason: str) -> None:
        await self._outbox.bury(sink.name, event_id, attempts=attempts, reason=reason)
        log.error("audit_event_not_delivered", event_id=event_id, sink=sink.name, attempts=attempts, reason=reason)
