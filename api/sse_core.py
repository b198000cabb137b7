"""The framework's stream → our events: what is text for the user, what is a tool card, and what is neither."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage

from agents.guards.evidence.seen_result import SeenResult
from agents.session_agent import seen_data
from api.answer_guard import (
    HELD_TOO_LONG,
    AnswerGuard,
    Decision,
    GuardedMessage,
    corrected_spans,
    escalates,
    is_escalating,
)
from api.source_tracker import SourceTracker, payload_of
from api.sse_events import TOOL_RESULT_MAX_CHARS, EventType
from api.tool_cards import ToolCards
from tools.json_values import whole_text

ResultStatus = Literal["ok", "error", "denied", "cancelled", "timeout"]

_SUMMARY_MARK: Final = "summarization"
_SUMMARY_EVENT: Final = "_summarization_event"
_MODEL_NODE: Final = "model"
_TOOLS_NODE: Final = "tools"
_NOTHING_REPLACED: Final = frozenset({"annotated", "regenerated"})
_FIRST_HALF, _LAST_FIRST_HALF = "\ud800", "\udbff"
# Other nodes repeat messages of earlier turns (repairs of the history); only around the model do new ones appear.
_MODEL_HOOKS: Final = (".before_model", ".after_model")


class Emit(Protocol):
    """Where events go."""

    def __call__(self, event: EventType, /, **fields: Any) -> int:
        """Log one event; its sequence number comes back."""


@dataclass(slots=True, kw_only=True)
class RunMemory:
    """What a run's log already holds, so that a resumed run does not announce it again."""

    messages: set[str] = field(default_factory=set)
    calls: dict[str, str] = field(default_factory=dict)
    """Announced calls: id → tool name."""
    results: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    """What each message says after the guards: id → text."""
    failed: set[str] = field(default_factory=set)
    """Calls that did not end well."""
    corrections: int = 0
    """Sentences that a guard replaced."""
    is_escalated: bool = False
    """Whether a guard found that the answer claimed what was not done."""
    is_redrafted: bool = False
    """Whether the model was asked for another draft; once in a run."""

    @classmethod
    def of_frames(cls, frames: Collection[Mapping[str, Any]]) -> RunMemory:
        """Read the memory out of the frames of a run's earlier segments."""
        memory = cls()
        for frame in frames:
            match frame["type"]:
                case EventType.MESSAGE:
                    memory.messages.add(frame["message_id"])
                    memory.texts[frame["message_id"]] = frame["content"]
                case EventType.GUARD:
                    memory.is_escalated |= escalates(frame["guard"], frame["verdict"], frame["code"])
                    memory.is_redrafted |= frame["verdict"] == "regenerated"
                    memory.corrections += frame["verdict"] not in _NOTHING_REPLACED and frame["code"] != HELD_TOO_LONG
                case EventType.TOOL_CALL:
                    memory.calls[frame["tool_call_id"]] = frame["name"]
                case EventType.TOOL_RESULT:
                    memory.results.add(frame["tool_call_id"])
                    if frame["status"] != "ok":
                        memory.failed.add(frame["tool_call_id"])
        return memory


@dataclass(slots=True)
class _OpenMessage:
    message_id: str
    guarded: GuardedMessage | None = None
    text: list[str] = field(default_factory=list)
    length: int = 0
    half: str = ""
    """The first half of a character whose second half comes with the next piece."""
    reasoning_length: int = 0
    first_seq: int = 0
    last_seq: int = 0

    @property
    def has_begun(self) -> bool:
        """Whether the model has written any of it, shown or held."""
        return bool(self.length) or (self.guarded is not None and not self.guarded.is_empty)


