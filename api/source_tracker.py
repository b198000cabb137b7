"""Sources of a turn: read out of tools' answers, never asked of the model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson
from langchain_core.messages import ToolMessage


class SourceTracker:
    """Collects the sources of the tools a turn called, each once."""

    def __init__(self) -> None:
        self._items: dict[str, dict[str, Any]] = {}

    @property
    def items(self) -> list[dict[str, Any]]:
        """The sources so far, in the order they came."""
        return list(self._items.values())

    def add(self, message: ToolMessage) -> None:
        """Take the sources out of one tool message; a message without any is fine."""
        payload = payload_of(message)
        sources = payload.get("sources") if payload.get("ok") is True else None
        for source in sources if isinstance(sources, list) else []:
            if isinstance(source, Mapping):
                item = {
                    "id": str(source.get("id") or ""),
                    "title": str(source.get("title") or ""),
                    "kind": str(source.get("kind") or ""),
                    "locator": dict(source.get("locator") or {}),
                    "url": source.get("url"),
                }
                # Two tools may give one place different ids, or two places one id: the whole item decides.
                place = {key: value for key, value in item.items() if key != "id"}
                self._items.setdefault(json.dumps(place, sort_keys=True, default=str), item)


def payload_of(message: ToolMessage) -> Mapping[str, Any]:
    """A tool's answer as data: `{"ok": …}`; empty where the tool answered plain text.

    The artifact comes first: a long content is moved to a file by the framework, the artifact stays whole.
    """
    if isinstance(message.artifact, Mapping):
        return message.artifact
    if isinstance(message.content, str) and message.content.lstrip().startswith("{"):
        try:
            payload = orjson.loads(message.content)
        except orjson.JSONDecodeError:
            return {}
        return payload if isinstance(payload, dict) else {}
    return {}
