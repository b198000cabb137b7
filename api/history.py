"""A run's frames folded for the history: tokens become whole messages, everything else stays in time order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from api.sse_events import EventType
from db.records import RunEvent
from db.stamp import parse_dt

_TITLE_CHARS: Final = 30
_DROPPED: Final = frozenset({EventType.SESSION})
_BEGUN: Final = frozenset({"started", "resumed"})
_STREAMED: Final = {EventType.TOKEN: EventType.MESSAGE, EventType.REASONING: EventType.REASONING}


def read_frames(events: Iterable[RunEvent]) -> list[dict[str, Any]]:
    """The frames of stored events as data."""
    return [orjson.loads(event.frame) for event in events]


def fold(frames: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Parts of an assistant's turn: the frames in time order, each message's tokens as one `message` frame.

    A message stands where its first token stood, so that text and tool cards keep their order; the `message` frame that
    ends it replaces the text. The page renders these with the code of the live stream.
    """
    parts: list[dict[str, Any]] = []
    places: dict[tuple[EventType, str], dict[str, Any]] = {}
    for frame in frames:
        event = EventType(frame["type"])
        if event in _DROPPED:
            continue
        folded = _STREAMED.get(event, event)
        key = (folded, str(frame.get("message_id")))
        if event in _STREAMED and key in places:
            places[key]["content"] += frame["content"]
        elif event is EventType.MESSAGE and key in places:
            places[key].update({name: frame[name] for name in ("content", "covers")})
        else:
            part = {name: value for name, value in frame.items() if event not in _STREAMED or name != "offset"}
            part["type"] = folded.value
            parts.append(part)
            if folded in _STREAMED.values():
                places[key] = part
    return parts


def cut_message(frames: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The fields of the `message` frame that is missing, where a run's log ends in the middle of one."""
    text: dict[str, list[str]] = {}
    covers: dict[str, list[int]] = {}
    for frame in frames:
        match frame["type"]:
            case EventType.TOKEN:
                text.setdefault(frame["message_id"], []).append(frame["content"])
                covers.setdefault(frame["message_id"], [frame["seq"], 0])[1] = frame["seq"]
            case EventType.MESSAGE:
                text.pop(frame["message_id"], None)
    for message_id, pieces in text.items():
        return {"message_id": message_id, "content": "".join(pieces), "covers": covers[message_id]}
    return None


def seconds_worked(frames: Iterable[Mapping[str, Any]]) -> float:
    """How long the finished segments of a run worked; waiting in the queue and for a person is no work."""
    total, begun = 0.0, None
    for frame in frames:
        if frame["type"] == EventType.RUN and frame["status"] in _BEGUN:
            begun = parse_dt(frame["ts"])
        elif frame["type"] == EventType.DONE and begun is not None:
            total, begun = total + (parse_dt(frame["ts"]) - begun).total_seconds(), None
    return total


def text_of(parts: Iterable[Mapping[str, Any]]) -> str:
    """What the assistant said in a turn, its messages separated by blank lines."""
    return "\n\n".join(part["content"] for part in parts if part["type"] == EventType.MESSAGE).strip()


def clean_title(text: str) -> str:
    """A title as one line of visible text: no control characters, none that turn the writing around."""
    spaced = " ".join(text.split())
    return "".join(char for char in spaced if not unicodedata.category(char).startswith("C")).strip()


def make_title(text: str, file_names: Iterable[str]) -> str:
    """The title of a new session: the beginning of its first message, else the names of its files."""
    words = clean_title(text) or "、".join(file_names) or "新会话"
    return words if len(words) <= _TITLE_CHARS else words[: _TITLE_CHARS - 1] + "…"