class StreamSplitter:
    """Takes the parts of one segment of a run and emits its events; each message, call and result once."""

    def __init__(
        self,
        emit: Emit,
        *,
        cards: ToolCards,
        sources: SourceTracker,
        memory: RunMemory,
        denied: Collection[str] = (),
        guard: AnswerGuard | None = None,
        policy_version: str = "",
        shows_reasoning: bool = True,
    ) -> None:
        """Start a segment.

        Args:
            emit: Where events go.
            cards: Titles and categories of tools.
            sources: Collects what tools name as their sources.
            memory: What earlier segments of the run already said.
            denied: Ids of calls that a person has just rejected.
            guard: Verifies what the main agent says; None lets it stream untouched.
            policy_version: Under which the guard decides.
            shows_reasoning: Whether the model's thinking is shown.
        """
        self._emit = emit
        self._cards = cards
        self._sources = sources
        self._memory = memory
        self._denied = frozenset(denied)
        self._guard = guard
        self._policy_version = policy_version
        self._shows_reasoning = shows_reasoning
        self._decided: list[Decision] = []
        self._open: _OpenMessage | None = None
        self._started: dict[str, float] = {}
        self._arguments: dict[str, Mapping[str, Any]] = {}
        self._owners: dict[tuple[str, ...], str] = {}
        self.message_id: str | None = None
        """The latest finished message of the main agent."""
        self.texts: list[str] = []
        """Texts of the segment's finished messages, oldest first."""
        self.rejected: tuple[Decision, ...] = ()
        """Why the model has to write another draft of its last message, which nobody has read."""
        self._draft: _OpenMessage | None = None
        self._calls_at_draft = 0
        self.is_interrupted = False
        self.is_compacted = False

    @property
    def partial(self) -> tuple[str, str] | None:
        """Id and text of a message that was begun and not finished."""
        if self._open is None or not self._open.length:
            return None
        return self._open.message_id, "".join(self._open.text)

    def feed(self, part: Mapping[str, Any]) -> bool:
        """Take one part of the stream; true if a model or tool step has just ended."""
        namespace, data = tuple(part["ns"]), part["data"]
        match part["type"]:
            case "messages":
                self._on_message(namespace, *data)
            case "updates":
                self._on_updates(namespace, data)
                return True
            case "tasks":
                self._on_task(namespace, data)
        return False

    def finish_partial(self) -> tuple[str, str] | None:
        """End a message that was cut: what was shown becomes the message, put right where that was judged false.

        Its id and text, if there is one.
        """
        partial, current = self.partial, self._open
        if current is not None and current.guarded is not None:
            current.guarded.cut()
            text = "" if current.guarded.is_kept_back else self._conclude_guarded(current.guarded)
            partial = (current.message_id, text) if current.length else None
        if partial is not None:
            self._finish_message(*partial, agent_path={})
        self._open = None
        return partial

    def answer_call(self, tool_call_id: str, *, status: ResultStatus, content: str) -> None:
        """Emit the result of a call that got none from the graph; a call that has one is left alone."""
        if tool_call_id in self._memory.calls and tool_call_id not in self._memory.results:
            self._emit_result(tool_call_id, status=status, content=content, data_path=None, agent_path={})

    @property
    def open_calls(self) -> list[str]:
        """Announced calls without a result."""
        return [call for call in self._memory.calls if call not in self._memory.results]

    def _on_message(self, namespace: tuple[str, ...], message: BaseMessage, metadata: Mapping[str, Any]) -> None:
        # Tool answers and the summariser's words come on the same channel as the text for the user.
        if metadata.get("lc_source") == _SUMMARY_MARK:
            return
        if isinstance(message, ToolMessage):
            self._on_tool_message(namespace, message)
        elif isinstance(message, AIMessageChunk) and not namespace:
            self._on_chunk(message)

    def _on_chunk(self, chunk: AIMessageChunk) -> None:
        message_id = chunk.id or ""
        if message_id in self._memory.messages:
            return
        if self._open is None or self._open.message_id != message_id:
            self._open = self._new_message(message_id)
        current = self._open
        thought = whole_text(chunk.additional_kwargs.get("reasoning_content") or "") if self._shows_reasoning else ""
        if thought:
            self._emit(EventType.REASONING, content=thought, message_id=message_id, offset=current.reasoning_length)
            current.reasoning_length += len(thought)
        text = current.half + (chunk.content if isinstance(chunk.content, str) else str(chunk.text))
        current.half = text[-1] if text and _FIRST_HALF <= text[-1] <= _LAST_FIRST_HALF else ""
        if text := whole_text(text.removesuffix(current.half)):
            self._show(current, text)

    def tick(self) -> None:
        """Show what a guard has held too long; to be called when nothing arrives."""
        if self._open is not None and self._open.guarded is not None:
            for piece in self._open.guarded.tick():
                self._emit_token(self._open, piece)
            self._tell_overdue(self._open.guarded)

    def take_decided(self) -> list[Decision]:
        """What guards decided since the last time this was asked; to be put on record."""
        decided, self._decided = self._decided, []
        return decided

    def _new_message(self, message_id: str) -> _OpenMessage:
        if self._guard is None:
            return _OpenMessage(message_id)
        return _OpenMessage(message_id, self._guard.open(message_id, may_reject=not self._memory.is_redrafted))

    def _show(self, current: _OpenMessage, text: str) -> None:
        for piece in [text] if current.guarded is None else current.guarded.feed(text):
            self._emit_token(current, piece)
        if current.guarded is not None:
            self._tell_overdue(current.guarded)

    def _tell_overdue(self, guarded: GuardedMessage) -> None:
        for decision in guarded.take_overdue():
            self._emit_guard(decision)

    def _emit_token(self, current: _OpenMessage, text: str) -> None:
        seq = self._emit(EventType.TOKEN, content=text, message_id=current.message_id, offset=current.length)
        current.first_seq = current.first_seq or seq
        current.last_seq = seq
        current.length += len(text)
        current.text.append(text)

    def _on_updates(self, namespace: tuple[str, ...], data: Mapping[str, Any]) -> None:
        if "__interrupt__" in data:
            self.is_interrupted = True
        for node, update in data.items():
            if not isinstance(update, Mapping):
                continue
            if not namespace and update.get(_SUMMARY_EVENT):
                self.is_compacted = True
            if isinstance(todos := update.get("todos"), list):
                self._emit_todos(namespace, todos)
            is_model_step = node == _MODEL_NODE or node.endswith(_MODEL_HOOKS)
            for message in _messages_of(update):
                if isinstance(message, ToolMessage):
                    self._on_tool_message(namespace, message)
                elif isinstance(message, AIMessage) and is_model_step:
                    self._on_answer(namespace, message)

    def _on_answer(self, namespace: tuple[str, ...], message: AIMessage) -> None:
        agent_path = self._agent_path(namespace)
        message_id = message.id or ""
        if not namespace and message_id not in self._memory.messages:
            self._on_main_answer(message_id, message)
        for call in message.tool_calls:
            if (call_id := call["id"] or "") in self._memory.calls:
                continue
            self._memory.calls[call_id] = call["name"]
            self._arguments[call_id] = call["args"]
            self._started[call_id] = time.perf_counter()
            card = self._cards.card(call["name"])
            self._emit(
                EventType.TOOL_CALL,
                tool_call_id=call_id,
                name=call["name"],
                title=card.title,
                args=call["args"],
                category=card.category,
                **agent_path,
            )

    def _on_main_answer(self, message_id: str, message: AIMessage) -> None:
        text = str(message.text)
        current = self._open
        if current is None or current.message_id != message_id or not current.has_begun:
            # A model that does not stream: its text comes as one piece, and clients still read it from a token.
            current = self._open = self._new_message(message_id)
            if text:
                self._show(current, text)
        elif current.half:
            self._show(current, whole_text(current.half))
        if current.guarded is not None:
            text = self._close_guarded(current, current.guarded, is_last=not message.tool_calls)
        if text:
            self._finish_message(message_id, text, agent_path={})
        self._memory.messages.add(message_id)
        self._open = None

    def _close_guarded(self, current: _OpenMessage, guarded: GuardedMessage, *, is_last: bool) -> str:
        """Show the rest, then conclude; the message's final text, empty where another draft is asked for."""
        for piece in guarded.close():
            self._emit_token(current, piece)
        if guarded.is_kept_back and is_last:
            self._memory.is_redrafted = True
            self._draft, self._calls_at_draft = current, len(self._memory.calls)
            self.rejected = tuple(guarded.reject())
            for decision in self.rejected:
                self._emit_guard(decision)
            return ""
        for piece in guarded.accept():  # the model goes on with its tools: a draft that is followed by calls stays
            self._emit_token(current, piece)
        return self._conclude_guarded(guarded)

    def restore_draft(self) -> tuple[str, str] | None:
        """Show the draft after all, with its marks, because no other came; its id and text, unless something was shown since."""
        draft, self._draft = self._draft, None
        if (
            draft is None
            or draft.guarded is None
            or self._open is not None
            or self._calls_at_draft != len(self._memory.calls)
        ):
            return None
        self._open = draft
        for piece in draft.guarded.accept():
            self._emit_token(draft, piece)
        text = self._conclude_guarded(draft.guarded)
        self._finish_message(draft.message_id, text, agent_path={})
        self._open = None
        return draft.message_id, text

    def _conclude_guarded(self, guarded: GuardedMessage) -> str:
        """Say what was decided, and correct what was out before it was judged; the message's final text."""
        for decision in guarded.decisions:
            self._emit_guard(decision)
        if guarded.late and self._open is not None:
            self._emit_correction(guarded.message_id, guarded.late, guarded.final_text, shown_chars=self._open.length)
        return guarded.final_text

    def correct(self, message_id: str, decisions: Sequence[Decision], text: str) -> None:
        """Replace a message that was finished: the guards' events, a token for readers that know no correction, the text."""
        for decision in decisions:
            self._emit_guard(decision)
        self._emit_correction(message_id, decisions, text, shown_chars=len(self._memory.texts[message_id]))
        self._emit(EventType.MESSAGE, message_id=message_id, content=text, covers=[])
        self._memory.texts[message_id] = text

    def _emit_correction(self, message_id: str, decisions: Sequence[Decision], text: str, *, shown_chars: int) -> None:
        # For readers that know no `correction`; no part of the message, so nothing is counted behind it.
        words = "\n".join(one.finding.instead or one.finding.mark for one in decisions)
        self._emit(EventType.TOKEN, content=f"\n{words}", message_id=message_id, offset=shown_chars)
        self._emit(EventType.CORRECTION, message_id=message_id, spans=corrected_spans(decisions), content=text)

    def _emit_guard(self, decision: Decision) -> None:
        self._decided.append(decision)
        self._memory.is_escalated |= is_escalating(decision)
        self._memory.corrections += decision.replacement is not None
        finding = decision.finding
        self._emit(
            EventType.GUARD,
            guard=finding.guard,
            verdict=finding.verdict,
            code=finding.code,
            message_id=decision.message_id,
            spans=decision.places,
            policy_version=self._policy_version,
            audit_id=decision.audit_id,
        )

    def _finish_message(self, message_id: str, text: str, *, agent_path: Mapping[str, Any]) -> None:
        current = self._open
        covers = [current.first_seq, current.last_seq] if current is not None else []
        self._emit(EventType.MESSAGE, message_id=message_id, content=text, covers=covers, **agent_path)
        self._memory.messages.add(message_id)
        self._memory.texts[message_id] = text
        self.message_id = message_id
        self.texts.append(text)

    def _on_tool_message(self, namespace: tuple[str, ...], message: ToolMessage) -> None:
        call_id = message.tool_call_id
        # A result of an earlier turn, repeated by a repair of the history, belongs to no open call.
        if call_id not in self._memory.calls or call_id in self._memory.results:
            return
        payload = payload_of(message)
        self._sources.add(message)
        if self._guard is not None and self._guard.numbers is not None and (data := seen_data(message)) is not None:
            name = self._memory.calls[call_id]
            self._guard.numbers.learn([SeenResult(name, data, call_id, self._arguments.get(call_id, {}))])
        self._emit_result(
            call_id,
            status=self._status_of(message, payload),
            content=message.content if isinstance(message.content, str) else str(message.text),
            data_path=_data_path_of(payload),
            agent_path=self._agent_path(namespace),
        )

    def _status_of(self, message: ToolMessage, payload: Mapping[str, Any]) -> ResultStatus:
        if message.tool_call_id in self._denied:
            return "denied"
        if message.status == "error" or payload.get("ok") is False:
            return "timeout" if payload.get("code") == "timeout" else "error"
        return "ok"

    def _emit_result(
        self,
        call_id: str,
        *,
        status: ResultStatus,
        content: str,
        data_path: str | None,
        agent_path: Mapping[str, Any],
    ) -> None:
        self._memory.results.add(call_id)
        if status != "ok":
            self._memory.failed.add(call_id)
        started = self._started.get(call_id)
        self._emit(
            EventType.TOOL_RESULT,
            tool_call_id=call_id,
            name=self._memory.calls[call_id],
            status=status,
            content=content[:TOOL_RESULT_MAX_CHARS],
            truncated=len(content) > TOOL_RESULT_MAX_CHARS,
            data_path=data_path,
            elapsed_ms=None if started is None else round((time.perf_counter() - started) * 1000, 1),
            **agent_path,
        )

    def _emit_todos(self, namespace: tuple[str, ...], todos: list[Any]) -> None:
        items = [
            {"content": str(todo.get("content", "")), "status": str(todo.get("status", ""))}
            for todo in todos
            if isinstance(todo, Mapping)
        ]
        self._emit(EventType.TODO, items=items, **self._agent_path(namespace))

    def _on_task(self, namespace: tuple[str, ...], data: Mapping[str, Any]) -> None:
        if data.get("name") != _TOOLS_NODE or "input" not in data:
            return
        call_id = _call_id_of(data["input"])
        if call_id:
            # The call may have waited for a person since it was announced; only its own work is timed.
            self._started[call_id] = time.perf_counter()
            self._owners[(*namespace, f"{_TOOLS_NODE}:{data['id']}")] = call_id

    def _agent_path(self, namespace: tuple[str, ...]) -> dict[str, list[str]]:
        if not namespace:
            return {}
        steps = (namespace[: depth + 1] for depth in range(len(namespace)))
        return {"agent_path": [self._owners.get(step, step[-1]) for step in steps]}


def _messages_of(update: Mapping[str, Any]) -> Iterator[BaseMessage]:
    messages = update.get("messages")
    messages = getattr(messages, "value", messages)  # the framework's way to say "instead of", not "in addition"
    if isinstance(messages, BaseMessage):
        yield messages
    elif isinstance(messages, list):
        yield from (message for message in messages if isinstance(message, BaseMessage))


def _call_id_of(task_input: Any) -> str | None:
    call = task_input[0] if isinstance(task_input, (list, tuple)) and task_input else task_input
    if isinstance(call, Mapping):
        call = call.get("tool_call", call)
        identity = call.get("id") if isinstance(call, Mapping) else None
        return identity if isinstance(identity, str) else None
    return None


def _data_path_of(payload: Mapping[str, Any]) -> str | None:
    """Where a tool left its whole result: the first `…_path` of its data that lies in the workspace."""
    data = payload.get("data")
    if not isinstance(data, Mapping):
        return None
    paths = (value for key, value in data.items() if str(key).endswith("_path") and isinstance(value, str))
    return next((path for path in paths if path.startswith("/workspace/")), None)
