"""What a printed number leaves open: the interval of values that are printed like it.

The rule of `Q = 60·v·S`: v and S are printed rounded, so each stands for an interval of half a unit of its last
printed digit to both sides; Q may have been rounded or raised, so it may be off by one unit of its own last digit.
Interval arithmetic on those digits is the whole tolerance (Moore 1966, Interval Analysis, ch. 2); there is no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.reading.numbers import parse_quantity
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Values from `low` to `high`, both included; never below zero."""

    low: Decimal
    high: Decimal

    def times(self, other: Interval) -> Interval:
        """The product of two intervals of values that are not negative."""
        return Interval(low=self.low * other.low, high=self.high * other.high)

    def scaled(self, factor: Decimal) -> Interval:
        """The interval times a positive factor."""
        return Interval(low=self.low * factor, high=self.high * factor)

    def meets(self, other: Interval) -> bool:
        """Whether both share a value."""
        return self.low <= other.high and other.low <= self.high


def printed_interval(printed: Printed, *, units: Decimal, usual_decimals: int = 0) -> Interval:
    """All values that may be printed as this one; `units` of the last digit to each side.

    `usual_decimals` is for spreadsheets, which drop trailing zeros: 1.3 in a column of two decimals is 1.30.
    """
    digits = max(decimals_of(printed) or 0, usual_decimals)
    step = Decimal(1).scaleb(-digits) * _scale(printed) * units
    return Interval(low=max(printed.value - step, Decimal(0)), high=printed.value + step)


def usual_decimals(values: Iterable[Printed | None]) -> int:
    """The number of decimals most values of a column show; 0 for an empty column."""
    counts = Counter(digits for value in values if value is not None and (digits := decimals_of(value)) is not None)
    return max(counts, key=lambda digits: (counts[digits], digits)) if counts else 0


def decimals_of(printed: Printed) -> int | None:
    """Decimals of the number as printed, None where the text is no number."""
    quantity = parse_quantity(printed.text)
    if quantity is None:
        return None
    exponent = quantity.value.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else None


def _scale(printed: Printed) -> Decimal:
    """How the printed number was converted: 60 where m³/s became m³/min."""
    quantity = parse_quantity(printed.text)
    if quantity is None or quantity.value == 0:
        return Decimal(1)
    return printed.value / quantity.value
