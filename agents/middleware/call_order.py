"""Counts the parallel calls of one message in the order the model wrote them, so that a bound refuses the last ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command
from typing_extensions import override

from agents.errors import SyncRunError
from tools.call_turn import CallTurn, taking_turn
from tools.context import current_context

_Result = ToolMessage | Command[Any]
_Message = tuple[str, str]


class CallOrderMiddleware(AgentMiddleware[Any, Any, Any]):
    """Stands outside whatever gives calls their places; a call that needs none lets those behind it pass."""

    def __init__(self) -> None:
        super().__init__()
        self._under_way: dict[_Message, dict[int, asyncio.Event]] = {}

    @override
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]) -> _Result:
        raise SyncRunError

    @override
    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        asked = next((m for m in reversed(request.state["messages"]) if isinstance(m, AIMessage)), None)
        ids = [call["id"] for call in asked.tool_calls] if asked is not None else []
        if asked is None or request.tool_call["id"] not in ids:
            return await handler(request)
        place, message = ids.index(request.tool_call["id"]), (current_context().turn_id, asked.id or "")
        # Only calls that run now are waited for: after an answer of a person the graph repeats none that has ended.
        others = self._under_way.setdefault(message, {})
        turn = CallTurn(before=tuple(placed for earlier, placed in others.items() if earlier < place))
        others[place] = turn.placed
        try:
            with taking_turn(turn):
                return await handler(request)
        finally:
            del others[place]
            if not others:
                self._under_way.pop(message, None)
