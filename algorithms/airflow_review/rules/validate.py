"""What a rule library must not contain: holes in tables, unknown symbols, variants nobody can reach."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from itertools import combinations, pairwise

from algorithms.airflow_review.engine.formula import FormulaError, parse, symbols_of
from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.model import FindingKind
from algorithms.airflow_review.rules.decoding import RuleError
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.rules.records import Floor, Formula, Record, Span, SpeedLimit, Table


def check_rules(rules: RuleSet) -> None:
    """Raise `RuleError` listing every problem; return quietly when the library is sound."""
    problems = tuple(find_problems(rules))
    if problems:
        raise RuleError("规则库有误：" + "；".join(problems))


def find_problems(rules: RuleSet) -> Iterator[str]:
    """Every problem as one sentence that starts with the record's id."""
    yield from _overlapping_records(rules)
    for record in rules.records:
        match record:
            case Table():
                yield from _table_problems(record, rules)
            case Formula():
                yield from _formula_problems(record, rules)
            case Span():
                yield from _span_problems(record, rules)
            case SpeedLimit() | Floor():
                yield from _unknown_markers(record.id, record.when, rules)
            case _:
                pass


def bracket_problems(brackets: tuple[Bracket, ...], bounds: tuple[object, object] | None = None) -> Iterator[str]:
    """Gaps, overlaps and wrong ends; neighbours share exactly their common end, which belongs to both."""
    if not brackets:
        yield "has no brackets"
        return
    for bracket in brackets:
        if bracket.value_low > bracket.value_high:
            yield f"values {bracket.value_low} to {bracket.value_high} run backwards"
        if bracket.low is not None and bracket.high is not None and bracket.low >= bracket.high:
            yield f"bracket {bracket.low} to {bracket.high} is empty"
    for left, right in pairwise(brackets):
        if left.high is None or right.low is None or left.high > right.low:
            yield f"brackets overlap between {right.low} and {left.high}"
        elif left.high < right.low:
            yield f"gap between {left.high} and {right.low}"
    if bounds is not None and (brackets[0].low, brackets[-1].high) != bounds:
        yield f"covers {brackets[0].low} to {brackets[-1].high}, declared {bounds[0]} to {bounds[1]}"


def _overlapping_records(rules: RuleSet) -> Iterator[str]:
    by_id: dict[str, list[Record]] = {}
    for record in rules.records:
        by_id.setdefault(record.id, []).append(record)
    for identity, records in by_id.items():
        for one, other in combinations(records, 2):
            if _share_a_day(one, other):
                yield f"{identity}: two records are in force on one day"


def _share_a_day(one: Record, other: Record) -> bool:
    starts = [record.effective_from for record in (one, other) if record.effective_from is not None]
    ends = [record.effective_to for record in (one, other) if record.effective_to is not None]
    return not starts or not ends or max(starts) <= min(ends)


def _table_problems(table: Table, rules: RuleSet) -> Iterator[str]:
    for problem in bracket_problems(table.brackets, table.bounds):
        yield f"{table.id}: {problem}"
    for key in (table.coefficient, table.match_field):
        if key not in rules.quantities:
            yield f"{table.id}: unknown quantity {key}"


def _formula_problems(formula: Formula, rules: RuleSet) -> Iterator[str]:
    if formula.deviation not in {kind.value for kind in FindingKind}:
        yield f"{formula.id}: unknown kind of finding {formula.deviation}"
    if not formula.variants:
        yield f"{formula.id}: has no variant"
    yield from _unknown_markers(formula.id, formula.applies_when, rules)
    used: set[str] = set()
    for variant in formula.variants:
        yield from _unknown_markers(f"{formula.id}/{variant.id}", variant.when, rules)
        symbols = yield from _symbols(f"{formula.id}/{variant.id}", variant.expression)
        used |= symbols
    if formula.minimum is not None:
        used |= yield from _symbols(f"{formula.id}/minimum", formula.minimum)
    unknown = (used | formula.optional | formula.additive | formula.must_be_known) - set(rules.quantities)
    if unknown:
        yield f"{formula.id}: unknown symbols {', '.join(sorted(unknown))}"
    yield from _unreachable(formula)


def _symbols(where: str, expression: str) -> Generator[str, None, frozenset[str]]:
    try:
        return symbols_of(parse(expression))
    except FormulaError as error:
        yield f"{where}: {error}"
        return frozenset()


def _unreachable(formula: Formula) -> Iterator[str]:
    for one, other in combinations(formula.variants, 2):
        if one.id == other.id:
            yield f"{formula.id}: two variants are called {one.id}"
        if dict(one.when) == dict(other.when) and one.expression.replace(" ", "") == other.expression.replace(" ", ""):
            yield f"{formula.id}: variant {other.id} can never be chosen, {one.id} stands before it"
    for variant in formula.variants:
        if any(not names for names in variant.when.values()):
            yield f"{formula.id}: variant {variant.id} can never be chosen, a marker allows no value"


def _span_problems(span: Span, rules: RuleSet) -> Iterator[str]:
    if span.coefficient not in rules.quantities:
        yield f"{span.id}: unknown quantity {span.coefficient}"
    if span.low is not None and span.high is not None and span.low > span.high:
        yield f"{span.id}: {span.low} to {span.high} runs backwards"
    yield from _unknown_markers(span.id, span.when, rules)


def _unknown_markers(where: str, when: Mapping[str, tuple[str, ...]], rules: RuleSet) -> Iterator[str]:
    for name, values in when.items():
        marker = rules.markers.get(name)
        if marker is None:
            yield f"{where}: unknown marker {name}"
            continue
        for value in values:
            if value not in marker.values:
                yield f"{where}: marker {name} has no value {value}"
