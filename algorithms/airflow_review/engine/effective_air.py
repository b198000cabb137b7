"""The air that reaches the places of use, and the air of places without a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.stations import Stations
from algorithms.airflow_review.engine.survey import Doubtful, Survey, flow_of, is_place_kind, side_of


def effective_air(
    survey: Survey, stations: Stations, doubtful: Mapping[int, Doubtful], intake: Decimal | None
) -> Decimal | None:
    """Air that reaches the places: faces by their return, headings by the fan site, every other reading once.

    A place that uses the return air of another is not counted again. A roadway the plan does not list counts as a
    place, unless that would be more air than comes in: then such roadways carry the air of others. None while a
    place reading has no flow.
    """
    places = [i for i, reading in enumerate(survey.readings) if is_place_kind(reading.kind)]
    listed = [i for i in places if i in stations.place_of or survey.readings[i].kind != "other"]
    everything = _air_of(survey, stations, places, doubtful)
    if everything is not None and intake is not None and everything > intake:
        return _air_of(survey, stations, listed, doubtful)
    return everything


def _air_of(
    survey: Survey, stations: Stations, readings: Sequence[int], doubtful: Mapping[int, Doubtful]
) -> Decimal | None:
    groups: dict[str, list[int]] = {}
    for index in readings:
        groups.setdefault(_group_of(survey, stations, index), []).append(index)
    total = Decimal(0)
    for key, members in groups.items():
        if key.startswith("place ") and survey.plan.places[int(key.removeprefix("place "))].series_after:
            continue
        flow = _group_flow(survey, members, doubtful)
        if flow is None:
            return None
        total += flow
    return total if groups else None


def _group_of(survey: Survey, stations: Stations, index: int) -> str:
    """Readings of one place; intake and return of a face the plan does not have are one place by their name."""
    place, reading = stations.place_of.get(index), survey.readings[index]
    if place is not None:
        return f"place {place}"
    key = survey.words.key(reading.station, reading.kind)
    return f"{key.group} {key.core}" if key.group else f"reading {index}"


def _group_flow(survey: Survey, members: Sequence[int], doubtful: Mapping[int, Doubtful]) -> Decimal | None:
    wanted = {"face": ("return", ""), "heading": ("fan_site", "")}.get(survey.readings[members[0]].kind, ("",))
    for side in wanted:
        flows = [_trusted(survey, i, doubtful) for i in members if not side or side_of(survey, i) == side]
        if flows:
            return None if None in flows else max(flow for flow in flows if flow is not None)
    return None


def _trusted(survey: Survey, index: int, doubtful: Mapping[int, Doubtful]) -> Decimal | None:
    return doubtful[index].other if index in doubtful else flow_of(survey.readings[index])


def unmeasured_air(survey: Survey, stations: Stations) -> Decimal:
    """Planned air of the places that get air and have no reading, be it missed or without a station; m³/min."""
    measured = set(stations.place_of.values()) | set(stations.repeats)
    total = Decimal(0)
    for index, place in enumerate(survey.plan.places):
        extract = survey.place_extract(index)
        is_stopped = extract is not None and extract.stopped
        if index not in measured and not is_stopped and not place.series_after:
            total += place.planned_m3_min or Decimal(0)
    return total
