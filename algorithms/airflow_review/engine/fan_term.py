"""A heading's local fan calculated by its intake alone, although the plan adds air for the section at the fan site."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.formula import FormulaError
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.terms import terms_of
from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Finding, FindingKind

_RULE: Final = "heading.local_fan"


def value_with_section(facts: PlaceFacts, calculation: CalculationExtract) -> Fraction | None:
    """Q扇·I with the declared addition for the section, m³/min; None where the print has it or the plan declares none."""
    declared, area = facts.declared_factor("additive_per_m2"), facts.known.get("area_m2")
    fan = facts.known.get("fan_flow_m3_min")
    if calculation.method is not Method.LOCAL_FAN or declared is None or area is None or fan is None:
        return None
    try:
        printed = terms_of(calculation.expression)
    except FormulaError:
        return None
    if len(printed) != 1 or any(factor.inverse or factor.value is None for factor in printed[0].factors):
        return None
    values = [factor.value for factor in printed[0].factors if factor.value is not None]
    if fan not in values:
        return None
    values.remove(fan)
    count = values[0] if values else Fraction(1)
    if len(values) > 1 or count.denominator != 1:
        return None  # 350×1.25: another way of taking the fan's air
    return fan * count + Fraction(declared.value) * area


def section_missing(facts: PlaceFacts, calculation: CalculationExtract, expected: Fraction) -> Finding:
    """The finding about the addition that is not in print."""
    declared = facts.declared_factor("additive_per_m2")
    factor = None if declared is None else declared.value
    return make_finding(
        facts.rules,
        FindingKind.WRONG_CONSTANT,
        facts.subject,
        rule=_RULE,
        stated=calculation.stated,
        expected=expected,
        unit=calculation.unit,
        evidence=calculation.evidence,
        message=say(
            "fan.section_left_out",
            label=calculation.label,
            expression=calculation.expression,
            factor=factor,
            expected=show(expected),
        ),
        clears_when=say("fan.section_left_out.clear", factor=factor),
    )
