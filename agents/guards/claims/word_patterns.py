"""One pattern for many words. Written as a tree, so that a place of the text is left after its first character and not after every word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

APART: Final = " ~ "
"""Stands in a verb where its object may stand: put … back."""
# What begins an object; without it `put … back` would reach over other words.
_OBJECT: Final = r" (?:the|an?|your|it|them|you|him|her|us|that|this|these|those|my|our|all|both|[$¥]?[0-9]|[a-z]{1,8}-?[0-9]+)(?![a-z])[^.,;:|]{0,40}? "
NEVER: Final = "(?!)"
"""A pattern that finds nothing."""


def one_of(words: Iterable[str]) -> re.Pattern[str]:
    """Finds the longest of the words at a place. Latin words stand for themselves only, Chinese ones anywhere."""
    words = list(dict.fromkeys(words))
    latin = [word for word in words if word.isascii() and APART not in word]
    apart = sorted((word for word in words if APART in word), key=len, reverse=True)
    other = [word for word in words if not word.isascii()]
    parts = []
    if apart:
        spelled = "|".join(_OBJECT.join(map(re.escape, word.split(APART))) for word in apart)
        parts.append(rf"(?<![a-z0-9'])(?:{spelled})(?![a-z0-9])")
    if latin:
        parts.append(rf"(?<![a-z0-9])(?:{_tree(latin)})(?![a-z0-9])")
    if other:
        parts.append(_tree(other))
    return re.compile("|".join(parts) or NEVER)


def _tree(words: Iterable[str]) -> str:
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _spelled(root)


def _spelled(node: dict[str, Any]) -> str:
    branches = [re.escape(char) + _spelled(below) for char, below in sorted(node.items()) if char]
    if not branches:
        return ""
    only_one = len(branches) == 1 and "" not in node
    inner = branches[0] if only_one else f"(?:{'|'.join(branches)})"
    return f"{inner}?" if "" in node else inner
