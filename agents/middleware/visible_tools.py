"""Shows a model only the tools it could call now; calling a hidden one anyway is refused by the wrapper."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import ModelRequest, ModelResponse
from typing_extensions import override

from agents.middleware.async_only import AsyncModelMiddleware
from tools.context import current_context
from tools.invocation import ToolInvoker
from tools.judge import is_visible
from tools.registered_tool import RegisteredTool


class VisibleToolsMiddleware(AsyncModelMiddleware):
    """Hides registered tools that mode, availability or policy forbid in this turn."""

    def __init__(self, invoker: ToolInvoker) -> None:
        super().__init__()
        self._invoker = invoker

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        context = current_context()
        facts = await self._invoker.facts_of(context)
        shown = [
            tool
            for tool in request.tools
            if not isinstance(tool, RegisteredTool) or is_visible(tool.descriptor, context, facts)
        ]
        return await handler(request.override(tools=shown))
