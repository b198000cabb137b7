"""The reserve coefficient K通: one value everywhere, inside its range, applied once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.hierarchy import SystemSums, stated_coefficient
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding, span
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet


def check_reserve(plan: PlanExtract, sums: Sequence[SystemSums], rules: RuleSet) -> tuple[Finding, ...]:
    """`coefficient_inconsistent` and `coefficient_out_of_bracket` for the reserve coefficient."""
    inconsistent = (*_between_text_and_tables(plan, sums, rules), *_within_system(sums, rules))
    return (*inconsistent, *(() if inconsistent else _range(plan, sums, rules)))


def _printed(sums: Sequence[SystemSums]) -> list[tuple[SystemSums, Printed]]:
    return [(one, printed) for one in sums if (printed := one.printed("coefficient")) is not None]


def _between_text_and_tables(plan: PlanExtract, sums: Sequence[SystemSums], rules: RuleSet) -> Iterator[Finding]:
    used, stated = _printed(sums), stated_coefficient(plan)
    values = Counter(printed.value for _, printed in used)
    if not values:
        return
    if len(values) == 1:
        value = next(iter(values))
        if stated is not None and value != stated.value:
            text = say("reserve.text_differs", text=stated.value, table=value)
            yield _inconsistent(MINE, used[0][1], stated, rules, text)
        return
    usual = stated.value if stated is not None and stated.value in values else values.most_common(1)[0][0]
    common = next(printed for _, printed in used if printed.value == usual)
    for one, printed in used:
        if printed.value != usual:
            yield _inconsistent(
                one.subject,
                printed,
                stated or common,
                rules,
                say("reserve.systems_differ", system=one.subject.name, used=printed.value, usual=usual),
            )


def _within_system(sums: Sequence[SystemSums], rules: RuleSet) -> Iterator[Finding]:
    for one in sums:
        table = one.table.coefficient if one.table is not None else None
        summary = one.summary.coefficient if one.summary is not None else None
        if table is not None and summary is not None and table.value != summary.value:
            yield _inconsistent(
                one.subject,
                summary,
                table,
                rules,
                say("reserve.summary_differs", system=one.subject.name, table=table.value, summary=summary.value),
            )


def _inconsistent(subject: Subject, used: Printed, other: Printed, rules: RuleSet, message: Text) -> Finding:
    return make_finding(
        rules,
        FindingKind.COEFFICIENT_INCONSISTENT,
        subject,
        rule="calc.coefficient_once",
        stated=used.value,
        expected=other.value,
        unit="1",
        evidence=(*used.evidence, *other.evidence),
        message=message,
        clears_when=say("reserve.differs.clear"),
    )


def _range(plan: PlanExtract, sums: Sequence[SystemSums], rules: RuleSet) -> Iterator[Finding]:
    low, high = rules.constant("reserve.low").value, rules.constant("reserve.high").value
    stated, used = stated_coefficient(plan), _printed(sums)
    printed = used[0][1] if used else stated
    if printed is None or _holds(printed.value, low, high):
        return
    own_rule = stated is not None and stated.value == printed.value and not _breaks_own_range(plan, printed.value)
    yield make_finding(
        rules,
        FindingKind.COEFFICIENT_OUT_OF_BRACKET,
        MINE,
        rule="reserve.low" if printed.value < low else "reserve.high",
        severity=Severity.NOTE if own_rule else None,
        stated=printed.value,
        expected=span(low, high),
        unit="1",
        evidence=printed.evidence,
        message=say(
            "reserve.outside_by_own_rule" if own_rule else "reserve.outside", value=printed.value, usual=span(low, high)
        ),
        clears_when=say("reserve.outside.clear"),
    )


def _breaks_own_range(plan: PlanExtract, value: Decimal) -> bool:
    """Whether the plan prints a range for the coefficient and takes a value outside it."""
    spans = [(s.low, s.high) for s in plan.statements if s.key == "reserve_range"]
    return any(low is not None and high is not None and not _holds(value, low, high) for low, high in spans)


def _holds(value: Decimal, low: Decimal, high: Decimal) -> bool:
    return low <= value <= high
