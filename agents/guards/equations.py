"""Equations that a reply writes out: 60×10.8×1.4 = 907.2, (23517 − 22806.2) / 23517 ≈ 3.02%."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from agents.guards.direct import tolerance
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import RATIO

_OPERATORS: Final = {
    "×": "*", "x": "*", "*": "*", "·": "*", "乘以": "*", "乘": "*", "times": "*",
    "÷": "/", "/": "/", "除以": "/", "divided by": "/",
    "+": "+", "加上": "+", "加": "+", "plus": "+",
    "-": "-", "减去": "-", "减": "-", "minus": "-",
}  # fmt: skip
_EQUALS: Final = (
    "=",
    "≈",
    "等于",
    "得到",
    "得",
    "≒",
    "equals",
    "gives",
    "is about",
    "comes to",
    "约等于",
    "->",
    "→",
    "≅",
)
_OPERATOR: Final = "|".join(re.escape(sign) for sign in sorted(_OPERATORS, key=len, reverse=True))
_EQUAL: Final = "|".join(re.escape(sign) for sign in sorted(_EQUALS, key=len, reverse=True))
_MARKUP: Final = r"[\s`$¥€£*{}]"
_BETWEEN: Final = re.compile(
    rf"(?P<close>(?:{_MARKUP}|[)）])*?)\s*(?:(?P<operator>{_OPERATOR})|(?P<equal>{_EQUAL})(?:{_MARKUP}|约|出|≈)*)(?P<open>(?:{_MARKUP}|[(（])*)-?"
)
_BETWEEN_WORDS: Final = re.compile(  # 8.5 annual days + 3 carried-over days = 11.5
    rf"(?P<close>[A-Za-z\u4e00-\u9fff\- ]{{1,24}}[)）]?\s)(?:(?P<operator>[+×*÷/]|-(?=\s))|(?P<equal>[=≈]))(?P<open>(?:{_MARKUP}|[(（])*)"
)
_OPENED: Final = re.compile(r"[^，,。；;()（）\n]{0,8}[(（][\s$¥€£]*")
_CLOSED: Final = re.compile(r"[^，,。；;()（）\n]{0,6}[)）]")
_OPEN_BEFORE: Final = re.compile(r"[(（\s]*$")
_CONSTANTS: Final = frozenset(
    {1.0, 2.0, 7.0, 10.0, 12.0, 24.0, 30.0, 60.0, 100.0, 365.0, 1000.0, 1024.0, 3600.0, 10000.0, 86400.0}
)
_MAX_LOOK_BACK: Final = 6


@dataclass(slots=True)
class Equation:
    """One written calculation: numbers of its operands, number of its result, what comes out in fact."""

    operands: list[int]
    result: int
    value: float | None
    chained: list[int] = field(default_factory=list)


def is_constant(quantity: Quantity) -> bool:
    """Whether an operand may be a constant of conversion."""
    return quantity.value in _CONSTANTS


def holds(result: Quantity, value: float) -> bool:
    """Whether the printed result is what comes out: rounded, or taken up or down to a whole number."""
    printed = abs(result.value)
    allowed = tolerance(result) * (1 + 1e-9) + 1e-9 * max(1.0, abs(value))
    targets = [abs(value)]
    if result.unit is not None and result.unit.dimension == RATIO and result.unit.factor < 1:
        targets.append(abs(value) / result.unit.factor)
    if result.ulp == 1:
        allowed = max(allowed, 1 - 1e-9) if value != int(value) else allowed
    return any(abs(printed - target) <= allowed for target in targets)


def find_equations(text: str, quantities: list[Quantity]) -> Iterator[Equation]:
    """Chains of numbers joined by operators that end in an equals sign and a result."""
    start = 0
    claims = [number for number, quantity in enumerate(quantities) if quantity.exempt in {"", "name", "id"}]
    while start < len(claims) - 1:
        links, end = _links(text, quantities, claims, start)
        yield from _equations_of(text, quantities, claims[start : end + 1], links)
        if start and (equation := _in_brackets(text, quantities, claims[start - 1 : end + 1], links)):
            yield equation
        start = max(end, start + 1)


def _links(text: str, quantities: list[Quantity], claims: list[int], start: int) -> tuple[list[re.Match[str]], int]:
    links: list[re.Match[str]] = []
    at = start
    while at + 1 < len(claims):
        left, right = quantities[claims[at]], quantities[claims[at + 1]]
        link = (
            _BETWEEN.fullmatch(text, left.unit_end, right.start)
            or _BETWEEN.fullmatch(text, left.end, right.start)
            or _BETWEEN_WORDS.fullmatch(text, left.end, right.start)
        )
        if link is None:
            break
        links.append(link)
        at += 1
    return links, at


def _in_brackets(
    text: str, quantities: list[Quantity], chain: list[int], links: list[re.Match[str]]
) -> Equation | None:
    """A result with its calculation in brackets behind it: 8167 元（9840 度 × 0.83 元）."""
    result, operands = chain[0], chain[1:]
    if not links or any(link["operator"] is None for link in links):
        return None
    first, last = quantities[operands[0]], quantities[operands[-1]]
    if not _OPENED.fullmatch(text, quantities[result].unit_end, first.start) or not _CLOSED.match(text, last.unit_end):
        return None
    value = _evaluate(text, [quantities[n] for n in operands], links)
    return Equation(operands, result, value) if value is not None and holds(quantities[result], value) else None


def _equations_of(
    text: str, quantities: list[Quantity], chain: list[int], links: list[re.Match[str]]
) -> Iterator[Equation]:
    """One equation per equals sign; what stands after one is the operand of the next (a×b = c ≈ d)."""
    begin = 0
    first: Equation | None = None
    for place, link in enumerate(links):
        if link["equal"] is None:
            continue
        left, right = chain[begin : place + 1], chain[place + 1]
        is_end = place + 1 == len(links) or links[place + 1]["equal"] is not None
        if len(left) > 1 and is_end:
            value = _evaluate(text, [quantities[n] for n in left], links[begin : place + 1])
            first = Equation(left, right, value)
            yield first
        elif first is not None and is_end:
            yield Equation(first.operands, right, first.value, chained=left)
        begin = place + 1


def _evaluate(text: str, operands: list[Quantity], links: list[re.Match[str]]) -> float | None:
    before = text[max(0, operands[0].start - _MAX_LOOK_BACK) : operands[0].start]
    opened = _OPEN_BEFORE.search(before)
    tokens: list[str | float] = ["("] * (sum(before[opened.start() :].count(sign) for sign in "(（") if opened else 0)
    for operand, link in zip_longest(operands, links):
        is_share = operand.unit is not None and operand.unit.dimension == RATIO and operand.unit.factor < 1
        tokens.append(operand.base if is_share and operand.unit else abs(operand.value))
        if link is None:  # behind the last operand nothing follows
            break
        tokens.extend(")" * sum(link["close"].count(sign) for sign in ")）"))
        if link["operator"]:
            tokens.append(_OPERATORS[link["operator"]])
            tokens.extend("(" * sum(link["open"].count(sign) for sign in "(（"))
    surplus = tokens.count("(") - tokens.count(")")
    while surplus > 0 and tokens[0] == "(":  # the parenthesis that holds the whole equation
        tokens.pop(0)
        surplus -= 1
    try:
        value, rest = _sum(tokens, 0)
    except (ValueError, IndexError, ZeroDivisionError):
        return None
    return value if rest == len(tokens) else None


def _sum(tokens: list[str | float], at: int) -> tuple[float, int]:
    value, at = _product(tokens, at)
    while at < len(tokens) and tokens[at] in {"+", "-"}:
        sign = tokens[at]
        right, at = _product(tokens, at + 1)
        value = value + right if sign == "+" else value - right
    return value, at


def _product(tokens: list[str | float], at: int) -> tuple[float, int]:
    value, at = _atom(tokens, at)
    while at < len(tokens) and tokens[at] in {"*", "/"}:
        sign = tokens[at]
        right, at = _atom(tokens, at + 1)
        value = value * right if sign == "*" else value / right
    return value, at


def _atom(tokens: list[str | float], at: int) -> tuple[float, int]:
    item = tokens[at]
    if item == "(":
        value, at = _sum(tokens, at + 1)
        if tokens[at] != ")":
            raise ValueError("parenthesis")
        return value, at + 1
    if isinstance(item, str):
        raise ValueError(item)  # noqa: TRY004 - a malformed calculation, no wrong type
    return item, at + 1
