"""Patterns that people write into policies, admitted only if matching them takes time linear in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from re import _constants as constants  # type: ignore[attr-defined]  # the parse tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from agents.guards.pattern_beginnings import Beginning, are_apart, beginning_of

_MOST_WAYS: Final = 20_000
"""Ways in which one pattern may be tried at one place of the text."""
_MOST_STEPS: Final = 200_000
"""Characters that one pattern may look at from one place of the text, however it is tried."""
_LONGEST_REPEAT: Final = 60
_REPEATS: Final = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_LOOKS: Final = (constants.ASSERT, constants.ASSERT_NOT)
# These change which characters a letter stands for, and with it which branches exclude each other.
_CASE_FLAGS: Final = re.IGNORECASE | re.LOCALE | re.UNICODE


class PatternError(ValueError):
    """A pattern cannot be admitted; the message quotes it and says why, and what to write instead."""


@dataclass(frozen=True, slots=True)
class _Effort:
    """The most that matching from one place can take.

    Attributes:
        ways: Ways in which it can fit there, each of which what follows may have to be tried with.
        steps: Characters looked at in all of them, those that fail included.
    """

    ways: int
    steps: int


@cache
def compile_linear(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that cannot run away.

    Repeats are bounded and hold nothing that varies, so the work at one place of the text is bounded by a number known now.

    Raises:
        PatternError: The pattern is no pattern, repeats without a bound, nests repeats, refers back, ignores case, or could be tried in
            too many ways.
    """
    try:
        tree = parser.parse(pattern, re.ASCII)
    except (re.error, OverflowError) as error:
        raise PatternError(f"{pattern!r} is not a pattern: {error}") from error
    _refuse_case_flags(tree.state.flags, pattern)
    effort = _effort(tree, pattern)
    if effort.ways > _MOST_WAYS:
        raise PatternError(
            f"{pattern!r} could be tried in {effort.ways} ways at one place; split it or shorten its repeats"
        )
    if effort.steps > _MOST_STEPS:
        raise PatternError(f"{pattern!r} could take {effort.steps} steps at one place; split it or shorten its repeats")
    return re.compile(pattern, re.ASCII)


def _refuse_case_flags(flags: int, pattern: str) -> None:
    if flags & _CASE_FLAGS:
        raise PatternError(f"{pattern!r} sets a flag; leave it out and write small letters, the text is in small ones")


def _effort(tree: Any, pattern: str) -> _Effort:
    ways, steps = 1, 0
    for kind, value in tree:
        one = _effort_of(kind, value, pattern)
        steps += ways * one.steps
        ways *= one.ways
    return _Effort(ways, steps)


def _effort_of(kind: Any, value: Any, pattern: str) -> _Effort:
    if kind in _REPEATS:
        return _effort_of_repeat(*value, pattern=pattern)
    if kind is constants.BRANCH:
        return _effort_of_branches(value[1], pattern)
    if kind is constants.SUBPATTERN:
        _refuse_case_flags(value[1], pattern)
        return _effort(value[-1], pattern)
    if kind is constants.ATOMIC_GROUP:
        return _effort(value, pattern)
    if kind in _LOOKS:
        return _effort(value[1], pattern)
    if kind in {constants.GROUPREF, constants.GROUPREF_EXISTS}:
        raise PatternError(f"{pattern!r} refers back to a group, which can take exponential time")
    return _Effort(1, 1)


def _effort_of_branches(branches: Any, pattern: str) -> _Effort:
    """Branches that fit at one place together are each a way; those whose first characters exclude each other are not."""
    efforts = [_effort(branch, pattern) for branch in branches]
    starts = [beginning_of(branch) for branch in branches]
    ways = max(_ways_beside(start, starts, efforts) for start in starts)
    return _Effort(ways, len(efforts) + sum(effort.steps for effort in efforts))


def _ways_beside(start: Beginning, starts: list[Beginning], efforts: list[_Effort]) -> int:
    """Ways of all branches that may fit where the one with this start does, itself among them."""
    return sum(effort.ways for other, effort in zip(starts, efforts, strict=True) if not are_apart(start, other))


def _effort_of_repeat(least: int, most: int, body: Any, *, pattern: str) -> _Effort:
    if most is constants.MAXREPEAT or most > _LONGEST_REPEAT:
        raise PatternError(
            f"{pattern!r} repeats without a bound; write a bound of at most {_LONGEST_REPEAT}, as in .{{0,8}}"
        )
    inner = _effort(body, pattern)
    if most > 1 and inner.ways > 1:
        raise PatternError(
            f"{pattern!r} repeats something that varies itself, which can take exponential time; "
            "repeat one character or a choice of words that begin differently"
        )
    return _Effort((most - least + 1) * inner.ways, most * (inner.steps + 1))
