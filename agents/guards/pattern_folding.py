"""Patterns written as people write, matched on text that is folded: their literals have to be folded alike, or they never fire."""

from __future__ import annotations

import re
from re import _constants as constants  # type: ignore[attr-defined]  # the parse tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from agents.guards.folding import plain_character
from agents.guards.linear_patterns import PatternError, compile_linear

# An escape, the opening of a group, or one character. The letters of an escape and of a group's opening are no text.
_PART: Final = re.compile(
    r"\\.|\(\?(?:P<[^>]{1,60}>|P[=>][^)]{1,60}\)|[a-zA-Z-]{1,8}[:)]|<?[=!:>]|[=!:>#])|.", re.DOTALL
)


def compile_folded(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for folded text: its letters small, full-width and traditional characters as the plain ones.

    Raises:
        PatternError: The pattern may run away, or a literal of it would never fire; the message says what to write.
    """
    compile_linear(pattern)  # what is wrong with it is said in its author's own words
    folded = "".join(_part(found.group()) for found in _PART.finditer(pattern))
    compiled = compile_linear(folded)
    for code in _literals(parser.parse(folded, re.ASCII)):
        if (plain := plain_character(chr(code))) != chr(code):
            raise PatternError(
                f"{pattern!r} looks for {chr(code)!r}, which no text has once it is folded; write {plain!r} instead"
            )
    return compiled


def _part(part: str) -> str:
    if len(part) > 1 and (part.isascii() or part[0] == "("):
        return part
    char = part[-1]  # a letter outside ASCII means itself, escaped or not
    plain = plain_character(char)
    return part if plain == char else char.lower() if char.isascii() else re.escape(plain)


def _literals(tree: Any) -> list[int]:
    """Every character that a parsed pattern names, at whatever depth; the ends of a range too."""
    found: list[int] = []
    for kind, value in tree:
        if kind in {constants.LITERAL, constants.NOT_LITERAL}:
            found.append(value)
        elif kind is constants.RANGE:
            found.extend(value)
        elif kind is constants.IN:
            found.extend(_literals(value))
        elif kind is constants.BRANCH:
            found.extend(code for branch in value[1] for code in _literals(branch))
        elif isinstance(value, tuple):  # groups, repeats and looks hold what they are about last
            found.extend(_literals(value[-1]))
        elif kind is constants.ATOMIC_GROUP:
            found.extend(_literals(value))
    return found
