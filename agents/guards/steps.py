"""Calculations of two steps that a reply says in words: what is left spread over the days left, a pace, a share of a sum."""

from __future__ import annotations

from typing import Final

from agents.guards.cues import has_cue
from agents.guards.derivations import Derived, equals
from agents.guards.operands import Operand, Operands, in_unit_of
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT, RATIO, Unit
from agents.guards.reply.layout import Layout

_MOST: Final = 6
_MOST_SPANS: Final = 3
_SURE: Final = 3
_PAIR: Final = 2
_BACK: Final = 60
_ASKED: Final = 200
_BEHIND: Final = 24


class Steps:
    """The calculations of one reply."""

    def __init__(self, layout: Layout, operands: Operands, user_text: str) -> None:
        self._asked = user_text[-_ASKED:].lower()
        self._layout = layout
        self._operands = operands

    def find(self, number: int) -> Derived | None:
        """The two steps that make a number, or None."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        sentence = self._layout.sentences[spot.sentence]
        said = self._layout.words(
            max(sentence.start, quantity.start - _BACK), min(sentence.end, quantity.unit_end + _BEHIND)
        )
        if quantity.is_ratio:
            return self._share_of_sum(number, quantity) if has_cue("share", said) else None
        if quantity.digits < _SURE:  # a shorter number meets one of the many by chance
            return None
        near = [*self._operands.shown(number), *self._operands.adjacent(number)]
        spans = [operand for operand in near if _is_span(operand.unit)][:_MOST_SPANS]
        if not spans:
            return None
        named = self._operands.named(sentence.start, sentence.end, self._asked)
        amounts = [one for one in (*near, *named) if not _is_span(one.unit) and not _is_share(one.unit)][:_MOST]
        if has_cue("per", said) and has_cue("days_left", said):
            return self._rest_per_span(quantity, amounts, spans)
        amounts += self._operands.targets()
        return self._pace(quantity, amounts, spans) if has_cue("pace", said) else None

    @staticmethod
    def _rest_per_span(quantity: Quantity, amounts: list[Operand], spans: list[Operand]) -> Derived | None:
        for at, left in enumerate(amounts):
            for right in amounts[at + 1 :]:
                a, b = in_unit_of(quantity, left), in_unit_of(quantity, right)
                for span in spans:
                    if a is not None and b is not None and span.value and equals(quantity, (a - b) / span.value):
                        return Derived("rest per span", (*left.facts, *right.facts, *span.facts))
        return None

    @staticmethod
    def _pace(quantity: Quantity, amounts: list[Operand], spans: list[Operand]) -> Derived | None:
        for amount in amounts:
            value = in_unit_of(quantity, amount)
            for one in spans:
                for other in spans:
                    if value is not None and other.base and equals(quantity, value * one.base / other.base):
                        return Derived("pace", (*amount.facts, *one.facts, *other.facts))
        return None

    def _share_of_sum(self, number: int, quantity: Quantity) -> Derived | None:
        """Of the two values told last the sum, as a share of another one beside them."""
        for told in (self._operands.shown_before(number), self._operands.previous(number)):
            plain = [operand for operand in told if not _is_share(operand.unit)]
            if len(plain) <= _PAIR or quantity.unit is None or quantity.digits < _PAIR:
                continue
            part, wholes = plain[-_PAIR:], plain[:-_PAIR]
            for whole in wholes[-_PAIR:]:
                if len({_kind(one.unit) for one in (*part, whole)}) > 1 or not whole.value:
                    continue
                if equals(quantity, sum(one.base for one in part) / whole.base / quantity.unit.factor):
                    return Derived("share of sum", tuple(fact for one in (*part, whole) for fact in one.facts))
        return None


def _kind(unit: Unit | None) -> str:
    return unit.dimension if unit is not None and unit.dimension != COUNT else ""


def _is_span(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension == "time"


def _is_share(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension == RATIO
