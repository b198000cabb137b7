"""Tells the model what day it is; a prompt written once would stay in the past."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import SystemMessage
from typing_extensions import override


def _local_now() -> datetime:
    return datetime.now(UTC).astimezone()


class DynamicTimeMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds today's date to the end of the system prompt, at every call.

    The date and not the minute: a prompt that changes at every call defeats the provider's prompt cache.
    """

    def __init__(self, now: Callable[[], datetime] = _local_now) -> None:
        super().__init__()
        self._now = now

    @override
    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(self._with_date(request))

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(self._with_date(request))

    def _with_date(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        now = self._now()
        weekday = "一二三四五六日"[now.weekday()]
        line = f"今天是 {now:%Y-%m-%d}(星期{weekday}，时区 {now.tzname()})；需要精确时刻时调用 time_now。"
        before = request.system_message.text if request.system_message is not None else ""
        return request.override(system_message=SystemMessage(f"{before}\n\n{line}".strip()))
