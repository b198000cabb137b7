"""Asks no person about a call that would be refused whatever they say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command
from typing_extensions import override

from agents.errors import SyncRunError
from tools.context import current_context
from tools.invocation import ToolInvoker
from tools.judge import is_visible
from tools.registered_tool import RegisteredTool

_Result = ToolMessage | Command[Any]


class EarlyRefusalMiddleware(AgentMiddleware[Any, Any, Any]):
    """Stands outside the approval gate and gives each call its place in the count.

    A call that is forbidden, whose arguments do not fit, or that comes after the last place goes straight to the tool, whose
    wrapper refuses and records it.
    """

    def __init__(self, invoker: ToolInvoker) -> None:
        super().__init__()
        self._invoker = invoker

    @override
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]) -> _Result:
        raise SyncRunError

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        tool = request.tool
        if isinstance(tool, RegisteredTool) and not await self._may_go_on(tool, request):
            refusal: ToolMessage = await tool.ainvoke({**request.tool_call, "type": "tool_call"})
            return refusal
        return await handler(request)

    async def _may_go_on(self, tool: RegisteredTool, request: ToolCallRequest) -> bool:
        context = current_context()
        facts = await self._invoker.facts_of(context)
        if not is_visible(tool.descriptor, context, facts) or not tool.takes(request.tool_call["args"]):
            return False
        call_id = request.tool_call["id"]
        # A call without an id cannot be found again; the wrapper counts it when it admits it.
        return call_id is None or await self._invoker.reserve(call_id, context, facts)
