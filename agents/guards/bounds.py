"""Bounds that a reply states: 超过 20000, under 5 %, 不到五分之一."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from agents.guards.operands import Operand
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import same_kind

_FARTHEST: Final = 1.6
_LIMITS: Final = ("limit", "threshold", "cap", "target", "限", "的限", "上限", "下限", "阈")


def bounded(quantity: Quantity, pool: Iterable[Operand], *, more: bool, less: bool) -> Operand | None:
    """The first value that lies beyond the bound and not far from it; None for a bound that is no round number."""
    if quantity.digits > 1 and float(f"{quantity.value:.2g}") != quantity.value:
        return None  # 超过 28461 states a value
    for operand in pool:
        if not same_kind(quantity.unit, operand.unit) or (quantity.unit is None) != (operand.unit is None):
            continue
        both = quantity.unit is not None and operand.unit is not None
        printed, true = (quantity.base, operand.base) if both else (quantity.value, operand.value)
        if not printed or not true:
            continue
        if (more and 1 < true / printed < _FARTHEST) or (less and 1 < printed / true < _FARTHEST):
            return operand
    return None


def is_limit(behind: str) -> bool:
    """Whether the words behind a number call it a limit, which is a value of its own and no bound of another."""
    return behind.lstrip().startswith(_LIMITS)
