"""Calculations of the text that belong to no place: totals of systems and mine, and whatever else is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.arithmetic import judge_chain
from algorithms.airflow_review.engine.hierarchy import SystemSums
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding, show
from algorithms.airflow_review.engine.rounding import accepted
from algorithms.airflow_review.engine.terms import terms_of
from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.extract import CalculationExtract, PlanExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.rules.library import RuleSet

_TOTALS: Final = frozenset({Method.SUBTOTAL, Method.SYSTEM_TOTAL, Method.MINE_TOTAL})


def check_loose(
    plan: PlanExtract, sums: Sequence[SystemSums], earlier: Sequence[Finding], rules: RuleSet
) -> tuple[Finding, ...]:
    """Arithmetic of the loose calculations; a total is reported as a total, and only once for one subject."""
    found: list[Finding] = []
    told = {(finding.kind, finding.subject) for finding in earlier}
    for calculation in plan.loose_calculations:
        for finding in _judge(calculation, sums, rules):
            if (finding.kind, finding.subject) not in told:
                told.add((finding.kind, finding.subject))
                found.append(finding)
    return tuple(found)


def _judge(calculation: CalculationExtract, sums: Sequence[SystemSums], rules: RuleSet) -> Iterator[Finding]:
    system = _system_of(calculation, sums)
    total = calculation.method in _TOTALS
    subject = system.subject if system is not None else MINE
    result = judge_chain(calculation.parts or (calculation.expression,), calculation.stated)
    if result.exact is None:
        return
    if calculation.repaired:
        yield _finding(calculation, subject, rules, FindingKind.EXTRACTION_DOUBT, result.exact, None)
    elif not result.follows:
        kind = FindingKind.TOTAL_MISMATCH if total else FindingKind.ARITHMETIC_MISMATCH
        yield _finding(calculation, subject, rules, kind, result.exact, None)
    elif system is not None and calculation.method is Method.SYSTEM_TOTAL:
        printed = system.printed("required")
        if printed is not None and accepted(Fraction(printed.value), calculation.stated) is None:
            yield _finding(
                calculation, subject, rules, FindingKind.CONFLICTING_VALUES, Fraction(printed.value), Severity.WARNING
            )


def _system_of(calculation: CalculationExtract, sums: Sequence[SystemSums]) -> SystemSums | None:
    """The system a total speaks of: named in its label or sentence, else the one whose subtotal it multiplies."""
    if calculation.method is Method.MINE_TOTAL or calculation.method not in _TOTALS:
        return None
    text = normal_name(f"{calculation.where} {calculation.label}")
    named = [one for one in sums if normal_name(one.subject.name) in text]
    if named:
        return max(named, key=lambda one: len(one.subject.name))
    first = _first_number(calculation.expression)
    same = [
        one for one in sums if (subtotal := one.printed("subtotal")) is not None and Fraction(subtotal.value) == first
    ]
    return same[0] if len(same) == 1 else (sums[0] if len(sums) == 1 else None)


def _first_number(expression: str) -> Fraction | None:
    try:
        return terms_of(expression)[0].factors[0].value
    except (ValueError, IndexError):
        return None


def _finding(
    calculation: CalculationExtract,
    subject: Subject,
    rules: RuleSet,
    kind: FindingKind,
    expected: Fraction,
    severity: Severity | None,
) -> Finding:
    what = {
        "subject": subject.text,
        "expression": calculation.expression,
        "stated": calculation.stated,
    }
    if kind is FindingKind.EXTRACTION_DOUBT:
        message = say("loose.operator_doubt", **what)
    elif kind is FindingKind.CONFLICTING_VALUES:
        message = say("loose.table_differs", table=show(expected), **what)
    else:
        message = say("loose.result_differs", expected=show(expected), **what)
    rule = {
        FindingKind.EXTRACTION_DOUBT: "calc.extraction",
        FindingKind.CONFLICTING_VALUES: "plan.conflict",
        FindingKind.TOTAL_MISMATCH: "sum.total",
    }
    return make_finding(
        rules,
        kind,
        subject,
        rule=rule.get(kind, "calc.arithmetic"),
        severity=severity,
        stated=calculation.stated,
        expected=expected,
        unit=calculation.unit,
        evidence=calculation.evidence,
        message=message,
        clears_when=say("loose.clear"),
    )
