"""The plan's own coefficient tables beside the library's families: the plan's decide, a difference is a note."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from algorithms.airflow_review.engine.issue import MINE, make_finding, show, span
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import Bracket, CoefficientTable, PlanExtract
from algorithms.airflow_review.messages.catalogue import Text, as_printed, listed, rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet


def note_own_tables(plan: PlanExtract, rules: RuleSet) -> Iterator[Finding]:
    """One note for every table of the plan with values that no family of the library has for the same bracket."""
    for table in plan.tables:
        known = tuple(
            bracket
            for own in rules.tables(PlaceType.COAL_FACE)
            if own.coefficient == table.coefficient and own.match_field == table.match_field
            for bracket in own.brackets
        )
        different = [bracket for bracket in table.brackets if known and not _is_known(bracket, known)]
        if different:
            yield _note(table, different, rules)


def _is_known(own: Bracket, known: tuple[Bracket, ...]) -> bool:
    """Whether a library bracket that shares more than an edge with this one shares a value with it."""
    return any(
        _overlap(own.low, own.high, other.low, other.high)
        and own.value_low <= other.value_high
        and other.value_low <= own.value_high
        for other in known
    )


def _overlap(low: Decimal | None, high: Decimal | None, other_low: Decimal | None, other_high: Decimal | None) -> bool:
    starts_before = high is None or other_low is None or other_low < high
    ends_after = low is None or other_high is None or low < other_high
    return starts_before and ends_after


def _note(table: CoefficientTable, different: list[Bracket], rules: RuleSet) -> Finding:
    name = rules.quantities[table.coefficient].text if table.coefficient in rules.quantities else table.coefficient
    values = listed(say("bracket.takes", span=_span(b), value=_value(b)) for b in different)
    return make_finding(
        rules,
        FindingKind.COEFFICIENT_OUT_OF_BRACKET,
        MINE,
        rule="calc.bracket",
        severity=Severity.NOTE,
        stated=values,
        evidence=table.evidence,
        message=say("bracket.tables_differ", quantity=rule_words(name), values=values),
        clears_when=say("bracket.tables_differ.clear"),
    )


def _span(bracket: Bracket) -> Text:
    low = "" if bracket.low is None else show(bracket.low)
    high = "" if bracket.high is None else show(bracket.high)
    if not low:
        return as_printed(f"≤{high}")
    return span(low, high) if high else as_printed(f"≥{low}")


def _value(bracket: Bracket) -> Text:
    low, high = str(bracket.value_low), str(bracket.value_high)
    return as_printed(low) if low == high else span(low, high)
