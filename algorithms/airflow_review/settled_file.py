"""`settled.json`: the overlay of a person's corrections, as text and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from algorithms.airflow_review.model import Settled
from algorithms.airflow_review.settling import SettlingError

SCHEMA: Final = "airflow_settled/1"
_TEXTS: Final = ("path", "new", "who", "when")


def settled_to_json_text(entries: Sequence[Settled]) -> str:
    """The overlay as JSON, ending in a newline."""
    document = {"schema": SCHEMA, "entries": [asdict(entry) for entry in entries]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def settled_from_json_text(text: str) -> tuple[Settled, ...]:
    """Read an overlay.

    Raises:
        SettlingError: It is no overlay, or an entry lacks its path, its value, who settled it or when.
    """
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettlingError(f"核定文件不是有效的 JSON（{error}）。") from error
    entries = raw.get("entries") if isinstance(raw, Mapping) and raw.get("schema") == SCHEMA else None
    if not isinstance(entries, list):
        raise SettlingError(f'核定文件应为 {{"schema": "{SCHEMA}", "entries": […]}}。')
    return tuple(_entry(number, entry) for number, entry in enumerate(entries, start=1))


def _entry(number: int, raw: object) -> Settled:
    if not isinstance(raw, Mapping):
        raise SettlingError(f"核定文件第 {number} 项应为对象。")
    for key in _TEXTS:
        if not isinstance(raw.get(key), str) or not raw[key].strip():
            raise SettlingError(f"核定文件第 {number} 项缺少 {key}（须为文本）。")
    if not isinstance(raw.get("note", ""), str) or not isinstance(raw.get("old"), str | None):
        raise SettlingError(f"核定文件第 {number} 项的 old 须为文本或 null，note 须为文本。")
    _check_moment(number, raw)
    return Settled(**{key: raw[key] for key in _TEXTS}, old=raw.get("old"), note=raw.get("note", ""))


def _check_moment(number: int, raw: Mapping[str, Any]) -> None:
    try:
        datetime.fromisoformat(raw["when"])
    except ValueError as error:
        raise SettlingError(f"核定文件第 {number} 项的 when 应写成 2025-04-02T08:30:00+08:00。") from error
