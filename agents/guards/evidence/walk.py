"""Walks a tool result and lists its numbers with path, unit and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NamedTuple

from agents.guards.evidence.fact import TEXT, Fact
from agents.guards.quantities.fold import fold
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.reader import read_quantities, unit_written
from agents.guards.quantities.units import Unit, unit_of_key, unit_table

_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NUMERAL: Final = re.compile(
    r"[0-9０-９零〇一二两三四五六七八九十百千万亿半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_LABEL: Final = re.compile(r"[A-Za-z][A-Za-z ]{1,11}[ -]\d{1,3}|\d{1,3}[号#层楼室]|[A-Za-z]\d{1,2}")
_MAX_NAME: Final = 40
LARGEST: Final = 10**60
_MAX_FACTS: Final = 20_000
_PLACES: Final = frozenset({"page", "ordinal"})
_NO_NAMES: Final = frozenset(
    {
        "status",
        "state",
        "type",
        "severity",
        "kind",
        "currency",
        "unit",
        "level",
        "verdict",
        "result",
        "mode",
        "rounding",
    }
)
_MONEY_WORDS: Final = frozenset(
    [
        "amount",
        "price",
        "fee",
        "cost",
        "paid",
        "refund",
        "total",
        "subtotal",
        "tax",
        "discount",
        "deduction",
        "balance",
        "value",
        "revenue",
        "income",
        "profit",
        "salary",
        "gross",
        "net",
        "base",
        "bonus",
        "pension",
        "medical",
        "unemployment",
        "fund",
        "performance",
        "allowance",
        "overtime",
        "payable",
        "freight",
        "coupon",
        "shipping",
        "principal",
        "interest",
        "repayment",
        "payment",
        "limit",
        "deposit",
        "outstanding",
        "due",
    ]
)


class Walked(NamedTuple):
    """Numbers of one result, its lists by path, and the digits that stand in its names and ids."""

    facts: list[Fact]
    lists: list[tuple[str, list[Any]]]
    name_digits: set[str]


def walk_result(data: Any, result: int) -> Walked:
    """Every number of a result's data, in order."""
    walked = Walked([], [], set())
    _Walk(walked, result).visit(data, "", (), (), (), None, is_row=False)
    return walked


class _Walk:
    def __init__(self, walked: Walked, result: int) -> None:
        self.out = walked
        self.result = result

    def visit(
        self,
        node: Any,
        path: str,
        words: tuple[str, ...],
        scope: tuple[str, ...],
        names: tuple[str, ...],
        unit: Unit | None,
        *,
        is_row: bool,
    ) -> None:
        if len(self.out.facts) >= _MAX_FACTS or node is None or isinstance(node, bool):
            return
        if isinstance(node, (int, float, Decimal)):
            if -LARGEST < node < LARGEST:  # neither NaN nor beyond a float
                self.out.facts.append(Fact(float(node), unit, path, self.result, words, scope, names, is_row=is_row))
        elif isinstance(node, str):
            self._string(node, Fact(0.0, unit, path, self.result, words, scope, names, is_row=is_row))
        elif isinstance(node, Mapping):
            self._mapping(node, path, words, scope, names, is_row=is_row)
        elif isinstance(node, (list, tuple)):
            self.out.lists.append((path, list(node)))
            for index, item in enumerate(node):
                self.visit(item, f"{path}[{index}]", words, scope, names, unit, is_row=True)

    def _mapping(
        self,
        node: Mapping[Any, Any],
        path: str,
        words: tuple[str, ...],
        scope: tuple[str, ...],
        names: tuple[str, ...],
        *,
        is_row: bool,
    ) -> None:
        own = tuple(
            value
            for key, value in node.items()
            if isinstance(value, str) and 0 < len(value) <= _MAX_NAME and str(key).lower() not in _NO_NAMES
        )
        currency = unit_table().currencies.get(str(node.get("currency", "")))
        named_unit = _unit_named(node.get("unit"))
        below = (*scope, *words)
        here = (*own, *names) if is_row or own != () else names
        for key, value in node.items():
            unit, key_words = unit_of_key(str(key))
            if unit is None:
                unit = named_unit or (currency if currency and _MONEY_WORDS.intersection(key_words) else None)
            child = f"{path}.{key}" if path else str(key)
            if currency is not None and isinstance(value, (list, tuple)):
                self._rows_with_currency(value, child, key_words, below, here, str(node["currency"]))
                continue
            self.visit(value, child, key_words, below, here, unit, is_row=is_row)

    def _rows_with_currency(
        self, rows: Any, path: str, words: tuple[str, ...], scope: tuple[str, ...], names: tuple[str, ...], code: str
    ) -> None:
        """Rows under a node that names the currency are in that currency."""
        self.out.lists.append((path, list(rows)))
        for index, row in enumerate(rows):
            inside = {"currency": code, **row} if isinstance(row, Mapping) else row
            self.visit(inside, f"{path}[{index}]", words, scope, names, None, is_row=True)

    def _string(self, text: str, at: Fact) -> None:
        if len(text) <= _MAX_NAME and _NUMBER.fullmatch(text):
            self.out.facts.append(
                Fact(float(text), at.unit, at.path, self.result, at.words, at.scope, at.names, is_row=at.is_row)
            )
            return
        if _NUMERAL.search(text) is None:
            return
        is_label = at.is_row and _LABEL.fullmatch(text) is not None
        for quantity in quantities_of(text):
            if is_label:  # Van 2, 3层: the number of a thing, no quantity of anything
                self.out.name_digits.add(quantity.text)
                continue
            if not quantity.exempt or quantity.exempt in _PLACES:
                unit = quantity.unit or (at.unit if at.unit is not None else None)
                self.out.facts.append(
                    Fact(
                        quantity.value,
                        unit,
                        f"{at.path}@{quantity.text}",
                        self.result,
                        at.words,
                        at.scope,
                        at.names,
                        TEXT,
                    )
                )
            if quantity.exempt:
                self.out.name_digits.add(quantity.text)


@lru_cache(maxsize=4096)
def quantities_of(text: str) -> tuple[Quantity, ...]:
    """Quantities of a string inside evidence; results are walked again and again while a reply streams."""
    return tuple(read_quantities(fold(text)))


def _unit_named(name: object) -> Unit | None:
    if not isinstance(name, str):
        return None
    return unit_table().spellings.get(name) or unit_table().units.get(name) or unit_written(f" {name}")


def iter_columns(rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Columns of a list of mappings, in the order of the first row."""
    keys: dict[str, None] = {}
    for row in rows:
        if isinstance(row, Mapping):
            keys.update(dict.fromkeys(row))
    for key in keys:
        yield key, [row.get(key) if isinstance(row, Mapping) else None for row in rows]
