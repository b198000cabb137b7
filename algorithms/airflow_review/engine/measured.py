"""The measured air of every place: which reading counts, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.stations import Stations
from algorithms.airflow_review.engine.survey import Doubtful, Survey, flow_of, least_flow, side_of
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Place
from algorithms.airflow_review.value_class import dataclass

_SPEEDS = frozenset({Method.SPEED_MIN, Method.SPEED_MAX, Method.MAXIMUM, Method.LOCAL_FAN, Method.AREA})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The air measured at one place; m³/min."""

    flow: Decimal | None  # what is compared with the need
    least: Decimal | None  # the least the readings allow, where a reading contradicts itself
    is_doubtful: bool
    face_flow: Decimal | None  # heading: air at the face or in its return, where a second station gives it
    fan_intake: Decimal | None  # heading: what the local fan takes in, where the report gives it
    reason: Text
    evidence: tuple[Evidence, ...]
    readings: tuple[int, ...]


def measure_place(survey: Survey, stations: Stations, index: int, doubtful: Mapping[int, Doubtful]) -> Measured | None:
    """The measured air of a place, None where no reading is tied to it.

    A face is judged by the smaller of intake and return. One reading of a heading is the supply at the fan site; of
    two, the one at the fan site is the supply and the other the air at the face.
    """
    members = [i for i in stations.readings_of(index) if flow_of(survey.readings[i]) is not None]
    tied = stations.readings_of(index)
    if not tied:
        return None
    if not members:
        return Measured(
            flow=None,
            least=None,
            is_doubtful=False,
            face_flow=None,
            fan_intake=None,
            reason=say("reason.no_flow"),
            evidence=_evidence(survey, tied),
            readings=tied,
        )
    place = survey.plan.places[index]
    supply, face = _split_heading(survey, members) if place.type is PlaceType.HEADING else (members, [])
    judged = min(supply, key=lambda i: _least(survey, i, doubtful))
    face_flows = [_least(survey, i, doubtful) for i in face]
    outlets = [
        r.extra["duct_outlet_m3_min"].value
        for r in map(survey.readings.__getitem__, tied)
        if "duct_outlet_m3_min" in r.extra
    ]
    intakes = [
        r.extra["fan_intake_m3_min"].value
        for r in map(survey.readings.__getitem__, tied)
        if "fan_intake_m3_min" in r.extra
    ]
    return Measured(
        flow=flow_of(survey.readings[judged]),
        least=None if any(i in doubtful and doubtful[i].is_unit for i in members) else _least(survey, judged, doubtful),
        is_doubtful=any(i in doubtful for i in (judged, *face)),
        face_flow=min([*face_flows, *outlets], default=None),
        fan_intake=max(intakes, default=None),
        reason=_reason(survey, place, supply, judged),
        evidence=_evidence(survey, [judged, *(i for i in members if i != judged)]),
        readings=tuple(members),
    )


def _split_heading(survey: Survey, members: Sequence[int]) -> tuple[list[int], list[int]]:
    sides = {i: side_of(survey, i) for i in members}
    supply = [i for i in members if sides[i] == "fan_site"] or [i for i in members if sides[i] == ""] or list(members)
    return supply, [i for i in members if i not in supply]


def _least(survey: Survey, index: int, doubtful: Mapping[int, Doubtful]) -> Decimal:
    least = least_flow(survey, index, doubtful)
    return least if least is not None else flow_of(survey.readings[index]) or Decimal(0)


def _reason(survey: Survey, place: Place, supply: Sequence[int], judged: int) -> Text:
    reading = survey.readings[judged]
    is_face = place.type in {PlaceType.COAL_FACE, PlaceType.STANDBY_FACE} and len(supply) > 1
    if reading.flow is None:
        return say("reason.smaller_station_derived" if is_face else "reason.station_derived", station=reading.station)
    return say("reason.smaller_station" if is_face else "reason.station", station=reading.station)


def _evidence(survey: Survey, members: Sequence[int]) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    for index in members:
        reading = survey.readings[index]
        found += [*(reading.flow.evidence if reading.flow is not None else ()), *reading.evidence]
    return tuple(dict.fromkeys(found))


def face_need(place: Place) -> Decimal | None:
    """What a heading needs at its face: the largest method but the fan's own air; None where none is printed."""
    needs = [
        calculation.recomputed if calculation.recomputed is not None else calculation.stated
        for calculation in place.calculations
        if calculation.method not in _SPEEDS and calculation.unit == "m3/min"
    ]
    return max(needs, default=None)
