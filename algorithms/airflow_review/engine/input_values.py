"""Values substituted into the calculations of a place that nothing real can have."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.issue import make_finding, show, span
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.messages.catalogue import rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.records import Quantity


def check_inputs(facts: PlaceFacts, judged: Sequence[Judged], earlier: Sequence[Finding]) -> tuple[Finding, ...]:
    """`unit_suspect` for a person to look at, once for each quantity that `earlier` does not tell.

    The printed result follows from such a value and the arithmetic is silent: a temperature difference of 50 ℃ makes
    any chamber small enough for its floor.
    """
    told = {finding.stated for finding in earlier}
    found: dict[str, Finding] = {}
    for one in judged:
        for key, value in one.calculation.inputs.items():
            quantity = facts.rules.quantities.get(key)
            if quantity is None or quantity.coefficient or quantity.is_plausible(value) or value in told:
                continue
            found.setdefault(key, _implausible(facts, quantity, value, one.extract.evidence))
    return tuple(found.values())


def _implausible(facts: PlaceFacts, quantity: Quantity, value: Decimal, evidence: tuple[Evidence, ...]) -> Finding:
    low, high = ("" if end is None else show(end) for end in (quantity.low, quantity.high))
    usual = span(low, high)
    return make_finding(
        facts.rules,
        FindingKind.UNIT_SUSPECT,
        facts.subject,
        rule="calc.unit",
        severity=Severity.MANUAL,
        stated=value,
        expected=usual,
        unit=quantity.unit,
        evidence=(*evidence, *facts.extract.evidence),
        message=say(
            "input.implausible",
            quantity=rule_words(quantity.text),
            value=show(value),
            unit=quantity.unit,
            span=usual,
        ),
        clears_when=say("input.implausible.clear"),
    )
