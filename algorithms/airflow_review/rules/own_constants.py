"""What a mine may put in the place of a constant or of a formula's least result: as strict as the law, or stricter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.formula import FormulaError, evaluate, parse, symbols_of
from algorithms.airflow_review.messages.catalogue import NOTHING, Text, say
from algorithms.airflow_review.rules.fields import nearest
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.rules.records import Constant, Formula, Origin

_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?")
_SIGNS: Final = str.maketrans({"³": "3", "²": "2", "℃": "C", "％": "%", " ": None})
_HUNDRED: Final = 100


def constant_problems(own: Constant, rules: RuleSet) -> Iterator[Text]:
    """What is wrong with a constant of a mine; ours are taken as they are."""
    if own.origin is Origin.LIBRARY:
        return
    ours = rules.library.get(own.id)
    if not isinstance(ours, Constant):
        if own.id not in {one.minimum_constant for one in rules.records if isinstance(one, Formula)}:
            known = [identity for identity, one in rules.library.items() if isinstance(one, Constant)]
            yield say("rule.unused_id", near=nearest(own.id, known))
        return
    if own.unit.translate(_SIGNS) != ours.unit.translate(_SIGNS):
        yield say("rule.other_unit", unit=own.unit, ours=ours.unit, value=ours.value)
    if not _is_within(own.value, ours):
        span = say("rule.span", low=_shown(ours.at_least) or ">0", high=_shown(ours.at_most) or "∞")
        share = own.value / _HUNDRED
        hint = say("rule.as_share", share=f"{share:f}") if _is_within(share, ours) else NOTHING
        yield say("rule.out_of_span", value=own.value, span=span, source=ours.source, ours=ours.value, hint=hint)


def minimum_problems(formula: Formula, rules: RuleSet) -> Iterator[Text]:
    """A least result of ours that a mine's formula drops or lowers, and a constant that is not the number used."""
    ours = rules.library.get(formula.id)
    least = ours.minimum if isinstance(ours, Formula) and formula.origin is Origin.REPLACES else None
    if least is not None and (formula.minimum is None or _is_lower(formula.minimum, least)):
        yield say("rule.minimum_lowered", minimum=least)
    for constant in rules.records:
        if not isinstance(constant, Constant) or constant.id != formula.minimum_constant or formula.minimum is None:
            continue
        numbers = {Decimal(number) for number in _NUMBER.findall(formula.minimum)}
        if constant.value not in numbers:
            yield say("rule.minimum_differs", minimum=formula.minimum, id=constant.id, value=constant.value)


def divisor_problems(expression: str) -> Iterator[Text]:
    """An expression that divides by zero or is zero whatever is put in."""
    try:
        if _sample(expression) == 0:
            yield say("rule.always_zero", expression=expression)
    except FormulaError:
        yield say("rule.divides_by_zero", expression=expression)


def _is_within(value: Decimal, ours: Constant) -> bool:
    low, high = ours.at_least, ours.at_most
    return value > 0 and (low is None or value >= low) and (high is None or value <= high)


def _shown(value: Decimal | None) -> str:
    return "" if value is None else str(value)


def _is_lower(own: str, ours: str) -> bool:
    """Whether the mine's least result is smaller than ours for the same inputs."""
    try:
        if symbols_of(parse(own)) != symbols_of(parse(ours)):
            return False
        return _sample(own) < _sample(ours)
    except FormulaError:
        return False  # told as an expression that cannot be read


def _sample(expression: str) -> Fraction:
    """The expression at positive values that differ from one another, so that no honest difference is zero."""
    tree = parse(expression)
    values = {name: Fraction(7919 + 31 * number * number, 97) for number, name in enumerate(sorted(symbols_of(tree)))}
    return evaluate(tree, values)
