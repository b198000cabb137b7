"""Arithmetic expressions, printed or of a rule: parsed, never `eval`ed, computed exactly.

One grammar serves both: numbers, `+ - * /`, powers, roots, percent and round brackets. A printed expression holds
numbers (units glued to them are skipped); an expression of a rule holds symbols as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Final

from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, unit_at
from algorithms.airflow_review.reading.text import fold_operators
from algorithms.airflow_review.value_class import dataclass

_MAX_CHARS: Final = 2000
_MAX_DEPTH: Final = 40
_MAX_EXPONENT: Final = 12
_ROOT_DIGITS: Final = 40  # decimal places kept of a root that is not rational
_NUMBER: Final = re.compile(NUMBER_PATTERN)
_SYMBOL: Final = re.compile(r"[a-z][a-z0-9_]*")
_SUPERSCRIPTS: Final = {"²": 2, "³": 3}
_ROOTS: Final = {"√": 2, "∛": 3}


class FormulaError(ValueError):
    """The text is not an expression of this grammar, or cannot be computed."""


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; `70%` has the value 7/10."""

    value: Fraction
    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that a rule binds to a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their signs (+1 or -1)."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors; the flag tells a divisor."""

    factors: tuple[tuple[Node, bool], ...]


@dataclass(frozen=True, slots=True)
class Power:
    """`base ^ exponent`, or a root for an exponent of 1/2 or 1/3."""

    base: Node
    exponent: Fraction


Node = Number | Symbol | Sum | Product | Power


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """The tree of an expression; raises `FormulaError` with the place that is wrong."""
    if len(text) > _MAX_CHARS:
        raise FormulaError(f"expression of {len(text)} characters is too long")
    parser = _Parser(tuple(_tokens(fold_operators(text))))
    node = parser.read_sum(0)
    if parser.peek() is not None:
        raise FormulaError(f"unexpected {parser.peek()!r} in {text!r}")
    return node


def evaluate(node: Node, values: Mapping[str, Fraction] | None = None) -> Fraction:
    """The exact value; roots that are not rational are cut after 40 decimal places."""
    match node:
        case Number(value=value):
            return value
        case Symbol(name=name):
            if values is None or name not in values:
                raise FormulaError(f"symbol {name} has no value")
            return values[name]
        case Sum(terms=terms):
            return sum((sign * evaluate(term, values) for sign, term in terms), Fraction(0))
        case Product(factors=factors):
            return _multiply(factors, values)
        case Power(base=base, exponent=exponent):
            return _raise(evaluate(base, values), exponent)


def compute(text: str, values: Mapping[str, Fraction] | None = None) -> Fraction:
    """Parse and evaluate in one step."""
    return evaluate(parse(text), values)


def try_compute(text: str) -> Fraction | None:
    """The value of a printed expression, or None where it is not one (a name, words, a division by zero)."""
    try:
        return compute(text)
    except FormulaError:
        return None


def fraction_reading(text: str) -> str | None:
    """`a/b*c` with all that follows the one division below the line: a/(b*c); None where it has another shape."""
    folded = fold_operators(text)
    above, line, below = folded.partition("/")
    if not line or "*" not in below or any(sign in below for sign in "/+-()"):
        return None
    return f"{above}/({below})"


def symbols_of(node: Node) -> frozenset[str]:
    """All names an expression of a rule uses."""
    match node:
        case Number():
            return frozenset()
        case Symbol(name=name):
            return frozenset({name})
        case Sum(terms=terms):
            return frozenset().union(*(symbols_of(term) for _, term in terms))
        case Product(factors=factors):
            return frozenset().union(*(symbols_of(factor) for factor, _ in factors))
        case Power(base=base):
            return symbols_of(base)


def _multiply(factors: tuple[tuple[Node, bool], ...], values: Mapping[str, Fraction] | None) -> Fraction:
    result = Fraction(1)
    for factor, inverse in factors:
        value = evaluate(factor, values)
        if inverse and value == 0:
            raise FormulaError("division by zero")
        result = result / value if inverse else result * value
    return result


