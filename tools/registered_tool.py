"""A registered tool as the graph sees it: it wraps itself, so no path to it goes around the wrapper."""

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
from typing import Any, Final, Literal

import structlog
from langchain_core.tools import BaseTool, ToolException
from pydantic import BaseModel, PrivateAttr, ValidationError
from typing_extensions import override

from obs.sanitize import redact_credentials
from tools.call import Call, Ended
from tools.context import AgentContext, current_context
from tools.descriptor import ToolDescriptor, explain_arguments
from tools.errors import ToolError
from tools.invocation import ToolInvoker, new_call_id
from tools.json_values import to_storable
from tools.judge import Verdict
from tools.nested import PARSE_ERROR, has_parse_error, looks_like_json
from tools.ports import Outcome
from tools.results import ToolPayload, to_json_text, to_payload

log = structlog.get_logger(__name__)

_CALL_ID: Final[ContextVar[str]] = ContextVar("tool_call_id", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """How a call ended: `content` is the payload as JSON text, which is what the model reads; both hold JSON values only."""

    status: Literal["ok", "error"]
    payload: ToolPayload
    content: str


class ToolThreads:
    """Threads of sync tools, apart from everybody else's: six sleeping tools stop nobody."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="tool")
        self._abandoned: set[Future[Any]] = set()

    @property
    def abandoned(self) -> int:
        """Threads still busy with a call nobody waits for any more; a thread cannot be stopped from outside."""
        return len(self._abandoned)

    def close(self) -> None:
        """Take no further calls; running ones are not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, function: functools.partial[Any]) -> Any:
        """Run a sync tool; whoever stops waiting leaves its thread counted until it ends."""
        future = self._pool.submit(contextvars.copy_context().run, _caught, function)
        try:
            value, error = await asyncio.wrap_future(future)
        finally:
            if not future.done():
                self._abandoned.add(future)
                future.add_done_callback(self._abandoned.discard)
        if error is not None:
            raise error
        return value


class ToolRunner:
    """Calls registered tools through the wrapper."""

    def __init__(self, invoker: ToolInvoker, threads: ToolThreads) -> None:
        self._invoker = invoker
        self._threads = threads

    async def answer(
        self, descriptor: ToolDescriptor, arguments: Mapping[str, Any], *, context: AgentContext, call_id: str = ""
    ) -> ToolOutcome:
        """Call a tool and turn whatever happens into an answer the model can read.

        Only what steers the graph and cancellation leave as exceptions.
        """
        started = time.perf_counter()
        call = Call(
            tool=descriptor,
            call_id=call_id or new_call_id(),
            arguments=arguments,
            context=context,
            facts=await self._invoker.facts_of(context),
        )
        checked = _checked(descriptor, arguments)
        self._count_input(descriptor, arguments, checked)
        if isinstance(checked, Verdict):
            ended = await self._invoker.govern(call, _never, objection=checked)
        else:
            work = functools.partial(self._content, descriptor, checked, context)
            ended = await self._invoker.govern(call, work)
        content = ended.text if ended.value is None else ended.value
        payload: ToolPayload = json.loads(content)
        is_ok = ended.outcome is Outcome.OK and payload["ok"]
        elapsed_ms = round((time.perf_counter() - started) * 1000, 1)
        log.info(
            "tool_called",
            tool=descriptor.name,
            tool_call_id=call_id,
            outcome=ended.outcome.value,
            elapsed_ms=elapsed_ms,
        )
        return ToolOutcome(status="ok" if is_ok else "error", payload=payload, content=content)

    def _count_input(
        self, descriptor: ToolDescriptor, arguments: Mapping[str, Any], checked: BaseModel | Verdict
    ) -> None:
        texts = [name for name in descriptor.json_fields if looks_like_json(arguments.get(name))]
        if texts:
            is_broken = isinstance(checked, Verdict) and checked.code == PARSE_ERROR
            self._invoker.metrics.json_input(descriptor.name, is_broken=is_broken)

    async def _content(self, descriptor: ToolDescriptor, checked: BaseModel, context: AgentContext) -> Ended[str]:
        """The answer of the tool's own code as JSON text, free of credentials; what is no JSON is a fault of the tool."""
        function = functools.partial(descriptor.function, **descriptor.keywords(checked, context))
        deadline = asyncio.timeout(descriptor.timeout_s)
        try:
            async with deadline:
                answer = await (function() if descriptor.is_async else self._threads.run(function))
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise ToolError(
                f"{descriptor.title}超过 {descriptor.timeout_s:g} 秒没有完成，已停止等待",
                hint="请缩小范围后重试；反复出现请联系管理员。",
                code="timeout",
            ) from error
        payload = redact_credentials(to_storable(json.loads(to_json_text(to_payload(answer)))))
        outcome = Outcome.OK if payload["ok"] else Outcome.REFUSED
        return Ended(outcome=outcome, value=to_json_text(payload), code=str(payload.get("code") or ""))


class RegisteredTool(BaseTool):
    """The framework's face of a tool; the framework checks nothing, the wrapper does."""

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: bool = True

    _descriptor: ToolDescriptor = PrivateAttr()
    _runner: ToolRunner = PrivateAttr()

    def __init__(self, descriptor: ToolDescriptor, runner: ToolRunner) -> None:
        # A schema as plain JSON leaves the arguments unchecked on the way in: wrong ones get our words, not a trace.
        super().__init__(name=descriptor.name, description=descriptor.description, args_schema=descriptor.schema)
        self._descriptor = descriptor
        self._runner = runner

    @property
    def descriptor(self) -> ToolDescriptor:
        """What is known about the tool."""
        return self._descriptor

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
        outcome = await self._runner.answer(
            self._descriptor, arguments, context=current_context(), call_id=_CALL_ID.get()
        )
        if outcome.status == "error":
            # The framework's own way to mark the ToolMessage as an error while the turn goes on.
            raise ToolException(outcome.content)
        return outcome.content, outcome.payload

    @override
    def _run(self, **arguments: Any) -> Any:
        raise NotImplementedError("tools run under the async server only")


def _caught(function: functools.partial[Any]) -> tuple[Any, BaseException | None]:
    """A call's value, or what it raised: futures do not carry every exception there is."""
    try:
        return function(), None
    except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
        return None, error


def _checked(descriptor: ToolDescriptor, arguments: Mapping[str, Any]) -> BaseModel | Verdict:
    try:
        return descriptor.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        reason, hint = explain_arguments(descriptor, error)
        code = PARSE_ERROR if has_parse_error(error) else "bad_arguments"
        return Verdict(rule="arguments", code=code, message=reason, hint=hint)


async def _never() -> Ended[str]:
    raise AssertionError("a call with wrong arguments is never made")
