"""Methods a place should have been calculated by, yet was not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.calculation_doubts import is_doubtful
from algorithms.airflow_review.engine.coefficients import allowed_values
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.variants import applicable_variants, value_of
from algorithms.airflow_review.evidence import Evidence, Method
from algorithms.airflow_review.messages.catalogue import Text, as_printed, rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.records import Formula
from algorithms.airflow_review.rules.vocabulary import fits
from algorithms.airflow_review.value_class import dataclass

_NAMED_METHODS: Final = frozenset(
    {
        Method.CLIMATE,
        Method.GAS,
        Method.CO2,
        Method.PEOPLE,
        Method.EXPLOSIVE,
        Method.LOCAL_FAN,
        Method.STANDBY_HALF,
        Method.HEAT,
        Method.HYDROGEN,
        Method.AIR_CHANGES,
        Method.SPEED_MIN,
        Method.DIESEL,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingMethod:
    """A method that is absent, and what it would have given where its inputs are printed."""

    finding: Finding
    value: Fraction | None


def find_missing_methods(facts: PlaceFacts, judged: Sequence[Judged]) -> tuple[MissingMethod, ...]:
    """Methods whose input the plan prints for this place, or which its chapter demands, without a calculation.

    Only a place that is calculated at all is asked: a plan may print parameters of places it takes by experience.
    """
    done = {one.calculation.method for one in judged}
    if not done or not facts.type_known or done <= {Method.EMPIRICAL, Method.OTHER}:
        return ()
    found = tuple(_missing(facts, done))
    if any(is_doubtful(one) for one in judged):  # what stands there may be the very method that seems to be missing
        found = tuple(MissingMethod(finding=replace(one.finding, severity=Severity.NOTE), value=None) for one in found)
    return found


def _missing(facts: PlaceFacts, done: set[Method]) -> Iterator[MissingMethod]:
    demanded = {statement.text for statement in facts.statements("method") if statement.place_type is facts.type}
    for formula in facts.rules.formulas(facts.type):
        if formula.method in done or not fits(formula.applies_when, facts.markers):
            continue
        printed = facts.extract.basis.get(formula.input or "")
        if printed is not None and printed.value > 0 and _is_plausible(facts, formula.input or ""):
            value = _value(facts, formula)
            given = {"input": _input_text(facts, formula), "value": show(printed.value)}
            name = method_name(formula.method)
            if value is None:
                message = say("method.of_given_input", method=name, **given)
            else:
                message = say("method.of_given_inputs", method=name, result=show(value), **given)
            finding = _finding(facts, formula, message, printed.evidence, value)
            if formula.method.value not in demanded and _is_never_used(facts, formula):
                finding = replace(finding, severity=Severity.NOTE)
            yield MissingMethod(finding=finding, value=value)
        elif formula.method.value in demanded:
            message = say("method.demanded", method=method_name(formula.method))
            finding = _finding(facts, formula, message, (), None)
            yield MissingMethod(finding=finding, value=None)


def _is_plausible(facts: PlaceFacts, symbol: str) -> bool:
    """Whether a stated input can be what it is taken for; from nonsense nothing is computed."""
    quantity, value = facts.rules.quantities.get(symbol), facts.known.get(symbol)
    if quantity is None or value is None:
        return True
    return (quantity.low is None or value >= quantity.low) and (quantity.high is None or value <= quantity.high)


def _is_never_used(facts: PlaceFacts, formula: Formula) -> bool:
    """Whether several places print the input and none is calculated by it: the plan's way, or a table left unread."""
    places = facts.plan.places
    if any(c.method is formula.method for place in places for c in place.calculations):
        return False
    return sum(1 for place in places if formula.input in place.basis) > 1


def _value(facts: PlaceFacts, formula: Formula) -> Fraction | None:
    """What the method gives with the printed inputs; a coefficient that is not printed takes its least lawful value."""
    values = {symbol: value for symbol, value in facts.known.items() if _is_plausible(facts, symbol)}
    for symbol in formula.optional - set(values):
        allowed = allowed_values(facts, symbol)
        values[symbol] = Fraction(allowed.low) if allowed is not None and allowed.low is not None else Fraction(1)
    found = (value_of(variant, values) for variant in applicable_variants(facts, formula))
    return next((value for value in found if value is not None), None)


def _input_text(facts: PlaceFacts, formula: Formula) -> Text:
    return rule_words(facts.rules.quantities[formula.input or ""].text)


def method_name(method: Method) -> Text:
    """What a method goes by: 按人数, by the number of people."""
    return say(f"method_name.{method.value}") if method in _NAMED_METHODS else as_printed(method.value)


def _finding(
    facts: PlaceFacts, formula: Formula, message: Text, evidence: tuple[Evidence, ...], value: Fraction | None
) -> Finding:
    name = method_name(formula.method)
    ends = facts.extract.chapter_required or facts.extract.required
    # Half of the working need is a floor of its own: a standby face below it did not take the largest method.
    half = formula.method is Method.STANDBY_HALF and value is not None and ends is not None and ends.value < value
    return make_finding(
        facts.rules,
        FindingKind.NOT_THE_MAXIMUM if half else FindingKind.MISSING_METHOD,
        facts.subject,
        rule="calc.maximum" if half else "calc.methods",
        stated=ends.value if half and ends is not None else None,
        expected=value if half else name,
        evidence=(*evidence, *facts.extract.chapter_evidence, *facts.extract.evidence),
        message=message,
        clears_when=say("method.clear", method=name),
    )
