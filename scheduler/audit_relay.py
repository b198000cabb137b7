"""Carries audit events from the outbox to their sinks, anchors the chains, and retires what is old enough."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import structlog

from db.audit_store import AuditStore
from db.stamp import utc_now
from obs.sanitize import sanitize
from scheduler.anchors import AnchorFile
from scheduler.audit_sinks import Sink

log = structlog.get_logger(__name__)

MAX_TRIES: Final = 3
_FIRST_WAIT_S: Final = 2.0
_GROWTH: Final = 4.0
_BATCH: Final = 200
_RETIRE_EVERY_S: Final = 6 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How often things happen: looking for events, anchoring by rows or by time; how long rows are kept."""

    poll_s: float
    anchor_rows: int
    anchor_s: float
    retention_days: int


class AuditRelay:
    """One task of the server; what it has not done when the process dies, the next one does."""

    def __init__(
        self,
        store: AuditStore,
        sinks: Sequence[Sink],
        anchors: AnchorFile,
        *,
        rhythm: Rhythm,
        on_dead_letters: Callable[[int], None],
    ) -> None:
        self._store = store
        self._sinks = {sink.name: sink for sink in sinks}
        self._anchors = anchors
        self._rhythm = rhythm
        self._on_dead_letters = on_dead_letters
        self._anchored_rows = -1
        self._anchored_at = 0.0
        self._retired_at = 0.0

    async def run(self) -> None:
        """Work until cancelled; anchors once more at the end."""
        try:
            while True:
                try:
                    await self.step()
                except Exception:
                    log.exception("audit_relay_failed")
                await asyncio.sleep(self._rhythm.poll_s)
        finally:
            await asyncio.shield(self.anchor())

    async def step(self) -> None:
        """Relay what is due, anchor and retire if it is time."""
        if self._sinks:
            while await self.relay() == _BATCH:
                pass
        self._on_dead_letters(len(await self._store.dead_letters()))
        now = asyncio.get_running_loop().time()
        rows = sum(head.seq for head in await self._store.heads())
        if rows - self._anchored_rows >= self._rhythm.anchor_rows or now - self._anchored_at >= self._rhythm.anchor_s:
            await self.anchor()
            self._anchored_rows, self._anchored_at = rows, now
        if now - self._retired_at >= _RETIRE_EVERY_S:
            await self.retire()
            self._retired_at = now

    async def relay(self) -> int:
        """Offer the events that are due to their sinks; how many there were."""
        due = await self._store.due(utc_now(), _BATCH)
        for sink_name, attempts, event in due:
            await self._offer(sink_name, attempts, event)
        return len(due)

    async def anchor(self) -> int:
        """Write down where each chain ends; how many have moved."""
        heads = await self._store.heads()
        return await asyncio.to_thread(self._anchors.add, heads)

    async def retire(self) -> None:
        """Let go of rows older than they have to be kept; their last ones are written down before they go."""
        ends = await self._store.retirable(utc_now() - timedelta(days=self._rhythm.retention_days))
        if ends:
            await asyncio.to_thread(self._anchors.add, ends, is_retired=True)
            await self._store.retire(ends)
            log.info("audit_rows_retired", chains=len(ends))

    async def _offer(self, sink_name: str, attempts: int, event: dict[str, Any]) -> None:
        event_id, sink = event["event_id"], self._sinks.get(sink_name)
        if sink is None:
            reason = "no such sink is configured any more"
            await self._store.bury(event_id, sink_name, attempts=attempts, reason=reason)
            return
        try:
            await asyncio.to_thread(sink.deliver, event)
        except Exception as error:  # noqa: BLE001 - a sink may fail in any way; the event is kept
            await self._failed(event_id, sink_name, attempts + 1, f"{type(error).__name__}: {error}")
        else:
            await self._store.delivered(event_id, sink_name)

    async def _failed(self, event_id: str, sink_name: str, attempts: int, reason: str) -> None:
        if attempts > MAX_TRIES:
            await self._store.bury(event_id, sink_name, attempts=attempts, reason=sanitize(reason))
            log.error("audit_event_not_delivered", event_id=event_id, sink=sanitize(sink_name))
            return
        wait_s = _FIRST_WAIT_S * _GROWTH ** (attempts - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter, not a secret
        await self._store.postpone(event_id, sink_name, attempts=attempts, wait=timedelta(seconds=wait_s))
