"""Least and greatest air speed out of the records that hold, and whose number each is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from algorithms.airflow_review.rules.records import Origin, SpeedLimit
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedBounds:
    """Least and greatest speed, m/s, each with the id of its rule; None where the rules give none."""

    low: Decimal | None
    high: Decimal | None
    low_rule: str
    high_rule: str


def is_added(limit: SpeedLimit) -> bool:
    """Whether a mine has the limit beside ours; such a one can only be stricter."""
    return limit.origin is Origin.ADDS


def widest(limits: Sequence[SpeedLimit], rule: str) -> SpeedBounds:
    """What the most lenient of the limits allows, told as `rule` or as the mine's record whose number it is."""
    low = min((one.low_m_s for one in limits if one.low_m_s is not None), default=None)
    high = max((one.high_m_s for one in limits if one.high_m_s is not None), default=None)
    own = [one for one in limits if one.origin is not Origin.LIBRARY]
    return SpeedBounds(
        low=low,
        high=high,
        low_rule=next((one.id for one in own if one.low_m_s == low), rule),
        high_rule=next((one.id for one in own if one.high_m_s == high), rule),
    )


def tightened(bounds: SpeedBounds, added: Iterable[SpeedLimit]) -> SpeedBounds:
    """The bounds with every limit a mine has added, each of which must be kept as well."""
    low, low_rule, high, high_rule = bounds.low, bounds.low_rule, bounds.high, bounds.high_rule
    for one in added:
        if one.low_m_s is not None and (low is None or one.low_m_s > low):
            low, low_rule = one.low_m_s, one.id
        if one.high_m_s is not None and (high is None or one.high_m_s < high):
            high, high_rule = one.high_m_s, one.id
    return SpeedBounds(low=low, high=high, low_rule=low_rule, high_rule=high_rule)
