"""Which variant of a formula a printed calculation uses, and which one it should use (R-PIT-16)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from algorithms.airflow_review.engine.formula import FormulaError, compute
from algorithms.airflow_review.engine.matching import Match, Pairing, match_variant
from algorithms.airflow_review.engine.place_facts import AREA_BASIS, PlaceFacts
from algorithms.airflow_review.engine.terms import Term, is_bare_number, terms_of
from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.rules.records import Formula, Variant
from algorithms.airflow_review.rules.vocabulary import asserts, fits
from algorithms.airflow_review.value_class import dataclass

_ENOUGH_KNOWN = 2  # stated inputs that make another method certain although its constant is not in print
_MAX_WRONG_CONSTANTS = 1  # with more, the printed expression is another formula, not a slip

DECLARED = "declared"
INFERRED = "inferred_from_stated_calculation"
DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The variant in print (`used`) and the best one that applies to the place (`proper`)."""

    formula: Formula
    used: Match
    proper: Match
    selection: str
    max_slip: Fraction  # how far a printed number may be from the constant it is a slip of

    @property
    def is_readable(self) -> bool:
        """Whether the printed expression is this formula at all, with at most one slip."""
        missing = [name for name in self.used.missing if name[:1].isdigit()]
        wrong = len(self.used.constants) + len(missing)
        alike = all(_are_alike(pair, self.max_slip) for pair in self.used.constants)
        return (
            not self.used.extra and len(missing) == len(self.used.missing) and wrong <= _MAX_WRONG_CONSTANTS and alike
        )

    @property
    def has_its_input(self) -> bool:
        """Whether the input that asks for this method is not contradicted by the printed expression."""
        return all(pair.symbol != self.formula.input for pair in self.used.differing)

    @property
    def deviates(self) -> bool:
        """Whether the printed expression follows a variant that does not apply here."""
        return self.used.cost < self.proper.cost


def choose_variant(facts: PlaceFacts, method: Method, expression: str, known: dict[str, Fraction]) -> Choice | None:
    """Match `expression` against the formulas of the place's type; None where there is none or it is no expression.

    A calculation whose introduction was misunderstood is recognised by its shape: if it breaks the formula of its
    method but fills another one with values the plan states, it is that other one.
    """
    try:
        printed = terms_of(expression)
    except FormulaError:
        return None
    if not facts.type_known or is_bare_number(expression):
        return None
    formulas = facts.rules.formulas(facts.type)
    own = _cheapest(_choose(facts, formula, printed, known) for formula in formulas if formula.method is method)
    if own is not None and not own.used.constants and own.is_readable and own.has_its_input:
        return own
    others = _cheapest(
        choice
        for formula in formulas
        if formula.method is not method
        and (choice := _choose(facts, formula, printed, known)) is not None
        and choice.is_readable
        and choice.has_its_input
        and formula.input in choice.used.bound - choice.used.guessed
        and (not choice.used.constants or len(choice.used.bound - choice.used.guessed) >= _ENOUGH_KNOWN)
    )
    if others is None or (own is not None and own.has_its_input and others.used.cost > 0):
        return own
    return others


def _are_alike(pair: Pairing, most: Fraction) -> bool:
    """Whether a printed number can be a slip for the rule's constant; a thousand in the place of 15 is another formula."""
    return pair.is_power or (pair.printed > 0 and pair.expected / most <= pair.printed <= pair.expected * most)


def _cheapest(choices: Iterable[Choice | None]) -> Choice | None:
    found = (choice for choice in choices if choice is not None)
    return min(found, key=lambda choice: choice.used.cost, default=None)


def applicable_variants(facts: PlaceFacts, formula: Formula) -> tuple[Variant, ...]:
    """The variants that apply by the markers of the place, narrowed by the factor the plan declares; if nothing fits, all."""
    fitting = tuple(variant for variant in formula.variants if fits(variant.when, facts.markers)) or formula.variants
    declared = facts.declared_factor(formula.declared_by)
    if declared is None:
        return fitting
    named = tuple(variant for variant in formula.variants if variant.factor == declared.value)
    if not declared.is_for_this_place:
        named = tuple(variant for variant in named if variant in fitting)
    return named or fitting


def value_of(variant: Variant, values: dict[str, Fraction]) -> Fraction | None:
    """The exact result of a variant with these inputs; None where an input is missing."""
    try:
        return compute(variant.expression, values)
    except FormulaError:
        return None


def _choose(
    facts: PlaceFacts, formula: Formula, printed: tuple[Term, ...], known: dict[str, Fraction]
) -> Choice | None:
    matches = {
        variant.id: match_variant(formula, variant, printed, known, facts.rules.quantities)
        for variant in formula.variants
    }
    if not matches:
        return None
    applicable = [matches[variant.id] for variant in applicable_variants(facts, formula)]
    proper = min(applicable, key=lambda match: match.cost)
    # on equal cost the variant that applies is the one in print
    used = min((proper, *matches.values()), key=lambda match: match.cost)
    return Choice(
        formula=formula,
        used=used,
        proper=proper,
        selection=_selection(facts, formula, used),
        max_slip=Fraction(facts.rules.constant("calc.constant_slip").value),
    )


def _selection(facts: PlaceFacts, formula: Formula, used: Match) -> str:
    if len({variant.expression for variant in formula.variants}) == 1 or not used.variant.when:
        return DEFAULT
    if facts.declared_factor(formula.declared_by) is not None:
        return DECLARED
    if AREA_BASIS in used.variant.when and not facts.area_basis_declared:
        return INFERRED
    return DECLARED if asserts(used.variant.when, facts.markers) else INFERRED
