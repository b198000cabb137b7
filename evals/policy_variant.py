"""The shipped profiles with the limits and approvals that a scenario file asks for."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from agents.profiles import PROFILES_FOLDER
from evals.scenario import Store

_VARIED: Final = "ticket_desk.toml"
_CURRENCY: Final = "USD"


def write_profiles(folder: Path, store: Store) -> Path:
    """Copy the profiles into `folder`, the desk's with the policy of the store; what the store leaves out stays as shipped."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in PROFILES_FOLDER.glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        (folder / file.name).write_text(_varied(text, store) if file.name == _VARIED else text, encoding="utf-8")
    return folder


def _varied(text: str, store: Store) -> str:
    values = tomllib.loads(text)
    policy = values["policy"]
    limits = policy.setdefault("limits", {})
    if store.limits.max_tool_calls_per_run is not None:
        limits["max_tool_calls_per_run"] = store.limits.max_tool_calls_per_run
    if store.limits.max_cost_per_run_usd is not None:
        limits |= {"max_cost_per_run": str(store.limits.max_cost_per_run_usd), "currency": _CURRENCY}
    if store.approval is not None:
        policy["approval"] = list(store.approval)
    return "\n".join(_toml(values)) + "\n"


def _toml(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """A table as TOML: its own values first, then its tables. JSON's way to write a value is TOML's too."""
    inner = {key: value for key, value in table.items() if _is_table(value) or _is_list_of_tables(value)}
    for key, value in table.items():
        if key not in inner:
            yield f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"
    for key, value in inner.items():
        name = ".".join(json.dumps(part, ensure_ascii=False) for part in (*path, key))
        for one in value if isinstance(value, list) else [value]:
            yield f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
            yield from _toml(one, (*path, key))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_table, value))
