"""The one path of every tool call: judge, admit, call, clean, close, count. Nothing runs a tool around it."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any, Final, TypeVar

import structlog

from obs.metrics import ToolMetrics
from obs.sanitize import sanitize
from tools.call import Call, Ended
from tools.call_key import holding_call
from tools.call_turn import taking_place
from tools.context import AgentContext
from tools.descriptor import args_digest
from tools.errors import ToolError, ToolPermissionError, ToolSystemError
from tools.json_values import whole_text
from tools.judge import FORBIDDEN_TEXT, UNKNOWN_TOOL, Verdict, judge
from tools.ports import Admission, CallEnd, CallEntry, CallLedger, CallPlace, Outcome
from tools.results import refused
from tools.session_facts import NOBODY, FactsSource, SessionFacts, holding_facts
from tools.turn_record import record_step

log = structlog.get_logger(__name__)

Value = TypeVar("Value")
_CLOSE_TRIES: Final = 3
_CLOSE_PAUSE_S: Final = 0.2
_MAX_NAME: Final = 128
_MAX_CODE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What the wrapper works with; the server binds its own."""

    ledger: CallLedger
    facts: FactsSource
    metrics: ToolMetrics


class ToolInvoker:
    """Governs calls. What steers the graph (`pass_through`) and cancellation leave as exceptions, nothing else does."""

    def __init__(self, ports: Ports, *, pass_through: tuple[type[BaseException], ...] = ()) -> None:
        self._ports = ports
        self._pass_through = pass_through
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def metrics(self) -> ToolMetrics:
        """Where calls are counted."""
        return self._ports.metrics

    async def facts_of(self, context: AgentContext) -> SessionFacts:
        """What is known about a caller; of whom nothing can be found out, nothing is allowed to."""
        try:
            return await self._ports.facts.facts_of(context)
        except Exception:
            log.exception("session_facts_unavailable", session_id=context.session_id)
            return NOBODY

    async def reserve(self, call_id: str, context: AgentContext, facts: SessionFacts) -> bool:
        """Give a call of a registered tool its place in the count, in the order of its message; False if there is none left.

        The wrapper counts a call that has no place; whoever asks a person first has to reserve it before.
        """
        with taking_place() as earlier:
            for placed in earlier:
                await placed.wait()
            bound = facts.policy.max_tool_calls_per_run
            place = CallPlace(run_id=context.turn_id, tool_call_id=call_id, counter="tool", max_calls=bound)
            return await self._ports.ledger.reserve(place)

    async def govern(
        self, call: Call, work: Callable[[], Awaitable[Ended[Value]]], *, objection: Verdict | None = None
    ) -> Ended[Value]:
        """Run one call in the fixed order; `objection` is what its arguments have against it, if they do.

        A call that the graph enters again after a pause keeps its record and its place in the count.
        """
        verdict = objection or judge(call.tool, call.context, call.facts)
        try:
            admission = await self._ports.ledger.admit(_entry(call, verdict))
        except Exception as error:  # noqa: BLE001 - without a record there is no call, whatever the reason
            ended = self._unrecorded(call, error)
        else:
            if admission.code is not None:
                ended = _refusal(call, verdict, admission)
            else:
                ended = await self._called(call, admission, work)
        # Names that a model made up would be series without end.
        self._ports.metrics.called(
            "" if ended.code == UNKNOWN_TOOL else call.tool.name, ended.outcome.value, ended.code
        )
        return ended

    async def _called(
        self, call: Call, admission: Admission, work: Callable[[], Awaitable[Ended[Value]]]
    ) -> Ended[Value]:
        try:
            ended = await self._tiers(call, work)
        except self._pass_through:
            raise  # the record stays open: the graph comes back to it
        except asyncio.CancelledError:
            await self._close(call, admission, Ended(outcome=Outcome.CANCELLED, code="cancelled"))
            raise
        await self._close(call, admission, ended)
        return ended

    async def _tiers(self, call: Call, work: Callable[[], Awaitable[Ended[Value]]]) -> Ended[Value]:
        """The call and its failures, security before business before system."""
        try:
            with holding_facts(call.facts), holding_call(call.call_id):
                return await work()
        except self._pass_through:
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return self._broken(call, error)  # the tool's own, nobody stopped the turn
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything; the turn goes on
            try:
                return _stated(error) or self._broken(call, error)
            except BaseException as second:  # noqa: BLE001 - so may the error itself, when it is read
                return self._broken(call, second)

    def _broken(self, call: Call, error: BaseException) -> Ended[Any]:
        cause = error.__cause__ if isinstance(error, ToolSystemError) and error.__cause__ else error
        incident_id = error.incident_id if isinstance(error, ToolSystemError) else token_hex(6)
        _log_fault(call.tool.name, incident_id, cause)
        self._ports.metrics.failed(call.tool.name)
        return Ended(
            outcome=Outcome.FAILED,
            payload=refused(
                f"{call.tool.title}出现内部错误(编号 {incident_id})",
                hint="请换一种方式继续，或把编号告诉管理员；不要用同样的参数反复重试。",
                code="tool_failed",
            ),
            code="tool_failed",
            incident_id=incident_id,
            detail=f"{type(cause).__name__}: {_text_of(cause)}",
        )

    def _unrecorded(self, call: Call, error: Exception) -> Ended[Any]:
        incident_id = token_hex(6)
        log.error("tool_call_not_recorded", tool=call.tool.name, incident_id=incident_id, exc_info=error)
        reason = f"{call.tool.title}没有执行：调用记录无法写入(编号 {incident_id})"
        payload = refused(reason, hint="请稍后重试；反复出现请把编号告诉管理员。", code="audit_unavailable")
        return Ended(outcome=Outcome.FAILED, payload=payload, code="audit_unavailable", incident_id=incident_id)

    async def _close(self, call: Call, admission: Admission, ended: Ended[Any]) -> None:
        """Write how the call ended, also while the turn is being cancelled."""
        end = CallEnd(
            audit_id=admission.audit_id,
            outcome=ended.outcome,
            code=_recordable(ended.code, _MAX_CODE),
            incident_id=ended.incident_id,
            detail=_recordable(sanitize(ended.detail)),
            result_digest=_digest(ended),
            ended_at=datetime.now(UTC),
            receipts=record_step(call, ended, admission),
        )
        closing = asyncio.create_task(self._close_surely(end))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        await asyncio.shield(closing)

    async def _close_surely(self, end: CallEnd) -> None:
        for attempt in range(1, _CLOSE_TRIES + 1):
            try:
                await self._ports.ledger.close(end)
            except Exception as error:
                log.warning("tool_call_not_closed", audit_id=end.audit_id, attempt=attempt, exc_info=error)
                await asyncio.sleep(_CLOSE_PAUSE_S * attempt)
            else:
                return
        self._ports.metrics.left_open()

    async def drain(self) -> None:
        """Wait until every call that ended is on record."""
        if closing := list(self._closing):
            await asyncio.wait(closing)


