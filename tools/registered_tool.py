"""A registered tool as the graph sees it: it wraps itself, so no path to it goes around the wrapper."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Mapping
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
from tools.json_values import reason_not_json, to_storable
from tools.judge import Verdict
from tools.nested import PARSE_ERROR, has_parse_error, looks_like_json
from tools.ports import Outcome
from tools.results import ToolPayload, to_json_text, to_payload
from tools.running_work import DeadlineError, RunningWork
from tools.turn_record import scalar_facts

log = structlog.get_logger(__name__)

_PROOF_CHARS: Final = 200
_MAX_ANSWER_CHARS: Final = 4_000_000
"""What is longer belongs into a file; cleaning it would hold up every other session."""

_CALL_ID: Final[ContextVar[str]] = ContextVar("tool_call_id", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """How a call ended: `content` is the payload as JSON text, which is what the model reads; both hold JSON values only."""

    status: Literal["ok", "error"]
    payload: ToolPayload
    content: str


class ToolRunner:
    """Calls registered tools through the wrapper."""

    def __init__(self, invoker: ToolInvoker, work: RunningWork) -> None:
        self._invoker = invoker
        self._work = work

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
        objection = checked if isinstance(checked, Verdict) else None
        work = functools.partial(self._content, descriptor, checked, context)
        ended = await self._invoker.govern(call, work, objection=objection)
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
        self, descriptor: ToolDescriptor, arguments: Mapping[str, Any], checked: BaseModel | Verdict | Exception
    ) -> None:
        texts = [name for name in descriptor.json_fields if looks_like_json(arguments.get(name))]
        if texts:
            is_broken = isinstance(checked, Verdict) and checked.code == PARSE_ERROR
            self._invoker.metrics.json_input(descriptor.name, is_broken=is_broken)

    async def _content(
        self, descriptor: ToolDescriptor, checked: BaseModel | Verdict | Exception, context: AgentContext
    ) -> Ended[str]:
        """The answer of the tool's own code as JSON text, free of credentials; what is no JSON is a fault of the tool."""
        if not isinstance(checked, BaseModel):
            raise checked if isinstance(checked, Exception) else AssertionError("a refused call is never made")
        function = functools.partial(descriptor.function, **descriptor.keywords(checked, context))
        try:
            answer = await self._work.run(function, is_async=descriptor.is_async, timeout_s=descriptor.timeout_s)
        except DeadlineError as error:
            raise ToolError(
                f"{descriptor.title}超过 {descriptor.timeout_s:g} 秒没有完成，已停止等待",
                hint="请缩小范围后重试；反复出现请联系管理员。",
                code="timeout",
            ) from error
        text = to_json_text(to_payload(answer))
        if len(text) > _MAX_ANSWER_CHARS:
            raise ValueError(
                f"the answer has {len(text)} characters; what is longer than {_MAX_ANSWER_CHARS} belongs into a file"
            )
        payload = redact_credentials(to_storable(json.loads(text)))
        outcome = Outcome.OK if payload["ok"] else Outcome.REFUSED
        data = payload.get("data")
        return Ended(
            outcome=outcome,
            value=to_json_text(payload),
            code=str(payload.get("code") or ""),
            evidence=_evidence(descriptor, data) if payload["ok"] else None,
            facts=scalar_facts(data),
        )


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

    def takes(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the tool takes these arguments; the wrapper says what is wrong with others."""
        return isinstance(_checked(self._descriptor, arguments), BaseModel)

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
    async def _arun(self, /, **arguments: Any) -> tuple[str, ToolPayload]:
        outcome = await self._runner.answer(
            self._descriptor, arguments, context=current_context(), call_id=_CALL_ID.get()
        )
        if outcome.status == "error":
            # The framework's own way to mark the ToolMessage as an error while the turn goes on.
            raise ToolException(outcome.content)
        return outcome.content, outcome.payload

    @override
    def _run(self, **arguments: Any) -> Any:
        raise NotImplementedError(f"{self.name} runs asynchronously only: use ainvoke instead of invoke")


def _evidence(descriptor: ToolDescriptor, data: Any) -> str | None:
    if descriptor.evidence is None:
        return None
    try:
        proof = descriptor.evidence(data)
    except Exception:
        # The call did what it did; only its proof is missing, and without one nothing may be claimed.
        log.exception("evidence_failed", tool=descriptor.name)
        return None
    return str(proof)[:_PROOF_CHARS] if proof else None


def _checked(descriptor: ToolDescriptor, arguments: Mapping[str, Any]) -> BaseModel | Verdict | Exception:
    """The arguments as the tool takes them, what is wrong with them, or a bug of the tool's own check."""
    try:
        if (reason := reason_not_json(arguments)) is not None:
            hint = f"{descriptor.name} 只接受普通的 JSON 值。请改正后重试。"
            return Verdict(rule="arguments", code="bad_arguments", message=reason, hint=hint)
        return descriptor.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        reason, hint = explain_arguments(descriptor, error)
        code = PARSE_ERROR if has_parse_error(error) else "bad_arguments"
        return Verdict(rule="arguments", code=code, message=reason, hint=hint)
    except Exception as error:  # noqa: BLE001 - raised again inside the wrapper, which records it
        return error
