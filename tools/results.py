"""The one shape of a tool's answer: data with its sources, or a readable reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any

from tools.json_values import whole_text

ToolPayload = dict[str, Any]
"""`{"ok": true, "data": …, "sources": […]}` or `{"ok": false, "error": …, "hint": …, "code": …}`; plain JSON values."""

_SOURCE_FIELDS = frozenset({"id", "title", "kind", "locator", "url"})
_SOURCE_REQUIRED = ("id", "title", "kind")


def sourced(data: Any, sources: Iterable[Mapping[str, Any]] = ()) -> ToolPayload:
    """Build a tool's answer: what was found and where it stands.

    Args:
        data: Anything made of JSON values, dataclass-free; Decimals, dates, enums and paths are converted.
        sources: Mappings with `id`, `title`, `kind` and optionally `locator` (`file`, `page`, `row`, `clause`) and `url`.

    Raises:
        ValueError: A source lacks a field or has one that the contract does not know.
        TypeError: A locator is no mapping.
    """
    checked: list[dict[str, Any]] = []
    seen: set[str] = set()
    for source in sources:
        if missing := [field for field in _SOURCE_REQUIRED if not source.get(field)]:
            raise ValueError(f"source {dict(source)!r} lacks {', '.join(missing)}")
        if unknown := source.keys() - _SOURCE_FIELDS:
            raise ValueError(f"source {source['id']!r} has unknown fields {sorted(unknown)}")
        if not isinstance(source.get("locator") or {}, Mapping):
            raise TypeError(f"source {source['id']!r} has a locator that is no mapping")
        if (identity := str(source["id"])) not in seen:
            seen.add(identity)
            checked.append(dict(source))
    return {"ok": True, "data": data, "sources": checked}


def refused(error: str, *, hint: str = "", code: str = "tool_error") -> ToolPayload:
    """Build the answer of a tool that could not do it: the reason and what to do instead."""
    return {"ok": False, "error": error, "hint": hint, "code": code}


def to_payload(answer: Any) -> ToolPayload:
    """Bring whatever a tool returned into the one shape; plain values become `data` without sources."""
    if isinstance(answer, dict) and isinstance(answer.get("ok"), bool):
        if answer["ok"]:
            return {**answer, **sourced(answer.get("data"), answer.get("sources") or ())}
        error = str(answer.get("error") or "工具没有给出原因")
        return {
            **answer,
            "error": error,
            "hint": str(answer.get("hint") or ""),
            "code": str(answer.get("code") or "tool_error"),
        }
    return sourced(answer)


def to_json_text(payload: Mapping[str, Any]) -> str:
    """Write a payload as JSON text; Decimals become numbers, never strings."""
    return whole_text(json.dumps(payload, ensure_ascii=False, default=_to_json_value, allow_nan=False))


def _to_json_value(value: object) -> Any:
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case date():  # datetimes are dates too
            return value.isoformat()
        case Enum():
            return value.value
        case PurePath():
            return value.as_posix()
        case bytes() | bytearray():
            raise TypeError("bytes are no JSON value")
        case set() | frozenset():
            return sorted(value)
        case Sequence() | Mapping():
            return dict(value) if isinstance(value, Mapping) else list(value)
        case _:
            raise TypeError(f"{type(value).__name__} is no JSON value")
