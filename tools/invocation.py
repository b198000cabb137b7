"""The one path of a tool call: arguments, context, call, and the tiers in which it may fail."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import json
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final, Literal

import structlog
from langchain_core.tools import BaseTool, ToolException
from pydantic import PrivateAttr, ValidationError
from typing_extensions import override

from tools.context import current_context
from tools.descriptor import ToolDescriptor, explain_arguments
from tools.errors import ToolError, ToolSystemError
from tools.json_values import to_storable
from tools.results import ToolPayload, refused, to_json_text, to_payload

log = structlog.get_logger(__name__)

_CALL_ID: Final[ContextVar[str]] = ContextVar("tool_call_id", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """How a call ended: `content` is the payload as JSON text, which is what the model reads; both hold JSON values only."""

    status: Literal["ok", "error"]
    payload: ToolPayload
    content: str


class ToolInvoker:
    """Runs tools. Sync functions get a thread pool of their own, so that six sleeping tools stop nobody else."""

    def __init__(self, *, threads: int, pass_through: tuple[type[Exception], ...] = ()) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="tool")
        self._pass_through = pass_through
        self._abandoned: set[Future[Any]] = set()

    @property
    def abandoned_threads(self) -> int:
        """Threads still busy with a call nobody waits for any more; a thread cannot be stopped from outside."""
        return len(self._abandoned)

    def close(self) -> None:
        """Take no further calls; running ones are not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def answer(self, descriptor: ToolDescriptor, arguments: Mapping[str, Any], *, call_id: str) -> ToolOutcome:
        """Call a tool and turn whatever happens into an answer the model can read.

        Only what steers the graph (`pass_through`) and cancellation leave as exceptions.
        """
        started = time.perf_counter()
        try:
            payload = to_storable(json.loads(to_json_text(await self.call(descriptor, arguments))))
        except self._pass_through:
            raise
        except ToolError as error:
            payload = refused(error.message, hint=error.hint, code=error.code)
        except ToolSystemError as error:
            payload = _broken(descriptor, error.incident_id)
        except Exception as error:  # noqa: BLE001 - an answer that is no JSON is our fault too, and must not break the turn
            payload = _broken(descriptor, _report(descriptor, error))
        else:
            _log_call(descriptor, call_id, started, ok=payload["ok"])
            return ToolOutcome(
                status="ok" if payload["ok"] else "error", payload=payload, content=to_json_text(payload)
            )
        _log_call(descriptor, call_id, started, ok=False)
        return ToolOutcome(status="error", payload=payload, content=to_json_text(payload))

    async def call(self, descriptor: ToolDescriptor, arguments: Mapping[str, Any]) -> ToolPayload:
        """Call a tool; every way in (graph, schedule, HTTP) comes through here, so rules about calls belong here.

        Raises:
            ToolError: The caller can mend it: arguments, time, or what the tool itself refused.
            ToolSystemError: The tool is broken; the log has the trace.
        """
        try:
            checked = descriptor.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            reason, hint = explain_arguments(descriptor, error)
            raise ToolError(reason, hint=hint, code="bad_arguments") from error
        keywords = {name: getattr(checked, name) for name in descriptor.arguments.model_fields}
        if descriptor.context_name is not None:
            keywords[descriptor.context_name] = current_context()
        return to_payload(await self._run(descriptor, keywords))

    async def _run(self, descriptor: ToolDescriptor, keywords: dict[str, Any]) -> Any:
        function = functools.partial(descriptor.function, **keywords)
        deadline = asyncio.timeout(descriptor.timeout_s)
        try:
            async with deadline:
                return await (function() if descriptor.is_async else self._run_in_thread(function))
        except self._pass_through:
            raise
        except (ToolError, ToolSystemError):
            raise
        except Exception as error:
            if deadline.expired():
                raise ToolError(
                    f"{descriptor.title}超过 {descriptor.timeout_s:g} 秒没有完成，已停止等待",
                    hint="请缩小范围后重试；反复出现请联系管理员。",
                    code="timeout",
                ) from error
            raise ToolSystemError(_report(descriptor, error)) from error

    async def _run_in_thread(self, function: functools.partial[Any]) -> Any:
        future = self._pool.submit(contextvars.copy_context().run, function)
        try:
            return await asyncio.wrap_future(future)
        finally:
            if not future.done():
                self._abandoned.add(future)
                future.add_done_callback(self._abandoned.discard)


class RegisteredTool(BaseTool):
    """A registered tool as the graph sees it; the framework checks nothing, `ToolInvoker` does."""

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: bool = True

    _descriptor: ToolDescriptor = PrivateAttr()
    _invoker: ToolInvoker = PrivateAttr()

    def __init__(self, descriptor: ToolDescriptor, invoker: ToolInvoker) -> None:
        # A schema as plain JSON leaves the arguments unchecked on the way in: wrong ones get our words, not a trace.
        super().__init__(name=descriptor.name, description=descriptor.description, args_schema=descriptor.schema)
        self._descriptor = descriptor
        self._invoker = invoker

    @override
    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        # The framework keeps the call's id from a tool's body; here is where it still stands.
        call_id = str(input.get("id") or "") if isinstance(input, dict) and input.get("type") == "tool_call" else ""
        token = _CALL_ID.set(call_id)
        try:
            return await super().ainvoke(input, config, **kwargs)
        finally:
            _CALL_ID.reset(token)

    @override
    async def _arun(self, **arguments: Any) -> tuple[str, ToolPayload]:
        outcome = await self._invoker.answer(self._descriptor, arguments, call_id=_CALL_ID.get())
        if outcome.status == "error":
            # The framework's own way to mark the ToolMessage as an error while the turn goes on.
            raise ToolException(outcome.content)
        return outcome.content, outcome.payload

    @override
    def _run(self, **arguments: Any) -> Any:
        raise NotImplementedError("tools run under the async server only")


def _broken(descriptor: ToolDescriptor, incident_id: str) -> ToolPayload:
    return refused(
        f"{descriptor.title}出现内部错误(编号 {incident_id})",
        hint="请换一种方式继续，或把编号告诉管理员；不要用同样的参数反复重试。",
        code="tool_failed",
    )


def _report(descriptor: ToolDescriptor, error: Exception) -> str:
    incident_id = token_hex(6)
    log.error("tool_failed", tool=descriptor.name, incident_id=incident_id, exc_info=error)
    return incident_id


def _log_call(descriptor: ToolDescriptor, call_id: str, started: float, *, ok: bool) -> None:
    elapsed_ms = round((time.perf_counter() - started) * 1000, 1)
    log.info("tool_called", tool=descriptor.name, tool_call_id=call_id, ok=ok, elapsed_ms=elapsed_ms)
