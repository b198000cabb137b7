"""The part of a middleware around model calls that all of ours share: no synchronous run gets by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from typing_extensions import override

from agents.errors import SyncRunError


class AsyncModelMiddleware(AgentMiddleware[Any, Any, Any]):
    """Refuses `invoke` and `stream`: what a subclass does before a model call needs the async server."""

    @override
    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        raise SyncRunError

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(request)
