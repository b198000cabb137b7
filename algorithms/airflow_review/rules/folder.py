"""The files of a rule folder: which are read, and why a folder or a file is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.rules.fields import Json
from algorithms.airflow_review.rules.rule_error import RuleError
from algorithms.airflow_review.rules.shape import HEAD_FILE

_MAX_FILE_BYTES: Final = 2_000_000
_TRAILING_COMMA: Final = re.compile(r",\s*[}\]]")

Files = dict[str, tuple[bytes, Json]]
"""File name without suffix → bytes and content."""


def read_folder(folder: Path) -> Files:
    """The rule files that lie directly in `folder`."""
    if not folder.is_dir():
        raise RuleError(say("rule.no_folder", folder=folder.name))
    return {path.stem: _read_file(path) for path in sorted(folder.glob("*.json"))}


def read_mine_folder(folder: Path) -> Files:
    """A mine's rule files; refuses a folder in which something that looks like rules would not be read."""
    if not folder.is_dir():
        raise RuleError(say("rule.no_folder", folder=folder.name))
    for path in sorted(folder.iterdir()):
        if path.is_dir() and any(inner.is_file() and _looks_like_rules(inner) for inner in path.rglob("*")):
            raise RuleError(say("rule.subfolder", folder=path.name))
        if path.is_file() and path.suffix != ".json" and _looks_like_rules(path):
            raise RuleError(say("rule.suffix", file=path.name))
    files = read_folder(folder)
    if HEAD_FILE not in files:
        raise RuleError(say("rule.no_head" if files else "rule.empty_folder", folder=folder.name))
    head = files[HEAD_FILE][1]
    for key in ("mine", "edition"):
        if not isinstance(head.get(key), str) or not head[key].strip():
            raise RuleError(say("rule.head_field", field=key))
    sources = head.get("sources", [])
    if not isinstance(sources, list) or any(not isinstance(source, str) for source in sources):
        raise RuleError(say("rule.head_sources"))
    return files


def _looks_like_rules(path: Path) -> bool:
    """Whether somebody may take the file for one that is read: by its name, or as its text begins like JSON."""
    if ".json" in path.name.lower():
        return True
    with path.open("rb") as stream:
        start = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((b"{", b"["))


def _read_file(path: Path) -> tuple[bytes, Json]:
    if path.stat().st_size > _MAX_FILE_BYTES:
        raise RuleError(say("rule.too_large", file=path.name))
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RuleError(say("rule.not_utf8", file=path.name)) from None
    try:
        content = json.loads(text, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        key = "rule.trailing_comma" if _is_behind_comma(text, error.pos) else "rule.no_json"
        raise RuleError(say(key, file=path.name, line=error.lineno, column=error.colno)) from error
    except _DoubleKeyError as error:
        raise RuleError(say("rule.double_key", file=path.name, field=str(error))) from None
    if not isinstance(content, dict):
        raise RuleError(say("rule.no_object", file=path.name))
    return raw, content


class _DoubleKeyError(ValueError):
    """One object names a key twice; JSON would keep the last in silence."""


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _DoubleKeyError(key)
        found[key] = value
    return found


def _is_behind_comma(text: str, position: int) -> bool:
    """Whether the reader stumbled over a comma in front of a closing bracket."""
    comma = text.rfind(",", 0, position + 1)
    return comma >= 0 and _TRAILING_COMMA.match(text, comma) is not None
