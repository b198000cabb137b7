"""Shapes a model may send instead of the ones asked for, brought into one form (R-PIT-21)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from algorithms.airflow_review.evidence import Window, WindowStatus
from algorithms.airflow_review.reading.dates import parse_window


def as_mapping(value: Any) -> dict[str, Any]:
    """A mapping from a mapping, its JSON text, or a list that holds just one; {} for anything else."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if isinstance(value, str):
        return as_mapping(_decoded(value)) if value.lstrip().startswith(("{", "[")) else {}
    if isinstance(value, Sequence) and len(value) == 1:
        return as_mapping(value[0])
    return {}


def mappings(value: Any, *, name_key: str = "name") -> tuple[dict[str, Any], ...]:
    """A list of mappings from a list, a JSON text, one mapping, or a mapping of mappings (its keys become names)."""
    if isinstance(value, str):
        return mappings(_decoded(value), name_key=name_key) if value.lstrip().startswith(("{", "[")) else ()
    if isinstance(value, Mapping):
        inner = list(value.items())
        if inner and all(isinstance(item, Mapping) for _, item in inner):
            return tuple({name_key: str(key), **as_mapping(item)} for key, item in inner)
        return (as_mapping(value),) if inner else ()
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return tuple(found for item in value if (found := as_mapping(item)))
    return ()


def as_window(value: Any) -> Window:
    """A span of days from text, [start, end], or {start, end} under any of their usual names.

    What cannot be read is `unparsable`, never guessed.
    """
    if isinstance(value, str) and not value.lstrip().startswith(("{", "[")):
        return parse_window(value)
    if isinstance(value, str):
        return as_window(_decoded(value))
    if isinstance(value, Mapping):
        return _window_of_mapping({str(key).lower(): item for key, item in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        parts = [str(part) for part in value if part]
        return parse_window("至".join(parts)) if parts else Window()
    return Window() if value is None else Window(text=str(value), status=WindowStatus.UNPARSABLE)


def _window_of_mapping(value: Mapping[str, Any]) -> Window:
    start = next(
        (value[key] for key in ("start", "from", "begin", "start_date", "开始", "开始日期", "起") if value.get(key)),
        None,
    )
    end = next(
        (value[key] for key in ("end", "to", "until", "end_date", "结束", "结束日期", "止") if value.get(key)), None
    )
    text = next((value[key] for key in ("text", "period", "window", "原文") if value.get(key)), None)
    if start and end:
        return parse_window(f"{start}至{end}")
    if text or start:
        return parse_window(str(text or start))
    return Window()


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