def _raise(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        if base == 0 and exponent < 0:
            raise FormulaError("division by zero")
        return base**exponent.numerator
    return _root(base, exponent.denominator)


def _root(value: Fraction, degree: int) -> Fraction:
    if value < 0:
        raise FormulaError("root of a negative number")
    scale = 10**_ROOT_DIGITS
    scaled = value.numerator * scale**degree // value.denominator
    root = isqrt(scaled) if degree == 2 else _cube_root(scaled)  # noqa: PLR2004 - a square root
    return Fraction(root, scale)


def _cube_root(value: int) -> int:
    guess = 1 << (value.bit_length() // 3 + 1)
    while True:
        better = (2 * guess + value // (guess * guess)) // 3
        if better >= guess:
            return guess
        guess = better


def _tokens(text: str) -> Iterator[Number | str]:
    index = 0
    while index < len(text):
        char = text[index]
        number, name = _NUMBER.match(text, index), _SYMBOL.match(text, index)
        if char.isspace():
            index += 1
        elif number is not None:
            literal = number.group()
            yield Number(Fraction(re.sub(r"[, ]", "", literal)), literal)
            index = _skip_unit(text, number.end())
        elif name is not None:
            yield name.group()
            index = name.end()
        elif char in "+-*/()^%‰:" or char in _SUPERSCRIPTS or char in _ROOTS:
            # L12: some documents write a division with a colon.
            yield "/" if char == ":" else char
            index += 1
        else:
            raise FormulaError(f"unexpected {char!r} in {text!r}")


def _skip_unit(text: str, index: int) -> int:
    found = unit_at(text, index)
    if found is None or found[0] in {"%", "permille"}:
        return index
    return found[1]


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: tuple[Number | str, ...]) -> None:
        self._tokens, self._next = tokens, 0

    def peek(self) -> Number | str | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def read_sum(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise FormulaError("brackets are nested too deeply")
        terms = [(self._sign(), self._product(depth))]
        while self.peek() in {"+", "-"}:
            terms.append((self._sign(), self._product(depth)))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))

    def _sign(self) -> int:
        sign = 1
        while (item := self.peek()) in {"+", "-"}:
            sign = -sign if item == "-" else sign
            self._next += 1
        return sign

    def _product(self, depth: int) -> Node:
        factors = [(self._power(depth), False)]
        while True:
            item = self.peek()
            if item in {"*", "/"}:
                self._next += 1
                factors.append((self._power(depth), item == "/"))
            elif item == "(":  # 4(110+75): a bracket right after a value multiplies
                factors.append((self._power(depth), False))
            else:
                return factors[0][0] if len(factors) == 1 else Product(tuple(factors))

    def _power(self, depth: int) -> Node:
        base = self._atom(depth)
        while (item := self.peek()) is not None:
            if item in {"%", "‰"} and isinstance(base, Number):
                base = Number(base.value / (100 if item == "%" else 1000), base.text + str(item))
                self._next += 1
            elif isinstance(item, str) and item in _SUPERSCRIPTS:
                base = Power(base, Fraction(_SUPERSCRIPTS[item]))
                self._next += 1
            elif item == "^":
                self._next += 1
                base = Power(base, self._exponent(depth))
            else:
                break
        return base

    def _exponent(self, depth: int) -> Fraction:
        sign = self._sign()
        value = evaluate(self._atom(depth)) * sign
        if abs(value) > _MAX_EXPONENT or value.denominator > 3:  # noqa: PLR2004 - up to a cube root
            raise FormulaError(f"exponent {value} is out of reach")
        if value.denominator != 1 and value.numerator != 1:
            raise FormulaError(f"exponent {value} is out of reach")
        return value

    def _atom(self, depth: int) -> Node:
        item = self.peek()
        self._next += 1
        if isinstance(item, Number):
            return item
        if item == "(":
            node = self.read_sum(depth + 1)
            if self.peek() != ")":
                raise FormulaError("a bracket is not closed")
            self._next += 1
            return node
        if item is not None and item in _ROOTS:
            return Power(self._atom(depth + 1), Fraction(1, _ROOTS[item]))
        if item is not None and _SYMBOL.fullmatch(item):
            return Symbol(item)
        raise FormulaError("a value is missing")
