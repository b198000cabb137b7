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
    """Stands outside the approval gate: a forbidden call goes straight to the tool, whose wrapper refuses and records it."""

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
        if isinstance(tool, RegisteredTool):
            context = current_context()
            if not is_visible(tool.descriptor, context, await self._invoker.facts_of(context)):
                refusal: ToolMessage = await tool.ainvoke({**request.tool_call, "type": "tool_call"})
                return refusal
        return await handler(request)
