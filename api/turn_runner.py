"""One segment of a run, from its input to its end: stream, bill, notice files, and close cleanly whatever happens.

HTTP and scheduled runs come through the same function, so neither can skip the bill.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from secrets import token_hex
from typing import Any, Final

import structlog

from agents.errors import RunLimitError, TurnError
from agents.guards.confidence import Signals
from agents.guards.outcome_integrity import outcome_of
from agents.guards.policy import ESCALATED
from agents.guards.receipt_source import ReceiptSource
from agents.model_failures import to_turn_error
from agents.session_agent import PendingApproval, SessionAgent, TurnIdentity, UserInput
from api.after_run import AfterRun
from api.answer_guard import AnswerGuard, is_escalating, redraft_note
from api.answer_guards import AnswerGuards
from api.context_meter import Billed, ContextMeter, ModelCall
from api.guard_record import GuardRecord
from api.history import cut_message
from api.run_log import LogClosedError, RunLog
from api.screening import escalate, screen
from api.source_tracker import SourceTracker
from api.sse_core import ResultStatus, RunMemory, StreamSplitter
from api.sse_events import EventType
from api.tool_cards import ToolCards
from api.turn import Decisions, StoppedError, StopSignal, TurnConfig, TurnEnd, TurnInput
from api.turn_end import STOPS, end_failed, end_stopped
from api.waiting import asked_under, interrupt_item
from api.workspace_files import OutputWatch, WorkspaceFiles
from billing.meter import UsageMeter
from db.db_conn import new_id, utc_now
from db.file_store import FileStore
from db.records import File, RunStatus, UsageTotals

log = structlog.get_logger(__name__)

_MICRO: Final = 1_000_000
_CLEAN_UP_S: Final = 15.0
_TICK_S: Final = 0.25
# The provider did not work on a call that failed like this, so nothing was used.
_NOT_BEGUN: Final = frozenset(
    {"model_auth_failed", "model_not_found", "model_rate_limited", "model_rejected", "model_unreachable"}
)


class _Segment:
    """The working parts of one segment."""

    def __init__(
        self,
        turn: TurnConfig,
        log_: RunLog,
        splitter: StreamSplitter,
        meter: ContextMeter,
        guard: AnswerGuard | None,
        memory: RunMemory,
    ) -> None:
        self.turn = turn
        self.guard = guard
        self.memory = memory
        self.log = log_
        self.splitter = splitter
        self.meter = meter
        self.watch: OutputWatch | None = None


class TurnRunner:
    """Runs segments of runs; holds nothing between them."""

    def __init__(
        self,
        *,
        agents: Mapping[str, SessionAgent],
        meter: UsageMeter,
        files: FileStore,
        workspace: WorkspaceFiles,
        cards: ToolCards,
        record: GuardRecord,
        receipts: ReceiptSource,
        answers: AnswerGuards,
        after: AfterRun,
    ) -> None:
        self._agents = agents
        self._usage = meter
        self._files = files
        self._workspace = workspace
        self._cards = cards
        self._record = record
        self._receipts = receipts
        self._answers = answers
        self._after = after

    async def run(
        self, turn: TurnConfig, ask: TurnInput, *, log_: RunLog, memory: RunMemory, stop: StopSignal
    ) -> TurnEnd:
        """Run one segment. Every frame but `session`, `run` and `done` is emitted here; nothing is left open."""
        sources = SourceTracker()
        denied = ask.denied if isinstance(ask, Decisions) else ()
        guard = self._answers.guard_of(turn)
        splitter = StreamSplitter(
            log_.emit,
            cards=self._cards,
            sources=sources,
            memory=memory,
            denied=denied,
            guard=guard,
            policy_version=turn.policy.version,
            shows_reasoning=turn.shows_reasoning,
        )
        segment = _Segment(turn, log_, splitter, self._context_meter(turn), guard, memory)
        segment.watch = await self._workspace.watch_outputs(turn.user_name, turn.session_id)
        try:
            if isinstance(ask, UserInput) and (hit := await screen(turn, ask)) is not None:
                agent = self._agents[turn.agent]
                return await escalate(turn, ask, hit, agent=agent, emit=log_.emit, record=self._record)
            seconds, reason = turn.time_left(stop.worked_s)
            await stop.run(self._stream(segment, ask, stop), timeout_s=seconds, on_timeout=reason)
            end = await self._conclude(segment)
        except StoppedError as stopped:
            await self._close(segment, reason=STOPS[stopped.reason].message, status="cancelled")
            end = end_stopped(log_.emit, stopped.reason, message_id=splitter.message_id)
        except LogClosedError:
            raise  # nothing can be said any more; the hub ends the run
        except Exception as error:  # noqa: BLE001 - the end of a run is where every failure is turned into words
            end = await self._close_failed(segment, error)
        if memory.is_escalated and end.is_final and end.outcome is None:
            # However it ended, its answer claimed what was not done.
            end = replace(end, outcome=ESCALATED)
        await segment.meter.settle()
        await self._after_step(segment)
        if sources.items:
            log_.emit(EventType.SOURCES, items=sources.items, message_id=splitter.message_id)
        return end

    async def pending(self, turn: TurnConfig) -> tuple[PendingApproval, ...]:
        """What of the turn's session waits for a person."""
        return await self._agents[turn.agent].pending(turn.identity)

    async def abandon(
        self, turn: TurnConfig, *, log_: RunLog, frames: Sequence[Mapping[str, Any]], reason: str, status: ResultStatus
    ) -> None:
        """Close what a run that is not streaming left open: cancelled while it waited, or its process is gone.

        What the user read of it is judged like any answer.

        Args:
            turn: The run's turn.
            log_: Where the missing frames go.
            frames: What the log holds.
            reason: Words for people and model.
            status: Of the calls that have no result.
        """
        memory, guard = RunMemory.of_frames(frames), self._answers.guard_of(turn)
        splitter = StreamSplitter(
            log_.emit,
            cards=self._cards,
            sources=SourceTracker(),
            memory=memory,
            guard=guard,
            policy_version=turn.policy.version,
        )
        if (cut := cut_message(frames)) is not None:
            log_.emit(EventType.MESSAGE, **cut)
            memory.texts[cut["message_id"]] = cut["content"]
            await self._agents[turn.agent].keep_partial(turn.identity, cut["message_id"], cut["content"])
        await self._review(_Segment(turn, log_, splitter, self._context_meter(turn), guard, memory))
        await self._close_calls(turn.agent, turn.identity, splitter, reason=reason, status=status)

    async def look_after(self, turn: TurnConfig, end: TurnEnd) -> None:
        """Draw what people look at, of a run that is over."""
        await self._after.look(turn, end)

    async def totals(self, run_id: str) -> dict[str, Any]:
        """`done.usage`: the sums of the run's ledger rows."""
        return usage_totals(await self._usage.totals_of_run(run_id))

    async def _stream(self, segment: _Segment, ask: TurnInput, stop: StopSignal) -> None:
        agent, identity = self._agents[segment.turn.agent], segment.turn.identity
        parts: Any  # declared as iterators, they are generators that have to be closed
        if isinstance(ask, Decisions):
            parts = agent.resume(identity, ask.by_interrupt, callbacks=[segment.meter])
        else:
            parts = agent.stream(identity, ask, callbacks=[segment.meter])
        await self._learn(segment)
        if segment.guard is not None and segment.guard.numbers is not None:
            segment.guard.numbers.learn(*await agent.seen(identity))
            segment.guard.numbers.learn((), ask.text if isinstance(ask, UserInput) else "")
        await self._read(segment, parts, stop)
        if rejected := segment.splitter.rejected:
            draft_id, note = rejected[0].message_id, redraft_note(rejected)
            parts = agent.redraft(identity, draft_id, note, callbacks=[segment.meter])
            try:
                await self._read(segment, parts, stop)
            except TurnError as error:
                # The user asked for no second draft: where it cannot be had, the first one with its marks is the answer.
                if (draft := segment.splitter.restore_draft()) is None:
                    raise
                log.warning("redraft_failed", run_id=segment.turn.run_id, code=error.code)
                await agent.keep_partial(identity, *draft)

    async def _read(self, segment: _Segment, parts: Any, stop: StopSignal) -> None:
        async with aclosing(parts), _ticking(segment.splitter):
            async for part in parts:
                if segment.splitter.feed(part):
                    await self._after_step(segment)
                stop.check()

    async def _after_step(self, segment: _Segment) -> None:
        emit, meter, splitter = segment.log.emit, segment.meter, segment.splitter
        billed = meter.take_billed()
        for item in billed:
            emit(EventType.USAGE, **_usage_fields(item))
        if any(item.call.role == "main" for item in billed):
            window = segment.turn.limits.window_tokens
            emit(
                EventType.CONTEXT,
                used_tokens=meter.used_tokens,
                window_tokens=window,
                ratio=round(meter.used_tokens / window, 4),
                compacted=splitter.is_compacted,
            )
        await self._emit_new_files(segment)
        await self._record_decisions(segment)
        await self._learn(segment)

    async def _learn(self, segment: _Segment) -> None:
        """Tell the guard what code has seen happen."""
        if segment.guard is not None and segment.guard.claims is not None:
            turn = segment.turn
            segment.guard.claims.receipts = await self._receipts.of_thread(turn.session_id, turn.run_id)

    async def _record_decisions(self, segment: _Segment) -> None:
        for one in segment.splitter.take_decided():
            await self._record.decided(
                segment.turn,
                one.finding.guard,
                one.finding.verdict,
                code=one.finding.code,
                message_id=one.message_id,
                original=one.sentence,
                shown=one.reads,
                spans=one.finding.spans,
                review="outcome" if is_escalating(one) else "guard" if one.finding.verdict == "blocked" else None,
                audit_id=one.audit_id,
            )

    async def _emit_new_files(self, segment: _Segment) -> None:
        assert segment.watch is not None  # noqa: S101 - set before the first step
        produced = await self._workspace.scan(segment.watch)
        if not produced:
            return
        turn = segment.turn
        await self._files.add_many(
            [
                File(
                    file_id=new_id(),
                    session_id=turn.session_id,
                    run_id=turn.run_id,
                    role="output",
                    path=file.path,
                    name=file.name,
                    media_type=file.media_type,
                    size=file.size,
                    created_at=utc_now(),
                )
                for file in produced
            ]
        )
        for file in produced:
            segment.log.emit(EventType.FILE, path=file.path, name=file.name, media_type=file.media_type, size=file.size)

    async def _conclude(self, segment: _Segment) -> TurnEnd:
        splitter = segment.splitter
        if splitter.is_interrupted and (waiting := await self.pending(segment.turn)):
            await self._after_step(segment)
            until = utc_now() + timedelta(seconds=segment.turn.limits.approval_wait_s)
            # The graph has stored the pause before its stream ended, so whoever sees this can answer it.
            asked = asked_under(waiting, segment.turn.policy.version)
            segment.log.emit(EventType.INTERRUPT, interrupts=[interrupt_item(item, until) for item in asked])
            return TurnEnd(
                status=RunStatus.INTERRUPTED,
                stop_reason="approval",
                message_id=splitter.message_id,
                waits_until=until,
            )
        await self._review(segment)
        turn, memory = segment.turn, segment.memory
        if memory.is_escalated:
            return TurnEnd(
                status=RunStatus.ESCALATED,
                stop_reason="outcome_integrity",
                message_id=splitter.message_id,
                outcome=ESCALATED,
            )
        receipts = await self._receipts.of_thread(turn.session_id, turn.run_id)
        return TurnEnd(
            status=RunStatus.SUCCEEDED,
            stop_reason="finished",
            message_id=splitter.message_id,
            outcome=outcome_of(receipts, turn.policy.outcomes),
            signals=_signals(segment),
        )

    async def _review(self, segment: _Segment) -> None:
        """Look at the whole answer, and make the graph remember what the user was shown."""
        if segment.guard is None:
            return
        await self._learn(segment)
        for message_id, text in list(segment.memory.texts.items()):
            final, found = segment.guard.review(message_id, text)
            if found:
                segment.splitter.correct(message_id, found, final)
        await self._record_decisions(segment)
        await self._agents[segment.turn.agent].correct(segment.turn.identity, segment.memory.texts)

    async def _close_failed(self, segment: _Segment, error: Exception) -> TurnEnd:
        if isinstance(error, TurnError):
            log.warning("turn_failed", run_id=segment.turn.run_id, code=error.code, reason=repr(error.__cause__))
            await self._close(segment, reason=error.message, status="error")
            return end_failed(
                segment.log.emit,
                code=error.code,
                message=error.message,
                hint=error.hint,
                retryable=error.retryable,
                status=RunStatus.LIMITED if isinstance(error, RunLimitError) else RunStatus.FAILED,
                message_id=segment.splitter.message_id,
            )
        incident_id = token_hex(6)
        log.error("turn_broke", run_id=segment.turn.run_id, incident_id=incident_id, exc_info=error)
        await self._close(segment, reason="内部错误，调用没有完成。", status="error")
        return end_failed(
            segment.log.emit,
            code="internal_error",
            message="处理过程中出现内部错误。",
            hint=f"请重试；若反复出现，请把编号 {incident_id} 告诉管理员。已输出的内容保留在会话中。",
            retryable=True,
            incident_id=incident_id,
            message_id=segment.splitter.message_id,
        )

    async def _close(self, segment: _Segment, *, reason: str, status: ResultStatus) -> None:
        """Keep what was said, answer what was called: the session's next turn starts clean."""
        turn, splitter = segment.turn, segment.splitter
        partial = splitter.finish_partial()
        try:
            async with asyncio.timeout(_CLEAN_UP_S):
                if partial is not None:
                    await self._agents[turn.agent].keep_partial(turn.identity, *partial)
                await self._review(segment)
                await self._close_calls(turn.agent, turn.identity, splitter, reason=reason, status=status)
        except Exception:
            # The graph may be what broke; the reader still gets a result for each call.
            log.exception("turn_close_failed", run_id=turn.run_id)
            _answer_open(splitter, reason=reason, status=status)

    async def _close_calls(
        self, agent: str, identity: TurnIdentity, splitter: StreamSplitter, *, reason: str, status: ResultStatus
    ) -> None:
        await self._agents[agent].close_open_calls(identity, reason, status)
        _answer_open(splitter, reason=reason, status=status)

    def _context_meter(self, turn: TurnConfig) -> ContextMeter:
        async def record(call: ModelCall) -> Billed:
            row = await self._usage.record(
                call_id=call.call_id,
                run_id=turn.run_id,
                session_id=turn.session_id,
                user_name=turn.user_name,
                agent=turn.agent,
                role=call.role,
                model=call.model,
                input_tokens=call.usage.input_tokens,
                output_tokens=call.usage.output_tokens,
                cache_read_tokens=call.usage.cache_read_tokens,
                cache_write_tokens=call.usage.cache_write_tokens,
                reasoning_tokens=call.usage.reasoning_tokens,
                usage_source=call.usage.usage_source,
            )
            return Billed(
                call=call,
                cost_micro=None if row is None else row.cost_micro,
                currency="" if row is None else row.currency,
            )

        return ContextMeter(record, _was_refused)


