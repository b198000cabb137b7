"""Laying a rule's expression over a printed one.

The printed numbers of `60×11.3×1.0×1.2×1.5` are given to the constants and symbols of
`60*speed_m_s*area_m2*k_height*k_length`. Constants look for their own value first, then symbols for a value the plan
states; what is left over on both sides is paired in reading order. The cost counts what does not fit, so that the
variant that was really used is the one of least cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final

from algorithms.airflow_review.engine.terms import Factor, Term, terms_of
from algorithms.airflow_review.rules.records import Formula, Quantity, Variant
from algorithms.airflow_review.value_class import dataclass

_WRONG_CONSTANT: Final = 4  # a constant stands where the rule has another one
_MISSING: Final = 6  # a constant or symbol of the rule has nothing in print
_EXTRA: Final = 6  # a printed factor has nothing in the rule
_OTHER_VALUE: Final = 3  # a symbol whose value the plan states differently
_UNKNOWN_SYMBOL: Final = 1  # a symbol of which the plan states nothing: its number is a guess
_MAX_TERMS: Final = 5
_MIN_CHOICE: Final = 2
_BARRED: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A printed number in the place of a rule's constant, or of a symbol with another stated value."""

    expected: Fraction
    printed: Fraction
    symbol: str | None = None
    is_power: bool = False  # a stated input stands in print with an exponent the rule does not have


@dataclass(slots=True, kw_only=True)
class Match:
    """How a printed expression fills a variant."""

    variant: Variant
    values: dict[str, Fraction] = field(default_factory=dict)
    constants: list[Pairing] = field(default_factory=list)  # wrong ones only
    differing: list[Pairing] = field(default_factory=list)  # symbols whose printed value the plan contradicts
    extra: list[Fraction] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    guessed: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)  # symbols that are in print
    cost: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether the printed expression has the rule's shape: nothing extra, nothing missing."""
        return not self.extra and not self.missing


def match_variant(
    formula: Formula,
    variant: Variant,
    printed: tuple[Term, ...],
    known: Mapping[str, Fraction],
    quantities: Mapping[str, Quantity],
) -> Match:
    """The cheapest way to lay `variant` over the printed terms; `known` is what the plan states of the place."""
    template = terms_of(variant.expression)
    matcher = _Matcher(formula, known, quantities)
    options = [matcher.lay(variant, template, order) for order in _orders(template, printed, formula)]
    return min(options, key=lambda match: match.cost) if options else Match(variant=variant, cost=_BARRED)


def _orders(
    template: tuple[Term, ...], printed: tuple[Term, ...], formula: Formula
) -> list[tuple[tuple[Term, ...], ...]]:
    """Ways to give every printed term to a term of the rule; a term with an additive symbol may take several."""
    if len(printed) > _MAX_TERMS or any(term.sign < 0 for term in printed):
        return []
    if len(template) == 1:
        return [(printed,)] if len(printed) == 1 or _is_additive(template[0], formula) else []
    found = []
    for order in (
        set(permutations(range(len(printed)))) if len(printed) <= len(template) else [tuple(range(len(printed)))]
    ):
        terms = [printed[index] for index in order]
        found.extend(_split(terms, template, formula))
    return found


def _split(terms: list[Term], template: tuple[Term, ...], formula: Formula) -> list[tuple[tuple[Term, ...], ...]]:
    spare = len(terms) - len(template)
    if spare < 0:
        return []
    wide = [index for index, term in enumerate(template) if _is_additive(term, formula)]
    if spare and not wide:
        return []
    groups, start = [], 0
    for index in range(len(template)):
        size = 1 + (spare if index in wide[:1] else 0)
        groups.append(tuple(terms[start : start + size]))
        start += size
    return [tuple(groups)]


def _is_additive(term: Term, formula: Formula) -> bool:
    return any(factor.symbol in formula.additive for factor in term.factors)


