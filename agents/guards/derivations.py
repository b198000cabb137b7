"""Derived numbers: differences, shares, growth, sums and the like, only where a cue word speaks of the operation.

Trying every pair of facts would bear out nearly any number (with 100 facts 96 % of random differences). So operands
are few: values shown in the same sentence or row, and fields that the words beside the number name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from agents.guards.cues import has_cue
from agents.guards.direct import tolerance
from agents.guards.evidence.book import EPSILON
from agents.guards.evidence.fact import COUNTED, VALUE, Fact
from agents.guards.evidence.kin import COMPARATORS
from agents.guards.operands import Operand, Operands, in_unit_of
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT, RATIO, same_kind, unit_table
from agents.guards.reply.layout import Layout
from agents.guards.unit_algebra import product_of_units, quotient_of_units

_NEAREST: Final = 2
_NARROW: Final = 26
_WIDE: Final = 70
_MIN_PRODUCT: Final = 100
_CLAUSE_END: Final = re.compile(r"[，,；;。]")
_REACH: Final = 240  # beyond it a sentence is no sentence any more
_BEFORE_LABEL: Final = 5
_TIME_PARTS: Final = (
    ("s", ("每秒", "per second", "a second", "/s"), 86400.0),
    ("h", ("每小时", "时均", "per hour", "an hour", "hourly"), 24.0),
    ("day", ("每天", "日均", "a day", "per day", "每日", "daily"), 7.0),
    ("week", ("每周", "周均", "per week", "a week", "weekly"), None),
    ("month", ("每月", "月均", "per month", "a month", "monthly"), 12.0),
    ("year", ("每年", "年均", "per year", "a year", "yearly", "annually"), None),
)
_PER_MANY: Final = (
    (("per 100", "/100", "per hundred", "每百", "每100", "每 100"), 100.0),
    (("per 1,000", "per 1000", "per thousand", "每千", "每1000"), 1000.0),
    (("per 10,000", "per 10000", "每万"), 10000.0),
)
_STATISTICS: Final = frozenset({"mean", "median", "avg", "average"})
_MIN_DERIVED_DIGITS: Final = 1


class Derived(NamedTuple):
    """An operation whose result is the number, and the facts that it works on."""

    operation: str
    facts: tuple[Fact, ...]


class Derivations:
    """Looks for the derivation of single numbers of one reply."""

    def __init__(self, layout: Layout, operands: Operands) -> None:
        self._layout = layout
        self._operands = operands

    def derive(self, number: int, hidden: tuple[int, int] | None = None, *, close: bool = False) -> Derived | None:
        """The derivation of a number, or None.

        Args:
            number: Number of the quantity.
            hidden: A stretch whose words are no cues: the label that the number stands under.
            close: Only words between label and number, and right before the label, are cues.
        """
        spot = self._layout.spots[number]
        quantity = self._layout.quantities[number]
        narrow, wide = self._cue_words(number, hidden)
        if close and hidden is not None and spot.cell is None and hidden[0] < quantity.start:
            narrow = wide = self._close_words(number, hidden)
        if has_cue("share_only", narrow):
            wide = narrow
        sentence = self._layout.sentences[spot.sentence]
        extra = self._table_words(number) + self._heading_words(number)
        shown = self._operands.shown(number)
        beside = self._operands.named(max(spot.left, quantity.start - _WIDE), spot.right, extra)
        around = self._operands.named(sentence.start, sentence.end, extra)
        for words in dict.fromkeys((narrow, wide)):
            for pool in ([*shown, *beside], [*beside, *shown, *around], [*around, *shown]):
                if found := self._try(quantity, words, pool):
                    return found
            if found := self._by_kin(number, words, around, extra) or self._sums(number, words, beside + around):
                return found
        return self._from_afar(number, wide, [*beside, *shown, *around], extra)

    def _from_afar(self, number: int, words: str, near: list[Operand], extra: str) -> Derived | None:
        """Operands of the sentences beside it, and totals."""
        quantity, at = self._layout.quantities[number], self._layout.spots[number].sentence
        sentences = self._layout.sentences
        start, end = sentences[max(0, at - 1)].start, sentences[min(len(sentences) - 1, at + 1)].end
        pool = [*near[:_NEAREST], *self._operands.adjacent(number), *near[_NEAREST:]]
        return (
            self._try(quantity, words, pool)
            or self._try(quantity, words, [*near, *self._operands.named(start, end, extra), *self._operands.totals()])
            or self._run(quantity, words, [[a, b] for a in near[:_NEAREST] for b in self._operands.adjacent(number)])
            or self._run(quantity, words, [self._operands.previous(number)])
            or self._sums_of_lines(number, words)
        )

    def _close_words(self, number: int, hidden: tuple[int, int]) -> str:
        """Words between a label and its number, those right before the label, and those behind the number."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        before = self._layout.words(max(spot.left, hidden[0] - _BEFORE_LABEL), hidden[0])
        between = self._layout.words(hidden[1], quantity.start) if hidden[1] <= quantity.start else ""
        behind = self._words(quantity.unit_end, spot.right, hidden)
        return f"{before} {between} {'δ' if quantity.signed else ''} {behind}"

    def _by_kin(self, number: int, words: str, named: list[Operand], extra: str) -> Derived | None:
        """Operands that are not said but follow from those that are: the other field of the row, the whole, last month."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        sentence = self._layout.sentences[spot.sentence]
        before = self._operands.shown_before(number)
        plain = [
            operand
            for operand in before
            if (operand.unit is None or operand.unit.dimension not in {RATIO, COUNT})
            and (quantity.is_ratio or in_unit_of(quantity, operand) is not None)
        ]
        if len(plain) < _NEAREST:  # with two values shown nothing is left unsaid
            kin = self._operands.kin(number, sentence.start, sentence.end, extra)
            if found := self._find(quantity, words, kin):
                return found
        across = self._operands.across_rows(number, sentence.start, spot.right)
        if found := self._find(quantity, words, across):
            return found
        if _is_share(quantity):
            wholes = self._operands.wholes(number)
            for operation, value, facts in _shares(quantity, words, wholes):
                if equals(quantity, value):
                    return Derived(operation, facts)
            cell = spot.cell
            if cell is not None and cell.is_total and quantity.base == 1 and has_cue("share", words):
                return Derived("share", ())
        said = self._layout.words(max(sentence.start, quantity.start - _REACH), spot.right)
        if has_cue("reference", said) or has_cue("change", words):
            return self._find(quantity, words, self._operands.references(number, named))
        return None

    def _cue_words(self, number: int, hidden: tuple[int, int] | None) -> tuple[str, str]:
        """Words right beside a number, and those of the sentence up to it."""
        quantity, spot = self._layout.quantities[number], self._layout.spots[number]
        sentence = self._layout.sentences[spot.sentence]
        table = (
            self._table_words(number)
            if hidden is None or self._layout.spots[number].cell is None
            else self._header(number)
        )
        behind = self._words(quantity.unit_end, spot.right, hidden)
        left = self._words(max(spot.left, quantity.start - _NARROW), quantity.start, hidden)
        sign = " δ " if quantity.signed else ""
        wide = self._words(max(sentence.start, quantity.start - _WIDE), quantity.start, hidden)
        further = _CLAUSE_END.split(
            self._words(quantity.unit_end, min(sentence.end, quantity.unit_end + 2 * _NARROW), hidden)
        )[0]
        return f"{table} {left}{sign} {behind}", f"{table} {wide}{sign} {further}"

    def shares_of_shown(self, number: int) -> list[Operand]:
        """Shares between the values shown nearest to a number; for bounds such as 不到五分之一."""
        plain = [operand for operand in self._operands.shown(number) if operand.value > 0]
        unit = unit_table().units["fraction"]
        return [
            Operand(quotient, unit, (*left.facts, *right.facts))
            for left, right, quotient in _quotients(_pairs(_distinct(plain)[:_NEAREST]))
            if quotient < 1
        ]

    def words_around(self, number: int) -> str:
        """Words of the sentence of a number, of the one before it, and of its heading."""
        at = self._layout.spots[number].sentence
        here = self._layout.quantities[number].start
        start = max(self._layout.sentences[max(0, at - 1)].start, here - _REACH)
        said = self._layout.words(start, min(self._layout.sentences[at].end, here + _REACH))
        return f"{said} {self._table_words(number)} {self._heading_words(number)}"

    def sentence_words(self, number: int, hidden: tuple[int, int] | None) -> str:
        """All words of the sentence of a number, and of its table header."""
        sentence = self._layout.sentences[self._layout.spots[number].sentence]
        at = self._layout.quantities[number].start
        start, end = max(sentence.start, at - _REACH), min(sentence.end, at + _REACH)
        return f"{self._words(start, end, hidden)} {self._table_words(number)}"

    def _words(self, start: int, end: int, hidden: tuple[int, int] | None) -> str:
        words = self._layout.words(start, end)
        if hidden is None or hidden[1] <= start or hidden[0] >= end:
            return words
        return words[: max(0, hidden[0] - start)] + " " + words[max(0, hidden[1] - start) :]

    def _header(self, number: int) -> str:
        cell = self._layout.spots[number].cell
        return self._layout.words(*cell.header) if cell is not None else ""

    def _heading_words(self, number: int) -> str:
        heading = self._layout.spots[number].heading
        return f" {self._layout.words(*heading)}" if heading is not None else ""

    def _table_words(self, number: int) -> str:
        cell = self._layout.spots[number].cell
        if cell is None:
            return ""
        return f"{self._layout.words(*cell.header)} | {self._layout.words(*cell.label)}"

    def _try(self, quantity: Quantity, words: str, operands: list[Operand]) -> Derived | None:
        """Operations on one or two operands, at least one of which is near."""
        pool = _distinct(operands)
        plain = [operand for operand in pool if operand.unit is None or operand.unit.dimension != RATIO]
        shares = [operand for operand in pool if operand.unit is not None and operand.unit.dimension == RATIO]
        if _is_share(quantity):
            changed = has_cue("change", words)  # 由 85.9% 提高到 87.2% gives a difference, no share of a share
            found = self._find(quantity, words, _pairs(plain))
            return found or self._find(quantity, words, _pairs(shares), shares=not changed)
        fitting = [operand for operand in plain if in_unit_of(quantity, operand) is not None]
        return (
            self._find(quantity, words, _pairs(fitting))
            or self._find(quantity, words, _pairs(pool))
            or self._per_time(quantity, words, pool)
        )

    def _per_time(self, quantity: Quantity, words: str, pool: list[Operand]) -> Derived | None:
        """A total over the months, days … that the evidence names, or a day's total per second."""
        for unit, said, usual in _TIME_PARTS:
            if not any(word in words for word in said):
                continue
            spans = [*self._operands.spans(unit), *([Operand(usual, None, ())] if usual else [])]
            for operand in pool[:_NEAREST]:
                for span in spans:
                    if same_kind(quantity.unit, operand.unit) and equals(quantity, operand.value / span.value):
                        return Derived("ratio", (*operand.facts, *span.facts))
        return None

    @staticmethod
    def _find(quantity: Quantity, words: str, pairs: _Pairs, *, shares: bool = True) -> Derived | None:
        finders = (
            (*((_shares,) if shares else ()), _growths, _differences, _rests)
            if _is_share(quantity)
            else (_differences, _ratios, _growth_multiples, _products, _remainders)
        )
        for finder in finders:
            for operation, value, facts in finder(quantity, words, pairs):
                if equals(quantity, value):
                    return Derived(operation, facts)
        return None

    def _sums(self, number: int, words: str, named: list[Operand]) -> Derived | None:
        """Sums and means over values listed before or behind, over a table column, over named fields."""
        quantity = self._layout.quantities[number]
        runs: list[list[Operand]] = []
        column = self._operands.column(number)
        cell = self._layout.spots[number].cell
        if cell is not None and not cell.is_total and not cell.is_mean:
            words, column = self._header(number), []
        if column:
            runs.append(column)
        before, behind = self._operands.shown_before(number), self._operands.shown_behind(number)
        runs.extend(before[at:] for at in range(max(0, len(before) - 12), len(before) - 1))
        runs.extend(behind[:end] for end in range(2, min(len(behind), 12) + 1))
        if len(before) > 2:  # noqa: PLR2004 - the list before a remark of its own
            runs.extend((before[:-1], before[::2], before[1::2]))
        fresh = _distinct(named)
        runs.extend([left, right] for at, left in enumerate(fresh) for right in fresh[at + 1 :])
        if len(fresh) > 2:  # noqa: PLR2004
            runs.append(fresh)
        return self._run(quantity, words, runs)

    def _sums_of_lines(self, number: int, words: str) -> Derived | None:
        lines = self._operands.lines_above(number)
        runs = [run[:end] for run in lines for end in range(2, len(run) + 1)]
        return self._run(self._layout.quantities[number], words, runs)

    @staticmethod
    def _run(quantity: Quantity, words: str, runs: Iterable[list[Operand]]) -> Derived | None:
        add, average = has_cue("sum", words), has_cue("mean", words)
        if not add and not average:
            return None
        for run in runs:
            values = [in_unit_of(quantity, operand) for operand in run]
            known = [value for value in values if value is not None]
            if len(known) < len(run) or len(known) < 2 or not _of_one_kind(run):  # noqa: PLR2004
                continue
            facts = tuple(fact for operand in run for fact in operand.facts)
            if add and equals(quantity, sum(known)):
                return Derived("sum", facts)
            if average and len(set(known)) > 1 and equals(quantity, sum(known) / len(known)):
                return Derived("mean", facts)
        return None


