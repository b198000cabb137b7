"""Ends what waited for a person too long: the call counts as rejected, and no model is asked again."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from api.approval_book import ApprovalBook
from api.decisions import DecisionBody
from api.run_hub import RunHub
from db.db_conn import utc_now
from db.records import Run, Session
from db.run_store import RunStore
from db.session_store import SessionStore

log = structlog.get_logger(__name__)

EXPIRED: Final = "approval_expired"
_NOBODY: Final = "system"


def is_expired(run: Run) -> bool:
    """Whether a run that waits has waited too long."""
    return run.waits_until is not None and run.waits_until <= utc_now()


class ApprovalExpiry:
    """One task of the server; a run whose time passed while no server ran is ended after the next start."""

    def __init__(
        self, *, hub: RunHub, book: ApprovalBook, runs: RunStore, sessions: SessionStore, poll_s: float
    ) -> None:
        self._hub = hub
        self._book = book
        self._runs = runs
        self._sessions = sessions
        self._poll_s = poll_s

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            try:
                await self.step()
            except Exception:
                log.exception("approvals_not_expired")
            await asyncio.sleep(self._poll_s)

    async def step(self) -> None:
        """End every run that has waited too long; one that cannot be ended keeps none of the others."""
        for run in await self._runs.expired(utc_now()):
            try:
                await self.end(await self._sessions.get(run.session_id, run.user_name), run)
            except Exception:
                log.exception("approval_not_expired", run_id=run.run_id)

    async def end(self, session: Session, run: Run) -> None:
        """Keep the rejection of what waits, then end the run."""
        async with self._hub.deciding(session) as turn:
            if turn is None or turn.run_id != run.run_id:
                return
            waiting = await self._hub.pending(session)
            rejected = [
                (item, DecisionBody(interrupt_id=item.interrupt_id, decision="reject", reason=EXPIRED))
                for item in waiting.approvals
            ]
            await self._book.decide(turn, rejected, decided_by=_NOBODY)
        await self._hub.cancel(run, EXPIRED)
