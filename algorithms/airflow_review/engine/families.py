"""Coefficients of one calculation that no single family of the library gives: a note, for the mine may have its reasons."""

from __future__ import annotations

from algorithms.airflow_review.engine.coefficients import allowed_values, brackets_at
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.messages.catalogue import listed, rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity


def note_mixed_families(facts: PlaceFacts, judged: tuple[Judged, ...]) -> tuple[Finding, ...]:
    """`coefficient_inconsistent` as a note: each coefficient stands in the library, together they stand in no family.

    Only coefficients the plan prints no table for are asked, and only where the plan says which number is which.
    """
    found = []
    for one in judged:
        families = _families(facts, one)
        if len(families) > 1 and not frozenset.intersection(*families.values()):
            quantities = facts.rules.quantities
            coefficients = listed(
                say(
                    "family.item",
                    quantity=rule_words(quantities[symbol].text),
                    value=show(one.calculation.inputs[symbol]),
                    families=listed(sorted(names)),
                )
                for symbol, names in families.items()
            )
            found.append(
                make_finding(
                    facts.rules,
                    FindingKind.COEFFICIENT_INCONSISTENT,
                    facts.subject,
                    rule="calc.bracket",
                    severity=Severity.NOTE,
                    stated=coefficients,
                    evidence=(*one.extract.evidence, *facts.extract.evidence),
                    message=say("family.mixed", coefficients=coefficients),
                    clears_when=say("family.mixed.clear"),
                )
            )
    return tuple(found)


def _families(facts: PlaceFacts, one: Judged) -> dict[str, frozenset[str]]:
    """For each coefficient that stands in the library at this place: the families that give it."""
    if one.choice is None or not one.choice.is_readable:
        return {}
    found: dict[str, frozenset[str]] = {}
    used = one.choice.used
    for symbol, value in used.values.items():
        allowed = allowed_values(facts, symbol)
        if symbol not in used.bound or symbol in used.guessed or allowed is None or allowed.from_plan:
            continue
        names = {
            table.family
            for table in facts.rules.tables(facts.type)
            if table.coefficient == symbol and (stated := facts.known.get(table.match_field)) is not None
            for bracket in brackets_at(table.brackets, stated)
            if bracket.value_low <= value <= bracket.value_high
        }
        if names:  # outside every family is told by the brackets
            found[symbol] = frozenset(names)
    return found
