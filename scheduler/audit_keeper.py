"""Looks after the audit on the clock: anchors its chains, lets go of what is old enough, tells operators how it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from db.audit_chain import Anchor
from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore, OpenCalls
from db.stamp import utc_now
from obs.metrics import AuditFigures
from scheduler.anchors import AnchorFile
from scheduler.audit_check import check_audit

log = structlog.get_logger(__name__)

_RETIRE_EVERY_S: Final = 24 * 3600
_AGAIN_S: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How often things happen: looking for what is to do, anchoring by rows or by time; how long rows are kept."""

    poll_s: float
    anchor_rows: int
    anchor_s: float
    retention_days: int


class AuditKeeper:
    """One task of the server; what it has not done when the process dies, the next one does."""

    def __init__(
        self,
        store: AuditStore,
        outbox: AuditOutbox,
        anchors: AnchorFile,
        *,
        sinks: Sequence[str],
        rhythm: Rhythm,
        on_figures: Callable[[AuditFigures], None],
    ) -> None:
        self._store = store
        self._outbox = outbox
        self._anchors = anchors
        self._sinks = tuple(sinks)
        self._rhythm = rhythm
        self._on_figures = on_figures
        self._open: OpenCalls | None = None
        self._anchored_rows = self._loose_rows = 0
        self._is_anchored = False
        self._anchor_at = self._retire_at = 0.0

    async def run(self) -> None:
        """Work until cancelled; anchors once more at the end."""
        try:
            while True:
                await self.step()
                await asyncio.sleep(self._rhythm.poll_s)
        finally:
            await asyncio.shield(self._try("audit_not_anchored", self.anchor))

    async def step(self) -> None:
        """Do what it is time for. A duty that fails is logged, tried again, and keeps none of the others."""
        now = asyncio.get_running_loop().time()
        await self._try("audit_figures_failed", self._look)
        if now >= self._anchor_at or (self._is_anchored and self._loose_rows >= self._rhythm.anchor_rows):
            self._is_anchored = await self._try("audit_not_anchored", self.anchor)
            self._anchor_at = now + (self._rhythm.anchor_s if self._is_anchored else _AGAIN_S)
        if now >= self._retire_at:
            is_done = await self._try("audit_not_retired", self.retire)
            self._retire_at = now + (_RETIRE_EVERY_S if is_done else _AGAIN_S)

    async def anchor(self) -> int:
        """Write down where each chain ends; how many have moved."""
        heads = await self._store.heads()
        moved = await asyncio.to_thread(self._anchors.add, heads)
        self._anchored_rows = sum(head.seq for head in heads)
        return moved

    async def retire(self) -> int:
        """Let go of rows older than they have to be kept; their last ones are written down before they go. How many chains became shorter.

        A chain with a fault keeps everything: what is gone could not be examined any more.
        """
        older_than = utc_now() - timedelta(days=self._rhythm.retention_days)
        if not await self._store.retirable(older_than, sinks=self._sinks):
            return 0
        checked = await check_audit(self._store, self._anchors)
        whole = {report.organization_id for report in checked.chains if not report.faults}
        shorter: set[str] = set()
        while ends := await self._retirable(older_than, whole):
            await asyncio.to_thread(self._anchors.add, ends, is_retired=True)
            await self._store.retire(ends)
            shorter |= {end.organization_id for end in ends}
        if shorter:
            log.info("audit_rows_retired", chains=len(shorter))
        if broken := [report.organization_id for report in checked.chains if report.faults]:
            log.error("audit_kept_because_of_faults", organizations=broken)
        return len(shorter)

    async def figures(self) -> AuditFigures:
        """How the audit stands now."""
        self._open = await self._store.open_calls(self._open)
        waiting = await self._outbox.waiting()
        now, none = utc_now(), dict.fromkeys(self._sinks, 0)
        return AuditFigures(
            open_calls=len(self._open.audit_ids),
            unanchored_rows=sum(self._open.upto.values()) - self._anchored_rows,
            waiting=none | {one.sink: one.events for one in waiting},
            lag_s=none | {one.sink: max(0.0, (now - one.due_since).total_seconds()) for one in waiting},
            dead_letters=none | await self._outbox.dead_letters(),
        )

    async def _look(self) -> None:
        figures = await self.figures()
        self._on_figures(figures)
        self._loose_rows = figures.unanchored_rows

    async def _retirable(self, older_than: datetime, whole: set[str]) -> list[Anchor]:
        ends = await self._store.retirable(older_than, sinks=self._sinks)
        return [end for end in ends if end.organization_id in whole]

    @staticmethod
    async def _try(failed: str, duty: Callable[[], Awaitable[object]]) -> bool:
        try:
            await duty()
        except Exception:
            log.exception(failed)
            return False
        return True