def new_call_id() -> str:
    """An id for a call that no graph gave one."""
    return f"call-{uuid.uuid4().hex}"


def _entry(call: Call, verdict: Verdict) -> CallEntry:
    context, facts = call.context, call.facts
    return CallEntry(
        audit_id=str(uuid.uuid4()),
        run_id=context.turn_id,
        tool_call_id=_recordable(call.call_id, _MAX_NAME),
        organization_id=context.organization_id,
        user_id=context.user_id,
        session_id=context.session_id,
        surface=context.surface,
        agent=facts.agent,
        model=facts.model,
        trace_id=context.trace.trace_id,
        tool=_recordable(call.tool.name, _MAX_NAME),
        tool_version=call.tool.version,
        policy_version=facts.policy.version,
        input_digest=args_digest(call.tool.name, call.arguments),
        effects=call.tool.effects,
        allowed=verdict.code is None,
        rule=verdict.rule,
        code=verdict.code,
        detail=_recordable(sanitize(verdict.detail or verdict.message if verdict.code else "")),
        needs_approval=call.tool.name in facts.policy.approval,
        counter="tool" if call.is_counted else "framework",
        max_calls=facts.policy.max_tool_calls_per_run if call.is_counted else facts.policy.max_framework_calls_per_run,
        started_at=datetime.now(UTC),
    )


def _stated(error: BaseException) -> Ended[Any] | None:
    """How a call ended that failed in words meant for others, security before business; None for a fault."""
    if isinstance(error, ToolPermissionError):
        payload = refused(FORBIDDEN_TEXT, hint="不要用别的工具绕开；把情况告诉用户。", code="forbidden")
        return Ended(outcome=Outcome.FORBIDDEN, payload=payload, code="forbidden", detail=_text_of(error))
    if isinstance(error, ToolError):
        outcome = Outcome.TIMEOUT if error.code == "timeout" else Outcome.REFUSED
        payload = refused(error.shown(sanitize), hint=sanitize(error.hint), code=error.code)
        return Ended(outcome=outcome, payload=payload, code=error.code, detail=_text_of(error))
    return None


_LEDGER_WORDS: Final = {
    "approval_required": (
        "没有执行：需要人批准，而没有与这次参数相符的有效批准。",
        "请等待批准；参数变了需要重新批准。",
    ),
    "call_limit": ("没有执行：本轮的工具调用次数已达上限。", "请根据已有结果回答，说明哪些没有做完。"),
    "call_closed": ("没有执行：这次调用已经结束，不会再执行一遍。", "请根据已有结果继续。"),
}


def _refusal(call: Call, verdict: Verdict, admission: Admission) -> Ended[Any]:
    code = admission.code or ""
    if code == verdict.code:
        message, hint = verdict.message, verdict.hint
    else:
        reason, hint = _LEDGER_WORDS[code]
        message = f"{call.tool.title}{reason}"
    payload = refused(sanitize(message), hint=sanitize(hint), code=code)
    return Ended(outcome=Outcome.DENIED, payload=payload, code=code)


def _digest(ended: Ended[Any]) -> str:
    said = ended.value if isinstance(ended.value, str) else ended.text if ended.value is None else repr(ended.value)
    return hashlib.sha256(said.encode(errors="backslashreplace")).hexdigest()


def _log_fault(tool: str, incident_id: str, cause: BaseException) -> None:
    try:
        log.error("tool_failed", tool=tool, incident_id=incident_id, exc_info=cause)
    except BaseException as second:  # noqa: BLE001 - a trace quotes the error, and so runs its code
        log.error(  # noqa: TRY400 - the trace is what could not be written
            "tool_failed", tool=tool, incident_id=incident_id, error=type(cause).__name__, trace=type(second).__name__
        )


def _recordable(text: str, most_chars: int | None = None) -> str:
    """A text that every database keeps: whole characters, no NUL, not longer than its column."""
    return whole_text(text).replace("\0", "␀")[:most_chars]


def _text_of(error: BaseException | None) -> str:
    """The error's words; a bug in the error itself must not become one of ours."""
    try:
        return str(error)
    except BaseException as second:  # noqa: BLE001 - T18: `__str__` that raises
        return f"<{type(second).__name__} while reading it>"
