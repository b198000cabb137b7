"""A printed expression as a formula the spreadsheet calculates itself.

The formula is written from the parsed tree, so it can hold nothing but arithmetic: no text of a document becomes a
formula of its own (`=HYPERLINK(…)`).
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.formula import FormulaError, Node, Number, Power, Product, Sum, evaluate, parse
from algorithms.airflow_review.engine.rounding import ceil_to, decimals_of, half_up_to
from algorithms.airflow_review.render.json_text import decimal_text
from algorithms.airflow_review.value_class import dataclass

LONGEST_FORMULA: Final = 8000  # a spreadsheet takes 8192 characters
_EQUALS: Final = re.compile("[=＝≈]")


@dataclass(frozen=True, slots=True)
class ExcelFormula:
    """A formula with its leading "=", and the value a spreadsheet shows for it."""

    text: str
    value: Fraction


def exact_formula(expression: str) -> ExcelFormula | None:
    """`60×11.3×1.0` → `=60*11.3*1`; None where the expression is not arithmetic with numbers."""
    try:
        node = parse(_EQUALS.split(expression, maxsplit=1)[0])
        value = evaluate(node)
    except FormulaError:
        return None
    text = f"={_written(node)}"
    return ExcelFormula(text, value) if len(text) <= LONGEST_FORMULA else None


def rounded_formula(expression: str, stated: Decimal) -> ExcelFormula | None:
    """The formula that gives the printed result: `=CEILING(60*11.3*1*1.2*1.5,1)`.

    None where neither the exact value nor its ceiling or half-up at the printed decimals or to 1 is the printed result.
    """
    exact = exact_formula(expression)
    if exact is None:
        return None
    target = Fraction(stated)
    if exact.value == target:
        return exact
    for decimals in (decimals_of(stated), 0):
        if ceil_to(exact.value, decimals) == target:
            return ExcelFormula(f"=CEILING({exact.text[1:]},{decimal_text(Decimal(1).scaleb(-decimals))})", target)
        if half_up_to(exact.value, decimals) == target:
            return ExcelFormula(f"=ROUND({exact.text[1:]},{decimals})", target)
    return None


def _written(node: Node) -> str:
    match node:
        case Number(value=value, text=text):
            return f"{_digits(value * 100)}%" if text.endswith("%") else _digits(value)
        case Sum(terms=terms):
            signed = "".join(("+" if sign > 0 else "-") + _factor(term) for sign, term in terms)
            return signed.removeprefix("+")
        case Product(factors=factors):
            joined = "".join(("/" if inverse else "*") + _factor(factor) for factor, inverse in factors)
            # The first factor of a product is never a divisor.
            return joined[1:]
        case Power(base=base, exponent=exponent):
            return f"({_written(base)})^({exponent})"
        case _:
            raise FormulaError(f"a printed expression has no symbol {node.name}")


def _factor(node: Node) -> str:
    return f"({_written(node)})" if isinstance(node, Sum) else _written(node)


def _digits(value: Fraction) -> str:
    """A literal is finite, so the division is exact."""
    return decimal_text(Decimal(value.numerator) / value.denominator)
