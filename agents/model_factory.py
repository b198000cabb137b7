"""Builds the language model: an OpenAI-compatible one with a key, else the embedded one. Both declare their window."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel, ModelProfile

from agents.live_model import ReasoningChatOpenAI
from agents.offline_model import OfflineModel
from config import Settings
from tools.registry import Playbook


def build_model(
    settings: Settings,
    *,
    playbooks: Sequence[Playbook] = (),
    examples: Sequence[str] = (),
    stays_local: bool = False,
) -> BaseChatModel:
    """The model for one agent.

    Args:
        settings: Key, address, name, window and limits.
        playbooks: What the embedded model can do.
        examples: Messages it suggests when it cannot do what was asked.
        stays_local: Nothing may leave this machine: the embedded model, whatever the settings say.
    """
    profile = ModelProfile(max_input_tokens=settings.model_context_window)
    if stays_local or settings.model_mode == "offline":
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
        # `timeout` bounds the silence between two pieces already. This one would do it with `asyncio.wait_for`, which in
        # Python 3.11 drops a cancellation that arrives together with a piece: a stopped turn would not stop.
        stream_chunk_timeout=None,
        # The client's own tries end when an answer begins, so no text is ever streamed twice.
        max_retries=settings.model_max_retries,
    )
