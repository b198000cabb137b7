"""A text as it reads once its disguises are off, with the way back to where each character came from."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

REDACTED: Final = "[REDACTED]"
# Stands for a mark that is already there: one character no rule looks for, so that a second pass finds nothing new in it.
_MARK: Final = "\ue000"
_LEVELS: Final = 3  # an escaped text inside an escaped text inside a log line
# Full-width forms read as ASCII. Punctuation that ends a Chinese clause stays what it is, or it would glue two values into one.
_CLAUSE_ENDS: Final = frozenset("，；！？（）")
_NARROW: Final = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in _CLAUSE_ENDS} | {
    0x3000: " ",
    0xA0: " ",
    0x2028: "\n",
    0x2029: "\n",
    0x2011: "-",
}
_CLAUSES: Final = {ord(sign): chr(ord(sign) - 0xFEE0) for sign in _CLAUSE_ENDS}
_WIDE: Final = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_WIDE_BACKSLASH: Final = "\uff3c"
_INVISIBLE: Final = re.compile(
    r"\[REDACTED\]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+"
)
_BACKSLASHED: Final = r"""\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\["'\\/nrt]"""
_ENCODED: Final = r"(?:%[0-9A-Fa-f]{2})+|&(?:\#[0-9]{1,6}|\#x[0-9A-Fa-f]{1,5}|amp|lt|gt|quot|apos);"
_EITHER: Final = re.compile(f"{_BACKSLASHED}|{_ENCODED}")
# Both ways to read a mixture: all at once, and layer by layer. `\\\\nas` is a share until the wrong layer makes a line break of it.
_READINGS: Final = ((_EITHER,) * _LEVELS, (re.compile(_BACKSLASHED),) * _LEVELS + (re.compile(_ENCODED),) * 2)
# A line that begins like a key begins one; it does not go on with the last line.
_WRAP: Final = re.compile(
    r"(?<=[A-Za-z0-9_+/=.@:-])[ \t]*\r?\n[ \t>|]*(?=[A-Za-z0-9_+/=.@:-])(?!(?:sk|pk|rk|gh[a-z]|glpat|xox[a-z]|hf|npm|hv[sbr]|AKIA|ASIA|LTAI|AKID|AKLT|HPUA|AIza|eyJ|SG|STS|SEC|ya29|pypi|github_pat|dckr|whsec|bce|ALTAK|JDC)[-_.A-Za-z0-9])"
)
_PLAIN_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


@dataclass(frozen=True, slots=True)
class View:
    """`text`, whose character `i` stands for `origin[starts[i]:ends[i]]`; without maps, for `origin[i]`."""

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of the first text that `start:end`, which is not empty, stands for."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def replaced(self, pattern: re.Pattern[str], read: Callable[[str], str]) -> View:
        """The view in which `read` stands in the place of each match; itself where nothing matches."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        last = 0
        for found in pattern.finditer(self.text):
            new = read(found.group())
            self._keep(last, found.start(), pieces, starts, ends)
            start, end = self.origin(*found.span())
            pieces.append(new)
            starts += [start] * len(new)
            ends += [end] * len(new)
            last = found.end()
        if not last:
            return self
        self._keep(last, len(self.text), pieces, starts, ends)
        return View("".join(pieces), starts, ends)

    def _keep(self, start: int, end: int, pieces: list[str], starts: list[int], ends: list[int]) -> None:
        pieces.append(self.text[start:end])
        starts.extend(range(start, end) if self.starts is None else self.starts[start:end])
        ends.extend(range(start + 1, end + 1) if self.ends is None else self.ends[start:end])


def views(text: str) -> tuple[list[View], list[View]]:
    """The text folded, and with its escapes undone layer by layer; then the same with wrapped lines joined, where they differ."""
    known: dict[str, View] = {}
    is_wide = _read(text, {}, known)
    if is_wide:  # ASCII in full-width forms is a disguise, and so is the punctuation within it
        _read(text, _CLAUSES, known)
    plain = [*known.values()]
    joined = [whole for view in plain if (whole := view.replaced(_WRAP, lambda _: "")) is not view]
    return plain, joined


def _read(text: str, also: dict[int, str], known: dict[str, View]) -> bool:
    """Add every reading of `text` to `known`; whether one of them has full-width ASCII."""
    first = _folded(View(text), also)
    known.setdefault(first.text, first)
    is_wide = _WIDE.search(text) is not None
    if (
        _WIDE_BACKSLASH in text
    ):  # it parts folders and escapes nothing: what ASCII escapes is undone before the two look alike
        spelled = _folded(View(text).replaced(_EITHER, _unescaped), also)
        known.setdefault(spelled.text, spelled)
    for layers in _READINGS:
        level = first
        for layer in layers:
            read = level.replaced(layer, _unescaped)
            if read is level:
                continue
            is_wide = is_wide or _WIDE.search(read.text) is not None
            level = _folded(read, also)
            known.setdefault(level.text, level)
    return is_wide


def _folded(view: View, also: dict[int, str]) -> View:
    narrow = View(view.text.translate(_NARROW | also), view.starts, view.ends)
    return narrow.replaced(_INVISIBLE, lambda found: _MARK if found == REDACTED else "")


def _unescaped(found: str) -> str:
    kind, body = found[0], found[1:]
    if kind == "%":
        return bytes.fromhex(found.replace("%", "")).decode("utf-8", "replace")
    if kind == "\\":
        if body[0] in "ux":
            return chr(int(body[1:], 16))
        return _PLAIN_ESCAPES.get(body, body)
    name = body[:-1]
    if not name.startswith("#"):
        return _ENTITIES[name]
    code = int(f"0{name[1:]}", 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if code <= sys.maxunicode else "\ufffd"
