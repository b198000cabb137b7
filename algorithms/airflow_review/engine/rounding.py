"""Which printed results are accepted (contract §3).

A printed value is accepted iff it is the exact value at its printed decimals, or the ceiling or half-up of the exact
value at its printed decimals or to 1. There is no relative tolerance; nothing else is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Final

EXACT: Final = "exact"
CEIL: Final = "ceil"
HALF_UP: Final = "half_up"
CHAIN: Final = "chain"
_SHOWN_DECIMALS: Final = 6  # of a value that has no finite decimal form


def decimals_of(value: Decimal) -> int:
    """How many decimals are printed; trailing zeros count."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def accepted(exact: Fraction, printed: Decimal) -> str | None:
    """The rounding that leads from `exact` to `printed`: exact, ceil, half_up, or None if nothing accepted does."""
    value = Fraction(printed)
    if value == exact:
        return EXACT
    for decimals in (decimals_of(printed), 0):
        if value == ceil_to(exact, decimals):
            return CEIL
        if value == half_up_to(exact, decimals):
            return HALF_UP
    return None


def truncated(exact: Fraction, printed: Decimal) -> bool:
    """True if `printed` is `exact` with its further decimals cut off: the need was rounded down."""
    return (
        any(Fraction(printed) == floor_to(exact, decimals) for decimals in (decimals_of(printed), 0))
        and Fraction(printed) < exact
    )


def accepted_along(exacts: Sequence[Fraction], printed: Decimal) -> str | None:
    """Like `accepted` for several ways to the same result; the first is direct, the others run over printed steps."""
    for index, exact in enumerate(exacts):
        rounding = accepted(exact, printed)
        if rounding is not None:
            return rounding if index == 0 else CHAIN
    return None


def ceil_to(value: Fraction, decimals: int) -> Fraction:
    """The least multiple of 10^-decimals that is not below `value`."""
    scale = 10**decimals
    return Fraction(ceil(value * scale), scale)


def floor_to(value: Fraction, decimals: int) -> Fraction:
    """The greatest multiple of 10^-decimals that is not above `value`."""
    scale = 10**decimals
    return Fraction(floor(value * scale), scale)


def half_up_to(value: Fraction, decimals: int) -> Fraction:
    """`value` rounded half away from zero for positive numbers."""
    scale = 10**decimals
    return Fraction(floor(value * scale + Fraction(1, 2)), scale)


def to_decimal(value: Fraction) -> Decimal:
    """An exact Decimal where there is one, else six decimals, half up: only for showing."""
    power, rest = 0, value.denominator
    while rest % 10 == 0:
        rest, power = rest // 10, power + 1
    while rest % 2 == 0:
        rest, power = rest // 2, power + 1
    while rest % 5 == 0:
        rest, power = rest // 5, power + 1
    if rest != 1 or power > 2 * _SHOWN_DECIMALS:
        value, power = half_up_to(value, _SHOWN_DECIMALS), _SHOWN_DECIMALS
    return _plain(Decimal(int(value * 10**power)).scaleb(-power))


def _plain(value: Decimal) -> Decimal:
    whole = value.to_integral_value()
    return whole if value == whole else value.normalize()
