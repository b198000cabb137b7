"""Critical fields: which field and which row a number is stated for, and whether it is that field's value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agents.guards.cues import has_cue
from agents.guards.direct import comparable, meets
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.critical_index import CriticalValue, LabelValues
from agents.guards.evidence.fact import Fact
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import unit_table
from agents.guards.reply.layout import Cell, Layout, Spot
from agents.guards.reply.terms import Hit, TermHits
from agents.guards.verdict import Grounding

_NEAR_RIGHT: Final = 3
_FAR_RIGHT: Final = 14
_LONGEST: Final = 40
_OF: Final = re.compile(r"\d[^\d]{0,4}\b(?:out )?of (?:the |all )?$")
_JOINERS: Final = frozenset({"、", "和", "与", "及", "+", "加", ",", "，", "and", ", and", "/", "&"})
_PAIR: Final = 2
_MAX_NAMED: Final = 3
_TOPIC_REACH: Final = 12
_TOPIC_CHARS: Final = 3
_RELATION: Final = re.compile(r"\b(?:between|ratio of|difference|gap|excess of)\b")
_COUNT_RIGHT: Final = re.compile(r"[\s*:：=为共计有是达（(]*")
_COUNT_LEFT: Final = re.compile(r"\s*[项个处条]?的?\s*\**\s*")
_RESPECTIVELY: Final = ("分别", "依次", "respectively")


@dataclass(slots=True)
class Binding:
    """The critical values that a number is stated for.

    Attributes:
        pattern: Name of the pattern.
        expected: Its values, those of the named row where one is named.
        is_strong: The label stands right before the number, or directly behind it.
        has_row: A row is named, so that only its value can be meant.
        plain: Values under the same label that belong to no row.
        label: Where the label stands.
    """

    pattern: str
    expected: list[CriticalValue]
    is_strong: bool
    has_row: bool
    plain: list[CriticalValue]
    label: Hit


class CriticalFields:
    """The critical fields of one reply."""

    def __init__(self, book: EvidenceBook, layout: Layout) -> None:
        self._layout = layout
        index = book.critical_index
        self._by_label = index.by_label
        self._bound: dict[int, Binding] = {}
        self._used: set[int] = set()
        hits = TermHits(layout.lowered, index.terms)
        self.labels = hits.only(self._by_label)
        self.objects = hits.only(index.objects)

    def binding(self, number: int) -> Binding | None:
        """What the number is stated for, or None where no critical label speaks of it; asked in the order of the text."""
        layout = self._layout
        quantity, spot = layout.quantities[number], layout.spots[number]
        if not self.labels.hits:
            return None
        hits = self._cell_hits(spot.cell) if spot.cell is not None else self._label_hits(number, quantity, spot)
        for hit, strong in hits:
            binding = self._bind(number, hit, self._by_label[hit.term], strong=strong)
            if binding is not None:
                self._bound[number] = binding
                self._used.add(hit.start)
                return binding
        return None

    def _cell_hits(self, cell: Cell) -> Iterator[tuple[Hit, bool]]:
        """Labels of a cell's column, then of its row."""
        if not (cell.is_total or cell.is_mean or cell.heads_column):
            for span in (cell.header, cell.label):
                for hit in reversed(self.labels.between(*span)):
                    yield hit, True

    def _label_hits(self, number: int, quantity: Quantity, spot: Spot) -> Iterator[tuple[Hit, bool]]:
        """Labels beside a number in prose with their strength, the one that counts first."""
        left = [hit for hit in self.labels.between(spot.left, quantity.start) if hit.start not in self._used]
        apart = [hit for hit in left if self._is_apart(hit, quantity)]
        for hit in reversed(left):
            if hit not in apart:
                weak = hit.term in unit_table().lowered or self._is_summed_up(hit, quantity)
                yield hit, not (weak or _RELATION.search(self._layout.words(spot.left, hit.start)))
        right = [
            hit
            for hit in self.labels.between(
                quantity.unit_end, min(spot.right, quantity.unit_end + _FAR_RIGHT + _LONGEST)
            )
            if hit.start - quantity.unit_end <= _FAR_RIGHT and not self._is_next_ones(hit, spot)
        ]
        if right and not _OF.search(self._layout.words(max(0, quantity.start - 12), quantity.start)):
            for hit in right:  # in 161 of 184 passed the label speaks of the 161
                if hit.start - quantity.unit_end <= _NEAR_RIGHT:
                    yield hit, True
        yield from self._goes_on(number, spot, quantity)
        for hit in [*reversed(apart), *right, *self.labels.between(quantity.end, quantity.unit_end)]:
            yield hit, False

    def _is_summed_up(self, hit: Hit, quantity: Quantity) -> bool:
        """Whether a word between label and number says that the label is one of several: 扣除五险和个税共 7,350.98."""
        return has_cue("said_sum", self._layout.words(hit.end, quantity.start)) or (
            self._layout.words(hit.end, quantity.start).strip(" *") == "共"
        )

    def _is_next_ones(self, hit: Hit, spot: Spot) -> bool:
        """Whether a Chinese label stands right before the next number and so belongs to it: 640张中失败17张."""
        return (
            not hit.term.isascii()
            and spot.right - hit.end <= 1
            and spot.right < len(self._layout.text)
            and (self._layout.text[spot.right].isdigit())
        )

    def _is_apart(self, hit: Hit, quantity: Quantity) -> bool:
        """Whether a clause ends between a label and the number."""
        return any(sign in self._layout.text[hit.end : quantity.start] for sign in "，,；;。）)")

    def _goes_on(self, number: int, spot: Spot, quantity: Quantity) -> list[tuple[Hit, bool]]:
        """The label of the number before, where the next row follows without one: 上月 87.4%，本月 89.1%."""
        sentence = self._layout.sentences[spot.sentence]
        listed = any(word in self._layout.words(sentence.start, quantity.start) for word in _RESPECTIVELY)
        if not listed and not self.objects.between(spot.left, quantity.start):
            return []
        before = [m for m in sentence.quantities if m < number and m in self._bound]
        if before and self._bound[before[-1]].has_row:
            return [(self._bound[before[-1]].label, True)]
        if listed:
            return [(hit, True) for hit in reversed(self.labels.between(sentence.start, spot.left))][:1]
        return []

    def _bind(self, number: int, label: Hit, filed: LabelValues, *, strong: bool) -> Binding | None:
        """The values that label and row mean; None where the number cannot speak of any of them."""
        quantity = self._layout.quantities[number]
        if filed.is_count and not self._is_counted(number, label):
            return None
        named = self._named_objects(number) if filed.by_object else None
        if named:
            of_rows = [value for name in named for value in filed.by_object.get(name, ())]
            meant = [value for value in of_rows if comparable(quantity, value.fact)]
            if meant and not self._is_stated(number, meant):
                return Binding(meant[0].pattern, meant, strong, has_row=True, plain=filed.plain, label=label)
        values = [value for value in filed.values if comparable(quantity, value.fact)]
        if not values:
            return None
        return Binding(values[0].pattern, values, strong and not named, has_row=False, plain=[], label=label)

    def _is_counted(self, number: int, label: Hit) -> bool:
        """Whether a number stands where a count stands: in a cell, or beside its label; 警告 in front of a finding counts nothing."""
        quantity = self._layout.quantities[number]
        if quantity.ulp != 1:
            return False
        if self._layout.spots[number].cell is not None:
            return True
        if label.start < quantity.start:
            return _COUNT_RIGHT.fullmatch(self._layout.text, label.end, quantity.start) is not None
        return _COUNT_LEFT.fullmatch(self._layout.text, quantity.end, label.start) is not None

    def _is_stated(self, number: int, meant: list[CriticalValue]) -> bool:
        """Whether the sentence has stated the row's value before, so that a further number is another matter."""
        layout = self._layout
        for other in layout.sentences[layout.spots[number].sentence].quantities:
            bound = self._bound.get(other) if other < number else None
            if (
                bound is not None
                and bound.has_row
                and {id(v.fact) for v in bound.expected} == {id(v.fact) for v in meant}
            ):
                return satisfies(layout.quantities[other], meant) is not None
        return False

    def joint(self, number: int) -> list[CriticalValue]:
        """One value each of the labels joined right before a number: 阻断和错误这 4 项."""
        spot, quantity = self._layout.spots[number], self._layout.quantities[number]
        hits = self.labels.between(spot.left, quantity.start)
        if (
            spot.cell is not None
            or len(hits) < _PAIR
            or self._layout.text[hits[-1].end : quantity.start].strip(" *这共") != ""
        ):
            return []
        joined = [hits[-1]]
        for hit in reversed(hits[:-1]):
            if self._layout.words(hit.end, joined[-1].start).strip() not in _JOINERS:
                break
            joined.append(hit)
        values = [self._by_label[hit.term].plain[:1] for hit in joined]
        return [value[0] for value in values if value] if len(joined) > 1 and all(values) else []

    def named(self, start: int, end: int) -> list[Fact]:
        """Critical values whose label, and whose row where they have one, stand in a stretch of the reply."""
        objects = {hit.term for hit in self.objects.between(start, end)}
        found: list[Fact] = []
        for hit in self.labels.between(start, end):
            if hit.term in unit_table().lowered:
                continue  # a label that is a unit names no field: every value beside it has that unit
            filed = self._by_label[hit.term]
            values = [*filed.plain, *(value for name in objects for value in filed.by_object.get(name, ()))]
            found.extend(value.fact for value in values[:_MAX_NAMED] if not value.fact.stale)
        return found

    def facts_of(self, label: str) -> list[Fact]:
        """The values that a label may speak of."""
        return [value.fact for value in self._by_label[label].values]

    def free_left(self, number: int) -> int:
        """Where the words on the left of a number begin, behind the label of the number before it."""
        spot, start = self._layout.spots[number], self._layout.quantities[number].start
        ends = [
            b.label.end for other, b in self._bound.items() if other != number and spot.left <= b.label.start < start
        ]
        return max([spot.left, *ends])

    def _named_objects(self, number: int) -> set[str]:
        """Names of the row that a number speaks of: beside it, else the last one before it, else in the heading."""
        layout = self._layout
        quantity, spot = layout.quantities[number], layout.spots[number]
        sentence = layout.sentences[spot.sentence]
        if spot.cell is not None:
            for span in (spot.cell.label, spot.cell.header):
                if hits := self.objects.between(*span):
                    return {hit.term for hit in hits}
            row = self.objects.between(sentence.start, sentence.end)
            if row:
                return {hit.term for hit in row}
        else:
            if (order := self._by_order(number, spot)) is not None:
                return order
            if before := self.objects.between(sentence.start, quantity.start):
                return {before[-1].term}
            if after := self.objects.between(quantity.unit_end, spot.right):
                return {after[0].term}
        if (topic := self._topic(spot)) is not None:
            return {topic}
        if spot.heading is not None and (hits := self.objects.between(*spot.heading)):
            return {hits[-1].term}
        return set()

    def _topic(self, spot: Spot) -> str | None:
        """The row that the last sentence with a name above it names, and says nothing else, as 先看1302工作面 does."""
        first = 0 if spot.heading is None else spot.heading[1]
        for sentence in reversed(self._layout.sentences[max(0, spot.sentence - _TOPIC_REACH) : spot.sentence]):
            if sentence.start < first:
                return None
            if hits := self.objects.between(sentence.start, sentence.end):
                rest = len(self._layout.text[sentence.start : sentence.end].strip("#*->·• :：")) - (
                    hits[-1].end - hits[-1].start
                )
                return hits[-1].term if len(hits) == 1 and rest <= _TOPIC_CHARS else None
        return None

    def _by_order(self, number: int, spot: Spot) -> set[str] | None:
        """A、B 分别为 x 和 y: the n-th value belongs to the n-th name; None where the counts differ."""
        layout = self._layout
        sentence = layout.sentences[spot.sentence]
        said = layout.words(sentence.start, sentence.end)
        marks = [said.find(word) for word in _RESPECTIVELY if word in said]
        if not marks:
            return None
        names: list[str] = []
        for hit in self.objects.between(sentence.start, sentence.end):
            if hit.term not in names:
                names.append(hit.term)
        previous = [m for m in sentence.quantities if layout.quantities[m].is_claim and not layout.quantities[m].exempt]
        group = _group_around(previous, number, layout)
        if len(names) != len(group) or number not in group:
            return None
        return {names[group.index(number)]}


def _group_around(numbers: list[int], number: int, layout: Layout) -> list[int]:
    """The values listed together with one, joined by 、 and 和 only."""
    if number not in numbers:
        return []
    at = numbers.index(number)
    first = last = at
    while first > 0 and _joined(layout, numbers[first - 1], numbers[first]):
        first -= 1
    while last + 1 < len(numbers) and _joined(layout, numbers[last], numbers[last + 1]):
        last += 1
    return numbers[first : last + 1]


def _joined(layout: Layout, left: int, right: int) -> bool:
    between = layout.words(layout.quantities[left].unit_end, layout.quantities[right].start).strip(" *")
    return between in _JOINERS


def satisfies(quantity: Quantity, values: list[CriticalValue]) -> tuple[CriticalValue, Grounding] | None:
    """The first value that a number equals, fresh ones before stale ones."""
    for value in sorted(values, key=lambda value: (value.fact.stale, -value.fact.result)):
        if (how := meets(quantity, value.fact)) is not None:
            return value, how
    return None
