"""Nested values: every text in them, read together with the name it stands under."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from obs.sanitize.credential import SECRET_NAMES
from obs.sanitize.text import RuleSet, hide
from obs.sanitize.view import REDACTED

_DEEPEST: Final = 64
_FILLERS: Final = re.compile(r"[\s_.-]+")
# Names that say what a bare value is; beside any other name a text is read alone.
_TELLING_NAMES: Final = re.compile(
    r"table|column|field|constraint|index|schema|database|db|collection|sequence|view|key|host|server|addr|node|peer|user|login|account|role|uid|auth|token|secret|pass|pwd|cookie|sess|"
    r"sig|ticket|credential|otp|code|phone|mobile|tel|fax|card|id_?no|passport|wechat|qq|query|sql|statement|trace|[^\x00-\x7f]",
    re.IGNORECASE,
)
# Ids of runs, sessions and calls look like keys and are the thread that leads from a message to its audit rows.
_ID_NAME: Final = re.compile(r"(?:^|[a-z]_)id$|[a-z]Id$")
_ID: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_NUMBER_NAMES: Final = re.compile(r"(?:pass(?:word|wd|code)?|pwd|密码|口令)$", re.IGNORECASE)


def redacted(value: Any, text: Callable[[str], str], rules: RuleSet, *, foreign: bool) -> Any:
    """A copy of `value` in which `text` has been applied to every text; `value` itself where nothing changed.

    `rules` are those of `text`, for a value beside its name. `foreign` objects are replaced by their `repr` when that shows something.
    """
    return _Walk(text, rules, foreign).through(value, "")


@dataclass(slots=True)
class _Walk:
    text: Callable[[str], str]
    rules: RuleSet
    foreign: bool
    path: list[int] = field(default_factory=list)

    def through(self, value: Any, name: str) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value, name)
        if isinstance(value, (int, float)):
            return REDACTED if _NUMBER_NAMES.search(_FILLERS.sub("", name)) else value
        if isinstance(value, (Mapping, list, tuple, set, frozenset)):
            return self._nested(value, name)
        if isinstance(value, (bytes, bytearray)):
            plain = value.decode("utf-8", "surrogateescape")
            shown = self._text(plain, name)
            return value if shown == plain else type(value)(shown.encode("utf-8", "surrogateescape"))
        return self._foreign(value, name) if self.foreign else value

    def _text(self, value: str, name: str) -> str:
        if not value or value == REDACTED:
            return value
        if SECRET_NAMES.search(_FILLERS.sub("", name)):
            return REDACTED
        if _ID_NAME.search(name) and _ID.fullmatch(value):
            return value
        shown = self.text(value)
        if not _TELLING_NAMES.search(name):
            return shown
        # As the pair would read in JSON: `"table": "refund_request"` is a table, `refund_request` alone may be anything.
        before = f'"{name[:128]}": "'
        length = len(shown)
        spans = [
            (max(start - len(before), 0), min(end - len(before), length))
            for start, end in self.rules.spans(f'{before}{shown}"')
            if end > len(before) and start < len(before) + length
        ]
        again = hide(shown, spans)
        return shown if again == shown else self.text(again)

    def _nested(self, value: Any, name: str) -> Any:
        if id(value) in self.path or len(self.path) >= _DEEPEST:
            return REDACTED
        self.path.append(id(value))
        try:
            if isinstance(value, Mapping):
                return self._mapping(value, name)
            items = [self.through(item, name) for item in value]
            return value if _same(items, value) else _rebuilt(value, items)
        finally:
            self.path.pop()

    def _mapping(self, value: Mapping[Any, Any], name: str) -> Any:
        secret = name if SECRET_NAMES.search(_FILLERS.sub("", name)) else ""
        shown: dict[Any, Any] = {}
        for key, item in value.items():
            new = self.text(key) if isinstance(key, str) else key
            while new in shown:
                new = f"{new}'"
            shown[new] = self.through(item, secret or str(key))
        if _same(shown, value) and _same(shown.values(), value.values()):
            return value
        return shown

    def _foreign(self, value: Any, name: str) -> Any:
        try:
            plain = repr(value)
        except Exception:  # noqa: BLE001 - a broken `repr` must not break the line that shows it
            return REDACTED
        shown = self._text(plain, name)
        return value if shown == plain else shown


def _same(new: Iterable[Any], old: Iterable[Any]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))


def _rebuilt(value: Any, items: list[Any]) -> Any:
    kind = type(value)
    if hasattr(kind, "_make"):
        return cast("Any", kind)._make(items)
    return kind(items) if kind in {list, tuple, set, frozenset} else items
