"""Why a subtotal does not add up, where a finding about the list of places explains it: one cause, one finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.engine.place_review import PlaceReview
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.model import Finding, FindingKind, Severity

_BOTH_COLUMNS: Final = 2  # required and planned
_ROSTER_KINDS: Final = frozenset(
    {FindingKind.DUPLICATE_ENTRY, FindingKind.STOPPED_PLACE, FindingKind.SERIES_COUNTED_TWICE}
)


def explain_sums(
    sums: Sequence[Finding], plan: PlanExtract, places: Sequence[PlaceReview], roster: Sequence[Finding]
) -> tuple[Finding, ...]:
    """The findings about sums; one whose difference is the air of a place the list is wrong about becomes a note."""
    return tuple(_explain(finding, sums, plan, places, roster) for finding in sums)


def _explain(
    finding: Finding,
    sums: Sequence[Finding],
    plan: PlanExtract,
    places: Sequence[PlaceReview],
    roster: Sequence[Finding],
) -> Finding:
    difference = _difference(finding)
    if difference is None or finding.cause is not None:
        return finding
    if difference > 0:
        same = [other for one in sums if one.subject == finding.subject and (other := _difference(one)) is not None]
        cause = _missing(difference, same, plan, roster)
    else:
        cause = _surplus(-difference, places, roster)
    if cause is None:
        return finding
    return replace(finding, severity=Severity.NOTE, cause=f"{cause.kind.value}:{cause.subject}")


def _difference(finding: Finding) -> Decimal | None:
    """Printed minus summed, of a subtotal that does not add up."""
    if finding.kind is not FindingKind.SUBTOTAL_MISMATCH:
        return None
    if not isinstance(finding.stated, Decimal) or not isinstance(finding.expected, Decimal):
        return None
    return finding.stated - finding.expected


def _missing(
    difference: Decimal, same: Sequence[Decimal], plan: PlanExtract, roster: Sequence[Finding]
) -> Finding | None:
    """The one place that was left out: its result in the text is the difference, or both columns lack one row."""
    absent = [finding for finding in roster if finding.kind is FindingKind.MISSING_PLACE]
    stated = {calculation.stated for calculation in plan.loose_calculations}
    whole_row = len(same) == _BOTH_COLUMNS and all(value > 0 for value in same)
    return absent[0] if len(absent) == 1 and (difference in stated or whole_row) else None


def _surplus(difference: Decimal, places: Sequence[PlaceReview], roster: Sequence[Finding]) -> Finding | None:
    """A row too many whose figure the sum leaves out."""
    by_id = {place.place.id: place for place in places}
    for finding in roster:
        place = by_id.get(finding.subject)
        if finding.kind in _ROSTER_KINDS and place is not None:
            values = (place.facts.extract.required, place.facts.extract.planned)
            if any(value is not None and value.value == difference for value in values):
                return finding
    return None
