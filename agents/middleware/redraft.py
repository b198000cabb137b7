"""Asks the model for another draft: what was wrong with the last one stands behind the messages of this call and is kept nowhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware import ModelRequest, ModelResponse
from langchain_core.messages import HumanMessage
from typing_extensions import override

from agents.middleware.async_only import AsyncModelMiddleware


@dataclass(frozen=True, slots=True)
class RedraftNote:
    """What the model is told about the draft that nobody saw."""

    text: str


class RedraftMiddleware(AsyncModelMiddleware):
    """Puts the note of the run at the end of the messages, where there is one."""

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        note = request.runtime.context
        if isinstance(note, RedraftNote):
            request = request.override(messages=[*request.messages, HumanMessage(note.text)])
        return await handler(request)
