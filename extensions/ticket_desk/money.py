"""Money between Decimal and whole micro units; a float never holds any."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

CURRENCY: Final = "USD"
_MICRO: Final = 1_000_000


def to_micro(amount: Decimal) -> int:
    """The amount in millionths of a unit of currency.

    Raises:
        ValueError: It has more than six decimal places.
    """
    micro = amount * _MICRO
    if micro != micro.to_integral_value():
        raise ValueError(f"{amount} is no whole number of micro units")
    return int(micro)


def from_micro(micro: int) -> Decimal:
    """The amount in units of currency, exactly."""
    return Decimal(micro) / _MICRO
