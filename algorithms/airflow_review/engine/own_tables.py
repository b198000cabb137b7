"""The plan's own coefficient tables beside the library's families: the plan's decide, a difference is a note."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from algorithms.airflow_review.engine.issue import MINE, make_finding, show
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import Bracket, CoefficientTable, PlanExtract
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
    listed = "、".join(f"{_span(b)} 取 {_value(b)}" for b in different)
    return make_finding(
        rules,
        FindingKind.COEFFICIENT_OUT_OF_BRACKET,
        MINE,
        rule="calc.bracket",
        severity=Severity.NOTE,
        stated=listed,
        evidence=table.evidence,
        message=f"本计划{name}取值表与规则库系数族不同（{listed}），按本计划取值表审查。",
        clears_when="确认取值表的依据（本矿细则及其批准文号）。",
    )


def _span(bracket: Bracket) -> str:
    low = "" if bracket.low is None else show(bracket.low)
    high = "" if bracket.high is None else show(bracket.high)
    if not low:
        return f"≤{high}"
    return f"{low}～{high}" if high else f"≥{low}"


def _value(bracket: Bracket) -> str:
    low, high = str(bracket.value_low), str(bracket.value_high)
    return low if low == high else f"{low}～{high}"
