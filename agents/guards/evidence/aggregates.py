"""Numbers that evidence holds between the lines: lengths, sums, means, group counts and counts of comparisons."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final, NamedTuple

from agents.guards.evidence.fact import AVERAGED, COMPARED, COUNTED, EXCLUDED, SUMMED, WEIGHTED, Fact
from agents.guards.evidence.walk import LARGEST, iter_columns
from agents.guards.quantities.units import Unit, unit_of_key, unit_table

_WEIGHTS: Final = frozenset({"weight", "weighting", "weights"})
_NUMBERED: Final = re.compile(r"^[A-Za-z]{0,2}\d+[号#]?|[\s#]*\d+$")
_FEWEST: Final = 3
_SHORT: Final = 2
_MAX_COMPARED: Final = 6
_MAX_GROUP_NAME: Final = 24


class _Column(NamedTuple):
    key: str
    values: list[float | None]
    unit: Unit | None
    words: tuple[str, ...]


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return False
    return -LARGEST < value < LARGEST


def aggregates_of(lists: Iterable[tuple[str, list[Any]]], facts: Iterable[Fact], result: int) -> Iterator[Fact]:
    """Aggregates over the lists of one result, and sums over the plain siblings of one mapping."""
    currency = {fact.path.rpartition(".")[0]: fact.unit for fact in facts if fact.unit and fact.is_row}
    for path, rows in lists:
        words = unit_of_key(path.rpartition(".")[2].partition("[")[0])[1]
        yield _count(len(rows), f"count:{path}", result, words)
        columns = list(iter_columns(rows))
        numbers = [_numeric(key, values, currency.get(f"{path}[0]")) for key, values in columns]
        numeric = [column for column in numbers if column is not None]
        yield from _totals(path, numeric, result)
        yield from _weighted(path, numeric, result)
        yield from _groups(path, [*columns, *_parts_of_names(columns)], numeric, result)
        yield from _comparisons(path, numeric, result)
    yield from _siblings(facts, result)


def _count(value: int, path: str, result: int, words: tuple[str, ...], group: str = "", kind: str = COUNTED) -> Fact:
    return Fact(float(value), unit_table().units["个"], path, result, words, kind=kind, group=group)


def _numeric(key: str, values: list[Any], money: Unit | None) -> _Column | None:
    if not any(_is_number(value) for value in values):
        return None
    unit, words = unit_of_key(key)
    if unit is None and money is not None and key.lower() in {"amount", "price", "fee", "total", "cost", "paid"}:
        unit = money
    return _Column(key, [float(value) if _is_number(value) else None for value in values], unit, words)


def _totals(path: str, columns: list[_Column], result: int) -> Iterator[Fact]:
    for column in columns:
        values = [value for value in column.values if value is not None]
        if len(values) > 1:
            total = sum(values)
            yield Fact(total, column.unit, f"sum:{path}[].{column.key}", result, column.words, kind=SUMMED)
            yield Fact(
                total / len(values), column.unit, f"mean:{path}[].{column.key}", result, column.words, kind=AVERAGED
            )


def _weighted(path: str, columns: list[_Column], result: int) -> Iterator[Fact]:
    """Means weighted by a column that is a weight by its name."""
    for weight in columns:
        if not _WEIGHTS.intersection(weight.words):
            continue
        for column in columns:
            pairs = [
                (a, b) for a, b in zip(weight.values, column.values, strict=True) if a is not None and b is not None
            ]
            total = sum(a for a, _ in pairs)
            if column is not weight and total and len(pairs) > 1:
                mean = sum(a * b for a, b in pairs) / total
                place = f"weighted:{path}[].{column.key}"
                yield Fact(mean, column.unit, place, result, column.words, kind=WEIGHTED)


def _parts_of_names(columns: list[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[Any]]]:
    """What rows share in their names apart from a number: 冷冻 of A1冷冻区 and A2冷冻区."""
    for key, values in columns:
        if len(values) < _FEWEST or not all(
            isinstance(value, str) and len(value) <= _MAX_GROUP_NAME for value in values
        ):
            continue
        shared = [_NUMBERED.sub("", value).strip() for value in values]
        if 1 < len(set(shared)) < len(values) and shared != values and all(shared):
            yield f"{key}~", [name[:-1] if len(name) > _SHORT and not name.isascii() else name for name in shared]


def _groups(path: str, columns: list[tuple[str, list[Any]]], numeric: list[_Column], result: int) -> Iterator[Fact]:
    for key, values in columns:
        rows_of: dict[str, list[int]] = defaultdict(list)
        for index, value in enumerate(values):
            if isinstance(value, str) and len(value) <= _MAX_GROUP_NAME:
                rows_of[value].append(index)
        if not rows_of or len(rows_of) == len(values):
            continue
        for group, indexes in rows_of.items():
            yield _count(len(indexes), f"count:{path}[{key}={group}]", result, (), group)
            for column in numeric:
                part = [value for index in indexes if (value := column.values[index]) is not None]
                whole = sum(value for value in column.values if value is not None)
                rest = f"sum:{path}[{key}!={group}].{column.key}"
                yield Fact(whole - sum(part), column.unit, rest, result, column.words, kind=EXCLUDED, group=group)
                others = sum(value is not None for value in column.values) - len(part)
                if others > 1:
                    left = (whole - sum(part)) / others
                    place = f"mean:{path}[{key}!={group}].{column.key}"
                    yield Fact(left, column.unit, place, result, column.words, kind=EXCLUDED, group=group)
                if len(part) > 1:
                    place = f"{path}[{key}={group}].{column.key}"
                    yield Fact(sum(part), column.unit, f"sum:{place}", result, column.words, kind=SUMMED, group=group)
                    mean = sum(part) / len(part)
                    yield Fact(mean, column.unit, f"mean:{place}", result, column.words, kind=AVERAGED, group=group)


def _comparisons(path: str, columns: list[_Column], result: int) -> Iterator[Fact]:
    """How many rows lie below or above in another column: 实测低于需风量的地点."""
    for left in columns[:_MAX_COMPARED]:
        for right in columns[:_MAX_COMPARED]:
            if left.key != right.key and left.unit == right.unit and left.unit is not None:
                below = sum(
                    1
                    for a, b in zip(left.values, right.values, strict=True)
                    if a is not None and b is not None and a < b
                )
                words = (*left.words, *right.words)
                yield _count(below, f"count:{path}[{left.key}<{right.key}]", result, words, kind=COMPARED)


def _siblings(facts: Iterable[Fact], result: int) -> Iterator[Fact]:
    """The sum over the plain numbers of one mapping: counts by severity."""
    families: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind == "value" and "." in fact.path and not fact.is_row:
            families[fact.path.rpartition(".")[0]].append(fact)
    for parent, members in families.items():
        if len(members) > 1 and len({member.unit for member in members}) == 1:
            total = sum(member.value for member in members)
            words = unit_of_key(parent.rpartition(".")[2])[1]
            yield Fact(total, members[0].unit, f"sum:{parent}.*", result, words, kind=SUMMED)