def _signals(segment: _Segment) -> Signals:
    memory = segment.memory
    numbers = segment.guard.numbers if segment.guard is not None else None
    return Signals(
        numbers=numbers.numbers if numbers is not None else 0,
        derived=numbers.derived if numbers is not None else 0,
        unverified=numbers.unverified if numbers is not None else 0,
        tool_calls=len(memory.calls),
        failed_calls=len(memory.failed),
        corrections=memory.corrections,
    )


@asynccontextmanager
async def _ticking(splitter: StreamSplitter) -> AsyncIterator[None]:
    """Let the guard's limit of time pass while the model is silent."""

    async def tick() -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            splitter.tick()

    ticker = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticker.cancel()


def usage_totals(totals: UsageTotals) -> dict[str, Any]:
    """Sums of ledger rows as a client reads them."""
    return {
        "calls": totals.calls,
        "input_tokens": totals.input_tokens,
        "output_tokens": totals.output_tokens,
        "cache_read_tokens": totals.cache_read_tokens,
        "reasoning_tokens": totals.reasoning_tokens,
        "usage_source": _weakest(totals.sources),
        "cost": None if totals.cost_micro is None else totals.cost_micro / _MICRO,
        "currency": totals.currency,
    }


def _weakest(sources: frozenset[str]) -> str | None:
    # One estimated call makes the sum an estimate.
    return "estimate" if "estimate" in sources else next(iter(sources), None)


def _answer_open(splitter: StreamSplitter, *, reason: str, status: ResultStatus) -> None:
    for call_id in splitter.open_calls:
        splitter.answer_call(call_id, status=status, content=reason)


def _was_refused(error: BaseException) -> bool:
    failure = to_turn_error(error) if isinstance(error, Exception) else None
    return failure is not None and failure.code in _NOT_BEGUN


def _usage_fields(item: Billed) -> dict[str, Any]:
    usage = item.call.usage
    return {
        "model": item.call.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "usage_source": usage.usage_source,
        "cost": None if item.cost_micro is None else item.cost_micro / _MICRO,
        "currency": item.currency,
    }
