"""Whether a number that meets a fact is stated for something else: another row, another branch, another period."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from agents.guards.concepts import concepts_of_words, says_any
from agents.guards.cues import has_cue
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import TEXT, Fact
from agents.guards.operands import Operands
from agents.guards.quantities.units import RATIO, unit_of_key, unit_table
from agents.guards.reply.layout import Layout
from agents.guards.reply.terms import TermHits

_OF_MANY: Final = re.compile(r"\s*(?:out )?of (?:the |all |our |his |her |its |their )?\d")
_CLAUSE: Final = re.compile(r"[，,；;。（(]|\. ")
_SUPERLATIVE: Final = re.compile(r"最|其[他余次]|另|highest|lowest|most|least|other|rest|worst|best|\bm[ai][xn]")


class Elsewhere:
    """Judges where the facts of one reply belong."""

    def __init__(self, book: EvidenceBook, layout: Layout, operands: Operands) -> None:
        self._book = book
        self._layout = layout
        self._operands = operands

    def is_of_other(self, fact: Fact, number: int) -> bool:
        """Whether the fact cannot be what the number is stated for, though it equals it."""
        if fact.kind == TEXT:
            return False
        return (
            self._operands.is_of_other_row(fact, number)
            or self._is_of_row_not_asked_for(fact, number)
            or self._is_of_other_branch(fact, number)
            or self._is_of_earlier_period(fact, number)
            or self._is_of_present_period(fact, number)
            or self._is_unsaid_share(fact, number)
        )

    def _is_of_row_not_asked_for(self, fact: Fact, number: int) -> bool:
        """The user asked about one row, the reply names none: then it speaks of that row."""
        if not fact.is_row or not fact.names or not self._user_hits.hits:
            return False
        if any(self._operands.row_of([hit], fact) is True for hit in self._user_hits.hits):
            return False
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        return (
            self._operands.row_of(self._user_hits.hits, fact) is False
            and self._operands.row_of(self._operands.row_hits.hits, fact) is None
            and _SUPERLATIVE.search(self._layout.lowered, sentence.start, sentence.end) is None
        )

    def _is_of_other_branch(self, fact: Fact, number: int) -> bool:
        """electricity.standing beside gas.standing: the sentence names the other branch, and only other sentences this one."""
        if fact.is_row:
            return False
        own, others = self._book.kin.branches(fact)
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        if not others or self._says_branch(own, sentence.start, sentence.end):
            return False
        if not any(self._says_branch(other, sentence.start, sentence.end) for other in others):
            return False
        return self._says_branch(own, 0, len(self._layout.text))

    def _says_branch(self, key: str, start: int, end: int) -> bool:
        lowered = self._layout.words(start, end)
        plain = (word for word in unit_of_key(key)[1] if word not in unit_table().lowered)
        words = [word for alternatives in concepts_of_words(tuple(plain)) for word in alternatives]
        return any(word in lowered for word in words if word not in unit_table().lowered)

    def _is_of_earlier_period(self, fact: Fact, number: int) -> bool:
        """A value of last month under words that speak of no earlier time, where this month has one of its own."""
        kin = self._book.kin
        if not kin.is_past(fact) or all(other.value == fact.value for other in kin.present(fact)):
            return False
        spot = self._layout.spots[number]
        clause = _CLAUSE.split(self._layout.words(spot.left, self._layout.quantities[number].start))[-1]
        if spot.cell is None and has_cue("at_present", clause) and not has_cue("earlier", clause):
            return True  # 上月 126，本月 126: right behind the name of this month
        if self._operands.speaks_of_earlier(number):
            return False
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        said = self._layout.words(sentence.start, sentence.end)
        return has_cue("at_present", said) or not has_cue("earlier", self._book.user_text.lower())

    def _is_of_present_period(self, fact: Fact, number: int) -> bool:
        """This month's value right behind the name of last month, which has one of its own."""
        kin = self._book.kin
        if fact.is_row or kin.is_past(fact) or all(other.value == fact.value for other in kin.before(fact)):
            return False
        spot, quantity = self._layout.spots[number], self._layout.quantities[number]
        if spot.cell is not None:
            said = self._layout.words(*spot.cell.header)
        else:
            said = _CLAUSE.split(self._layout.words(spot.left, quantity.start))[-1]
        return has_cue("period_before", said) and not has_cue("set_against", said)

    def _is_unsaid_share(self, fact: Fact, number: int) -> bool:
        """25 of the 38 counts something, whatever field in per cent says 25."""
        quantity = self._layout.quantities[number]
        if quantity.unit is not None or fact.unit is None or fact.unit.dimension != RATIO or fact.unit.factor == 1:
            return False
        if self._layout.spots[number].cell is not None or not _OF_MANY.match(self._layout.lowered, quantity.end):
            return False
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        return not says_any(self._layout.words(sentence.start, sentence.end), fact.words)

    @cached_property
    def _user_hits(self) -> TermHits:
        return TermHits(self._book.user_text.lower(), self._book.row_aliases)
