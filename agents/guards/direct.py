"""Direct matching: a number against single facts, exact, rounded to the printed precision, or in another unit."""

from __future__ import annotations

from typing import Final, NamedTuple

from agents.guards.evidence.book import EPSILON, EvidenceBook
from agents.guards.evidence.fact import Fact
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT, PER, RATIO, Unit
from agents.guards.verdict import Grounding

_RATE_WORDS: Final = frozenset(
    [
        "rate",
        "ratio",
        "pct",
        "percent",
        "share",
        "efficiency",
        "uptime",
        "coverage",
        "progress",
        "satisfaction",
        "confidence",
    ]
)
_COARSE: Final = 0.05
_SURE_DIGITS: Final = 2
_ORDER: Final = {Grounding.EXACT: 0, Grounding.ROUND: 1, Grounding.UNIT: 2}


class Match(NamedTuple):
    """A fact that bears a number out, and how."""

    fact: Fact
    how: Grounding


def tolerance(quantity: Quantity) -> float:
    """How far off the truth may lie, in printed terms; a hedged single digit is not given its whole place."""
    if quantity.hedged and quantity.digits >= _SURE_DIGITS:
        return quantity.ulp
    if quantity.hedged:
        return min(quantity.ulp, max(quantity.ulp / 2, _COARSE * abs(quantity.value)))
    return quantity.ulp / 2


def rounds(quantity: Quantity) -> bool:
    """Whether the number may stand for one that was rounded; a bare 三万 may not stand for 28416."""
    return quantity.hedged or quantity.digits >= _SURE_DIGITS or quantity.is_ratio


def meets(quantity: Quantity, fact: Fact) -> Grounding | None:
    """How a fact bears a number out, or None."""
    if _may_equal(quantity, fact):
        distance = abs(abs(quantity.value) - abs(fact.value))
        if distance <= EPSILON * max(abs(fact.value), 1.0):
            return Grounding.EXACT
        if rounds(quantity) and distance <= tolerance(quantity) * (1 + EPSILON):
            return Grounding.ROUND
    if (base := _base_of(quantity, fact)) is not None:
        factor = quantity.unit.factor if quantity.unit else 1.0
        distance = abs(abs(quantity.base) - abs(base))
        exact = distance <= EPSILON * max(abs(base), EPSILON)
        if exact or (rounds(quantity) and distance <= tolerance(quantity) * factor * (1 + EPSILON)):
            return Grounding.UNIT
    return None


def _may_equal(quantity: Quantity, fact: Fact) -> bool:
    """Whether number and fact may be compared as they stand."""
    left, right = quantity.unit, fact.unit
    if left is None:
        return (
            right is None
            or right.dimension != RATIO
            or right.factor == 1
            or not quantity.is_claim
            or right.name != "fraction"
        )
    if right is None:
        if left.dimension == RATIO and left.factor != 1:
            return bool(_RATE_WORDS.intersection(fact.words)) or (
                abs(fact.value) <= 100 and fact.value != int(fact.value)  # noqa: PLR2004 - per cent
            )
        return True
    if left.dimension == COUNT and right.dimension == RATIO and right.factor == 1:
        return True
    if _is_above(left, right):
        return True
    return left.dimension == right.dimension and left.factor == right.factor


def _is_above(left: Unit, right: Unit) -> bool:
    """Whether a number is in the unit above the bar of the fact's: 24.86p of pence per kWh."""
    if right.dimension.startswith("price") and left.dimension.startswith("money"):
        return True
    return right.dimension.startswith(PER) and right.name.partition("/")[0] == left.name


def _base_of(quantity: Quantity, fact: Fact) -> float | None:
    """The fact in base units, where a conversion leads from it to the number's unit."""
    left, right = quantity.unit, fact.unit
    if left is None or (right is not None and (right.dimension != left.dimension or right.factor == left.factor)):
        return None
    if right is None:
        bare_share = left.dimension == RATIO and 0 < abs(fact.value) <= 2 and fact.value != int(fact.value)  # noqa: PLR2004
        return fact.value if bare_share and left.factor != 1 else None
    return fact.base


def comparable(quantity: Quantity, fact: Fact) -> bool:
    """Whether the number could speak of the fact at all, so that a difference between them means something."""
    left, right = quantity.unit, fact.unit
    if left is not None and right is not None:
        return left.dimension == right.dimension or _is_above(left, right)
    if left is not None and left.dimension == RATIO:
        return _may_equal(quantity, fact) or _base_of(quantity, fact) is not None
    return (
        left is None or left.dimension == COUNT or fact.value != int(fact.value) or left.dimension.startswith("money")
    )


def direct_matches(quantity: Quantity, book: EvidenceBook) -> list[Match]:
    """Facts that bear a number out, exact ones first, stale ones last."""
    candidates = {id(fact): fact for fact in book.raw.near(quantity.value, tolerance(quantity))}
    if quantity.unit is not None and (index := book.by_dimension.get(quantity.unit.dimension)):
        for fact in index.near(quantity.base, tolerance(quantity) * quantity.unit.factor):
            candidates[id(fact)] = fact
    found = [Match(fact, how) for fact in candidates.values() if (how := meets(quantity, fact)) is not None]
    found.sort(key=lambda match: (match.fact.stale, _ORDER[match.how], -match.fact.result))
    return found
