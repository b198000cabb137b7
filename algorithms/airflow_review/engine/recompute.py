"""Judging one printed calculation: arithmetic, variant, constants, coefficients; and what it should have given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from algorithms.airflow_review.engine.arithmetic import Result, judge_chain
from algorithms.airflow_review.engine.calculation_checks import check_choice, corrected_value, value_as_explained
from algorithms.airflow_review.engine.calculation_doubts import doubt_calculation
from algorithms.airflow_review.engine.fan_term import section_missing, value_with_section
from algorithms.airflow_review.engine.formula import fraction_reading, try_compute
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.judged import STEPS, Judged
from algorithms.airflow_review.engine.matching import Match
from algorithms.airflow_review.engine.place_facts import AREA_BASIS, PlaceFacts
from algorithms.airflow_review.engine.rounding import accepted, to_decimal
from algorithms.airflow_review.engine.speed import is_speed_bound
from algorithms.airflow_review.engine.terms import terms_of
from algorithms.airflow_review.engine.variants import INFERRED, Choice, applicable_variants, choose_variant, value_of
from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Calculation, CheckStatus, Finding, FindingKind, Severity
from algorithms.airflow_review.value_class import dataclass


def judge_place_calculations(facts: PlaceFacts) -> tuple[Judged, ...]:
    """All calculations of a place in printed order; a later line may use the result of an earlier one."""
    judged: list[Judged] = []
    for calculation in facts.extract.calculations:
        judged.append(_judge(facts, calculation, judged))
    judged = [doubt_calculation(facts, one, judged) for one in judged]
    bases = {id(base) for one in judged if (base := _base_of(one.extract, judged)) is not None}
    bases |= {id(base) for one in judged for base in _halved(one.extract, judged)}
    return tuple(_as_step(one) if id(one) in bases else one for one in judged)


def _as_step(one: Judged) -> Judged:
    """A line another one starts from: no need of its own, and the coefficients it lacks may follow there."""
    findings = one.findings
    if one.choice is not None and one.choice.is_readable and one.choice.formula.optional - one.choice.used.bound:
        findings = tuple(f for f in findings if f.kind is not FindingKind.COEFFICIENT_INCONSISTENT)
    return replace(one, findings=findings, need=None, is_step=True)


def _judge(facts: PlaceFacts, printed: CalculationExtract, earlier: list[Judged]) -> Judged:
    calculation = _as_meant(facts, printed)
    base = _base_of(calculation, earlier)
    known = dict(facts.known)
    if base is not None:
        known["base_flow_m3_min"] = Fraction(base.extract.stated)
    choice = choose_variant(facts, calculation.method, calculation.expression, known)
    unrounded = _exact_of_chain(calculation, base)
    result = judge_chain(calculation.parts or (calculation.expression,), calculation.stated, before=unrounded)
    inferred = None if result.follows or choice is None else _other_reading(facts, choice, calculation)
    findings = tuple(_findings(facts, calculation, result, choice, inferred))
    need = _need(facts, calculation, result, choice, inferred, unrounded)
    return Judged(
        extract=calculation,
        calculation=replace(_record(calculation, result, choice, inferred), expression=printed.expression),
        findings=findings,
        exact=result.exact if inferred is None else inferred.value,
        need=need,
        is_step=calculation.method in STEPS or calculation.unit != "m3/min" or _only_repeats(facts, calculation),
        choice=choice,
        unrounded=unrounded,
    )


def _as_meant(facts: PlaceFacts, calculation: CalculationExtract) -> CalculationExtract:
    """The calculation as an engineer reads it, where its print alone misleads.

    `a/b×c` for a fraction a over b·c is read so if only that gives the printed result; a speed bound
    (60×4×15.0×70%) that was taken for a need is told by its speed.
    """
    exact = try_compute(calculation.expression)
    fraction = fraction_reading(calculation.expression)
    if exact is not None and fraction is not None and accepted(exact, calculation.stated) is None:
        value = try_compute(fraction)
        if value is not None and accepted(value, calculation.stated) is not None:
            return replace(calculation, expression=fraction, parts=(fraction, *calculation.parts[1:]), repaired=True)
    if calculation.method is Method.CLIMATE and is_speed_bound(facts, calculation.expression):
        return replace(calculation, method=Method.SPEED_MAX)
    return calculation


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """Another variant of the rules that reproduces the printed result."""

    match: Match
    value: Fraction
    rounding: str


def _other_reading(facts: PlaceFacts, choice: Choice, calculation: CalculationExtract) -> Inferred | None:
    """R-PIT-16: the variant of the area basis under which the printed result is consistent after all."""
    if not choice.is_readable or choice.formula.deviation != FindingKind.VARIANT_MISMATCH.value:
        return None
    for variant in applicable_variants(facts, choice.formula):
        value = value_of(variant, choice.used.values)
        rounding = None if value is None else accepted(value, calculation.stated)
        if value is not None and rounding is not None and AREA_BASIS in variant.when:
            match = Match(variant=variant, values=choice.used.values)
            return Inferred(match=match, value=value, rounding=rounding)
    return None


def _base_of(calculation: CalculationExtract, earlier: list[Judged]) -> Judged | None:
    """The earlier line of the same method whose printed result is the first number of this expression."""
    try:
        factors = terms_of(calculation.expression)[0].factors
    except (ValueError, IndexError):
        return None
    first = factors[0].value if len(factors) > 1 else None
    for one in reversed(earlier):
        same = one.extract.method is calculation.method and one.extract is not calculation
        if same and first is not None and Fraction(one.extract.stated) == first:
            return one
    return None


def _halved(calculation: CalculationExtract, judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """The lines of a standby face whose result is halved: what the face needs when it works, not while it stands by."""
    if calculation.method is not Method.STANDBY_HALF:
        return ()
    try:
        factors = terms_of(calculation.expression)[0].factors
    except (ValueError, IndexError):
        return ()
    values = {factor.value for factor in factors} if len(factors) > 1 else set()
    return tuple(one for one in judged if one.extract is not calculation and Fraction(one.extract.stated) in values)


def _exact_of_chain(calculation: CalculationExtract, base: Judged | None) -> Fraction | None:
    value = try_compute(calculation.expression)
    if base is None or base.exact is None or value is None or base.extract.stated == 0:
        return None
    return value / Fraction(base.extract.stated) * base.exact


def _findings(
    facts: PlaceFacts, calculation: CalculationExtract, result: Result, choice: Choice | None, inferred: Inferred | None
) -> Iterator[Finding]:
    if calculation.repaired:
        yield _doubt(facts, calculation)
    elif (
        result.exact is not None
        and not result.follows
        and inferred is None
        and not _follows_explained(calculation, choice)
    ):
        yield _arithmetic(facts, calculation, result)
    elif result.broken_step:
        yield _broken(facts, calculation, result)
    with_section = value_with_section(facts, calculation)
    if with_section is not None:
        yield section_missing(facts, calculation, with_section)
    elif choice is not None and choice.is_readable:
        yield from check_choice(facts, calculation, choice, result.exact)


def _follows_explained(calculation: CalculationExtract, choice: Choice | None) -> bool:
    """Whether the result follows from the inputs as explained: then the printed expression holds a slip, not the result."""
    value = value_as_explained(choice) if choice is not None and choice.is_readable else None
    return value is not None and accepted(value, calculation.stated) is not None


def _arithmetic(facts: PlaceFacts, calculation: CalculationExtract, result: Result) -> Finding:
    expression, stated, exact = calculation.expression, calculation.stated, show(result.exact)
    if result.truncated:
        return make_finding(
            facts.rules,
            FindingKind.ROUNDED_DOWN,
            facts.subject,
            rule="calc.rounded_down",
            severity=Severity.WARNING,
            stated=stated,
            expected=result.exact,
            unit=calculation.unit,
            evidence=calculation.evidence,
            message=say(
                "arithmetic.cut_off", label=calculation.label, expression=expression, exact=exact, stated=stated
            ),
            clears_when=say("arithmetic.cut_off.clear"),
        )
    return make_finding(
        facts.rules,
        FindingKind.ARITHMETIC_MISMATCH,
        facts.subject,
        rule="calc.arithmetic",
        stated=stated,
        expected=result.exact,
        unit=calculation.unit,
        evidence=calculation.evidence,
        message=say("arithmetic.differs", label=calculation.label, expression=expression, exact=exact, stated=stated),
        clears_when=say("arithmetic.differs.clear"),
    )


def _broken(facts: PlaceFacts, calculation: CalculationExtract, result: Result) -> Finding:
    return make_finding(
        facts.rules,
        FindingKind.ARITHMETIC_MISMATCH,
        facts.subject,
        rule="calc.arithmetic",
        stated=result.broken_step,
        expected=result.exact,
        unit=calculation.unit,
        evidence=calculation.evidence,
        message=say(
            "arithmetic.step_differs", label=calculation.label, step=result.broken_step, exact=show(result.exact)
        ),
        clears_when=say("arithmetic.step_differs.clear"),
    )


def _doubt(facts: PlaceFacts, calculation: CalculationExtract) -> Finding:
    return make_finding(
        facts.rules,
        FindingKind.EXTRACTION_DOUBT,
        facts.subject,
        rule="calc.extraction",
        stated=calculation.stated,
        unit=calculation.unit,
        evidence=calculation.evidence,
        message=say(
            "doubt.operator", label=calculation.label, expression=calculation.expression, stated=calculation.stated
        ),
        clears_when=say("doubt.operator.clear"),
    )


def _only_repeats(facts: PlaceFacts, calculation: CalculationExtract) -> bool:
    """Whether the line is no calculation but prints an input once more: 生产时需风量=1142m³/min."""
    return calculation.method is Method.STANDBY_HALF and facts.known.get("working_need_m3_min") == calculation.stated


def _need(
    facts: PlaceFacts,
    calculation: CalculationExtract,
    result: Result,
    choice: Choice | None,
    inferred: Inferred | None,
    unrounded: Fraction | None,
) -> Fraction | None:
    if calculation.method in STEPS or calculation.unit != "m3/min" or _only_repeats(facts, calculation):
        return None
    if inferred is not None:
        return inferred.value
    with_section = value_with_section(facts, calculation)
    if with_section is not None:
        return with_section
    printed = Fraction(calculation.stated)
    if result.exact is None or (calculation.repaired and not result.follows):
        return printed
    corrected = (
        corrected_value(facts, choice, calculation.stated) if choice is not None and choice.is_readable else None
    )
    if corrected is not None:
        return corrected
    # an accepted result above the exact value is the mine's own rounding; below it, the exact value is the need
    if not result.follows:
        return result.exact
    return max(printed, min(result.exact, result.exact if unrounded is None else unrounded))


def _record(
    calculation: CalculationExtract, result: Result, choice: Choice | None, inferred: Inferred | None
) -> Calculation:
    readable = choice is not None and choice.is_readable
    used = inferred.match if inferred is not None else (choice.used if choice is not None and readable else None)
    exact = inferred.value if inferred is not None else result.exact
    rounding = inferred.rounding if inferred is not None else result.rounding
    status = CheckStatus.MANUAL if exact is None else (CheckStatus.OK if rounding is not None else CheckStatus.MISMATCH)
    selection = (
        INFERRED if inferred is not None else (choice.selection if choice is not None and readable else "default")
    )
    return Calculation(
        label=calculation.label,
        method=choice.formula.method if choice is not None and readable else calculation.method,
        expression=calculation.expression,
        inputs={symbol: to_decimal(value) for symbol, value in sorted(used.values.items())} if used is not None else {},
        stated=calculation.stated,
        recomputed=None if exact is None else to_decimal(exact),
        unit=calculation.unit,
        rounding=rounding,
        variant=used.variant.id if used is not None else None,
        variant_selection=selection,
        status=status,
        evidence=calculation.evidence,
    )
