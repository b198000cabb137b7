"""The face of an agent for the server: one session's turns, its pending approvals, its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakValueDictionary

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from agents.approvals import Decision, PendingApproval, check_decision, to_answer, to_pending
from agents.errors import DecisionError
from agents.guards.evidence.seen_result import SeenResult
from agents.middleware.redraft import RedraftNote
from agents.model_failures import to_turn_error
from agents.workspace import SESSION_KEY, USER_KEY, workspace_keys
from tools.registry import ToolRegistry
from tools.results import refused, to_json_text

__all__ = [
    "ClosedCall",
    "Decision",
    "PendingApproval",
    "SessionAgent",
    "SessionLocks",
    "TurnIdentity",
    "UserInput",
]

_STREAM_MODES: Final = ["updates", "messages", "custom", "tasks"]
_ATTACHMENT: Final = "[附件]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIdentity:
    """Whose turn it is. `session_id` is the graph's thread id.

    A new message needs a `run_id` of its own: new input under the last run's id is taken for its continuation, and the
    turn ends at once.
    """

    user_name: str
    session_id: str
    run_id: str
    agent: str
    trace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInput:
    """What the user sent; `files` are virtual paths below `/workspace/uploads/`."""

    text: str
    files: tuple[str, ...] = ()
    message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedCall:
    """A call that got a synthetic result because its tool never finished."""

    tool_call_id: str
    name: str


class SessionLocks:
    """One lock a session: two turns at once on one thread would lose messages without an error."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, session_id: str) -> asyncio.Lock:
        """The session's lock; it lives as long as somebody holds it or waits for it."""
        if (lock := self._locks.get(session_id)) is None:
            lock = self._locks[session_id] = asyncio.Lock()
        return lock


