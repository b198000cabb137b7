"""风速验算 lines: low bound ≤ flow ≤ high bound."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from algorithms.airflow_review.extract import SpeedCheckExtract
from algorithms.airflow_review.reading.equations import Group, Relation
from algorithms.airflow_review.reading.paragraphs import Paragraph

_BOTH: Final = 3
_FLOW_UNITS: Final = frozenset({"", "m3/min"})


def speed_check_of(relation: Relation, file: str, paragraph: Paragraph) -> SpeedCheckExtract | None:
    """The check an inequality of flows prints, or None; velocities (0.25≤1.8≤4 m/s) are no check of flows."""
    groups = relation.groups
    if len(groups) not in {2, _BOTH} or not any(group.expression for group in groups):
        return None
    if any(piece.is_numeric and piece.unit not in _FLOW_UNITS for group in groups for piece in group.pieces):
        return None
    if relation.signs[0] == "≥":
        groups = groups[::-1]
    low, flow, high = _sides(groups)
    evidence = paragraph.evidence(file, relation.text)
    if flow is not None and _value(flow) is None and low is None and high is None:
        return None
    return SpeedCheckExtract(
        flow_m3_min=_value(flow) if flow is not None else None,
        low_expression=low.expression if low is not None else "",
        low_m3_min=_value(low) if low is not None else None,
        high_expression=high.expression if high is not None else "",
        high_m3_min=_value(high) if high is not None else None,
        evidence=evidence,
    )


def _sides(groups: tuple[Group, ...]) -> tuple[Group | None, Group | None, Group | None]:
    """Low, flow and high of groups in rising order; of two groups the one with an expression is the bound."""
    if len(groups) == _BOTH:
        return groups[0], groups[1], groups[2]
    first, second = groups
    if second.expression and not first.expression:
        return None, first, second
    return first, second, None


def _value(group: Group) -> Decimal | None:
    return next((piece.value for piece in reversed(group.pieces) if piece.value is not None), None)
