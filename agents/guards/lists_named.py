"""Calculations with the rows of a list that the words beside a number pick out: the others, the extremes, those named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from agents.guards.concepts import says_any
from agents.guards.cues import has_cue
from agents.guards.derivations import Derived, equals
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import COUNTED, Fact
from agents.guards.operands import Operand, Operands, in_unit_of
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT
from agents.guards.reply.layout import Layout

_MOST_COLUMNS: Final = 8
_SURE: Final = 3
_PAIR: Final = 2
_SMALL: Final = 12
_BACK: Final = 60
_CLAUSE: Final = re.compile(r"[，,；;。]")


class ListsNamed:
    """The lists that one reply speaks of."""

    def __init__(self, book: EvidenceBook, layout: Layout, operands: Operands) -> None:
        self._book = book
        self._layout = layout
        self._operands = operands

    def find(self, number: int) -> Derived | None:
        """A mean or sum of the other rows, or what lies between the extremes of a column; or None."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        sentence = self._layout.sentences[spot.sentence]
        said = self._layout.words(max(sentence.start, quantity.start - _BACK), spot.right)
        if has_cue("others", said) and (has_cue("mean", said) or has_cue("sum", said)):
            for column in self._other_rows(sentence.start, sentence.end):
                values = [in_unit_of(quantity, Operand(fact.value, fact.unit, (fact,))) for fact in column]
                known = [value for value in values if value is not None]
                if not known or len(known) < len(values):
                    continue
                if has_cue("mean", said) and equals(quantity, sum(known) / len(known)):
                    return Derived("mean", tuple(column))
                if has_cue("sum", said) and len(known) > 1 and equals(quantity, sum(known)):
                    return Derived("sum", tuple(column))
        if quantity.digits >= _SURE and has_cue("said_sum", said) and (found := self._sum_of_named(number, quantity)):
            return found
        if found := self._under_heading(number, quantity):
            return found
        if found := self._with_sibling(number, quantity, said):
            return found
        whole = self._layout.words(sentence.start, sentence.end)
        if has_cue("highest", whole) and has_cue("lowest", whole):
            return self._between_extremes(number, quantity, said)
        return None

    def _under_heading(self, number: int, quantity: Quantity) -> Derived | None:
        """A share of the row's own fields in a list whose heading names the share: Pass rates, then A: 89.3 %."""
        spot = self._layout.spots[number]
        if spot.heading is None or not quantity.is_ratio or quantity.unit is None or quantity.digits < _PAIR:
            return None
        heading = self._layout.words(*spot.heading)
        sentence = self._layout.sentences[spot.sentence]
        hits = self._operands.row_hits.between(sentence.start, quantity.start)
        if not hits or not has_cue("rated", heading):
            return None
        for name in self._book.row_aliases[hits[-1].term]:
            row = [fact for one in self._book.row_names.get(name, ())[:1] for fact in self._book.kin.row_of(one)]
            for part, whole in permutations(row, _PAIR):
                if not whole.value or part.unit != whole.unit or part.value > whole.value:
                    continue
                is_said = quantity.digits >= _SURE or says_any(heading, (*part.words, *whole.words))
                if is_said and equals(quantity, part.value / whole.value / quantity.unit.factor):
                    return Derived("share", (part, whole))
        return None

    def _with_sibling(self, number: int, quantity: Quantity, said: str) -> Derived | None:
        """The value told last as a share of a field beside it in the evidence, or a named one per such a field.

        Few digits meet one of several fields by chance; for a share the two have to share a word of their names then.
        """
        if quantity.is_ratio and has_cue("rated", said) and quantity.digits >= _PAIR:
            return self._share_of_sibling(number, quantity)
        if not quantity.is_ratio and has_cue("per", said) and quantity.digits >= _SURE:
            return self._part_per_sibling(number, quantity)
        return None

    def _share_of_sibling(self, number: int, quantity: Quantity) -> Derived | None:
        scale = quantity.unit.factor if quantity.unit is not None else 1.0
        for fact in (fact for one in self._operands.shown(number)[:1] for fact in one.facts[:1]):
            for other in self._book.kin.siblings(fact):
                alike = not {*fact.words}.isdisjoint(other.words) or quantity.digits >= _SURE
                is_part = alike and fact.unit == other.unit and 0 < fact.value < other.value
                if is_part and equals(quantity, fact.value / other.value / scale):
                    return Derived("share", (fact, other))
        return None

    def _part_per_sibling(self, number: int, quantity: Quantity) -> Derived | None:
        spot = self._layout.spots[number]
        sentence = self._layout.sentences[spot.sentence]
        told = [*self._operands.shown(number)[:_PAIR], *self._operands.named(sentence.start, spot.right)[:_PAIR]]
        for fact in (fact for one in told for fact in one.facts[:1]):
            value = in_unit_of(quantity, Operand(fact.value, fact.unit, (fact,)))
            if value is None or fact.unit is None:
                continue
            for other in self._book.kin.siblings(fact):
                is_count = (other.unit is None or other.unit.dimension == COUNT) and other.value > 1
                if is_count and equals(quantity, value / other.value):
                    return Derived("ratio", (fact, other))
        return None

    def is_of_others(self, number: int) -> bool:
        """Whether a mean or sum is stated for the other rows, so that one over all of them is another matter."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        if quantity.is_ratio:
            return False
        sentence = self._layout.sentences[spot.sentence]
        said = _CLAUSE.split(self._layout.words(max(sentence.start, quantity.start - _BACK), quantity.start))[-1]
        if not has_cue("others_before", said) or not (has_cue("mean", said) or has_cue("sum", said)):
            return False
        return next(self._other_rows(sentence.start, sentence.end), None) is not None

    def _sum_of_named(self, number: int, quantity: Quantity) -> Derived | None:
        """A column added up over the rows that the sentence, or the one before, names."""
        at = self._layout.spots[number].sentence
        for begin in (at, max(0, at - 1)):
            sentence = self._layout.sentences[begin]
            hits = self._operands.row_hits.between(sentence.start, min(sentence.end, quantity.start))
            names = dict.fromkeys(name for hit in hits for name in self._book.row_aliases[hit.term])
            rows = [self._book.row_names[name] for name in names if name in self._book.row_names]
            for fact in rows[0][:_MOST_COLUMNS] if len(rows) > 1 else ():
                column = self._book.kin.column_of(fact)
                part = [other for other in column if any(other in row for row in rows)]
                values = [in_unit_of(quantity, Operand(one.value, one.unit, (one,))) for one in part]
                known = [value for value in values if value is not None]
                if len(known) == len(rows) and equals(quantity, sum(known)):
                    return Derived("sum", tuple(part))
        return None

    def _between_extremes(self, number: int, quantity: Quantity, said: str) -> Derived | None:
        for column in self._columns_shown(number):
            low, high = min(column, key=lambda fact: fact.base), max(column, key=lambda fact: fact.base)
            ends = [in_unit_of(quantity, Operand(fact.value, fact.unit, (fact,))) for fact in (high, low)]
            if has_cue("diff", said) and ends[0] is not None and ends[1] is not None and not quantity.is_ratio:
                if equals(quantity, ends[0] - ends[1]):
                    return Derived("diff", (high, low))
            elif quantity.is_ratio and low.value and quantity.unit is not None:
                scale = quantity.unit.factor
                for value in (high.base / low.base / scale, low.base / high.base / scale):
                    if equals(quantity, value):
                        return Derived("share", (high, low))
        return None

    def _columns_shown(self, number: int) -> Iterator[list[Fact]]:
        """Columns that the values shown beside the number belong to."""
        seen: set[tuple[int, str]] = set()
        for operand in [*self._operands.shown(number), *self._operands.adjacent(number), *self._operands.lines(number)]:
            for fact in operand.facts[:1]:
                column = self._book.kin.column_of(fact)
                if len(column) > 1 and (column[0].result, column[0].path) not in seen:
                    seen.add((column[0].result, column[0].path))
                    yield column

    def _other_rows(self, start: int, end: int) -> Iterator[list[Fact]]:
        """The columns of the list without the row that a stretch names."""
        for hit in self._operands.row_hits.between(start, end)[-2:]:
            for name in self._book.row_aliases[hit.term]:
                for fact in self._book.row_names.get(name, ())[:_MOST_COLUMNS]:
                    others = [other for other in self._book.kin.column_of(fact) if other is not fact]
                    if len(others) > 1:
                        yield others

    def counts(self, number: int, quantity: Quantity) -> bool:
        """Whether a small count is that of the rows just named (两处都够), or of those not named (另外两个)."""
        if quantity.ulp != 1 or not 1 < quantity.value <= _SMALL:
            return False
        if quantity.unit is not None and quantity.unit.dimension != COUNT:
            return False
        at = self._layout.spots[number].sentence
        start = self._layout.sentences[max(0, at - 3)].start
        before = self._layout.words(max(start, quantity.start - 8), quantity.start)
        behind = self._layout.words(quantity.unit_end, quantity.unit_end + 8)
        named: dict[str, Fact] = {}
        for hit in self._operands.row_hits.between(start, quantity.start):
            for name in self._book.row_aliases[hit.term]:
                named.update({fact.path.rpartition(".")[0]: fact for fact in self._book.row_names.get(name, ())[:1]})
        if named and has_cue("others_before", before):
            lengths = {fact.value for fact in self._book.aggregates if fact.kind == COUNTED and not fact.group}
            return any(quantity.value + rows in lengths for rows in range(1, len(named) + 1))
        return bool(named) and len(named) == quantity.value and has_cue("all_of_them", behind[:4])
