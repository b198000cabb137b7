"""Which characters a branch of a pattern begins with: two branches that exclude each other at one place are never both tried through."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from re import _constants as constants  # type: ignore[attr-defined]  # the parse tree has no public name
from typing import Any, Final

_MOST: Final = 12
"""Characters looked at; words that begin alike for longer count as compatible."""
_REPEATS: Final = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_WIDTHLESS: Final = (constants.AT, constants.ASSERT, constants.ASSERT_NOT)
_Ranges = tuple[tuple[int, int], ...]
_ANY: Final[_Ranges] = ((0, sys.maxunicode),)
_DIGITS: Final[_Ranges] = ((48, 57),)
_SPACES: Final[_Ranges] = ((9, 13), (32, 32))
_LETTERS: Final[_Ranges] = ((48, 57), (65, 90), (95, 95), (97, 122))


@dataclass(frozen=True, slots=True)
class Beginning:
    """Sets of the first characters, in order; `is_whole` if nothing that takes a character may follow."""

    chars: tuple[_Ranges, ...]
    is_whole: bool


def are_apart(one: Beginning, other: Beginning) -> bool:
    """Whether no text begins both ways."""
    if one is other:
        return False
    return any(not _meet(mine, theirs) for mine, theirs in zip(one.chars, other.chars, strict=False))


def beginning_of(tree: Any) -> Beginning:
    """What a part of a parsed pattern (read with `re.ASCII`, without flags of case) begins with."""
    chars: list[_Ranges] = []
    for kind, value in tree:
        part = _part(kind, value)
        chars.extend(part.chars)
        if not part.is_whole or len(chars) >= _MOST:
            return Beginning(tuple(chars[:_MOST]), is_whole=False)
    return Beginning(tuple(chars), is_whole=True)


def _part(kind: Any, value: Any) -> Beginning:
    if kind in _WIDTHLESS:
        return Beginning((), is_whole=True)
    if kind is constants.SUBPATTERN:
        return beginning_of(value[-1])
    if kind is constants.ATOMIC_GROUP:
        return beginning_of(value)
    if kind is constants.BRANCH:
        return _either([beginning_of(branch) for branch in value[1]])
    if kind in _REPEATS:
        least, most, body = value
        once = beginning_of(body)
        if not once.is_whole:
            return Beginning(once.chars if least else (), is_whole=False)
        return Beginning(once.chars * min(least, _MOST), is_whole=least == most and least <= _MOST)
    chars = _set_of(kind, value)
    return Beginning((), is_whole=False) if chars is None else Beginning((chars,), is_whole=True)


def _either(branches: Sequence[Beginning]) -> Beginning:
    shortest = min(len(branch.chars) for branch in branches)
    chars = tuple(_merged(r for branch in branches for r in branch.chars[at]) for at in range(shortest))
    return Beginning(chars, is_whole=all(branch.is_whole and len(branch.chars) == shortest for branch in branches))


def _set_of(kind: Any, value: Any) -> _Ranges | None:
    """The characters one step of a pattern takes; None for a step that is not known here."""
    if kind is constants.ANY:
        return _ANY
    if kind is constants.LITERAL:
        return ((value, value),)
    if kind is constants.NOT_LITERAL:
        return _others(((value, value),))
    if kind is not constants.IN:
        return None
    is_negated = value[0][0] is constants.NEGATE
    ranges = _merged(r for item in value[is_negated:] for r in _item(*item))
    return _others(ranges) if is_negated else ranges


def _item(kind: Any, value: Any) -> _Ranges:
    if kind is constants.LITERAL:
        return ((value, value),)
    if kind is constants.RANGE:
        return (tuple(value),)
    # Anything else is a category of `re.ASCII`.
    return {
        constants.CATEGORY_DIGIT: _DIGITS,
        constants.CATEGORY_NOT_DIGIT: _others(_DIGITS),
        constants.CATEGORY_SPACE: _SPACES,
        constants.CATEGORY_NOT_SPACE: _others(_SPACES),
        constants.CATEGORY_WORD: _LETTERS,
        constants.CATEGORY_NOT_WORD: _others(_LETTERS),
    }[value]


def _merged(ranges: Iterable[tuple[int, int]]) -> _Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _others(ranges: _Ranges) -> _Ranges:
    edges = [(-1, -1), *ranges, (sys.maxunicode + 1, sys.maxunicode + 1)]
    return tuple((left[1] + 1, right[0] - 1) for left, right in pairwise(edges) if left[1] + 1 < right[0])


def _meet(one: _Ranges, other: _Ranges) -> bool:
    return any(low <= high2 and low2 <= high for low, high in one for low2, high2 in other)
