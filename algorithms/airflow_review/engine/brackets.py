"""Which coefficients of a printed expression surely lie outside the interval that applies.

Where the plan does not say which printed number is which coefficient, the reading order is a guess: a coefficient is
accused only if no other way to give the numbers to the coefficients breaks fewer intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Final

from algorithms.airflow_review.engine.coefficients import Allowed, allowed_values
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.variants import Choice
from algorithms.airflow_review.rules.records import Quantity

Outside = tuple[str, Fraction, Allowed]

_MAX_GUESSED: Final = 6
_LEFT_OUT: Final = Fraction(1)


def outside_brackets(facts: PlaceFacts, choice: Choice) -> tuple[Outside, ...]:
    """Coefficients outside their interval: symbol, value, interval."""
    return tuple(found for found in _as_laid(facts, choice) if _is_in_print(choice, found[0]))


def _as_laid(facts: PlaceFacts, choice: Choice) -> list[Outside]:
    match = choice.used
    slots = _slots(facts, choice)
    certain = [s for s in match.values if s not in slots and not _is_told_elsewhere(choice, s)]
    found = _broken(facts, {symbol: match.values[symbol] for symbol in certain})
    guessed = {symbol: match.values.get(symbol, _LEFT_OUT) for symbol in slots}
    laid = _broken(facts, guessed)
    if not laid:
        return found
    if len(slots) > _MAX_GUESSED:
        return found
    others = (dict(zip(slots, order, strict=True)) for order in permutations(guessed.values()))
    best = min((_broken(facts, other) for other in others if _is_possible_lay(facts, other)), key=len, default=laid)
    return [*found, *(laid if len(laid) <= len(best) else best)]


def _is_told_elsewhere(choice: Choice, symbol: str) -> bool:
    """Reported as inconsistent: one cause, one finding."""
    return any(pair.symbol == symbol for pair in choice.used.differing)


def _is_in_print(choice: Choice, symbol: str) -> bool:
    """An optional symbol that is not in print has the value 1 only by default."""
    return symbol in choice.used.bound


def _slots(facts: PlaceFacts, choice: Choice) -> tuple[str, ...]:
    """Symbols whose numbers are guessed, with the ones left out in print that the plan has a table for."""
    match = choice.used
    guessed = [symbol for symbol in match.values if symbol in match.guessed]
    if not guessed:
        return ()
    left_out = [s for s in match.values if s not in match.bound and any(t.coefficient == s for t in facts.plan.tables)]
    return (*guessed, *left_out)


def _broken(facts: PlaceFacts, values: Mapping[str, Fraction]) -> list[Outside]:
    found = []
    for symbol, value in values.items():
        quantity = facts.rules.quantities.get(symbol)
        allowed = allowed_values(facts, symbol) if quantity is not None and quantity.coefficient else None
        if allowed is not None and not allowed.holds(value):
            found.append((symbol, value, allowed))
    return found


def _is_possible_lay(facts: PlaceFacts, values: Mapping[str, Fraction]) -> bool:
    return all(_is_possible(facts.rules.quantities.get(symbol), value) for symbol, value in values.items())


def _is_possible(quantity: Quantity | None, value: Fraction) -> bool:
    if quantity is None:
        return True
    return (quantity.low is None or value >= quantity.low) and (quantity.high is None or value <= quantity.high)
