"""What a rule library must not contain: holes in tables, unknown symbols, variants nobody can reach."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from decimal import Decimal
from itertools import combinations, pairwise

from algorithms.airflow_review.engine.formula import FormulaError, parse, symbols_of
from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.messages.catalogue import Text, as_printed, chained, listed, say
from algorithms.airflow_review.model import FindingKind
from algorithms.airflow_review.rules.fields import nearest, offered
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.rules.own_constants import constant_problems, divisor_problems, minimum_problems
from algorithms.airflow_review.rules.records import (
    Check,
    Constant,
    Floor,
    Formula,
    Origin,
    Record,
    Span,
    SpeedLimit,
    Table,
)
from algorithms.airflow_review.rules.rule_error import RuleError

_Placed = Formula | Table | Span | SpeedLimit | Floor
_Conditional = Span | SpeedLimit | Floor


def check_rules(rules: RuleSet) -> None:
    """Raise `RuleError` listing every problem; return quietly when the library is sound."""
    problems = tuple(find_problems(rules))
    if problems:
        raise RuleError(say("rule.problems", problems=chained(problems)))


def find_problems(rules: RuleSet) -> Iterator[Text]:
    """Every problem as one sentence that starts with the record's file and id."""
    for item in rules.quantities.values():
        if item.low is not None and item.high is not None and item.low > item.high:
            yield say("rule.at", where=item.key, what=_backwards(item.low, item.high))
    yield from _overlapping_records(rules)
    for record in rules.records:
        for problem in _problems_of(record, rules):
            yield say("rule.at", where=f"{record.file} {record.id}".strip(), what=problem)


def _problems_of(record: Record, rules: RuleSet) -> Iterator[Text]:
    yield from _list_problems(record, rules)
    match record:
        case Constant():
            yield from constant_problems(record, rules)
        case Check() if record.origin is Origin.ADDS:
            checks = [identity for identity, one in rules.library.items() if isinstance(one, Check)]
            yield say("rule.unused_id", near=nearest(record.id, checks))
        case Table():
            yield from _table_problems(record, rules)
        case Formula():
            yield from _formula_problems(record, rules)
        case Span():
            yield from _coefficient_problems(record.coefficient, rules)
            yield from _range_problems(record.low, record.high)
            yield from _unknown_markers(record.when, rules)
            yield from _deviation_problems(record.deviation)
        case SpeedLimit():
            yield from _range_problems(record.low_m_s, record.high_m_s)
            yield from _unknown_markers(record.when, rules)
        case Floor():
            if record.flow_m3_min <= 0:
                yield say("rule.not_positive", value=record.flow_m3_min)
            yield from _unknown_markers(record.when, rules)
        case _:
            pass


def bracket_problems(brackets: tuple[Bracket, ...], bounds: tuple[object, object] | None = None) -> Iterator[Text]:
    """Gaps, overlaps and wrong ends; neighbours share exactly their common end, which belongs to both."""
    if not brackets:
        yield say("rule.no_brackets")
        return
    for bracket in brackets:
        if bracket.value_low > bracket.value_high:
            yield _backwards(bracket.value_low, bracket.value_high)
        if bracket.low is not None and bracket.high is not None and bracket.low >= bracket.high:
            yield say("rule.empty_bracket", low=bracket.low, high=bracket.high)
    for left, right in pairwise(brackets):
        if left.high is None or right.low is None or left.high > right.low:
            yield say("rule.brackets_overlap", low=_end(right.low), high=_end(left.high))
        elif left.high < right.low:
            yield say("rule.gap", low=left.high, high=right.low)
    if bounds is not None and (brackets[0].low, brackets[-1].high) != bounds:
        covered = (_end(brackets[0].low), _end(brackets[-1].high))
        yield say("rule.bounds_differ", low=covered[0], high=covered[1], first=_end(bounds[0]), last=_end(bounds[1]))


def _end(value: object) -> str:
    return "null" if value is None else str(value)


def _backwards(low: Decimal, high: Decimal) -> Text:
    return say("rule.backwards", low=low, high=high)


def _range_problems(low: Decimal | None, high: Decimal | None) -> Iterator[Text]:
    if low is None and high is None:
        yield say("rule.no_ends")
    if low is not None and high is not None and low > high:
        yield _backwards(low, high)
    for value in (low, high):
        if value is not None and value < 0:
            yield say("rule.negative", value=value)


def _overlapping_records(rules: RuleSet) -> Iterator[Text]:
    by_id: dict[str, list[Record]] = {}
    for record in rules.records:
        by_id.setdefault(record.id, []).append(record)
    for identity, records in by_id.items():
        for one, other in combinations(records, 2):
            if _share_a_day(one, other):
                files = listed(dict.fromkeys((one.file, other.file)))
                yield say("rule.double_id", files=files, id=identity)


def _share_a_day(one: Record, other: Record) -> bool:
    starts = [record.effective_from for record in (one, other) if record.effective_from is not None]
    ends = [record.effective_to for record in (one, other) if record.effective_to is not None]
    return not starts or not ends or max(starts) <= min(ends)