def _is_share(quantity: Quantity) -> bool:
    return quantity.unit is not None and quantity.unit.dimension == RATIO and quantity.unit.name != "倍"


def _distinct(operands: list[Operand]) -> list[Operand]:
    """Operands, each value once: a value shown twice gives no new pair."""
    seen: set[tuple[float, str]] = set()
    kept = []
    for operand in operands:
        key = (operand.base, operand.unit.dimension if operand.unit else "")
        if key not in seen:
            seen.add(key)
            kept.append(operand)
    return kept


def _of_one_kind(operands: list[Operand]) -> bool:
    return all(same_kind(left.unit, right.unit) for left, right in pairwise(operands))


def _pairs(pool: list[Operand]) -> list[tuple[Operand, Operand]]:
    """Ordered pairs with at least one of the nearest operands."""
    near = pool[:_NEAREST]
    found: list[tuple[Operand, Operand]] = []
    for at, left in enumerate(near):
        for right in pool[at + 1 :]:
            found.extend(((left, right), (right, left)))
    return found


def equals(quantity: Quantity, value: float) -> bool:
    """Whether the printed number is the value, signs aside, to its printed precision."""
    return abs(abs(quantity.value) - abs(value)) <= tolerance(quantity) * (1 + EPSILON) + EPSILON * max(1.0, abs(value))


