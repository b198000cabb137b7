"""From the exceptions of the model client to what a user can do about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import httpx2
import openai
from langchain_core.exceptions import ContextOverflowError

from agents.errors import EmptyAnswerError, ModelCallError, TurnError, UnreadableAnswerError

_CHECK_SERVER: Final = "请检查模型服务是否运行，以及 OPENAI_BASE_URL 是否正确。"
_RETRY: Final = "请稍后重试；已经输出的内容保留在会话中。"

# First match wins, over the whole chain of causes: subclasses stand before their parents.
_FAILURES: Final[tuple[tuple[type[Exception], str, str, str, bool], ...]] = (
    (ContextOverflowError, "context_overflow", "内容超出模型的上下文窗口。", "请缩短消息，或新开一个会话。", False),
    (openai.AuthenticationError, "model_auth_failed", "模型服务拒绝了密钥。", "请检查 OPENAI_API_KEY。", False),
    (openai.PermissionDeniedError, "model_auth_failed", "密钥无权使用该模型。", "请检查 OPENAI_API_KEY 与 MODEL_NAME。", False),
    (openai.NotFoundError, "model_not_found", "模型服务没有这个模型或地址。", "请检查 MODEL_NAME 与 OPENAI_BASE_URL。", False),
    (openai.RateLimitError, "model_rate_limited", "模型服务限流或额度用完。", _RETRY, True),
    (openai.InternalServerError, "model_unavailable", "模型服务内部出错。", _RETRY, True),
    (openai.APIStatusError, "model_rejected", "模型服务拒绝了这次请求。", "请换一种说法重试；反复出现请联系管理员。", False),
    (httpx2.ConnectTimeout, "model_unreachable", "连不上模型服务。", _CHECK_SERVER, True),
    (httpx2.ConnectError, "model_unreachable", "连不上模型服务。", _CHECK_SERVER, True),
    (openai.APITimeoutError, "model_timeout", "模型服务超时没有回应。", _RETRY, True),
    (httpx2.TimeoutException, "model_timeout", "模型的回答中途停顿过久。", _RETRY, True),
    (TimeoutError, "model_timeout", "模型的回答中途停顿过久。", _RETRY, True),
    (UnreadableAnswerError, "model_unreadable", "模型服务的回答无法读取。", "请检查 OPENAI_BASE_URL 是否指向兼容 OpenAI 的接口（通常以 /v1 结尾）。", True),
    (EmptyAnswerError, "model_empty_answer", "模型没有给出任何回答。", "请换一种说法重试；反复出现请检查 MODEL_NAME。", True),
    (openai.APIError, "model_stream_cut", "与模型服务的连接在回答中断开。", _RETRY, True),
)  # fmt: skip


def to_turn_error(error: Exception) -> TurnError | None:
    """The user's words for an exception out of the graph; None if it is no known failure of model or limits."""
    chain = list(_chain(error))
    for cause in chain:
        if isinstance(cause, TurnError):
            return cause
    for kind, code, message, hint, retryable in _FAILURES:
        if any(isinstance(cause, kind) for cause in chain):
            return ModelCallError(code, message, hint, retryable=retryable)
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    # Only causes that were named: a context is what happened to be handled at the time.
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__
