"""Arithmetic on decimal numbers from text: no names, no calls but a few, nothing that can grow without bound."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, DecimalException, localcontext
from typing import Final

MAX_LENGTH: Final = 200
_MAX_EXPONENT: Final = 64
_CONTEXT: Final = Context(prec=34, Emax=999, Emin=-999)
_AS_ASCII: Final = str.maketrans("×✕÷（），＋－＊／．〔〕", "**/(),+-*/.()")
_BINARY: Final[dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: Final[dict[str, Callable[..., Decimal]]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "sqrt": Decimal.sqrt,
    "ceil": lambda value: value.to_integral_value(ROUND_CEILING),
    "floor": lambda value: value.to_integral_value(ROUND_FLOOR),
}


class ArithmeticTextError(ValueError):
    """The text is no expression that can be computed; the message says which part."""


def evaluate(text: str) -> Decimal:
    """Compute an expression of numbers, `+ - * / % ^`, brackets and `abs min max sqrt ceil floor`.

    Exact for sums and products of up to 34 digits; `×`, `÷` and full-width signs are read too.

    Raises:
        ArithmeticTextError: The text is too long, no such expression, or its value is out of range.
    """
    source = text.strip().rstrip("=＝").translate(_AS_ASCII).replace("^", "**").strip()
    if not source or len(source) > MAX_LENGTH:
        raise ArithmeticTextError(f"表达式应为 1 到 {MAX_LENGTH} 个字符")
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ArithmeticTextError(f"无法读懂表达式 {text.strip()!r}") from error
    with localcontext(_CONTEXT):
        try:
            return +_value(tree.body, source)
        except (DecimalException, ZeroDivisionError, TypeError) as error:
            raise ArithmeticTextError(f"表达式 {text.strip()!r} 无法求值：除数为零、超出范围或参数不对") from error


def to_plain_text(value: Decimal) -> str:
    """Write a number without exponent and without trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _value(node: ast.expr, source: str) -> Decimal:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            # From the text itself: the parser's float has lost digits already.
            return Decimal(ast.get_source_segment(source, node) or "")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, source)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, source)
        case ast.BinOp(op=ast.Pow()):
            return _power(_value(node.left, source), _value(node.right, source))
        case ast.BinOp() if (operation := _BINARY.get(type(node.op))) is not None:
            return operation(_value(node.left, source), _value(node.right, source))
        case ast.Call(func=ast.Name(id=name), args=[_, *_], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(argument, source) for argument in node.args))
        case _:
            part = ast.get_source_segment(source, node)
            raise ArithmeticTextError(
                f"表达式里不能有 {part!r}；只支持数字、+ - * / % ^、括号和 {', '.join(_FUNCTIONS)}"
            )


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > _MAX_EXPONENT:
        raise ArithmeticTextError(f"指数 {exponent} 超出 ±{_MAX_EXPONENT}")
    return base**exponent