class SessionAgent:
    """Turns of one kind of agent. All sessions share the compiled graph; state and files are told apart by the run."""

    def __init__(
        self, *, graph: CompiledStateGraph[Any, Any, Any, Any], registry: ToolRegistry, locks: SessionLocks
    ) -> None:
        self._graph = graph
        self._registry = registry
        self._locks = locks

    async def stream(
        self, identity: TurnIdentity, user_input: UserInput, *, callbacks: Sequence[BaseCallbackHandler] = ()
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Run a turn and yield the framework's parts `{"type", "ns", "data"}` as they come.

        Close the iterator to stop the turn (`contextlib.aclosing`); the session stays locked until then.

        Raises:
            ModelCallError: The model failed; earlier steps of the turn are kept.
            RunLimitError: The run made as many model calls as it may.
        """
        graph_input = {"messages": [to_human_message(user_input)]}
        async with self._locks.of(identity.session_id), aclosing(self._run(graph_input, identity, callbacks)) as parts:
            async for part in parts:
                yield part

    async def resume(
        self,
        identity: TurnIdentity,
        decisions: Mapping[str, Decision],
        *,
        callbacks: Sequence[BaseCallbackHandler] = (),
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Go on after a person decided; approvals without a decision stay pending.

        Args:
            identity: The same session as before; works in another process too.
            decisions: Answers by interrupt id.
            callbacks: As in `stream`.

        Raises:
            DecisionError: An answer fits nothing pending; nothing was stored.
            ModelCallError: As in `stream`.
            RunLimitError: As in `stream`.
        """
        async with self._locks.of(identity.session_id):
            answers = await self._answers(identity, decisions)
            async with aclosing(self._run(Command(resume=answers), identity, callbacks)) as parts:
                async for part in parts:
                    yield part

    async def redraft(
        self, identity: TurnIdentity, draft_id: str, note: str, *, callbacks: Sequence[BaseCallbackHandler] = ()
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Let the model write its last message anew, in the same run; nobody has read the draft, and it is forgotten.

        Args:
            identity: The same run, whose iterator is exhausted.
            draft_id: Id of the draft.
            note: What is wrong with it; the model reads that in this part of the run only.
            callbacks: As in `stream`.

        Raises:
            ModelCallError: As in `stream`.
            RunLimitError: As in `stream`.
        """
        again: Command[Any] = Command(goto="model", update={"messages": [RemoveMessage(id=draft_id)]})
        async with (
            self._locks.of(identity.session_id),
            aclosing(self._run(again, identity, callbacks, RedraftNote(note))) as parts,
        ):
            async for part in parts:
                yield part

    async def check(self, identity: TurnIdentity, decisions: Mapping[str, Decision]) -> None:
        """Check decisions against what is pending, without taking them.

        Raises:
            DecisionError: An answer fits nothing pending, is not allowed, or its arguments do not fit the tool.
        """
        await self._answers(identity, decisions)

    async def pending(self, identity: TurnIdentity) -> tuple[PendingApproval, ...]:
        """What waits for a person, in the order the model asked; read from the checkpoint, so it survives a restart."""
        state = await self._graph.aget_state(_to_config(identity))
        found = (to_pending(interrupt, self._registry) for interrupt in state.interrupts)
        return tuple({approval.interrupt_id: approval for approval in found if approval is not None}.values())

    async def close_open_calls(self, identity: TurnIdentity, reason: str, status: str) -> tuple[ClosedCall, ...]:
        """Give every unanswered call of the last model message a result that says why there is none.

        Afterwards nothing is pending and the next turn starts clean. Results of sibling calls that did finish are kept.

        Args:
            identity: Whose session.
            reason: Words for model and user.
            status: Code in the result, such as `cancelled` or `process_lost`.
        """
        config = _to_config(identity)
        async with self._locks.of(identity.session_id):
            messages = (await self._graph.aget_state(config)).values.get("messages", [])
            asked = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
            if asked is None or not asked.tool_calls:
                return ()
            wanted = {call["id"] for call in asked.tool_calls}
            answers = [m for m in messages if isinstance(m, ToolMessage) and m.tool_call_id in wanted]
            answered = {message.tool_call_id for message in answers}
            open_calls = [call for call in asked.tool_calls if call["id"] not in answered]
            if not open_calls:
                return ()
            text = to_json_text(refused(reason, code=status))
            closed = [
                ToolMessage(text, name=call["name"], tool_call_id=call["id"], status="error") for call in open_calls
            ]
            # Finished siblings live in the pending writes only and would be dropped by the next turn: store them too.
            await self._graph.aupdate_state(config, {"messages": [*answers, *closed]}, as_node="tools")
        return tuple(ClosedCall(tool_call_id=call["id"] or "", name=call["name"]) for call in open_calls)

    async def keep_partial(self, identity: TurnIdentity, message_id: str, text: str) -> None:
        """Store the text of a model call that was cut off, so that the next turn knows what the user has read."""
        message = AIMessage(text, id=message_id, additional_kwargs={"cut": True})
        async with self._locks.of(identity.session_id):
            await self._graph.aupdate_state(_to_config(identity), {"messages": [message]}, as_node="model")

    async def note(self, identity: TurnIdentity, user_input: UserInput, message_id: str, text: str) -> None:
        """Keep an exchange without a model call: what stands for the message, and the answer that code gave.

        The next turn's model reads both, so `user_input` must not hold words that belong to people.
        """
        exchange = [to_human_message(user_input), AIMessage(text, id=message_id)]
        async with self._locks.of(identity.session_id):
            await self._graph.aupdate_state(_to_config(identity), {"messages": exchange}, as_node="model")

    async def seen(self, identity: TurnIdentity) -> tuple[list[SeenResult], str]:
        """What the session's tools have returned so far, whole, and what its user has written."""
        messages = (await self._graph.aget_state(_to_config(identity))).values.get("messages", [])
        arguments = {
            call["id"]: call["args"]
            for message in messages
            if isinstance(message, AIMessage)
            for call in message.tool_calls
        }
        results = [
            SeenResult(message.name or "", data, message.tool_call_id, arguments.get(message.tool_call_id, {}))
            for message in messages
            if isinstance(message, ToolMessage) and (data := seen_data(message)) is not None
        ]
        said = [str(m.additional_kwargs.get("text", "")) for m in messages if isinstance(m, HumanMessage)]
        return results, "\n".join(said)

    async def correct(self, identity: TurnIdentity, shown: Mapping[str, str]) -> None:
        """Put the texts that were shown, by message id, in place of the messages' own; their tool calls stay."""
        config = _to_config(identity)
        async with self._locks.of(identity.session_id):
            messages = (await self._graph.aget_state(config)).values.get("messages", [])
            ours = [(message, shown.get(message.id or "")) for message in messages if isinstance(message, AIMessage)]
            changed = [
                message.model_copy(update={"content": text})
                for message, text in ours
                if text is not None and str(message.text) != text
            ]
            if changed:
                await self._graph.aupdate_state(config, {"messages": changed}, as_node="model")

    async def delete(self, session_id: str) -> None:
        """Forget the session's graph state. Files and rows belong to others."""
        checkpointer = self._graph.checkpointer
        if checkpointer is None or isinstance(checkpointer, bool):
            return
        async with self._locks.of(session_id):
            await checkpointer.adelete_thread(session_id)

    async def _answers(self, identity: TurnIdentity, decisions: Mapping[str, Decision]) -> dict[str, Any]:
        pending = {approval.interrupt_id: approval for approval in await self.pending(identity)}
        if not decisions:
            raise DecisionError("", "没有给出任何决定")
        for interrupt_id, decision in decisions.items():
            if interrupt_id not in pending:
                raise DecisionError(interrupt_id, "没有等待批准的操作，可能已由他人处理")
            check_decision(pending[interrupt_id], decision, self._registry)
        return {key: to_answer(pending[key], decision) for key, decision in decisions.items()}

    async def _run(
        self,
        graph_input: dict[str, Any] | Command[Any],
        identity: TurnIdentity,
        callbacks: Sequence[BaseCallbackHandler],
        note: RedraftNote | None = None,
    ) -> AsyncGenerator[dict[str, Any], None]:
        config = _to_config(identity)
        config["callbacks"] = list(callbacks)
        try:
            async with aclosing(
                self._graph.astream(  # type: ignore[call-overload]
                    graph_input, config, context=note, stream_mode=_STREAM_MODES, subgraphs=True, version="v2"
                )
            ) as parts:
                async for part in parts:
                    yield part
        except Exception as error:
            if (failure := to_turn_error(error)) is not None:
                raise failure from error
            raise


def seen_data(message: ToolMessage) -> Any:
    """What a tool returned, whole: the data of its payload, or the text of one of the framework's tools; None if it did not do it."""
    if isinstance(message.artifact, dict):
        return message.artifact.get("data") if message.artifact.get("ok") else None
    return str(message.text) if message.status != "error" else None


def to_human_message(user_input: UserInput) -> HumanMessage:
    """The user's message as the model reads it: the text, then a line per attached file."""
    lines = [user_input.text, *(f"{_ATTACHMENT} {path}" for path in user_input.files)]
    return HumanMessage(
        content="\n".join(line for line in lines if line),
        id=user_input.message_id,
        additional_kwargs={"text": user_input.text, "files": list(user_input.files)},
    )


def _to_config(identity: TurnIdentity) -> RunnableConfig:
    # These values are written into checkpoints in clear: ids only.
    user_key, session_key = workspace_keys(identity.user_name, identity.session_id)
    return {
        "configurable": {
            "thread_id": identity.session_id,
            USER_KEY: user_key,
            SESSION_KEY: session_key,
            "user_name": identity.user_name,
            "session_id": identity.session_id,
            "run_id": identity.run_id,
            "agent": identity.agent,
            "trace_id": identity.trace_id,
        }
    }