class _Matcher:
    """Lays one formula; holds what is known of the place."""

    def __init__(self, formula: Formula, known: Mapping[str, Fraction], quantities: Mapping[str, Quantity]) -> None:
        self._formula, self._known, self._quantities = formula, known, quantities

    def lay(self, variant: Variant, template: tuple[Term, ...], groups: tuple[tuple[Term, ...], ...]) -> Match:
        match = Match(variant=variant)
        for rule, printed in zip(template, groups, strict=True):
            self._lay_group(match, rule, printed)
        self._default_optional(match)
        return match

    def _lay_group(self, match: Match, rule: Term, printed: tuple[Term, ...]) -> None:
        additive = [symbol for factor in rule.factors if (symbol := factor.symbol) and symbol in self._formula.additive]
        totals: dict[str, Fraction] = {}
        for term in printed:
            self._lay_term(match, rule, term, lenient=len(printed) > 1)
            for symbol in additive:
                if symbol in match.values:
                    totals[symbol] = totals.get(symbol, Fraction(0)) + match.values[symbol]
        if len(printed) > 1:
            match.values.update(totals)

    def _lay_term(self, match: Match, rule: Term, printed: Term, *, lenient: bool) -> None:
        for inverse in (False, True):
            wanted = [factor for factor in rule.factors if factor.inverse is inverse]
            given = [factor for factor in printed.factors if factor.inverse is inverse]
            self._lay_factors(match, wanted, given, lenient=lenient)

    def _lay_factors(self, match: Match, wanted: list[Factor], given: list[Factor], *, lenient: bool) -> None:
        _take_constants(wanted, given)
        self._take_sums(match, wanted, given)
        self._take_known(match, wanted, given)
        self._pair_rest(match, wanted, given, lenient=lenient)

    def _take_sums(self, match: Match, wanted: list[Factor], given: list[Factor]) -> None:
        """A bracket of the rule, e.g. (Q扇+15S), against a bracket in print."""
        for factor in [factor for factor in wanted if factor.terms]:
            sums = [other for other in given if other.terms]
            wanted.remove(factor)
            if not sums or len(sums[0].terms) != len(factor.terms):
                match.missing.append("bracket")
                match.cost += _BARRED
                continue
            given.remove(sums[0])
            for rule, printed in zip(factor.terms, sums[0].terms, strict=True):
                self._lay_term(match, rule, printed, lenient=False)

    def _take_known(self, match: Match, wanted: list[Factor], given: list[Factor]) -> None:
        """Give symbols the printed numbers the plan states for them.

        Where two symbols of one stated value find that value once in print, the reading order decides who gets it.
        """
        forward = self._known_pairs(wanted, given)
        if not forward:
            return
        backward = self._known_pairs(wanted[::-1], given)
        pairs = min((forward, backward), key=lambda pairs: _inversions(pairs, wanted, given))
        for factor, other in pairs:
            if factor.symbol is not None and other.value is not None:
                stated = self._known[factor.symbol]
                match.values[factor.symbol] = stated
                match.bound.add(factor.symbol)
                if other.value != stated:
                    match.constants.append(Pairing(expected=stated, printed=other.value, is_power=True))
                    match.cost += _WRONG_CONSTANT
            _drop(wanted, factor)
            _drop(given, other)

    def _known_pairs(self, wanted: list[Factor], given: list[Factor]) -> list[tuple[Factor, Factor]]:
        left, pairs = list(given), []
        for factor in wanted:
            value = self._known.get(factor.symbol) if factor.symbol is not None else None
            same = next((other for other in left if value is not None and value in (other.value, other.base)), None)
            if same is not None:
                pairs.append((factor, same))
                _drop(left, same)
        return pairs

    def _pair_rest(self, match: Match, wanted: list[Factor], given: list[Factor], *, lenient: bool) -> None:
        wanted = self._without_spare(wanted, given)
        given = self._best_order(wanted, given)
        for factor, other in zip(wanted, given, strict=False):
            self._pair(match, factor, other, lenient=lenient)
        for factor in wanted[len(given) :]:
            match.missing.append(factor.symbol or factor.text)
            match.cost += _MISSING
        for other in given[len(wanted) :]:
            if other.value != 1:
                match.extra.append(other.value if other.value is not None else Fraction(0))
                match.cost += _EXTRA

    def _best_order(self, wanted: list[Factor], given: list[Factor]) -> list[Factor]:
        """Printed order, unless another order gives every symbol a value it can have."""
        if len(given) < _MIN_CHOICE or len(given) > _MAX_TERMS or not wanted:
            return given
        # min keeps the first of equals, and permutations begin with the printed order
        return list(min(permutations(given), key=lambda order: self._strangeness(wanted, list(order))))

    def _strangeness(self, wanted: list[Factor], order: list[Factor]) -> int:
        return sum(self._is_strange(factor, other) for factor, other in zip(wanted, order, strict=False))

    def _is_strange(self, factor: Factor, other: Factor) -> bool:
        if factor.symbol is None or other.value is None or factor.symbol not in self._quantities:
            return False
        quantity = self._quantities[factor.symbol]
        return (quantity.low is not None and other.value < quantity.low) or (
            quantity.high is not None and other.value > quantity.high
        )

    def _without_spare(self, wanted: list[Factor], given: list[Factor]) -> list[Factor]:
        """The symbols without those that are left out in print: optional ones, stated ones last, strange ones first."""
        optional = [index for index, factor in enumerate(wanted) if factor.symbol in self._formula.optional]
        spare = min(len(wanted) - len(given), len(optional))
        if spare <= 0:
            return wanted
        return min(self._choices(wanted, optional, spare), key=lambda left: self._loss(wanted, left, given))

    def _choices(self, wanted: list[Factor], optional: list[int], spare: int) -> list[list[Factor]]:
        # from the end: coefficients that are seldom used stand last in the rules
        gone = combinations(reversed(optional), spare)
        return [[factor for index, factor in enumerate(wanted) if index not in out] for out in gone]

    def _loss(self, wanted: list[Factor], left: list[Factor], given: list[Factor]) -> int:
        lost = [factor.symbol for factor in wanted if factor not in left]
        stated = sum(1 for symbol in lost if symbol is not None and self._known.get(symbol, 1) != 1)
        return 2 * stated + self._strangeness(left, self._best_order(left, given))

    def _pair(self, match: Match, factor: Factor, other: Factor, *, lenient: bool) -> None:
        value = other.value
        if value is None:
            match.cost += _BARRED
        elif factor.symbol is None:
            expected = factor.value if factor.value is not None else Fraction(0)
            match.constants.append(Pairing(expected=expected, printed=value))
            match.cost += _WRONG_CONSTANT
        else:
            self._bind(match, factor.symbol, other, value, lenient=lenient)

    def _bind(self, match: Match, symbol: str, other: Factor, value: Fraction, *, lenient: bool) -> None:
        match.values[symbol] = value
        match.bound.add(symbol)
        stated = self._known.get(symbol)
        if stated is None:
            match.guessed.add(symbol)
            match.cost += _BARRED if symbol in self._formula.must_be_known else _UNKNOWN_SYMBOL
        elif symbol in self._formula.additive and (lenient or other.terms):
            pass  # one of several addends, or their bracket: the plan may state one of them or the sum
        else:
            match.differing.append(Pairing(expected=stated, printed=value, symbol=symbol))
            match.cost += _BARRED if symbol in self._formula.must_be_known else _OTHER_VALUE

    def _default_optional(self, match: Match) -> None:
        for symbol in self._formula.optional:
            match.values.setdefault(symbol, Fraction(1))


def _take_constants(wanted: list[Factor], given: list[Factor]) -> None:
    for factor in [factor for factor in wanted if factor.value is not None and not factor.terms]:
        same = next((other for other in given if other.value == factor.value and not other.terms), None)
        if same is not None:
            wanted.remove(factor)
            given.remove(same)


def _inversions(pairs: list[tuple[Factor, Factor]], wanted: list[Factor], given: list[Factor]) -> int:
    """How often the rest, paired in order, and the known pairs cross in reading order."""
    rest_wanted, rest_given = list(wanted), list(given)
    for factor, other in pairs:
        _drop(rest_wanted, factor)
        _drop(rest_given, other)
    places = sorted(
        (_position(wanted, factor), _position(given, other))
        for factor, other in (*pairs, *zip(rest_wanted, rest_given, strict=False))
    )
    return sum(1 for (_, one), (_, other) in combinations(places, 2) if one > other)


def _position(factors: list[Factor], wanted: Factor) -> int:
    return next(index for index, factor in enumerate(factors) if factor is wanted)


def _drop(factors: list[Factor], gone: Factor) -> None:
    """Remove this very factor; an equal one stays."""
    del factors[_position(factors, gone)]