_Candidate = tuple[str, float, tuple[Fact, ...]]
_Pairs = list[tuple[Operand, Operand]]


def _differences(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    if not has_cue("diff", words):
        return
    for left, right in pairs[::2]:
        a, b = in_unit_of(quantity, left), in_unit_of(quantity, right)
        if a is not None and b is not None and same_kind(left.unit, right.unit) and not _unlike(left, right):
            if _is_length(left) != _is_length(right):
                continue
            if quantity.is_ratio and (left.unit is None or right.unit is None):
                continue
            yield "diff", a - b, (*left.facts, *right.facts)


def _quotients(pairs: _Pairs) -> Iterator[tuple[Operand, Operand, float]]:
    for left, right in pairs:
        if not right.value or not same_kind(left.unit, right.unit) or _unlike(left, right):
            continue
        both = left.unit is not None and right.unit is not None and left.unit.dimension == right.unit.dimension
        yield left, right, (left.base / right.base) if both else (left.value / right.value)


def _alike(left: Operand, right: Operand) -> bool:
    return left.unit is not None and right.unit is not None and left.unit.dimension == right.unit.dimension


def _bare(operand: Operand) -> bool:
    return operand.unit is None or operand.unit.dimension == COUNT


def _unlike(left: Operand, right: Operand) -> bool:
    """Whether two values are of different nature: a bare field beside one with a unit, a count beside a score of 76.1."""
    if (left.unit is None) != (right.unit is None):
        bare, other = (left, right) if left.unit is None else (right, left)
        return (
            len(bare.facts) == 1
            and bare.facts[0].kind == VALUE
            and other.unit is not None
            and other.unit.dimension not in {COUNT, RATIO}
        )
    whole = [operand.value == int(operand.value) for operand in (left, right)]
    if left.unit is not None or whole[0] == whole[1]:
        return False
    words = [word for operand in (left, right) for word in set().union(*(fact.words for fact in operand.facts))]
    return len(words) == len(set(words)) and not (COMPARATORS | _STATISTICS).issuperset(words)


def _is_length(operand: Operand) -> bool:
    """Whether it is the length of a list, which takes nothing from an amount."""
    return len(operand.facts) == 1 and operand.facts[0].kind == COUNTED and not operand.facts[0].group


def _scale(quantity: Quantity) -> float:
    return quantity.unit.factor if quantity.unit else 1.0


def _shares(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    """A ÷ b, where the words speak of a share, or of nothing else."""
    plain = has_cue("share_weak", words) and not has_cue("growth", words)
    if has_cue("share", words) or plain or (quantity.unit is not None and quantity.unit.name == "折"):
        for left, right, quotient in _quotients(pairs):
            yield "share", quotient / _scale(quantity), (*left.facts, *right.facts)


def _growths(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    """(a − b) ÷ b; what has grown is measured by the smaller value, what has shrunk by the larger."""
    if has_cue("growth", words) and not has_cue("share_only", words):
        up, down = has_cue("up", words), has_cue("down", words)
        for left, right, quotient in _quotients(pairs):
            if (up and not down and abs(quotient) < 1) or (down and not up and abs(quotient) > 1):
                continue
            yield "growth", (quotient - 1) / _scale(quantity), (*left.facts, *right.facts)


def _rests(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    if quantity.unit is not None and (has_cue("rest", words) or quantity.unit.name == "折"):
        for left, right, quotient in _quotients(pairs):
            yield "rest", (1 - quotient) / quantity.unit.factor, (*left.facts, *right.facts)
        for operand in {id(one): one for pair in pairs for one in pair}.values():
            if operand.unit is not None and operand.unit.dimension == RATIO:
                yield "rest", (1 - operand.base) / quantity.unit.factor, operand.facts


def _ratios(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    """A ÷ b of one kind (之比, 倍), or a rate of two kinds (each, 人均)."""
    if not has_cue("ratio", words) and (quantity.unit is None or quantity.unit.name != "倍"):
        return
    for left, right in pairs:
        for value in _ratio_values(quantity, words, left, right) if right.value else ():
            yield "ratio", value, (*left.facts, *right.facts)


def _ratio_values(quantity: Quantity, words: str, left: Operand, right: Operand) -> Iterator[float]:
    for said, scale in _PER_MANY:
        if any(word in words for word in said) and same_kind(quantity.unit, left.unit):
            yield left.value / right.value * scale
    if quantity.unit is None or quantity.unit.dimension == RATIO:
        both = same_kind(left.unit, right.unit) and left.unit is not None and right.unit is not None
        yield left.base / right.base if both else left.value / right.value
    elif (value := quotient_of_units(quantity, left, right)) is not None:
        yield value
    elif not _alike(left, right) and has_cue("per", words) and _is_of(quantity, left):
        part = in_unit_of(quantity, left)
        if part is not None:
            yield part / right.value


def _is_of(quantity: Quantity, operand: Operand) -> bool:
    """Whether a number in its own unit may be a part of the operand: euros of euros, pieces of a bare count."""
    if quantity.unit is None or operand.unit is None:
        return quantity.unit is None or quantity.unit.dimension == COUNT
    return quantity.unit.dimension in {operand.unit.dimension, COUNT}


def _multiplies(quantity: Quantity, left: Operand, right: Operand) -> bool:
    """Whether a product makes sense: an amount times a bare number or a share, never metres times metres."""
    amounts = [operand for operand in (left, right) if not _bare(operand) and not _is_ratio(operand)]
    if len(amounts) > 1:
        return False
    if quantity.ulp == 1 and abs(quantity.value) < _MIN_PRODUCT:  # small whole numbers meet a product by chance
        return False
    return not amounts or same_kind(quantity.unit, amounts[0].unit)


def _is_ratio(operand: Operand) -> bool:
    return operand.unit is not None and operand.unit.dimension == RATIO


def _growth_multiples(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    if quantity.unit is not None and quantity.unit.name == "倍" and has_cue("growth", words):
        for left, right, quotient in _quotients(pairs):
            yield "growth", quotient - 1, (*left.facts, *right.facts)


def _products(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    """Pieces times price, a share of an amount, and what units make of each other: kW for hours, pence per kWh."""
    if has_cue("prod", words) or has_cue("sum", words) or has_cue("share", words):
        for left, right in pairs[::2]:
            if (value := product_of_units(quantity, left, right)) is not None:
                yield "prod", value, (*left.facts, *right.facts)
            if _bare(left) and _bare(right) and abs(quantity.value) < _MIN_PRODUCT:
                continue
            if _multiplies(quantity, left, right):
                a = left.base if left.unit is not None and left.unit.dimension == RATIO else left.value
                b = right.base if right.unit is not None and right.unit.dimension == RATIO else right.value
                yield "prod", a * b, (*left.facts, *right.facts)


def _remainders(quantity: Quantity, words: str, pairs: _Pairs) -> Iterator[_Candidate]:
    """What a percentage leaves of an amount: 24 hours at 99.982 %."""
    if has_cue("rest", words) or has_cue("diff", words):
        for left, right in pairs:
            value = in_unit_of(quantity, right)
            if value is not None and left.unit is not None and left.unit.dimension == RATIO and right.unit != left.unit:
                yield "rest", (1 - left.base) * value, (*left.facts, *right.facts)
