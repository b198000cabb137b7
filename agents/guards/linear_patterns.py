"""Patterns that people write into policies, admitted only if matching them takes time linear in the text."""

from __future__ import annotations

import re
from functools import cache
from re import _constants as constants  # type: ignore[attr-defined]  # the parse tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

_MOST_WAYS: Final = 20_000
"""Ways in which one pattern may be tried at one place of the text."""
_LONGEST_REPEAT: Final = 60
_REPEATS: Final = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_LOOKS: Final = (constants.ASSERT, constants.ASSERT_NOT)


class PatternError(ValueError):
    """A pattern cannot be admitted; the message quotes it and says why, and what to write instead."""


@cache
def compile_linear(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that cannot run away.

    Repeats are bounded and hold nothing that varies, so the work at one place of the text is bounded by a number known now.

    Raises:
        PatternError: The pattern is no pattern, repeats without a bound, nests repeats, refers back, or could be tried in too many ways.
    """
    try:
        tree = parser.parse(pattern, re.ASCII)
    except re.error as error:
        raise PatternError(f"{pattern!r} is not a pattern: {error}") from error
    if (ways := _ways(tree, pattern)) > _MOST_WAYS:
        raise PatternError(f"{pattern!r} could be tried in {ways} ways at one place; split it or shorten its repeats")
    return re.compile(pattern, re.ASCII)


def _ways(tree: Any, pattern: str) -> int:
    ways = 1
    for kind, value in tree:
        ways *= _ways_of(kind, value, pattern)
    return ways


def _ways_of(kind: Any, value: Any, pattern: str) -> int:
    if kind in _REPEATS:
        return _ways_of_repeat(*value, pattern=pattern)
    if kind is constants.BRANCH:
        return _ways_of_branches(value[1], pattern)
    if kind is constants.SUBPATTERN:
        return _ways(value[-1], pattern)
    if kind is constants.ATOMIC_GROUP:
        return _ways(value, pattern)
    if kind in _LOOKS:
        return _ways(value[1], pattern)
    if kind in {constants.GROUPREF, constants.GROUPREF_EXISTS}:
        raise PatternError(f"{pattern!r} refers back to a group, which can take exponential time")
    return 1


def _ways_of_branches(branches: Any, pattern: str) -> int:
    ways = [_ways(branch, pattern) for branch in branches]
    if max(ways) > 1:
        return sum(ways)
    # Words that all fit at one place begin alike, so there are no more of them than there are lengths.
    return len({branch.getwidth() for branch in branches})


def _ways_of_repeat(least: int, most: int, body: Any, *, pattern: str) -> int:
    if most is constants.MAXREPEAT or most > _LONGEST_REPEAT:
        raise PatternError(
            f"{pattern!r} repeats without a bound; write a bound of at most {_LONGEST_REPEAT}, as in .{{0,8}}"
        )
    inner = _ways(body, pattern)
    if most > 1 and inner > 1:
        raise PatternError(f"{pattern!r} repeats something that varies itself, which can take exponential time")
    return (most - least + 1) * inner
