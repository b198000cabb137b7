"""Builds the language model: an OpenAI-compatible one with a key, else the embedded one. Both declare their window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel, ModelProfile
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from agents.offline_model import OfflineModel
from config import Settings
from tools.registry import Playbook

_REASONING: tuple[str, ...] = ("reasoning_content", "reasoning")


def build_model(
    settings: Settings, *, playbooks: Sequence[Playbook] = (), examples: Sequence[str] = ()
) -> BaseChatModel:
    """The model for one agent.

    Args:
        settings: Key, address, name, window and limits.
        playbooks: What the embedded model can do.
        examples: Messages it suggests when it cannot do what was asked.
    """
    profile = ModelProfile(max_input_tokens=settings.model_context_window)
    if settings.model_mode == "offline":
        return OfflineModel(playbooks=tuple(playbooks), examples=tuple(examples), profile=profile)
    return ReasoningChatOpenAI(
        model=settings.model_name,
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url or None,
        # Addresses other than the provider's own report no usage unless asked.
        stream_usage=True,
        use_responses_api=False,
        profile=profile,
        max_tokens=settings.model_max_output_tokens,
        timeout=settings.model_timeout_s,
        stream_chunk_timeout=settings.model_timeout_s,
        # The client's own tries end when an answer begins, so no text is ever streamed twice.
        max_retries=settings.model_max_retries,
    )


class ReasoningChatOpenAI(ChatOpenAI):
    """Keeps the thinking that DeepSeek- and Qwen-style servers send beside the text; the parent drops it."""

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


def _add_reasoning(kwargs: dict[str, Any], message: dict[str, Any]) -> None:
    for key in _REASONING:
        if text := message.get(key):
            kwargs["reasoning_content"] = text
            return
