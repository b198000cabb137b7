"""Counts what a turn's model calls used: main agent, sub-agent and summariser, each call exactly once, however it ends."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from uuid import UUID

import structlog
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, LLMResult
from typing_extensions import override

log = structlog.get_logger(__name__)

UsageSource = Literal["provider", "estimate"]
CallRole = Literal["main", "subagent", "summary"]

_ASCII_CHARS_PER_TOKEN: Final = 4.0
_OTHER_CHARS_PER_TOKEN: Final = 1.5  # Chinese: between one and two characters a token in current vocabularies
_SUMMARY_MARK: Final = "summarization"
_IMPLAUSIBLE_TOKENS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one model call; input includes what was cached, output includes reasoning."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    usage_source: UsageSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One finished model call, whether it answered, failed or was cancelled."""

    call_id: str
    role: CallRole
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Billed:
    """A call with what the ledger made of it; `cost_micro` is None where no price is known."""

    call: ModelCall
    cost_micro: int | None
    currency: str


@dataclass(slots=True, kw_only=True)
class _OpenCall:
    role: CallRole
    model: str
    messages: Sequence[BaseMessage]
    streamed: list[str] = field(default_factory=list)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is; only used where the provider did not count."""
    other = (len(text.encode(errors="replace")) - len(text)) / 2  # Chinese takes three bytes a character
    return math.ceil((len(text) - other) / _ASCII_CHARS_PER_TOKEN + other / _OTHER_CHARS_PER_TOKEN)


def extract_usage(answer: AIMessage, asked: Sequence[BaseMessage]) -> Usage:
    """The provider's own figures, also an explicit zero; an estimate only where it sent none that can be, and marked so."""
    counted = answer.usage_metadata
    if counted is None or not _is_plausible(counted):
        return _estimate(asked, f"{answer.text}{answer.tool_calls or ''}")
    inputs = counted.get("input_token_details") or {}
    outputs = counted.get("output_token_details") or {}
    # The embedded model counts too, and says that it only estimates.
    stated = answer.response_metadata.get("usage_source")
    return Usage(
        input_tokens=counted["input_tokens"],
        output_tokens=counted["output_tokens"],
        cache_read_tokens=inputs.get("cache_read") or 0,
        cache_write_tokens=inputs.get("cache_creation") or 0,
        reasoning_tokens=outputs.get("reasoning") or 0,
        usage_source="estimate" if stated == "estimate" else "provider",
    )


class ContextMeter(AsyncCallbackHandler):
    """Watches every model call of one turn and has each one written to the ledger as it ends.

    Args:
        record: Writes one call to the ledger; it may be asked again for the same call after it failed.
        was_refused: Whether an error means that the provider did not work on the call at all.
    """

    run_inline = True

    def __init__(
        self, record: Callable[[ModelCall], Awaitable[Billed]], was_refused: Callable[[BaseException], bool]
    ) -> None:
        self._record = record
        self._was_refused = was_refused
        self._open: dict[UUID, _OpenCall] = {}
        self._unwritten: dict[str, ModelCall] = {}
        self._billed: list[Billed] = []
        self.used_tokens = 0
        """Tokens of the main agent's latest call: how full its context is."""

    def take_billed(self) -> list[Billed]:
        """The calls that reached the ledger since the last time this was asked."""
        billed, self._billed = self._billed, []
        return billed

    async def settle(self) -> None:
        """Write what is still open: calls that were cancelled (no callback tells of them) and failed writes.

        Raises:
            Exception: The ledger refused again; the turn must not end as if it were paid.
        """
        for run_id in list(self._open):
            await self._close(run_id, None)
        for call in list(self._unwritten.values()):
            await self._write(call)

    @override
    async def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        facts = metadata or {}
        role: CallRole = "main"
        if facts.get("lc_source") == _SUMMARY_MARK:
            role = "summary"
        elif "|" in facts.get("langgraph_checkpoint_ns", ""):
            role = "subagent"
        self._open[run_id] = _OpenCall(
            role=role, model=facts.get("ls_model_name") or "unknown", messages=messages[0] if messages else ()
        )

    @override
    async def on_llm_new_token(self, token: str | list[str | dict[str, Any]], *, run_id: UUID, **kwargs: Any) -> None:
        call = self._open.get(run_id)
        if call is not None and isinstance(token, str) and token:
            call.streamed.append(token)

    @override
    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        call = self._open.get(run_id)
        generation = response.generations[0][0]
        if call is None or not isinstance(generation, ChatGeneration) or not isinstance(generation.message, AIMessage):
            await self._close(run_id, None)
            return
        await self._close(run_id, extract_usage(generation.message, call.messages))

    @override
    async def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        call = self._open.get(run_id)
        if call is not None and not call.streamed and self._was_refused(error):
            await self._close(run_id, Usage(input_tokens=0, output_tokens=0, usage_source="estimate"))
        else:
            await self._close(run_id, None)

    async def _close(self, run_id: UUID, usage: Usage | None) -> None:
        open_call = self._open.pop(run_id, None)
        if open_call is None:
            return
        usage = usage or _estimate(open_call.messages, "".join(open_call.streamed))
        if open_call.role == "main":
            self.used_tokens = usage.input_tokens + usage.output_tokens
        call = ModelCall(call_id=str(run_id), role=open_call.role, model=open_call.model, usage=usage)
        self._unwritten[call.call_id] = call
        try:
            await self._write(call)
        except Exception as error:  # noqa: BLE001 - the framework would swallow it; `settle` writes again or raises
            log.warning("usage_write_failed", call_id=call.call_id, error=type(error).__name__)

    async def _write(self, call: ModelCall) -> None:
        self._billed.append(await self._record(call))
        del self._unwritten[call.call_id]


def _is_plausible(counted: UsageMetadata) -> bool:
    details = (counted.get("input_token_details") or {}, counted.get("output_token_details") or {})
    figures = [counted["input_tokens"], counted["output_tokens"], *(n for part in details for n in part.values())]
    return all(
        isinstance(figure, int) and 0 <= figure < _IMPLAUSIBLE_TOKENS for figure in figures if figure is not None
    )


def _estimate(asked: Sequence[BaseMessage], answered: str) -> Usage:
    return Usage(
        input_tokens=sum(estimate_tokens(message.text) for message in asked),
        output_tokens=estimate_tokens(answered),
        usage_source="estimate",
    )
