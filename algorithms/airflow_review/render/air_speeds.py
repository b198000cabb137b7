"""How fast the air moves in each place, planned and measured, beside the limits of its airway.

Nothing is judged here: what is out of bounds is what the review found so. A speed beyond the limits that the review has not called a fault
is a matter for a person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from algorithms.airflow_review.evidence import Evidence, PlaceType
from algorithms.airflow_review.model import CheckStatus, Finding, FindingKind, Place, Reading, Review

# Their speeds are bounded as shafts and main airways or not at all, never as the place they lead to.
_NOT_OF_A_PLACE: Final = frozenset({"intake", "return", "fan"})


class SpeedStanding(StrEnum):
    """How the speeds of a place stand to its limits, worst first."""

    ABOVE = "above"
    BELOW = "below"
    DIFFERS = "differs"  # the review found the check at fault, though no speed lies outside
    MANUAL = "manual"
    INSIDE = "inside"
    UNLIMITED = "unlimited"  # the review has no limit for it, chambers first of all


_RANK: Final = {
    SpeedStanding.ABOVE: 0,
    SpeedStanding.BELOW: 0,
    SpeedStanding.DIFFERS: 1,
    SpeedStanding.MANUAL: 2,
    SpeedStanding.INSIDE: 3,
    SpeedStanding.UNLIMITED: 4,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AirSpeed:
    """One place, or a station of no place whose speed the review found at fault. Speeds in m/s."""

    subject: str
    name: str
    type: PlaceType | None
    area_m2: Decimal | None
    low_m_s: Decimal | None
    high_m_s: Decimal | None
    planned_m_s: Decimal | None
    is_by_need: bool  # no air is planned, the speed is that of the need
    measured_m_s: tuple[tuple[str, Decimal], ...]  # station and speed
    standing: SpeedStanding
    findings: tuple[str, ...] = ()  # ids
    evidence: tuple[Evidence, ...] = ()

    @property
    def speeds_m_s(self) -> tuple[Decimal, ...]:
        """All known speeds."""
        planned = () if self.planned_m_s is None else (self.planned_m_s,)
        return (*planned, *(speed for _, speed in self.measured_m_s))

    def is_outside(self, speed_m_s: Decimal) -> bool:
        """Whether a speed lies beyond a limit; the limit itself is inside."""
        return _side(speed_m_s, self.low_m_s, self.high_m_s) is not None


def air_speeds(review: Review) -> tuple[AirSpeed, ...]:
    """Worst first: out of bounds, in doubt, then by the least distance to a limit; places without limits last."""
    readings: dict[str | None, list[Reading]] = defaultdict(list)
    for reading in review.report.readings if review.report else ():
        if reading.speed_m_s is not None:
            readings[reading.place_id].append(reading)
    findings: dict[str, list[Finding]] = defaultdict(list)
    for finding in review.findings:
        if finding.kind is FindingKind.SPEED_CHECK_FAILED:
            findings[finding.subject].append(finding)
    lines = [
        _of_place(place, readings[place.id], findings, has_report=review.report is not None)
        for place in review.plan.places
    ]
    told = {finding for line in lines for finding in line.findings}
    lines += _of_stations(review, findings, told)
    return tuple(sorted(lines, key=lambda line: (_RANK[line.standing], _room(line))))


def _of_place(
    place: Place, readings: list[Reading], findings: dict[str, list[Finding]], *, has_report: bool
) -> AirSpeed:
    check = place.speed_check
    own = [reading for reading in readings if reading.kind not in _NOT_OF_A_PLACE]
    found = [*findings[place.id], *(finding for reading in own for finding in findings[reading.id])]
    low, high = (check.min, check.max) if check is not None else (None, None)
    speeds = [speed for speed in (check.v_m_s if check else None, *(r.speed_m_s for r in own)) if speed is not None]
    sides = [side for speed in speeds if (side := _side(speed, low, high)) is not None]
    planned = place.planned_m3_min
    return AirSpeed(
        subject=place.id,
        name=place.name,
        type=place.type,
        area_m2=check.area_m2 if check else None,
        low_m_s=low,
        high_m_s=high,
        planned_m_s=check.v_m_s if check else None,
        is_by_need=check is not None and check.v_m_s is not None and (planned is None or planned <= 0),
        measured_m_s=tuple((reading.station, reading.speed_m_s) for reading in own if reading.speed_m_s is not None),
        standing=_standing(check.status if check else None, sides, is_found=bool(found), is_limited=low is not None or high is not None,
                           is_known=bool(own) if has_report else bool(speeds)),
        findings=tuple(finding.id for finding in found),
        evidence=(*place.evidence[:1], *(evidence for reading in own for evidence in reading.evidence[:1])),
    )  # fmt: skip


def _standing(
    status: CheckStatus | None, sides: list[SpeedStanding], *, is_found: bool, is_limited: bool, is_known: bool
) -> SpeedStanding:
    if is_found or status is CheckStatus.MISMATCH:
        return sides[0] if sides else SpeedStanding.DIFFERS
    if not is_limited:
        return SpeedStanding.UNLIMITED
    if sides or not is_known or status is CheckStatus.MANUAL:
        return SpeedStanding.MANUAL
    return SpeedStanding.INSIDE


def _of_stations(review: Review, findings: dict[str, list[Finding]], told: set[str]) -> Iterator[AirSpeed]:
    """Stations of shafts, main airways and unknown places that broke a limit: the finding says which."""
    for reading in review.report.readings if review.report else ():
        for finding in findings[reading.id]:
            speed, bound = reading.speed_m_s, finding.expected
            if finding.id in told or speed is None or not isinstance(bound, Decimal):
                continue
            is_below = speed < bound
            yield AirSpeed(
                subject=reading.id,
                name=reading.station,
                type=None,
                area_m2=reading.area_m2,
                low_m_s=bound if is_below else None,
                high_m_s=None if is_below else bound,
                planned_m_s=None,
                is_by_need=False,
                measured_m_s=((reading.station, speed),),
                standing=SpeedStanding.BELOW if is_below else SpeedStanding.ABOVE,
                findings=(finding.id,),
                evidence=reading.evidence[:1],
            )


def _side(speed: Decimal, low: Decimal | None, high: Decimal | None) -> SpeedStanding | None:
    if high is not None and speed > high:
        return SpeedStanding.ABOVE
    return SpeedStanding.BELOW if low is not None and speed < low else None


def _room(line: AirSpeed) -> Decimal:
    """The least factor between a speed and a limit: below one it is broken, and the smaller the worse."""
    return min((factor for speed in line.speeds_m_s for factor in _factors(speed, line)), default=Decimal("Infinity"))


def _factors(speed: Decimal, line: AirSpeed) -> Iterator[Decimal]:
    if line.low_m_s:
        yield speed / line.low_m_s
    if line.high_m_s is not None and speed > 0:
        yield line.high_m_s / speed
