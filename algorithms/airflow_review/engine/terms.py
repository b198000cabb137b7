"""Normal form of an expression: a sum of terms, a term a row of factors.

`350×1+15×18.5` has two terms; `4×(110+75)` has one term whose second factor is a sum. Printed expressions and
expressions of rules are compared in this form (see `matching`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from algorithms.airflow_review.engine.formula import (
    FormulaError,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    evaluate,
    parse,
    symbols_of,
)
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """One factor: a number, a symbol, or a bracketed sum (then with its terms)."""

    value: Fraction | None = None  # None for a symbol or a sum with symbols
    symbol: str | None = None
    inverse: bool = False
    base: Fraction | None = None  # of a printed power, e.g. 9.6 of 9.6^(1/3)
    terms: tuple[Term, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A product with its sign."""

    factors: tuple[Factor, ...]
    sign: int = 1


@lru_cache(maxsize=4096)
def terms_of(expression: str) -> tuple[Term, ...]:
    """The terms of an expression; raises `FormulaError` where it is none."""
    return _terms(parse(expression))


def is_bare_number(expression: str) -> bool:
    """Whether the expression is one number and nothing else."""
    try:
        printed = terms_of(expression)
    except FormulaError:
        return False
    return len(printed) == 1 and len(printed[0].factors) == 1 and not printed[0].factors[0].terms


def _terms(node: Node) -> tuple[Term, ...]:
    match node:
        case Sum(terms=terms):
            return tuple(_signed(inner, sign) for sign, part in terms for inner in _terms(part))
        case Product(factors=factors):
            return (Term(factors=tuple(f for part, inverse in factors for f in _factors(part, inverse=inverse))),)
        case _:
            return (Term(factors=tuple(_factors(node, inverse=False))),)


def _signed(term: Term, sign: int) -> Term:
    return Term(factors=term.factors, sign=term.sign * sign)


def _factors(node: Node, *, inverse: bool) -> Iterator[Factor]:
    match node:
        case Number(value=value, text=text):
            yield Factor(value=value, inverse=inverse, text=text)
        case Symbol(name=name):
            yield Factor(symbol=name, inverse=inverse)
        case Product(factors=factors):
            for part, below in factors:
                yield from _factors(part, inverse=inverse != below)
        case Sum():
            yield Factor(value=_value(node), inverse=inverse, terms=_terms(node))
        case Power(base=base):
            yield Factor(value=_value(node), inverse=inverse, base=_value(base))


def _value(node: Node) -> Fraction | None:
    return None if symbols_of(node) else evaluate(node)