def _list_problems(record: Record, rules: RuleSet) -> Iterator[Text]:
    """A mine's record under an id that belongs to another list would take ours away and put nothing in its place."""
    ours = rules.library.get(record.id)
    if record.origin is Origin.REPLACES and ours is not None and type(ours) is not type(record):
        yield say("rule.other_list", file=ours.file)
    elif record.origin is Origin.REPLACES and ours is not None:
        yield from _uncovered(record, ours)


def _uncovered(own: Record, ours: Record) -> Iterator[Text]:
    """Places of ours that the mine's record in its place leaves without any rule."""
    if isinstance(own, _Placed) and isinstance(ours, _Placed):
        left = [kind.value for kind in ours.place_types if kind not in own.place_types]
        if left:
            yield say("rule.fewer_places", left=listed(left))
    if isinstance(own, _Conditional) and isinstance(ours, _Conditional):
        for name, values in own.when.items():
            if name not in ours.when or not set(ours.when[name]) <= set(values):
                yield say("rule.narrower", name=name)


def _table_problems(table: Table, rules: RuleSet) -> Iterator[Text]:
    yield from bracket_problems(table.brackets, table.bounds)
    yield from _coefficient_problems(table.coefficient, rules)
    if table.match_field not in rules.quantities:
        yield say("rule.unknown_quantity", name=table.match_field, near=nearest(table.match_field, rules.quantities))
    elif table.match_field in rules.own_quantities:
        yield say("rule.never_read", name=table.match_field)


def _coefficient_problems(name: str, rules: RuleSet) -> Iterator[Text]:
    if name not in rules.quantities:
        yield say("rule.unknown_quantity", name=name, near=nearest(name, rules.quantities))
    elif not rules.quantities[name].coefficient:
        coefficients = [key for key, quantity in rules.quantities.items() if quantity.coefficient]
        yield say("rule.no_coefficient", name=name, known=listed(coefficients))


def _deviation_problems(deviation: str) -> Iterator[Text]:
    kinds = [kind.value for kind in FindingKind]
    if deviation not in kinds:
        yield say("rule.unknown_kind", name=deviation, near=nearest(deviation, kinds))


def _formula_problems(formula: Formula, rules: RuleSet) -> Iterator[Text]:
    yield from _deviation_problems(formula.deviation)
    if not formula.variants:
        yield say("rule.no_variant")
    yield from _unknown_markers(formula.applies_when, rules)
    used: set[str] = set()
    for variant in formula.variants:
        for problem in _unknown_markers(variant.when, rules):
            yield say("rule.at", where=variant.id, what=problem)
        used |= yield from _symbols(variant.id, variant.expression)
    if formula.minimum is not None:
        used |= yield from _symbols("minimum", formula.minimum)
    named = used | formula.optional | formula.additive | formula.must_be_known
    named |= {formula.input} if formula.input is not None else set()
    for name in sorted(named - set(rules.quantities)):
        yield say("rule.unknown_quantity", name=name, near=nearest(name, rules.quantities))
    yield from _input_problems(formula.input, used, rules)
    yield from _constant_named(formula, rules)
    yield from minimum_problems(formula, rules)
    yield from _unreachable(formula)


def _input_problems(name: str | None, used: set[str], rules: RuleSet) -> Iterator[Text]:
    if name in rules.quantities and name not in used:
        yield say("rule.input_unused", name=name, known=listed(sorted(used)))
    if name in rules.own_quantities:
        yield say("rule.never_read", name=name)


def _constant_named(formula: Formula, rules: RuleSet) -> Iterator[Text]:
    if formula.minimum_constant is None:
        return
    constants = {one.id for one in rules.records if isinstance(one, Constant)}
    if formula.minimum_constant not in constants:
        near = nearest(formula.minimum_constant, constants)
        yield say("rule.unknown_constant", name=formula.minimum_constant, near=near)
    if formula.minimum is None:
        yield say("rule.no_minimum")


def _symbols(where: str, expression: str) -> Generator[Text, None, frozenset[str]]:
    try:
        symbols = symbols_of(parse(expression))
    except FormulaError:
        yield say("rule.no_expression", where=where, expression=expression)
        return frozenset()
    for problem in divisor_problems(expression):
        yield say("rule.at", where=where, what=problem)
    return symbols


def _unreachable(formula: Formula) -> Iterator[Text]:
    for one, other in combinations(formula.variants, 2):
        if one.id == other.id:
            yield say("rule.double_variant", name=one.id)
        if dict(one.when) == dict(other.when) and one.expression.replace(" ", "") == other.expression.replace(" ", ""):
            yield say("rule.never_chosen", name=other.id, before=one.id)
    for variant in formula.variants:
        if any(not names for names in variant.when.values()):
            yield say("rule.never_chosen_empty", name=variant.id)


def _unknown_markers(when: Mapping[str, tuple[str, ...]], rules: RuleSet) -> Iterator[Text]:
    for name, values in when.items():
        marker = rules.markers.get(name)
        if marker is None:
            yield say("rule.unknown_marker", name=name, known=_markers(rules))
            continue
        for value in values:
            if value not in marker.values:
                yield say("rule.unknown_value", name=name, text=marker.text, value=value, known=offered(marker.values))


def _markers(rules: RuleSet) -> Text:
    return as_printed("、".join(f"{name}（{marker.text}）" for name, marker in rules.markers.items()))
