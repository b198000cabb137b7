"""A language model behind an OpenAI-compatible address, with what the client library leaves out or smooths over."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import ToolCallChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from agents.errors import UnreadableAnswerError

UNREADABLE_CALLS: Final = "unreadable_calls"
"""Key of `additional_kwargs`: id and argument text of each call whose arguments are no complete JSON object."""

_REASONING: Final = ("reasoning_content", "reasoning")


class ReasoningChatOpenAI(ChatOpenAI):
    """Keeps the thinking that DeepSeek- and Qwen-style servers send beside the text; the parent drops it.

    Names the calls that broke off: the parent completes `{"expression": "60*11` to a call that looks whole, and a wrong
    number would be computed. What is no answer at all, such as the page of a proxy, is told apart from a fault of ours.
    """

    @override
    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[ChatGenerationChunk, None]:
        is_empty = True
        sent = _SentCalls()
        chunks: Any = super()._astream(*args, **kwargs)  # declared as an iterator, it is a generator to be closed
        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    is_empty = False
                    sent.add(chunk)
                    yield chunk
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UnreadableAnswerError("a piece of the answer is not of the agreed form") from error
        if is_empty:
            raise UnreadableAnswerError("the answer holds no piece")
        if unreadable := sent.unreadable:
            note = AIMessageChunk(content="", additional_kwargs={UNREADABLE_CALLS: unreadable})
            yield ChatGenerationChunk(message=note)

    @override
    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        generation = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or chunk.get("chunk", {}).get("choices") or []
        if generation is not None and choices and isinstance(generation.message, AIMessageChunk):
            _add_reasoning(generation.message.additional_kwargs, choices[0].get("delta") or {})
        return generation

    @override
    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)
        raw = response if isinstance(response, dict) else response.model_dump()
        for generation, choice in zip(result.generations, raw.get("choices") or [], strict=False):
            _add_reasoning(generation.message.additional_kwargs, choice.get("message") or {})
        return result


class _SentCalls:
    """The calls of one answer, letter by letter."""

    def __init__(self) -> None:
        self._ids: dict[object, str | None] = {}
        self._texts: dict[object, str] = {}

    def add(self, chunk: ChatGenerationChunk) -> None:
        """Note the pieces of calls in a chunk."""
        for piece in getattr(chunk.message, "tool_call_chunks", ()):
            self._add_piece(piece)

    def _add_piece(self, piece: ToolCallChunk) -> None:
        index = piece.get("index")
        key: object = object() if index is None else index  # without a number it is a call of its own
        self._ids[key] = self._ids.get(key) or piece.get("id")
        self._texts[key] = self._texts.get(key, "") + (piece.get("args") or "")

    @property
    def unreadable(self) -> list[list[str | None]]:
        """Id and text of the calls whose arguments are no JSON object; none at all is an empty object."""
        return [[self._ids[key], text] for key, text in self._texts.items() if text.strip() and not _is_object(text)]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), Mapping)
    except (ValueError, RecursionError):
        return False


def _add_reasoning(kwargs: dict[str, Any], message: dict[str, Any]) -> None:
    for key in _REASONING:
        if text := message.get(key):
            kwargs["reasoning_content"] = text
            return
