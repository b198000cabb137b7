"""What a matched calculation uses wrongly: variant, constant, coefficient, input; and the value the rules give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from algorithms.airflow_review.engine.brackets import outside_brackets
from algorithms.airflow_review.engine.coefficients import Allowed, allowed_values
from algorithms.airflow_review.engine.formula import FormulaError, compute
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.matching import Match, Pairing
from algorithms.airflow_review.engine.place_facts import AREA_BASIS, PlaceFacts
from algorithms.airflow_review.engine.rounding import accepted
from algorithms.airflow_review.engine.variants import Choice, value_of
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.messages.catalogue import rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.records import Formula, Quantity

_HEAT = "k_temperature"


def check_choice(
    facts: PlaceFacts, calculation: CalculationExtract, choice: Choice, exact: Fraction | None
) -> Iterator[Finding]:
    """All findings about how the printed expression applies its formula."""
    below = _minimum_missed(choice.formula, choice.used, exact)
    if _uses_other_variant(facts, choice):
        yield _variant_finding(facts, calculation, choice)
    elif below is not None:
        yield _minimum_finding(facts, calculation, choice, below)
    else:
        yield from _constant_findings(facts, calculation, choice)
    for pair in choice.used.differing:
        yield _differing_finding(facts, calculation, pair)
    for symbol in left_out(facts, choice):
        yield _left_out_finding(facts, calculation, symbol)
    for symbol, value, allowed in outside_brackets(facts, choice):
        yield _bracket_finding(facts, calculation, symbol, value, allowed)
    if _counts_heat_twice(facts, choice.used):
        yield _heat_finding(facts, calculation, choice.used)


def corrected_value(facts: PlaceFacts, choice: Choice, stated: Decimal) -> Fraction | None:
    """The value by the rules where the printed expression breaks them; None where it does not."""
    explained = value_as_explained(choice)
    if explained is not None and accepted(explained, stated) is not None:
        return explained  # the result was computed with the explained inputs, only the print of the expression slipped
    values = dict(choice.used.values)
    outside = [found for found in outside_brackets(facts, choice) if found[2].decides(found[1])]
    for symbol, value, allowed in outside:
        values[symbol] = allowed.nearest(value)
    other, wrong = _uses_other_variant(facts, choice), _wrong_constants(choice)
    differing = choice.used.differing
    below = _minimum_missed(choice.formula, choice.used, value_of(choice.used.variant, values)) is not None
    missing = left_out(facts, choice)
    values.update({symbol: facts.known[symbol] for symbol in missing})
    if not (outside or other or wrong or differing or below or missing):
        return None
    variant = choice.proper.variant if other else choice.used.variant
    # two values for one input: the need is the greater of both until a person decides, unless a bracket decides
    doubled = [value_of(variant, {**values, str(p.symbol): p.expected}) for p in differing if not _is_decided(facts, p)]
    found = [value_of(variant, values), _minimum(choice.formula, values), *doubled]
    return max((value for value in found if value is not None), default=None)


def left_out(facts: PlaceFacts, choice: Choice) -> tuple[str, ...]:
    """Coefficients the plan explains for this method and the printed expression leaves out.

    Only where every other number is certain; a raised speed may stand for the coefficient of temperature.
    """
    match = choice.used
    if match.guessed or match.differing:
        return ()
    return tuple(
        symbol
        for symbol in sorted(choice.formula.optional - match.bound)
        if facts.rules.quantities[symbol].coefficient and symbol != _HEAT and facts.known.get(symbol, Fraction(1)) != 1
    )


def value_as_explained(choice: Choice) -> Fraction | None:
    """The result with every input as the plan explains it, where the printed expression has another value."""
    if not choice.used.differing:
        return None
    explained = {str(pair.symbol): pair.expected for pair in choice.used.differing}
    return value_of(choice.used.variant, {**choice.used.values, **explained})


def _is_decided(facts: PlaceFacts, pair: Pairing) -> bool:
    """Whether the bracket of the place holds the substituted value and not the explained one."""
    allowed = allowed_values(facts, str(pair.symbol))
    return allowed is not None and allowed.holds(pair.printed) and not allowed.holds(pair.expected)


def _uses_other_variant(facts: PlaceFacts, choice: Choice) -> bool:
    if not choice.deviates:
        return False
    if AREA_BASIS in choice.used.variant.when:
        return facts.area_basis_declared
    if choice.formula.minimum is None:
        return True
    used, proper = (value_of(match.variant, choice.used.values) for match in (choice.used, choice.proper))
    return used is None or proper is None or used < proper  # more than the least is the mine's own choice


def _variant_finding(facts: PlaceFacts, calculation: CalculationExtract, choice: Choice) -> Finding:
    used, proper = choice.used.variant, choice.proper.variant
    expected = value_of(proper, choice.used.values)
    if choice.formula.deviation == FindingKind.VARIANT_MISMATCH.value:
        has_share = "0.7" in used.expression
        return make_finding(
            facts.rules,
            FindingKind.VARIANT_MISMATCH,
            facts.subject,
            rule="calc.area_basis",
            stated=calculation.stated,
            expected=expected,
            unit=calculation.unit,
            evidence=(*calculation.evidence, *_area_evidence(facts)),
            message=say(
                "basis.share_twice" if has_share else "basis.share_left_out",
                label=calculation.label,
                expression=calculation.expression,
                expected=show(expected),
            ),
            clears_when=say("basis.clear"),
        )
    pairs = choice.proper.constants
    stated, wanted = (pairs[0].printed, pairs[0].expected) if pairs else (None, None)
    return make_finding(
        facts.rules,
        FindingKind(choice.formula.deviation),
        facts.subject,
        rule=choice.formula.id,
        stated=stated,
        expected=wanted,
        evidence=calculation.evidence,
        message=say(
            "constant.of_other_place",
            label=calculation.label,
            expression=calculation.expression,
            stated=show(stated),
            wanted=show(wanted),
            expected=show(expected),
        ),
        clears_when=say("constant.of_other_place.clear"),
    )


def _area_evidence(facts: PlaceFacts) -> tuple[Evidence, ...]:
    area = facts.extract.basis.get("area_m2")
    return area.evidence if area is not None else ()


def _wrong_constants(choice: Choice) -> tuple[Pairing | str, ...]:
    """Constants that are not the rule's; a greater one where the rule is only a minimum is the mine's own choice."""
    missing = tuple(name for name in choice.used.missing if name[:1].isdigit())
    if choice.formula.minimum is not None and not missing:
        return ()
    return (*choice.used.constants, *missing)


def _constant_findings(facts: PlaceFacts, calculation: CalculationExtract, choice: Choice) -> Iterator[Finding]:
    for wrong in _wrong_constants(choice):
        wanted = wrong.expected if isinstance(wrong, Pairing) else wrong
        what = {
            "label": calculation.label,
            "expression": calculation.expression,
            "wanted": show(wrong.expected) if isinstance(wrong, Pairing) else wrong,
            "expected": show(value_of(choice.used.variant, choice.used.values)),
        }
        if not isinstance(wrong, Pairing):
            message = say("constant.missing", **what)
        elif wrong.is_power:
            message = say("constant.power", **what)
        else:
            message = say("constant.differs", stated=show(wrong.printed), **what)
        yield make_finding(
            facts.rules,
            FindingKind.WRONG_CONSTANT,
            facts.subject,
            rule=choice.formula.id,
            stated=wrong.printed if isinstance(wrong, Pairing) else say("constant.absent"),
            expected=wanted,
            evidence=calculation.evidence,
            message=message,
            clears_when=say("constant.clear"),
        )


def _minimum(formula: Formula, values: dict[str, Fraction]) -> Fraction | None:
    if formula.minimum is None:
        return None
    try:
        return compute(formula.minimum, values)
    except FormulaError:
        return None


def _minimum_missed(formula: Formula, match: Match, exact: Fraction | None) -> Fraction | None:
    least = _minimum(formula, match.values)
    return least if least is not None and exact is not None and exact < least else None


def _minimum_finding(facts: PlaceFacts, calculation: CalculationExtract, choice: Choice, least: Fraction) -> Finding:
    rule, formula = choice.formula.id, choice.formula
    stated: Fraction | Decimal = calculation.stated
    expected = least
    if choice.used.constants:
        stated, expected = choice.used.constants[0].printed, choice.used.constants[0].expected
    if formula.minimum_constant is not None:
        rule = facts.rules.constant(formula.minimum_constant).id
    return make_finding(
        facts.rules,
        FindingKind.WRONG_CONSTANT,
        facts.subject,
        rule=rule,
        stated=stated,
        expected=expected,
        evidence=calculation.evidence,
        message=say(
            "constant.below_minimum",
            label=calculation.label,
            expression=calculation.expression,
            least=show(least),
        ),
        clears_when=say("constant.below_minimum.clear"),
    )


def _differing_finding(facts: PlaceFacts, calculation: CalculationExtract, pair: Pairing) -> Finding:
    quantity = _quantity(facts, str(pair.symbol))
    kind = FindingKind.COEFFICIENT_INCONSISTENT if quantity.coefficient else FindingKind.CONFLICTING_VALUES
    printed = facts.extract.basis.get(str(pair.symbol))
    return make_finding(
        facts.rules,
        kind,
        facts.subject,
        rule="calc.coefficient_once" if quantity.coefficient else "plan.conflict",
        stated=pair.printed,
        expected=pair.expected,
        unit=quantity.unit,
        evidence=(*calculation.evidence, *(printed.evidence if printed is not None else ())),
        message=say(
            "input.differs",
            quantity=rule_words(quantity.text),
            explained=show(pair.expected),
            expression=calculation.expression,
            used=show(pair.printed),
        ),
        clears_when=say("input.differs.clear"),
    )


def _bracket_finding(
    facts: PlaceFacts, calculation: CalculationExtract, symbol: str, value: Fraction, allowed: Allowed
) -> Finding:
    quantity = _quantity(facts, symbol)
    return make_finding(
        facts.rules,
        FindingKind(allowed.deviation),
        facts.subject,
        rule=allowed.rule,
        severity=None if allowed.decides(value) else Severity.NOTE,
        stated=value,
        expected=allowed.text,
        unit=quantity.unit,
        evidence=(*calculation.evidence, *allowed.evidence),
        message=say(
            "coefficient.outside",
            quantity=rule_words(quantity.text),
            value=show(value),
            reason=allowed.reason,
            allowed=allowed.text,
        ),
        clears_when=say("coefficient.outside.clear"),
    )


def _counts_heat_twice(facts: PlaceFacts, match: Match) -> bool:
    """Temperature may raise the speed or have a coefficient of its own, not both."""
    base = facts.rules.constant("speed.base_m_s").value
    raised = match.values.get("speed_m_s", Fraction(0)) > base
    return raised and "k_temperature" in facts.known and match.values.get("k_temperature", Fraction(1)) > 1


def _heat_finding(facts: PlaceFacts, calculation: CalculationExtract, match: Match) -> Finding:
    return make_finding(
        facts.rules,
        FindingKind.COEFFICIENT_INCONSISTENT,
        facts.subject,
        rule="speed.base_m_s",
        stated=match.values["k_temperature"],
        expected=Decimal(1),
        evidence=calculation.evidence,
        message=say(
            "coefficient.heat_twice",
            coefficient=show(match.values["k_temperature"]),
            speed=show(match.values["speed_m_s"]),
        ),
        clears_when=say("coefficient.heat_twice.clear"),
    )


def _left_out_finding(facts: PlaceFacts, calculation: CalculationExtract, symbol: str) -> Finding:
    quantity, printed = _quantity(facts, symbol), facts.extract.basis[symbol]
    return make_finding(
        facts.rules,
        FindingKind.COEFFICIENT_INCONSISTENT,
        facts.subject,
        rule="calc.coefficient_once",
        expected=printed.value,
        unit=quantity.unit,
        evidence=(*calculation.evidence, *printed.evidence),
        message=say(
            "coefficient.left_out",
            quantity=rule_words(quantity.text),
            value=show(printed.value),
            expression=calculation.expression,
        ),
        clears_when=say("coefficient.left_out.clear"),
    )


def _quantity(facts: PlaceFacts, symbol: str) -> Quantity:
    return facts.rules.quantities[symbol]
