"""The embedded model: no language model, but playbooks that call the same tools through the same graph.

It knows no domain. It shows the messages to the playbooks in order, streams the text of the first step it gets and
makes the call of that step; if no playbook wants the message, it says plainly what it is and what works.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final
from uuid import uuid4

import structlog
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from typing_extensions import override

from agents.turn_view import read_facts, to_digest, to_view
from tools.registry import Playbook, PlaybookStep

log = structlog.get_logger(__name__)

OFFLINE: Final = "offline"
"""Name of the embedded model in records, prices and frames."""
_CHUNK_CHARS: Final = 12
_CHARS_PER_TOKEN: Final = 4
_NO_MODEL: Final = "当前没有配置语言模型，我是内置的离线流程：能按固定步骤调用工具完成任务，但不能理解任意的问题。"
_HOW_TO_CONFIGURE: Final = (
    "如需自由问答，请管理员在 .env 中设置 OPENAI_API_KEY(以及 OPENAI_BASE_URL、MODEL_NAME)后重启。"
)


class OfflineModel(BaseChatModel):
    """A chat model whose answers come from playbooks. Usage is an estimate and says so."""

    playbooks: tuple[Any, ...] = ()
    """Playbooks, asked in this order."""
    examples: tuple[str, ...] = ()
    """Messages to suggest when nothing fits."""
    model_name: str = OFFLINE

    @property
    @override
    def _llm_type(self) -> str:
        return "offline"

    @override
    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def summarize(self, messages: list[AnyMessage]) -> str:
        """Summarise evicted history by a deterministic digest; takes no model call."""
        return to_digest(messages)

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        chunks = [generation.message for generation in self._stream(messages, **kwargs)]
        whole = sum(chunks[1:], start=chunks[0])
        message = AIMessage(
            content=whole.content,
            tool_calls=getattr(whole, "tool_calls", []),
            usage_metadata=getattr(whole, "usage_metadata", None),
            response_metadata=whole.response_metadata,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for generation in self._stream(messages, **kwargs):
            if run_manager is not None:
                await run_manager.on_llm_new_token(str(generation.message.content), chunk=generation)
            yield generation

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        step = self._next_step(messages, frozenset(tool["function"]["name"] for tool in kwargs.get("tools", ())))
        for start in range(0, len(step.text), _CHUNK_CHARS):
            yield _chunk(content=step.text[start : start + _CHUNK_CHARS])
        written = len(step.text)
        if step.tool is not None:
            arguments = json.dumps(dict(step.args), ensure_ascii=False)
            written += len(arguments)
            call = tool_call_chunk(name=step.tool, args=arguments, id=f"call_{uuid4().hex}", index=0)
            yield _chunk(content="", tool_call_chunks=[call])
        yield _chunk(
            content="",
            usage_metadata=_estimate(messages, written),
            response_metadata={"usage_source": "estimate", "model_name": self.model_name, "model_provider": "offline"},
            chunk_position="last",
        )

    def _next_step(self, messages: Sequence[BaseMessage], tools: frozenset[str]) -> PlaybookStep:
        view = to_view(read_facts(messages), tools)
        playbooks: tuple[Playbook, ...] = self.playbooks
        for playbook in playbooks:
            if (step := playbook.next_step(view)) is not None:
                log.debug("playbook_step_taken", playbook=playbook.name, tool=step.tool)
                return step
        return PlaybookStep(text=self._fallback())

    def _fallback(self) -> str:
        if not self.examples:
            return f"{_NO_MODEL}\n\n{_HOW_TO_CONFIGURE}"
        tries = "\n".join(f"- {example}" for example in self.examples)
        return f"{_NO_MODEL}\n\n现在可以这样用：\n{tries}\n\n{_HOW_TO_CONFIGURE}"


def _chunk(**fields: Any) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(**fields))


def _estimate(messages: Sequence[BaseMessage], written_chars: int) -> UsageMetadata:
    read_tokens = count_tokens_approximately(messages)
    written_tokens = -(-written_chars // _CHARS_PER_TOKEN)
    return UsageMetadata(
        input_tokens=read_tokens, output_tokens=written_tokens, total_tokens=read_tokens + written_tokens
    )
