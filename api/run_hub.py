"""Owns the runs: one at a time a session, each in a task of its own; answers follow the log, they do not carry the run."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from weakref import WeakValueDictionary

import structlog

from agents.session_agent import UserInput
from api.errors import RefusedError
from api.history import seconds_worked
from api.run_log import LogClosedError, RunLog
from api.run_records import UNDER_WAY, RunRecords
from api.sse_core import RunMemory
from api.sse_events import EventType
from api.turn import AgentRules, Decisions, StopSignal, TurnConfig, TurnEnd, TurnInput, TurnLimits, resolve_turn
from api.turn_end import STOPS, end_stopped
from api.turn_runner import TurnRunner
from api.waiting import Waiting, asked_under, interrupt_item
from db.db_conn import new_id
from db.records import Run, RunEvent, RunStatus, Session
from obs.logs import log_context

log = structlog.get_logger(__name__)

OnConflict = Literal["enqueue", "reject", "interrupt"]

_RETRY_AFTER_S: Final = 5
_CLOSE_S: Final = 10.0


@dataclass(eq=False, slots=True)
class _Run:
    """One run that is not over."""

    turn: TurnConfig
    slot: _Slot
    log: RunLog
    stop: StopSignal = field(default_factory=StopSignal)
    has_place: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    is_paused: bool = False


class _Slot:
    """A session's place: the run that is under way or waits for a person, and those behind it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.active: _Run | None = None
        self.waiting: deque[_Run] = deque()
        self.is_loaded = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A segment that a client may follow: its frames come behind number `after`."""

    run_id: str
    after: int


class RunHub:
    """Starts, resumes, stops and follows runs."""

    def __init__(
        self, *, runner: TurnRunner, records: RunRecords, limits: TurnLimits, rules: Mapping[str, AgentRules]
    ) -> None:
        self._runner = runner
        self._records = records
        self._limits = limits
        self._rules = rules
        self._live: dict[str, _Run] = {}
        self._is_closing = False
        # A slot lives as long as a live run or a request holds it; what waits for a person is read from the database.
        self._slots: WeakValueDictionary[str, _Slot] = WeakValueDictionary()

    async def close(self) -> None:
        """Take no new run, stop those there are, and wait until each has told its readers."""
        self._is_closing = True
        live = list(self._live.values())
        for run in live:
            self._stop(run, "server_stopping")
        if tasks := [run.task for run in live if run.task is not None]:
            await asyncio.wait(tasks, timeout=_CLOSE_S)

    async def recover(self) -> int:
        """End the runs a dead process left; those that wait for a person stay. How many were ended.

        Only the process that owns the data folder may call this.
        """
        lost = [row for row in await self._records.runs.unfinished() if row.status in UNDER_WAY]
        for row in lost:
            try:
                await self._end_lost(row)
            except Exception:
                # One broken session must not keep the server from starting.
                log.exception("run_recovery_failed", run_id=row.run_id)
                await self._records.mark_broken(row.run_id, "process_lost")
        return len(lost)

    @asynccontextmanager
    async def admit(self, session: Session, on_conflict: OnConflict) -> AsyncIterator[None]:
        """Hold the session's place while a message is stored and started.

        Raises:
            RefusedError: `approval_pending`, `server_stopping`, or `session_busy` where the client asked to be told.
        """
        self._check_open()
        async with self._slot_of(session) as slot:
            active = slot.active
            if active is not None and active.is_paused:
                if on_conflict != "interrupt":
                    waiting = await self.pending(session)
                    raise RefusedError("approval_pending", details={"interrupts": waiting.items})
                for run in tuple(slot.waiting):
                    await self._request_stop(run, "superseded")
                await self._end_paused(active, "superseded")
            elif active is not None and on_conflict == "reject":
                raise RefusedError("session_busy", retry_after_s=_RETRY_AFTER_S)
            elif active is not None and on_conflict == "interrupt":
                for run in (*slot.waiting, active):
                    await self._request_stop(run, "superseded")
            yield

    async def start(self, session: Session, ask: UserInput, files: Sequence[Mapping[str, Any]] = ()) -> Started:
        """Store a message and start its run, or put it behind the one under way. Only inside `admit`.

        `files` are the attachments as the history shows them.
        """
        slot = self._slots[session.session_id]
        turn = resolve_turn(session, run_id=new_id(), limits=self._limits, rules=self._rules)
        await self._records.begin(turn, ask, files)
        run = _Run(turn, slot, self._records.open_log(turn))
        self._emit_session(run)
        slot.waiting.append(run)
        self._advance(slot)
        if run is not slot.active:
            run.log.emit(EventType.RUN, status="queued", position=len(slot.waiting))
        self._spawn(run, self._execute(run, ask, RunMemory()))
        return Started(run_id=turn.run_id, after=0)

    @asynccontextmanager
    async def deciding(self, session: Session) -> AsyncIterator[TurnConfig | None]:
        """Hold the session's place while decisions are checked; the turn that waits for them, if there is one."""
        async with self._slot_of(session) as slot:
            yield slot.active.turn if slot.active is not None and slot.active.is_paused else None

    async def resume(self, session: Session, decisions: Decisions, record: Sequence[Mapping[str, Any]]) -> Started:
        """Go on with the run that waits for a person. Only inside `deciding`.

        Args:
            session: Whose run.
            decisions: Checked answers.
            record: The same as they stand in the log, so that a repeated answer is recognised.
        """
        self._check_open()
        run = self._slots[session.session_id].active
        if run is None or not await self._records.mark_resumed(run.turn):
            raise RefusedError("nothing_pending")
        frames = await self._records.frames(run.turn.run_id)
        memory = RunMemory.of_frames(frames)
        started = await self._reopen(run)
        run.stop.worked_s = seconds_worked(frames)
        run.log.emit(EventType.RUN, status="resumed", decisions=list(record))
        self._spawn(run, self._execute(run, decisions, memory))
        return started

    async def pending(self, session: Session) -> Waiting:
        """The run of a session that waits for a person, and for what."""
        row = await self._records.runs.active_of(session.session_id)
        if row is None or row.status is not RunStatus.INTERRUPTED:
            return Waiting()
        turn = resolve_turn(session, run_id=row.run_id, limits=self._limits, rules=self._rules, row=row)
        return Waiting(run=row, approvals=asked_under(await self._runner.pending(turn), row.policy_hash))

    async def ask_again(self, session: Session, row: Run) -> None:
        """Void the question that waits and ask it under the policy of now, in a segment of its own; its time goes on."""
        async with self._slot_of(session) as slot:
            run = slot.active
            if run is None or not run.is_paused or run.turn.run_id != row.run_id:
                return
            turn = run.turn
            if not await self._records.mark_resumed(turn):
                return
            await self._reopen(run)

            async def ask() -> None:
                waiting = asked_under(await self._runner.pending(turn), turn.policy.version)
                items = [interrupt_item(one, row.waits_until) for one in waiting]
                run.log.emit(EventType.INTERRUPT, interrupts=items)
                pause = TurnEnd(status=RunStatus.INTERRUPTED, stop_reason="approval", waits_until=row.waits_until)
                await self._finish(run, pause)

            self._spawn(run, ask())
            assert run.task is not None  # noqa: S101 - set by the line above
            await asyncio.shield(run.task)

    async def cancel(self, row: Run, reason: str = "user_cancelled") -> None:
        """Stop a run, whatever it is doing; one that is over stays as it is."""
        if (live := self._live.get(row.run_id)) is not None:
            await self._request_stop(live, reason)
            return
        session = await self._records.sessions.get(row.session_id, row.user_name)
        async with self._slot_of(session) as slot:
            if slot.active is not None and slot.active.is_paused and slot.active.turn.run_id == row.run_id:
                await self._end_paused(slot.active, reason)

    async def end_session(self, session: Session) -> None:
        """Stop everything a session does and wait until it is still."""
        async with self._slot_of(session) as slot:
            runs = [*slot.waiting, *([slot.active] if slot.active is not None else [])]
            for run in runs:
                if run.is_paused:
                    await self._end_paused(run, "session_deleted")
                else:
                    await self._request_stop(run, "session_deleted")
        await asyncio.gather(*(run.task for run in runs if run.task is not None), return_exceptions=True)

    async def follow(
        self, run_id: str, *, after: int, heartbeat_s: float, stops_at_pause: bool = True
    ) -> AsyncIterator[Sequence[RunEvent]]:
        """Frames behind `after` as they are stored, several at once where they came at once; empty after a silence.

        Ends behind `done`: of the segment, or with `stops_at_pause=False` of the run, if it goes on meanwhile.
        """
        while True:
            live = self._live.get(run_id)
            batch: Sequence[RunEvent] | None = None if live is None else live.log.tail_after(after)
            if batch is None:
                batch = await self._records.read(run_id, after=after)
            if batch:
                batch = _through_done(batch) if stops_at_pause else batch
                yield batch
                after = batch[-1].seq
                if stops_at_pause and batch[-1].type == EventType.DONE:
                    return
            elif live is None or live.log.is_closed:
                return
            elif not await live.log.wait_behind(after, timeout_s=heartbeat_s):
                yield ()

    # -- the life of one run -------------------------------------------------------------------------------------

    def _spawn(self, run: _Run, work: Coroutine[Any, Any, None]) -> None:
        self._live[run.turn.run_id] = run
        with log_context(run_id=run.turn.run_id, session_id=run.turn.session_id):
            run.task = asyncio.create_task(self._guard(run, run.log, work))

    async def _guard(self, run: _Run, segment_log: RunLog, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("run_broke", run_id=run.turn.run_id)
            try:
                await self._finish(run, end_stopped(run.log.emit, "run_broke"))
            except Exception:
                # Nothing can be told any more, but the session must be free again.
                log.exception("run_not_ended", run_id=run.turn.run_id)
                with suppress(Exception):
                    await self._records.mark_broken(run.turn.run_id, "log_failed")
            self._leave(run)
            self._release(run)
        finally:
            segment_log.close()

    async def _execute(self, run: _Run, ask: TurnInput, memory: RunMemory) -> None:
        await self._finish(run, await self._run_segment(run, ask, memory))

    async def _run_segment(self, run: _Run, ask: TurnInput, memory: RunMemory) -> TurnEnd:
        await run.has_place.wait()
        if run.stop.reason is None and not isinstance(ask, Decisions):
            await self._records.mark_started(run.turn.run_id)
            run.log.emit(EventType.RUN, status="started")
        if run.stop.reason is not None:
            return end_stopped(run.log.emit, run.stop.reason)
        end = await self._runner.run(run.turn, ask, log_=run.log, memory=memory, stop=run.stop)
        if not end.is_final and run.stop.reason is not None:
            # Stopped at the very moment it paused: nobody is to be asked any more.
            return await self._abandon(run, run.stop.reason)
        return end

    async def _abandon(self, run: _Run, reason: str) -> TurnEnd:
        await run.log.flush()
        frames = await self._records.frames(run.turn.run_id)
        stop = STOPS[reason]
        await self._runner.abandon(run.turn, log_=run.log, frames=frames, reason=stop.message, status=stop.call_status)
        return end_stopped(run.log.emit, reason)

    async def _finish(self, run: _Run, end: TurnEnd) -> None:
        if end.is_final:
            await self._look_after(run, end)

        async def settle() -> None:
            await self._records.end(run.turn, end)
            # Before a reader sees `done`: it may send the next message or decision at once.
            run.is_paused = not end.is_final
            self._leave(run)
            if end.is_final:
                self._release(run)

        await run.log.finish(
            settle,
            status=end.status.value,
            final=end.is_final,
            outcome=end.outcome,
            stop_reason=end.stop_reason,
            usage=await self._runner.totals(run.turn.run_id),
            message_id=end.message_id,
        )

    async def _look_after(self, run: _Run, end: TurnEnd) -> None:
        try:
            await run.log.flush()
            await self._runner.look_after(run.turn, end)
        except Exception:
            # A queue for people that cannot be filled must not keep a session from going on.
            log.exception("run_not_looked_after", run_id=run.turn.run_id)

    async def _end_paused(self, run: _Run, reason: str) -> None:
        if not await self._records.mark_stopping(run.turn.run_id, was_paused=True):
            return
        await self._reopen(run)

        async def end() -> None:
            run.log.emit(EventType.RUN, status="cancelling")
            await self._finish(run, await self._abandon(run, reason))

        self._spawn(run, end())
        assert run.task is not None  # noqa: S101 - set by the line above
        # The client that asked may go away; the end of the run must not depend on it.
        await asyncio.shield(run.task)

    async def _end_lost(self, row: Run) -> None:
        session = await self._records.sessions.get(row.session_id, row.user_name)
        turn = resolve_turn(session, run_id=row.run_id, limits=self._limits, rules=self._rules, row=row)
        frames = await self._records.frames(row.run_id)
        if frames and frames[-1]["type"] == EventType.DONE and frames[-1]["final"]:
            last = frames[-1]
            errors = [frame["code"] for frame in frames if frame["type"] == EventType.ERROR]
            await self._records.end(
                turn,
                TurnEnd(
                    status=RunStatus(last["status"]),
                    stop_reason=last["stop_reason"],
                    error_code=errors[-1] if errors else None,
                    message_id=last["message_id"],
                    outcome=last["outcome"],
                ),
            )
            return
        run = _Run(turn, _Slot(), self._records.open_log(turn, last_seq=row.last_seq))
        await self._runner.abandon(
            turn, log_=run.log, frames=frames, reason=STOPS["process_lost"].message, status="cancelled"
        )
        await self._finish(run, end_stopped(run.log.emit, "process_lost"))

    async def _reopen(self, run: _Run) -> Started:
        """Open the next segment of a paused run."""
        after = await self._records.last_seq(run.turn.run_id)
        run.log = self._records.open_log(run.turn, last_seq=after)
        run.stop = StopSignal()
        run.is_paused = False
        run.has_place.set()
        self._emit_session(run)
        return Started(run_id=run.turn.run_id, after=after)

    # -- stopping and queueing -----------------------------------------------------------------------------------

    async def _request_stop(self, run: _Run, reason: str) -> None:
        if await self._records.mark_stopping(run.turn.run_id):
            with suppress(LogClosedError):  # it ended meanwhile
                run.log.emit(EventType.RUN, status="cancelling")
        self._stop(run, reason)

    def _check_open(self) -> None:
        if self._is_closing:
            raise RefusedError("server_stopping", retry_after_s=_RETRY_AFTER_S)

    def _stop(self, run: _Run, reason: str) -> None:
        run.stop.request(reason)
        run.has_place.set()

    def _leave(self, run: _Run) -> None:
        if self._live.get(run.turn.run_id) is run:
            del self._live[run.turn.run_id]

    def _release(self, run: _Run) -> None:
        slot = run.slot
        if run in slot.waiting:
            slot.waiting.remove(run)
        if slot.active is run:
            slot.active = None
        self._advance(slot)

    def _advance(self, slot: _Slot) -> None:
        if slot.active is not None or not slot.waiting:
            return
        slot.active = slot.waiting.popleft()
        slot.active.has_place.set()
        for position, run in enumerate(slot.waiting, start=1):
            with suppress(LogClosedError):  # it was stopped while it waited
                run.log.emit(EventType.RUN, status="queued", position=position)

    @asynccontextmanager
    async def _slot_of(self, session: Session) -> AsyncIterator[_Slot]:
        slot = self._slots.get(session.session_id)
        if slot is None:
            slot = self._slots[session.session_id] = _Slot()
        async with slot.lock:
            if not slot.is_loaded:
                await self._load(slot, session)
            yield slot

    async def _load(self, slot: _Slot, session: Session) -> None:
        row = await self._records.runs.active_of(session.session_id)
        if row is not None and row.status is RunStatus.INTERRUPTED:
            turn = resolve_turn(session, run_id=row.run_id, limits=self._limits, rules=self._rules, row=row)
            slot.active = _Run(turn, slot, self._records.open_log(turn), is_paused=True)
        slot.is_loaded = True

    def _emit_session(self, run: _Run) -> None:
        turn = run.turn
        run.log.emit(
            EventType.SESSION,
            thread_id=turn.session_id,
            title=turn.title,
            agent=turn.agent,
            mode=turn.permission_mode,
            model_mode=turn.model_mode,
        )


def _through_done(batch: Sequence[RunEvent]) -> Sequence[RunEvent]:
    for index, event in enumerate(batch):
        if event.type == EventType.DONE:
            return batch[: index + 1]
    return batch
