"""Signs of differences that a reply defines in words: 平均温度减去设定值, planned minus actual."""

from __future__ import annotations

import re
from typing import Final

from agents.guards.concepts import concepts_of_words, names_all
from agents.guards.critical import CriticalFields
from agents.guards.evidence.fact import Fact
from agents.guards.reply.layout import Layout

_MINUS: Final = re.compile(r"减去|减(?![少小轻低])|\bminus\b")
_REACH: Final = 24
_PAIR: Final = 2


class Signs:
    """The differences that one reply defines."""

    def __init__(self, layout: Layout, critical: CriticalFields) -> None:
        self._layout = layout
        self._critical = critical

    def contradict(self, number: int, facts: tuple[Fact, ...]) -> bool:
        """Whether a printed sign is against the order in which heading or sentence subtract the two fields."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        if not quantity.signed or len(facts) != _PAIR or facts[0].value == facts[1].value:
            return False
        sentence = self._layout.sentences[spot.sentence]
        for start, end in (*([spot.heading] if spot.heading else []), (sentence.start, quantity.start)):
            minus = _MINUS.search(self._layout.lowered, start, end)
            if minus is None:
                continue
            before = (max(start, minus.start() - _REACH), minus.start())
            behind = (minus.end(), min(end, minus.end() + _REACH))
            for first, second in (facts, facts[::-1]):
                if self._names(first, *before) and self._names(second, *behind):
                    return (first.base > second.base) != (quantity.value > 0)
        return False

    def _names(self, fact: Fact, start: int, end: int) -> bool:
        if names_all(self._layout.words(start, end), concepts_of_words(fact.words)):
            return True
        return any(fact in self._critical.facts_of(hit.term) for hit in self._critical.labels.between(start, end))
