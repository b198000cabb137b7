"""What a derived number may be derived from: values shown beside it, and fields that the words beside it name."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final, NamedTuple

from agents.guards.concepts import Concepts, concepts_of_words, names_all
from agents.guards.critical import CriticalFields
from agents.guards.cues import has_cue
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import Fact
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import Unit
from agents.guards.reply.layout import Layout
from agents.guards.reply.terms import Hit, TermHits

_MAX_NAMED: Final = 6
_MAX_SHOWN: Final = 8
_PAST: Final = frozenset({"last", "prev", "previous", "prior"})
_TARGETS: Final = frozenset({"target", "goal", "plan", "planned", "quota", "budget"})
_NEXT_ONE: Final = re.compile(
    r",\s|followed|\bthen\b|\bsecond\b|其次|次之|再次|[，,；;、：:。][^，,；;]{0,6}最[小少低末]"
)
_SURE_NAME: Final = 4
_MAX_GROUPS: Final = 4
_MAX_WHOLES: Final = 3
_MONTH: Final = re.compile(r"(?<!\d)(\d{1,2})\s?月")
_MONTHS: Final = tuple(
    re.compile(rf"\b{name}")
    for name in ("jan", "feb", r"mar(?:ch)?\b", "apr", r"may\b", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
)
_ROW: Final = re.compile(r"\[\d+\](?=\.[^.\[\]]+$)")


class Operand(NamedTuple):
    """A value that may be calculated with, and the facts behind it."""

    value: float
    unit: Unit | None
    facts: tuple[Fact, ...]

    @property
    def base(self) -> float:
        """The value in the base unit of its dimension."""
        return self.value * self.unit.factor if self.unit else self.value


class Operands:
    """Finds operands for the numbers of one reply; `verified` is filled by the guard as numbers are borne out."""

    def __init__(self, book: EvidenceBook, layout: Layout, critical: CriticalFields) -> None:
        self._book = book
        self._critical = critical
        self._layout = layout
        self.verified: dict[int, Operand] = {}
        self.precise: dict[int, Operand] = {}
        self.is_precise = False
        self._named: dict[tuple[int, int, str], list[Fact]] = {}
        self._rows: dict[tuple[int, int, str], set[str]] = {}

    def _value_of(self, number: int) -> Operand:
        """The printed value of a verified number, or the one that it was rounded from."""
        return self.precise.get(number, self.verified[number]) if self.is_precise else self.verified[number]

    def shown(self, number: int) -> list[Operand]:
        """Verified values of the same sentence or table row, the nearest first; before counts as nearer than behind."""
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        return self._nearest(number, [m for m in sentence.quantities if m != number])

    def shown_before(self, number: int) -> list[Operand]:
        """Verified values of the sentence before the number, in the order of the text."""
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        return [self._value_of(m) for m in sentence.quantities if m < number and m in self.verified]

    def shown_behind(self, number: int) -> list[Operand]:
        """Verified values of the sentence behind the number, in the order of the text."""
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        return [self._value_of(m) for m in sentence.quantities if m > number and m in self.verified]

    def adjacent(self, number: int) -> list[Operand]:
        """Verified values of the two sentences before and the one behind, the nearest first."""
        here = self._layout.spots[number].sentence
        around = [m for at in (here - 1, here - 2, here + 1) if 0 <= at < len(self._layout.sentences)
                  for m in self._layout.sentences[at].quantities]  # fmt: skip
        return self._nearest(number, around)

    def previous(self, number: int) -> list[Operand]:
        """Verified values of the sentence before, in the order of the text."""
        here = self._layout.spots[number].sentence
        before = self._layout.sentences[here - 1].quantities if here else []
        return [self._value_of(m) for m in before if m in self.verified]

    def column(self, number: int) -> list[Operand]:
        """Verified values above the number in its table column, totals left out."""
        cell = self._layout.spots[number].cell
        if cell is None:
            return []
        found = []
        for other, spot in enumerate(self._layout.spots):
            above = spot.cell is not None and (spot.cell.table, spot.cell.column) == (cell.table, cell.column)
            if (
                above
                and spot.cell is not None
                and spot.cell.row < cell.row
                and not spot.cell.is_total
                and other in self.verified
            ):
                found.append(self.verified[other])
        return found

    def lines(self, number: int) -> list[Operand]:
        """The first values of the lines right above a number."""
        return [operand for run in self.lines_above(number) for operand in run[:1]]

    def lines_above(self, number: int) -> list[list[Operand]]:
        """First values of the lines right above, one list per unit: the items that a 合计 line sums up."""
        here = self._layout.spots[number].sentence
        lists: dict[str, list[Operand]] = {}
        misses = 0
        for at in range(here - 1, -1, -1):
            values = [self.verified[m] for m in self._layout.sentences[at].quantities if m in self.verified]
            misses = 0 if values else misses + 1
            if misses > 1:
                break
            for unit in {operand.unit.name if operand.unit else "" for operand in values}:
                first = next(o for o in values if (o.unit.name if o.unit else "") == unit)
                lists.setdefault(unit, []).append(first)
        return list(lists.values())

    def named(self, start: int, end: int, extra: str = "") -> list[Operand]:
        """Fields whose label, and whose row where they have one, stand in a stretch of the reply."""
        key = (start, end, extra)
        if key not in self._named:
            lowered = f"{self._layout.words(start, end)} {extra}"
            rows = self._rows_named(start, end, extra)
            hits: list[tuple[int, Fact]] = []
            known: dict[Concepts, bool] = {}
            of_rows = {id(entry[0]): entry for name in rows for entry in self._book.telling_rows.get(name, ())}
            for fact, concepts in (*self._book.telling, *of_rows.values()):
                if concepts not in known:
                    known[concepts] = names_all(lowered, concepts)
                if _PAST.intersection(fact.scope) and not has_cue("reference", lowered):
                    continue
                if known[concepts] or (fact.is_row and self._is_only_number(fact)):
                    hits.append((len(concepts) + 2 * fact.is_row, fact))
            hits.sort(key=lambda hit: -hit[0])
            critical = self._critical.named(start, end)
            known_already = {id(fact) for fact in critical}
            others = [fact for _, fact in hits if id(fact) not in known_already]
            self._named[key] = [*critical, *others][:_MAX_NAMED]
        return [_operand(fact) for fact in self._named[key]]

    def kin(self, number: int, start: int, end: int, extra: str = "") -> list[tuple[Operand, Operand]]:
        """Pairs of fields that belong together: of a row that is named or shown, or of one thing that is named."""
        kin = self._book.kin
        rows = self._rows_named(start, end, extra)
        groups = [kin.row_of(fact) for name in rows for fact in self._book.row_names[name][:1]]
        for operand in self.shown(number)[:2]:
            groups.extend(kin.row_of(fact) for fact in operand.facts[:1] if fact.is_row)
        lowered = f"{self._layout.words(start, end)} {extra}"
        for stem, facts in kin.stems():
            said = [stem] if stem else [fact.words for fact in facts]
            if any(names_all(lowered, concepts_of_words(words)) for words in said):
                groups.append(facts)
        pairs: list[tuple[Operand, Operand]] = []
        nearest = self.shown(number)[:1]
        for group in groups[:_MAX_GROUPS]:
            for at, left in enumerate(group):
                pairs.extend((_operand(left), _operand(right)) for right in group[at + 1 :])
                pairs.extend((_operand(left), operand) for operand in nearest)
                if (other := kin.counterpart(left)) is not None:
                    pairs.append((_operand(left), _operand(other)))
        return [pair for left, right in pairs for pair in ((left, right), (right, left))]

    def across_rows(self, number: int, start: int, end: int) -> list[tuple[Operand, Operand]]:
        """The same field of two rows that a stretch names: 主斜井最大，比副斜井多 4,333."""
        quantity = self._layout.quantities[number]
        names = list(
            dict.fromkeys(n for hit in self.row_hits.between(start, end) for n in self._book.row_aliases[hit.term])
        )
        rows = [self._book.row_names[name] for name in names[-_MAX_GROUPS:] if name in self._book.row_names]
        pairs: list[tuple[Operand, Operand]] = []
        for at, left in enumerate(rows):
            for right in rows[at + 1 :]:
                for a in left:
                    fits = a.unit == quantity.unit or quantity.is_ratio or self.is_named(a, start, end)
                    b = next((b for b in right if b.words == a.words and b.result == a.result), None)
                    if fits and b is not None and b is not a:
                        pairs.extend(((_operand(a), _operand(b)), (_operand(b), _operand(a))))
        return pairs[: 2 * _MAX_NAMED]

    def sum_of_column(self, fact: Fact) -> Fact | None:
        """The sum over the column of a row's field."""
        return self._book.sums.get((fact.result, f"sum:{_ROW.sub('[]', fact.path)}"))

    def speaks_of_earlier(self, number: int) -> bool:
        """Whether the words beside a number speak of an earlier period: its sentence, table header and heading."""
        layout, spot = self._layout, self._layout.spots[number]
        sentence = layout.sentences[spot.sentence]
        parts = [layout.words(sentence.start, sentence.end)]
        if spot.cell is not None:
            parts += [layout.words(*spot.cell.header), layout.words(*spot.cell.label)]
        if spot.heading is not None:
            parts.append(layout.words(*spot.heading))
        said = " ".join(parts)
        return has_cue("earlier", said) or self._names_other_month(said)

    def _names_other_month(self, said: str) -> bool:
        months = {int(match[1]) for match in _MONTH.finditer(said)}
        months |= {at for at, name in enumerate(_MONTHS, 1) if name.search(said)}
        return bool(months - self._book.months)

    def wholes(self, number: int) -> list[tuple[Operand, Operand]]:
        """The nearest shown value with totals that it may be a share of."""
        pairs: list[tuple[Operand, Operand]] = []
        shown = self.shown(number)[: 1 if self._layout.spots[number].cell is None else 3]
        for operand in [*shown, *self._last_row(number)]:
            for fact in operand.facts[:1]:
                column = f"sum:{_ROW.sub('[]', fact.path)}"
                total = self._book.sums.get((fact.result, column)) or self._book.sums.get(
                    (fact.result, f"sum:{fact.path.rpartition('.')[0]}.*")
                )
                wholes = [*self._book.kin.wholes_of(fact), *([total] if total else [])]
                pairs.extend((operand, _operand(whole)) for whole in wholes[:_MAX_WHOLES])
        return pairs

    def _last_row(self, number: int) -> list[Operand]:
        """The numbers of the row named last before a number."""
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        hits = self.row_hits.between(sentence.start, self._layout.quantities[number].start)
        names = self._book.row_aliases[hits[-1].term] if hits else ()
        return [_operand(fact) for name in names for fact in self._book.row_names.get(name, ())[:_MAX_NAMED]]

    def references(self, number: int, named: list[Operand]) -> list[tuple[Operand, Operand]]:
        """The nearest shown or named value with the same field of another period, both ways round."""
        pairs: list[tuple[Operand, Operand]] = []
        shown = self.shown(number)[:2] or self.adjacent(number)[-_MAX_NAMED:]
        for operand in [*shown, *named[:2]]:
            for fact in operand.facts[:1]:
                for other in self._book.kin.earlier_or_later(fact)[:2]:
                    pairs.extend(((_operand(fact), _operand(other)), (_operand(other), _operand(fact))))
        return pairs

    def spans(self, unit: str) -> list[Operand]:
        """Fields that are a number of months, days … and no part of a list."""
        facts = [fact for fact in self._book.facts if fact.unit is not None and fact.unit.name == unit]
        return [_operand(fact) for fact in facts if fact.value and not fact.is_row and not fact.stale][:2]

    def totals(self) -> list[Operand]:
        """Fields that are totals by their name."""
        return [_operand(fact) for fact in self._book.kin.totals if len(fact.words) == 1][:2]

    def targets(self) -> list[Operand]:
        """Fields outside lists that are a target by their name: what a pace leads to."""
        facts = [fact for fact in self._book.facts if _TARGETS.intersection(fact.words) and not fact.is_row]
        return [_operand(fact) for fact in facts if not fact.stale][:2]

    def is_of_other_row(self, fact: Fact, number: int) -> bool:
        """Whether a number that meets this fact is stated for another row: the last row named before it, if not behind it."""
        if not fact.is_row or not fact.names:
            return False
        layout = self._layout
        quantity, spot = layout.quantities[number], layout.spots[number]
        if self.row_of(self.row_hits.between(quantity.unit_end, spot.right), fact) is True:
            return False
        sentence = layout.sentences[spot.sentence]
        stretches = [(sentence.start, quantity.start)]
        if spot.cell is not None:
            stretches = [spot.cell.label, spot.cell.header]
        elif spot.heading is not None:
            stretches.append(spot.heading)
        for stretch in stretches:
            hits = self.row_hits.between(*stretch)
            own = self.row_of(hits, fact)
            if own is False and _NEXT_ONE.search(layout.lowered, hits[-1].end, quantity.start):
                return False
            if own is False and "(" in layout.text[hits[-1].end : quantity.start].replace("（", "("):
                own = any(name in fact.names for hit in hits for name in self._book.row_aliases[hit.term])
            if own is not None:
                return not own
        return False

    def row_of(self, hits: list[Hit], fact: Fact) -> bool | None:
        """Whether the last named row of the fact's list is the fact's own; None where no row of the list is named."""
        for hit in reversed(hits):
            if len(hit.term) < _SURE_NAME and hit.term not in self._book.row_terms:
                continue
            names = self._book.row_aliases[hit.term]
            if any(name in fact.names for name in names):
                return True
            if any(self._is_sibling(name, fact) for name in names):
                return False
        return None

    def _is_sibling(self, name: str, fact: Fact) -> bool:
        """Whether a name is that of another row of the fact's list, with the same field."""
        column = _ROW.sub("[]", fact.path)
        return any(
            other.result == fact.result and _ROW.sub("[]", other.path) == column
            for other in self._book.row_names.get(name, ())
        )

    @cached_property
    def row_hits(self) -> TermHits:
        """Where the reply names rows."""
        return TermHits(self._layout.lowered, self._book.row_aliases)

    def _rows_named(self, start: int, end: int, extra: str) -> set[str]:
        key = (start, end, extra)
        if key not in self._rows:
            aliases = {hit.term for hit in self.row_hits.between(start, end)}
            aliases.update(alias for alias in self._book.row_aliases if extra and alias in extra)
            self._rows[key] = {
                name for alias in aliases for name in self._book.row_aliases[alias] if name in self._book.row_names
            }
        return self._rows[key]

    def is_named(self, fact: Fact, start: int, end: int) -> bool:
        """Whether a stretch of the reply names the field."""
        return names_all(self._layout.words(start, end), concepts_of_words(fact.words))

    def _is_only_number(self, fact: Fact) -> bool:
        """Whether the row has one number only, so that its name names it."""
        return (
            sum(
                1
                for other in self._book.row_names.get(fact.names[0], ())
                if other.path.rpartition(".")[0] == fact.path.rpartition(".")[0]
            )
            == 1
        )

    def _nearest(self, number: int, others: list[int]) -> list[Operand]:
        at = self._layout.quantities[number].start
        ranked = sorted(
            (m for m in others if m in self.verified),
            key=lambda m: (
                at - self._layout.quantities[m].start if m < number else 2 * (self._layout.quantities[m].start - at)
            ),
        )
        return [self._value_of(m) for m in ranked[:_MAX_SHOWN]]


def _operand(fact: Fact) -> Operand:
    return Operand(fact.value, fact.unit, (fact,))


def in_unit_of(quantity: Quantity, operand: Operand) -> float | None:
    """An operand's value in the unit of the number, or None where their dimensions differ."""
    if quantity.unit is None or operand.unit is None:
        return operand.value
    if quantity.unit.dimension != operand.unit.dimension:
        return None
    return operand.value if quantity.unit.factor == operand.unit.factor else operand.base / quantity.unit.factor
