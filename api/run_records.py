"""What the database holds of runs: their rows, their messages in the history, their frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents.session_agent import UserInput
from api.history import fold, read_frames, text_of
from api.run_log import RunLog
from api.sse_events import EventType
from api.turn import TurnConfig, TurnEnd
from db.db_conn import utc_now
from db.message_store import MessageStore
from db.records import Message, Run, RunEvent, RunStatus
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore

_PAGE: Final = 500
UNDER_WAY: Final = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.CANCELLING})
"""States of a run that some process works on."""


class RunRecords:
    """Writes what a run's life leaves behind; every state changes by compare-and-set."""

    def __init__(
        self,
        *,
        sessions: SessionStore,
        messages: MessageStore,
        runs: RunStore,
        events: RunEventStore,
        owner: str,
    ) -> None:
        self.sessions = sessions
        self.runs = runs
        self._messages = messages
        self._events = events
        self._owner = owner

    async def begin(self, turn: TurnConfig, ask: UserInput, files: Sequence[Mapping[str, Any]]) -> None:
        """Store a new run with the user's message and the place of the answer behind it."""
        await self.runs.create(
            Run(
                run_id=turn.run_id,
                session_id=turn.session_id,
                user_name=turn.user_name,
                agent=turn.agent,
                status=RunStatus.QUEUED,
                owner=self._owner,
                permission_mode=turn.permission_mode,
                plan_mode=turn.plan_mode,
                policy_hash=turn.policy.version,
                created_at=utc_now(),
            )
        )
        parts = [{"type": EventType.FILE.value, **file} for file in files]
        await self._add_message(turn, ask.message_id, role="user", content=ask.text, parts=parts, status="done")
        await self._add_message(
            turn, turn.answer_id, role="assistant", content="", parts=[], status=RunStatus.RUNNING.value
        )
        await self.sessions.touch(turn.session_id, permission_mode=turn.permission_mode, plan_mode=turn.plan_mode)

    async def mark_started(self, run_id: str) -> None:
        """The run left the queue; one that was told to stop meanwhile stays `cancelling`."""
        await self.runs.set_status(run_id, expect={RunStatus.QUEUED}, status=RunStatus.RUNNING, started_at=utc_now())

    async def mark_resumed(self, turn: TurnConfig) -> bool:
        """The run goes on under the policy of now; false if somebody else was faster."""
        return await self.runs.set_status(
            turn.run_id,
            expect={RunStatus.INTERRUPTED},
            status=RunStatus.RUNNING,
            owner=self._owner,
            policy_hash=turn.policy.version,
        )

    async def mark_stopping(self, run_id: str, *, was_paused: bool = False) -> bool:
        """The run shall stop; false if it is told already, or over."""
        expect = {RunStatus.INTERRUPTED} if was_paused else {RunStatus.QUEUED, RunStatus.RUNNING}
        return await self.runs.set_status(
            run_id, expect=expect, status=RunStatus.CANCELLING, cancel_requested_at=utc_now()
        )

    async def mark_broken(self, run_id: str, reason: str) -> None:
        """The run ended without a word; all that can be done is to say so."""
        await self.runs.set_status(
            run_id, expect=UNDER_WAY, status=RunStatus.FAILED, stop_reason=reason, finished_at=utc_now()
        )

    async def end(self, turn: TurnConfig, end: TurnEnd) -> None:
        """Store how a segment ended, and the answer as it stands in the log."""
        parts = fold(await self.frames(turn.run_id))
        await self._messages.replace(turn.answer_id, text_of(parts), parts, end.status.value)
        await self.runs.set_status(
            turn.run_id,
            expect=UNDER_WAY,
            status=end.status,
            stop_reason=end.stop_reason,
            outcome=end.outcome,
            error_code=end.error_code,
            finished_at=utc_now() if end.is_final else None,
            waits_until=end.waits_until,
        )

    async def frames(self, run_id: str) -> list[dict[str, Any]]:
        """Everything a run has logged so far, as data."""
        frames: list[dict[str, Any]] = []
        while batch := await self.read(run_id, after=len(frames)):
            frames += read_frames(batch)
        return frames

    async def read(self, run_id: str, *, after: int) -> list[RunEvent]:
        """The next frames of a run's log."""
        return await self._events.read(run_id, after=after, limit=_PAGE)

    async def last_seq(self, run_id: str) -> int:
        """Number of a run's last stored frame."""
        return await self._events.last_seq(run_id)

    def open_log(self, turn: TurnConfig, *, last_seq: int = 0) -> RunLog:
        """A log that goes on behind frame `last_seq`."""
        return RunLog(self._events, run_id=turn.run_id, session_id=turn.session_id, last_seq=last_seq)

    async def _add_message(
        self, turn: TurnConfig, message_id: str, *, role: str, content: str, parts: list[dict[str, Any]], status: str
    ) -> None:
        await self._messages.add(
            Message(
                message_id=message_id,
                session_id=turn.session_id,
                run_id=turn.run_id,
                role=role,
                content=content,
                parts=parts,
                status=status,
                created_at=utc_now(),
            )
        )
