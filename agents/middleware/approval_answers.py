"""Puts a person's decision into the result's own JSON, so that model, page and log read it from one place."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command
from typing_extensions import override

from tools.results import refused, to_json_text

REJECTED: Final = "rejected_by_human_approval"
_DECISION_SOURCE: Final = "hitl_interrupt_decision"

_Result = ToolMessage | Command[Any]


class RejectionMiddleware(AgentMiddleware[Any, Any, Any]):
    """Stands outside the approval gate: the gate's prose about a rejection becomes an error result with a code."""

    @override
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]) -> _Result:
        return _as_refusal(handler(request))

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        return _as_refusal(await handler(request))


class EditedCallMiddleware(AgentMiddleware[Any, Any, Any]):
    """Stands inside the approval gate: a result of arguments that a person changed says which ones were executed."""

    @override
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]) -> _Result:
        return _with_executed_args(request, handler(request))

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        return _with_executed_args(request, await handler(request))


def _as_refusal(result: _Result) -> _Result:
    if not isinstance(result, ToolMessage) or result.additional_kwargs.get("lc_source") != _DECISION_SOURCE:
        return result
    if result.additional_kwargs.get("lc_data", {}).get("decision") != "reject":
        return result
    _, _, reason = str(result.content).partition("with reason: ")
    payload = refused(
        f"操作被人驳回，没有执行。驳回原因：{reason or '未说明'}",
        hint="不要再次发起同样的操作，除非用户明确要求；向用户说明没有执行。",
        code=REJECTED,
    )
    return result.model_copy(update={"content": to_json_text(payload)})


def _with_executed_args(request: ToolCallRequest, result: _Result) -> _Result:
    executed = request.tool_call
    asked = _asked_args(request.state, executed["id"])
    if asked is None or asked == executed["args"] or not isinstance(result, ToolMessage):
        return result
    note = {"executed_args": executed["args"], "note": "批准人修改了参数，实际执行的是 executed_args。"}
    try:
        payload = {**json.loads(str(result.content)), "edited_by_approver": note}
    except (ValueError, TypeError):
        return result
    artifact = {**result.artifact, "edited_by_approver": note} if isinstance(result.artifact, Mapping) else None
    return result.model_copy(update={"content": to_json_text(payload), "artifact": artifact})


def _asked_args(state: Any, call_id: str | None) -> Mapping[str, Any] | None:
    for message in reversed(state.get("messages", [])):
        for call in getattr(message, "tool_calls", ()):
            if call["id"] == call_id:
                args: Mapping[str, Any] = call["args"]
                return args
    return None
