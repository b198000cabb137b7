"""Hiding what rules find in one text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule
from obs.sanitize.view import REDACTED, views

Span = tuple[int, int]
_MOST_PASSES: Final = 8
_SHORTEST_NAME: Final = 6
_LONGEST_NAME: Final = 128
_MOST_NAMES: Final = 64
# Letters and something that words do not have.
_TELLING: Final = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9_.-])[A-Za-z0-9_.:/@-]{6,128}")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """`everywhere` is tried on every reading of a text, `wrapped` also where a line break may cut a secret in two.

    What `spared` matches stays unless a rule of `wrapped` or `personal` hits it: the names of virtual files that the model must know.
    """

    everywhere: tuple[Rule, ...]
    wrapped: tuple[Rule, ...]
    spared: tuple[Rule, ...] = ()
    personal: tuple[Rule, ...] = ()

    def spans(self, text: str) -> list[Span]:
        """Sorted disjoint half-open spans of `text` to hide."""
        plain, joined = views(text)
        found: list[Span] = []
        for view in plain:
            lowered = view.text.lower()
            kept = _hits(self.spared, view.text, lowered)
            hits = [hit for hit in _hits(self.everywhere, view.text, lowered) if not _inside(hit, kept)]
            hits += _hits(self.personal + self.wrapped, view.text, lowered)
            found += [view.origin(*hit) for hit in hits]
        for view in joined:
            found += [view.origin(*hit) for hit in _hits(self.wrapped, view.text, view.text.lower())]
        return union(found + _repeated(text, found))

    def settled(self, text: str) -> str:
        """The text with everything hidden. Passes repeat until nothing new shows, so a second call changes nothing."""
        for _ in range(_MOST_PASSES):
            shown = hide(text, self.spans(text))
            if shown == text:
                return text
            text = shown
        return REDACTED  # a text that never settles is built to slip through


def union(spans: Iterable[Span]) -> list[Span]:
    """Spans that overlap or touch become one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def hide(text: str, spans: Sequence[Span]) -> str:
    """`text` with the mark in the place of each of the sorted disjoint `spans`."""
    pieces: list[str] = []
    last = 0
    for start, end in spans:
        pieces += [text[last:start], REDACTED]
        last = end
    return "".join([*pieces, text[last:]])


def _repeated(text: str, spans: Iterable[Span]) -> list[Span]:
    """Where a name that is hidden in one place stands again: parsers quote it, then repeat it bare."""
    names = {
        text[start:end].strip("\"'`[](){}<>,;: ")
        for start, end in spans
        if _SHORTEST_NAME <= end - start <= _LONGEST_NAME
    }
    telling = sorted((name for name in names if _TELLING.fullmatch(name)), key=len, reverse=True)[:_MOST_NAMES]
    if not telling:
        return []
    again = re.compile(BEFORE + "(?:" + "|".join(map(re.escape, telling)) + ")" + AFTER)
    return [found.span() for found in again.finditer(text)]


def _hits(rules: tuple[Rule, ...], text: str, lowered: str) -> list[Span]:
    return [span for one in rules if one.applies(lowered) for span in one.spans(text)]


def _inside(span: Span, others: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)
