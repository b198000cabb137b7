"""Brings a model's answer into a shape that can be kept, shown and sent back, before anybody works with it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from secrets import token_hex
from typing import Any, Final

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall, ToolMessage
from langchain_core.messages.tool import tool_call
from typing_extensions import override

from agents.errors import EmptyAnswerError
from agents.live_model import UNREADABLE_CALLS
from tools.json_values import to_storable, whole_text
from tools.results import refused, to_json_text

_MAX_ID: Final = 128
_MAX_NAME: Final = 128
_SHOWN_ARGUMENTS: Final = 200
_Handler = Callable[[ModelRequest[Any]], ModelResponse[Any]]
_AsyncHandler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class ModelAnswerMiddleware(AgentMiddleware[Any, Any, Any]):
    """Mends what models send: ids that are missing or used before, half characters, arguments nobody can store.

    A call whose arguments cannot be read is answered with the reason at once, so that the model can write it anew; left
    as it is, some services refuse every later request of the session. An answer without a word and without a call ends
    the turn with an error, unless it follows the results of tools.
    """

    def __init__(self, *, max_argument_chars: int = 100_000) -> None:
        """Make it.

        Args:
            max_argument_chars: Longest arguments of one call, as JSON text. Longer ones would stay in the history and leave
                the session without room for any further answer.
        """
        super().__init__()
        self._max_argument_chars = max_argument_chars

    @override
    def wrap_model_call(self, request: ModelRequest[Any], handler: _Handler) -> ModelResponse[Any]:
        return _mend(request.messages, handler(request), self._max_argument_chars)

    @override
    async def awrap_model_call(self, request: ModelRequest[Any], handler: _AsyncHandler) -> ModelResponse[Any]:
        return _mend(request.messages, await handler(request), self._max_argument_chars)


def _mend(asked: list[Any], response: ModelResponse[Any], most_chars: int) -> ModelResponse[Any]:
    used = {call["id"] for message in asked if isinstance(message, AIMessage) for call in message.tool_calls}
    result: list[BaseMessage] = []
    for message in response.result:
        if isinstance(message, AIMessage):
            _check_not_empty(asked, message)
            result += _mend_answer(message, used, most_chars)
        else:
            result.append(message)
    return ModelResponse(result=result, structured_response=response.structured_response)


def _check_not_empty(asked: list[Any], answer: AIMessage) -> None:
    has_calls = answer.tool_calls or answer.invalid_tool_calls
    if not has_calls and not str(answer.text).strip() and not (asked and isinstance(asked[-1], ToolMessage)):
        raise EmptyAnswerError("the model's answer holds neither text nor a call")


def _mend_answer(answer: AIMessage, used: set[str | None], most_chars: int) -> Iterator[BaseMessage]:
    extra = dict(answer.additional_kwargs)
    broken_off = dict(extra.pop(UNREADABLE_CALLS, ()))
    sent = [(call, broken_off.get(call["id"], _too_long(call, most_chars))) for call in answer.tool_calls]
    sent += [(_without_arguments(call), call["args"] or "") for call in answer.invalid_tool_calls]
    mended = [(_mend_call(call, used, is_readable=text is None), text) for call, text in sent]
    usage = answer.usage_metadata
    yield answer.model_copy(
        update={
            "content": to_storable(answer.content),
            "additional_kwargs": to_storable(extra),
            "response_metadata": to_storable(answer.response_metadata),
            "usage_metadata": usage if to_storable(usage) == usage else None,
            "tool_calls": [call for call, _ in mended],
            "invalid_tool_calls": [],
        }
    )
    yield from (_refuse(call, text, most_chars) for call, text in mended if text is not None)


def _too_long(call: ToolCall, most_chars: int) -> str | None:
    text = json.dumps(to_storable(call["args"]), ensure_ascii=False)
    return text if len(text) > most_chars else None


def _without_arguments(call: InvalidToolCall) -> ToolCall:
    return tool_call(name=call["name"] or "", args={}, id=call["id"])


def _mend_call(call: ToolCall, used: set[str | None], *, is_readable: bool) -> ToolCall:
    wanted = whole_text(call["id"] or "")
    identity = wanted if wanted and len(wanted) <= _MAX_ID and wanted not in used else f"call_{token_hex(12)}"
    used.add(identity)
    args = to_storable(call["args"]) if is_readable else {}
    return tool_call(name=whole_text(call["name"])[:_MAX_NAME], args=args, id=identity)


def _refuse(call: ToolCall, sent: str, most_chars: int) -> ToolMessage:
    fault = f"超过 {most_chars} 个字符" if len(sent) > most_chars else "不是完整的 JSON 对象"
    payload = refused(
        f"调用的参数{fault}，没有执行。收到的参数：{whole_text(sent)[:_SHOWN_ARGUMENTS]}",
        hint="请重新发出调用，参数写成一个完整的 JSON 对象；内容很长时分几次调用。",
        code="unreadable_arguments",
    )
    return ToolMessage(to_json_text(payload), name=call["name"], tool_call_id=call["id"] or "", status="error")
