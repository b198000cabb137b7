"""Calculations that cannot be what they were read as: they are told as a note and judge nothing.

A calculation that contradicts several stated inputs of its place and leads to none of the place's figures is another
place's; a result in which two figures run together is no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.issue import make_finding
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.rounding import accepted
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import CheckStatus, Finding, FindingKind

_SEVERAL: Final = 2
_LEAST_DIGITS: Final = 2


def doubt_calculation(facts: PlaceFacts, judged: Judged, all_judged: Sequence[Judged]) -> Judged:
    """The calculation, or what is left of it where it is doubtful: no need, no accusation."""
    if _is_run_together(facts, judged, all_judged):
        key = "doubt.run_together"
    elif _is_foreign(facts, judged, all_judged):
        key = "doubt.of_other_place"
    else:
        return judged
    return replace(
        judged,
        calculation=replace(judged.calculation, status=CheckStatus.MANUAL),
        findings=(_doubt(facts, judged, key),),
        need=None,
        is_step=True,
    )


def is_doubtful(judged: Judged) -> bool:
    """Whether the calculation was set aside, or its text layer repaired."""
    return any(finding.kind is FindingKind.EXTRACTION_DOUBT for finding in judged.findings)


def _doubt(facts: PlaceFacts, judged: Judged, key: str) -> Finding:
    printed = judged.extract
    return make_finding(
        facts.rules,
        FindingKind.EXTRACTION_DOUBT,
        facts.subject,
        rule="calc.extraction",
        stated=printed.stated,
        unit=printed.unit,
        evidence=printed.evidence,
        message=say(key, label=printed.label, expression=printed.expression, stated=printed.stated),
        clears_when=say("doubt.calculation.clear"),
    )


def _is_foreign(facts: PlaceFacts, judged: Judged, all_judged: Sequence[Judged]) -> bool:
    choice = judged.choice
    if choice is None or not choice.is_readable or not choice.used.differing or _is_taken(facts, judged):
        return False
    if len(choice.used.differing) >= _SEVERAL:
        return True
    twin = any(
        one is not judged
        and one.calculation.method is judged.calculation.method
        and one.choice is not None
        and one.choice.is_readable
        and not one.choice.used.differing
        for one in all_judged
    )
    return twin and not choice.has_its_input


def _is_taken(facts: PlaceFacts, judged: Judged) -> bool:
    """Whether the place's required airflow is this result."""
    ends = (facts.extract.chapter_required, facts.extract.required)
    return any(end is not None and accepted(Fraction(judged.extract.stated), end.value) is not None for end in ends)


def _is_run_together(facts: PlaceFacts, judged: Judged, all_judged: Sequence[Judged]) -> bool:
    exact, stated = judged.exact, judged.extract.stated
    if exact is None or judged.calculation.rounding is not None or stated != stated.to_integral_value():
        return False
    if exact > 0 and stated > exact * Fraction(facts.rules.constant("calc.absurd_ratio").value):
        return True
    digits = str(int(stated))
    known = set(_figures(facts, judged, all_judged))
    for cut in range(_LEAST_DIGITS, len(digits) - _LEAST_DIGITS + 1):
        first, second = digits[:cut], digits[cut:]
        if second in known and (first in known or accepted(exact, Decimal(first)) is not None):
            return True
    return False


def _figures(facts: PlaceFacts, judged: Judged, all_judged: Sequence[Judged]) -> Iterator[str]:
    """Whole numbers printed for the place beside this result."""
    extract = facts.extract
    for printed in (extract.required, extract.planned, extract.chapter_required):
        if printed is not None:
            yield f"{printed.value:f}"
    yield from (f"{one.extract.stated:f}" for one in all_judged if one is not judged)
