"""Exact numbers: the value of a printed expression, and the ways an engineer rounds it."""

from __future__ import annotations

import re
from fractions import Fraction

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[()+\-×÷%]")


class _Reader:
    """Reads one expression; the usual order of operations."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        if "".join(self._tokens) != text:
            raise ValueError(f"not an expression: {text!r}")
        self._at = 0

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def total(self) -> Fraction:
        result = self._product()
        while self._peek() in {"+", "-"}:
            sign = self._take()
            other = self._product()
            result = result + other if sign == "+" else result - other
        return result

    def _product(self) -> Fraction:
        result = self._atom()
        while self._peek() in {"×", "÷"}:
            sign = self._take()
            other = self._atom()
            result = result * other if sign == "×" else result / other
        return result

    def _atom(self) -> Fraction:
        token = self._take()
        if token == "(":
            result = self.total()
            if self._take() != ")":
                raise ValueError("a bracket stays open")
        else:
            result = Fraction(token)
        if self._peek() == "%":
            self._take()
            result /= 100
        return result


def value_of(expression: str) -> Fraction:
    """The exact value of an expression in the canonical signs × ÷ + - ( ) %."""
    return _Reader(expression).total()


def ceil_at(value: Fraction, decimals: int = 0) -> Fraction:
    """The smallest printable number not below the value."""
    scale = 10**decimals
    return Fraction(-((-value * scale).__floor__()), scale)


def floor_at(value: Fraction, decimals: int = 0) -> Fraction:
    """The largest printable number not above the value."""
    scale = 10**decimals
    return Fraction((value * scale).__floor__(), scale)


def half_up_at(value: Fraction, decimals: int = 0) -> Fraction:
    """Rounded to the nearest printable number, halves upward."""
    scale = 10**decimals
    return Fraction((value * scale + Fraction(1, 2)).__floor__(), scale)


def fixed(value: Fraction, decimals: int) -> str:
    """A number that is exact at these decimals, printed with all of them."""
    scale = 10**decimals
    whole = value * scale
    if whole.denominator != 1:
        raise ValueError(f"{value} needs more than {decimals} decimals")
    digits = str(abs(whole.numerator)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


def plain(value: Fraction) -> str:
    """The shortest decimal form of a number whose decimals end."""
    for decimals in range(12):
        if (value * 10**decimals).denominator == 1:
            return fixed(value, decimals)
    raise ValueError(f"the decimals of {value} do not end")


def ends_within(value: Fraction, decimals: int) -> bool:
    """Whether the number can be printed exactly with so many decimals."""
    return Fraction(value * 10**decimals).denominator == 1
