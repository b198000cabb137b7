"""Calculations that a reply has made once and makes again: for another row, for the whole, for the period before.

A calculation that was found for one thing is tried on the same fields of the thing that the words beside another number
name, and on nothing else; so hardly any number meets one by chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from agents.guards.cues import has_cue
from agents.guards.derivations import Derived, equals
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import Fact
from agents.guards.evidence.kin import key_of
from agents.guards.operands import Operands
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import Unit
from agents.guards.reply.layout import Layout

_REACH: Final = 8
_MOST: Final = 12
_BACK: Final = 40
_PAIR: Final = 2
_AGAIN: Final = frozenset({"share", "ratio", "growth", "rest", "diff"})


class _Made(NamedTuple):
    """A calculation that was found, and where."""

    operation: str
    left: Fact
    right: Fact
    unit: Unit | None
    sentence: int


class Analogies:
    """The calculations of one reply."""

    def __init__(self, book: EvidenceBook, layout: Layout, operands: Operands) -> None:
        self._book = book
        self._layout = layout
        self._operands = operands
        self._made: list[_Made] = []

    def note(self, number: int, operation: str, facts: tuple[Fact, ...]) -> None:
        """Remember a calculation with two fields."""
        if (
            operation in _AGAIN
            and len(facts) == _PAIR
            and len(self._made) < _MOST
            and all(f.result >= 0 for f in facts)
        ):
            unit, sentence = self._layout.quantities[number].unit, self._layout.spots[number].sentence
            for left, right in (facts, facts[::-1]) if facts[0].value == facts[1].value else (facts,):
                made = _Made(operation, left, right, unit, sentence)
                if all(_keys(made) != _keys(other) for other in self._made):
                    self._made.append(made)

    def find(self, number: int) -> Derived | None:
        """The calculation made again for what the words beside the number name, or None."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        for made in self._made:
            if made.unit != quantity.unit or abs(made.sentence - spot.sentence) > _REACH:
                continue
            for left, right in self._alike(number, made):
                if (value := _value(made.operation, quantity, left, right)) is not None and equals(quantity, value):
                    return Derived(made.operation, (left, right))
        return None

    def _alike(self, number: int, made: _Made) -> Iterator[tuple[Fact, Fact]]:
        """The two fields of a row that is named, of the whole, of the period before; where the words speak of it."""
        kin, layout = self._book.kin, self._layout
        spot, quantity = layout.spots[number], layout.quantities[number]
        sentence = layout.sentences[spot.sentence]
        left, right = key_of(made.left), key_of(made.right)
        stretches = [(sentence.start, quantity.start)]
        if spot.cell is not None:
            stretches = [spot.cell.label, spot.cell.header]
        for start, end in stretches:
            for hit in reversed(self._operands.row_hits.between(start, end)[-_PAIR:]):
                for name in self._book.row_aliases[hit.term]:
                    yield from kin.pairs_of_row(self._book.row_names.get(name, ())[:1], left, right)
        said = layout.words(max(sentence.start, quantity.start - _BACK), spot.right)
        if spot.cell is not None:
            said = f"{layout.words(*spot.cell.label)} {layout.words(*spot.cell.header)}"
        is_earlier, is_whole = self._operands.speaks_of_earlier(number), has_cue("whole", said)
        if is_earlier or is_whole:
            for one, other, is_past in kin.pairs_of_mappings(left, right):
                if is_earlier if is_past else is_whole:
                    yield one, other
        if is_whole:
            yield from self._sums(made)

    def _sums(self, made: _Made) -> Iterator[tuple[Fact, Fact]]:
        """The columns of the list, added up."""
        if made.left.is_row and made.right.is_row:
            one, other = self._operands.sum_of_column(made.left), self._operands.sum_of_column(made.right)
            totals = self._book.kin.plain_with_key(key_of(made.left))
            for above in [*([one] if one else []), *totals]:
                if other is not None:
                    yield above, other


def _keys(made: _Made) -> tuple[str, frozenset[str], frozenset[str]]:
    return made.operation, key_of(made.left), key_of(made.right)


def _value(operation: str, quantity: Quantity, left: Fact, right: Fact) -> float | None:
    """What the operation makes of two fields, in the number's unit."""
    both = left.unit is not None and right.unit is not None and left.unit.dimension == right.unit.dimension
    a, b = (left.base, right.base) if both else (left.value, right.value)
    scale = quantity.unit.factor if quantity.unit is not None else 1.0
    if operation == "diff":
        return (a - b) / (scale if both else 1.0)
    if not b:
        return None
    if operation == "ratio":
        return a / b
    return {"share": a / b, "growth": a / b - 1, "rest": 1 - a / b}[operation] / scale
