"""What units make of each other: kW for hours are kWh, pence per kWh times kWh are pounds, kWh by kW are hours."""

from __future__ import annotations

from typing import Final

from agents.guards.evidence.fact import Fact
from agents.guards.operands import Operand
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import Unit, parts_of

_PRODUCTS: Final = (
    ("power", "time", "energy", 1 / 3600),
    ("flow", "time", "volume", 1 / 60),
    ("speed", "time", "length", 1.0),
    ("speed", "area", "flow", 60.0),
)
"""Dimensions whose product is a third, and the factor between their base units."""


def product_of_units(quantity: Quantity, left: Operand, right: Operand) -> float | None:
    """The product in the unit of the number, or None where the units make none."""
    if quantity.unit is None or left.unit is None or right.unit is None:
        return None
    for one, other in ((left, right), (right, left)):
        if one.unit is None or other.unit is None:
            continue
        if parts_of(one.unit) == (quantity.unit.dimension, other.unit.dimension):
            return one.base * other.base / quantity.unit.factor
        for first, second, made, factor in _PRODUCTS:
            if (one.unit.dimension, other.unit.dimension, quantity.unit.dimension) == (first, second, made):
                return one.base * other.base * factor / quantity.unit.factor
    return None


def quotient_of_units(quantity: Quantity, left: Operand, right: Operand) -> float | None:
    """The quotient in the unit of the number, or None where the units make none."""
    if quantity.unit is None or left.unit is None or right.unit is None or not right.value:
        return None
    for first, second, made, factor in _PRODUCTS:
        if left.unit.dimension != made:
            continue
        if {right.unit.dimension, quantity.unit.dimension} == {first, second}:
            return left.base / right.base / factor / quantity.unit.factor
    return None


def unit_of_price(quantity: Quantity, facts: tuple[Fact, ...]) -> Unit | None:
    """The unit of a price that is printed without what it is for: 0.83 元 of 元/kWh."""
    unit = facts[0].unit if len(facts) == 1 else None
    parts = parts_of(unit) if unit is not None else None
    return unit if parts is not None and quantity.unit is not None and quantity.unit.dimension == parts[0] else None
