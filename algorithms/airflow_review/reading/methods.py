"""Which method a printed calculation follows: told by the words before it, or by the shape of its numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.engine.formula import FormulaError
from algorithms.airflow_review.engine.terms import Term, terms_of
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.text import squeeze

_GAS_FACTORS: Final = frozenset(map(Fraction, (100, 125, 133, 134, 143, 40, 50)))
_FACES: Final = frozenset({PlaceType.COAL_FACE, PlaceType.STANDBY_FACE})
_DOUBLE: Final = 2
_ANNOUNCES: Final = re.compile(r"按|法|计算|验算|校核|条件|一半|基本风量|[①-⑳]|根据|要求")
_NAME_ALONE: Final = re.compile(
    r"(?:[(\[]?\d{1,2}[)\].、]?|[^\w(])*(?:[\u4e00-\u9fff]|CO2|CH4){2,10}[,:]?(?:[Qq][^=]{0,6})?"
)


@lru_cache(maxsize=4096)
def methods_in(text: str) -> tuple[Method, ...]:
    """Methods a phrase names, in the order of their words."""
    label = squeeze(text).casefold()
    found: dict[Method, int] = {}
    taken: list[tuple[int, int]] = []
    for word, key in word_table("methods", "plan_words").contained(label):
        at = label.find(word)
        if not any(start < at + len(word) and at < end for start, end in taken):
            taken.append((at, at + len(word)))
            method = Method(key)
            found[method] = min(at, found.get(method, at))
    return tuple(sorted(found, key=lambda method: found[method]))


def introduces(text: str) -> bool:
    """True for a phrase that announces a method: 按…计算, …法, ①…, 验算, or nothing but its name (胶轮车尾气)."""
    plain = squeeze(text)
    return _ANNOUNCES.search(plain) is not None or _NAME_ALONE.fullmatch(plain) is not None


def method_of(contexts: tuple[str, ...], expression: str, place_type: PlaceType | None) -> Method:
    """The method of a calculation; `contexts` are the phrases before it, nearest first.

    The nearest phrase that announces a method decides; where it names several, the shape of the expression chooses.
    """
    shape = shape_of(expression, place_type)
    for context in contexts:
        named = tuple(method for method in methods_in(context) if method is not Method.MAXIMUM)
        if not named:
            continue
        if shape in named:
            return shape
        if introduces(context):
            return named[0]
    return shape


def shape_of(expression: str, place_type: PlaceType | None) -> Method:
    """The method the numbers themselves look like; OTHER where they look like none."""
    try:
        terms = terms_of(expression)
    except FormulaError:
        return Method.OTHER
    if len(terms) == _DOUBLE and all(len(term.factors) > 1 for term in terms):
        return Method.LOCAL_FAN
    return _shape_of_product(terms[0], place_type) if len(terms) == 1 else Method.OTHER


def _shape_of_product(term: Term, place_type: PlaceType | None) -> Method:
    numbers = [f.value for f in term.factors if f.value is not None and not f.inverse and not f.terms]
    divisors = [f for f in term.factors if f.inverse]
    if not numbers:
        return Method.OTHER
    if divisors:
        return Method.HEAT if numbers[0] == 3600 else Method.AIR_CHANGES if numbers[0] == 4 else Method.OTHER  # noqa: PLR2004 - kJ/h, changes per hour
    if any(f.terms for f in term.factors) or numbers[0] == Fraction("5.44"):
        return Method.DIESEL
    if Fraction(1, 2) in numbers and len(numbers) == _DOUBLE:
        return Method.STANDBY_HALF
    return _shape_of_numbers(numbers, place_type)


def _shape_of_numbers(numbers: list[Fraction], place_type: PlaceType | None) -> Method:
    first, count = numbers[0], len(numbers)
    if first == 67 and count > 1:  # noqa: PLR2004 - 100 / 1.5
        return Method.CO2
    if first in _GAS_FACTORS and count > _DOUBLE:
        return Method.GAS
    if first == 60 and count > 1:  # noqa: PLR2004 - seconds a minute
        return _speed_or_climate(numbers)
    if count != _DOUBLE:
        return Method.CLIMATE if place_type in _FACES else Method.OTHER
    by_first = {
        4: Method.PEOPLE,
        200: Method.HYDROGEN,
        10: Method.EXPLOSIVE,
        25: Method.EXPLOSIVE,
        15: Method.SPEED_MIN,
        9: Method.SPEED_MIN,
        240: Method.SPEED_MAX,
    }
    return by_first.get(int(first), Method.OTHER) if first.denominator == 1 else Method.OTHER


def _speed_or_climate(numbers: list[Fraction]) -> Method:
    if len(numbers) == 3 and numbers[1] in {Fraction("0.25"), Fraction("0.15"), Fraction("0.5")}:  # noqa: PLR2004 - 60·v·S
        return Method.SPEED_MIN
    if len(numbers) == 3 and numbers[1] in {Fraction(4), Fraction(5), Fraction(6), Fraction(8)}:  # noqa: PLR2004 - 60·v·S
        return Method.SPEED_MAX
    return Method.CLIMATE
