"""Names of the stream's events and fields, and the one place that writes a frame.

The contract only grows: a field may be added, none is renamed, moved or removed. Clients of version 1 read frames of
exactly this form, so each frame is one `data:` line and a blank line.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import orjson

from tools.json_values import to_storable


class EventType(StrEnum):
    """Every event a client may meet; those of later features are declared so that their names are taken."""

    SESSION = "session"
    RUN = "run"
    TOKEN = "token"  # noqa: S105 - the name of an event
    REASONING = "reasoning"
    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    TODO = "todo"
    FILE = "file"
    SOURCES = "sources"
    USAGE = "usage"
    CONTEXT = "context"
    QUOTA = "quota"
    GUARD = "guard"
    CORRECTION = "correction"
    INTERRUPT = "interrupt"
    GAP = "gap"
    ERROR = "error"
    DONE = "done"


COMMON_FIELDS: Final = ("type", "run_id", "seq", "session_id", "ts")
OPTIONAL_FIELDS: Final = frozenset({"agent_path"})
"""What any event may carry beside its own fields: the way to the sub-agent that caused it."""

FIELDS: Final[Mapping[EventType, frozenset[str]]] = {
    EventType.SESSION: frozenset({"thread_id", "title", "agent", "mode", "model_mode"}),
    EventType.RUN: frozenset({"status", "position", "decisions"}),
    EventType.TOKEN: frozenset({"content", "message_id", "offset"}),
    EventType.REASONING: frozenset({"content", "message_id", "offset"}),
    EventType.MESSAGE: frozenset({"message_id", "content", "covers"}),
    EventType.TOOL_CALL: frozenset({"tool_call_id", "name", "title", "args", "category"}),
    EventType.TOOL_RESULT: frozenset(
        {"tool_call_id", "name", "status", "content", "truncated", "data_path", "elapsed_ms"}
    ),
    EventType.TODO: frozenset({"items"}),
    EventType.FILE: frozenset({"path", "name", "media_type", "size"}),
    EventType.SOURCES: frozenset({"items", "message_id"}),
    EventType.USAGE: frozenset(
        {
            "model",
            "input_tokens",
            "output_tokens",
            "cache_read_tokens",
            "reasoning_tokens",
            "usage_source",
            "cost",
            "currency",
        }
    ),
    EventType.CONTEXT: frozenset({"used_tokens", "window_tokens", "ratio", "compacted"}),
    EventType.QUOTA: frozenset({"scope", "used", "limit", "resets_at", "level"}),
    EventType.GUARD: frozenset({"guard", "verdict", "code", "message_id", "spans", "policy_version", "audit_id"}),
    EventType.CORRECTION: frozenset({"message_id", "spans", "content"}),
    EventType.INTERRUPT: frozenset({"interrupts"}),
    EventType.GAP: frozenset({"requested", "earliest", "latest", "recover"}),
    EventType.ERROR: frozenset({"code", "message", "hint", "retryable", "incident_id"}),
    EventType.DONE: frozenset({"status", "final", "outcome", "stop_reason", "usage", "message_id"}),
}

INTERRUPT_FIELDS: Final = (
    "interrupt_id",
    "tool_call_id",
    "name",
    "title",
    "args",
    "args_digest",
    "allowed",
    "schema",
    "reason",
    "expires_at",
)
"""Fields of one item of `interrupt.interrupts`; `GET /api/chat/interrupt` answers the same items."""

TOOL_RESULT_MAX_CHARS: Final = 4_000
"""Characters of `tool_result.content`; the whole answer lies at `data_path` or in the agent's own files."""

HEARTBEAT: Final = b": hb\n\n"

# Readers that split with their language's own idea of a line (Python's `splitlines`) end one here too.
_LINE_ENDS: Final = (("\u2028", "\\u2028"), ("\u2029", "\\u2029"), ("\x85", "\\u0085"))


def frame(
    event: EventType,
    fields: Mapping[str, Any],
    *,
    run_id: str,
    seq: int,
    session_id: str,
    ts: str,
) -> str:
    """Write one event as the JSON text that is stored and sent; it holds no line break.

    Raises:
        ValueError: A field is not part of the contract.
    """
    if unknown := fields.keys() - FIELDS[event] - OPTIONAL_FIELDS:
        raise ValueError(f"event {event} has no field {', '.join(sorted(unknown))}")
    return to_json_text(
        {"type": event.value, "run_id": run_id, "seq": seq, "session_id": session_id, "ts": ts, **fields}
    )


def sse_block(frame_text: str, *, event_id: int | None = None) -> bytes:
    """Wrap a frame for the wire; an `id:` line only where the client asked for one, clients of version 1 know none."""
    head = "" if event_id is None else f"id: {event_id}\n"
    return f"{head}data: {frame_text}\n\n".encode()


def to_json_text(value: Any) -> str:
    """Write JSON on one line, whatever a model or tool put into it, and whatever a reader takes for a line's end."""
    try:
        text = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        # Half of a surrogate pair or an integer beyond 64 bit: rare, but no reason to break a stream, nor its readers.
        text = orjson.dumps(to_storable(value)).decode()
    for char, escaped in _LINE_ENDS:
        text = text.replace(char, escaped)
    return text
