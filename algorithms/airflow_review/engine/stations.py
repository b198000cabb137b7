"""Ties stations of the report to places and systems of the plan; what cannot be tied with confidence stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from algorithms.airflow_review.engine.issue import MINE, cause_of, make_finding
from algorithms.airflow_review.engine.names import GROUP_OF_TYPE, NameKey, NameWords, likeness, mentions
from algorithms.airflow_review.engine.survey import (
    TYPES_OF_KIND,
    Survey,
    flow_of,
    is_place_kind,
    place_subject,
    reading_id,
    reading_subject,
)
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import ReadingExtract
from algorithms.airflow_review.messages.catalogue import listed, say
from algorithms.airflow_review.model import Finding, FindingKind, Place, Severity
from algorithms.airflow_review.reading.report_station import block_kind
from algorithms.airflow_review.value_class import dataclass

_NAMED_CANDIDATES = 3
_MANY = 3  # fewer stations without a like name are single questions
_WORKINGS = frozenset({"face", "heading"})  # a plan lists them all; roadways and chambers may be measured beside it
_SIDE_OF_PLACE = 0.95  # the place's name and a side word


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStation:
    """A station without a place; `candidates` are places it may stand for, likeliest first."""

    reading: int
    candidates: tuple[int, ...]
    is_alike: bool  # a candidate's name is like the station's; else only its kind fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Stations:
    """Readings tied to places, main returns and fans tied to systems; all by index."""

    place_of: Mapping[int, int]  # reading → place
    system_of: Mapping[int, int]  # reading of a main return → system
    fan_system: Mapping[int, int]  # fan → system
    open: tuple[OpenStation, ...]
    repeats: Mapping[int, int]  # second entry of one place → first entry; both have the same air

    def readings_of(self, place: int) -> tuple[int, ...]:
        """The readings of a place in document order."""
        first = self.repeats.get(place, place)
        return tuple(reading for reading, owner in self.place_of.items() if owner == first)


def tie_stations(survey: Survey) -> Stations:
    """Tie every station that can be tied with confidence.

    Elimination is not confidence: one station and one place left over are not tied. A vehicle row or a row without
    station is matched by its very name only.
    """
    words = survey.words
    keys = [words.key(place.name, _kind_word(GROUP_OF_TYPE.get(place.type, ""))) for place in survey.plan.places]
    place_of: dict[int, int] = {}
    repeats: dict[int, int] = {}
    left: list[int] = []
    for at, reading in enumerate(survey.readings):
        if reading.place is not None:  # settled by a person
            place_of[at] = reading.place
            continue
        if not is_place_kind(reading.kind):
            continue
        found = _sure_places(survey, reading, keys, words)
        if len(found) > 1:
            found = _by_system(survey, reading, found, words)
        if len(found) > 1 and _is_one_place(survey, reading, found):
            repeats.update(dict.fromkeys(found[1:], found[0]))
            found = found[:1]
        if len(found) == 1:
            place_of[at] = found[0]
        else:
            left.append(at)
    free = [
        i
        for i in range(len(survey.plan.places))
        if i not in set(place_of.values()) | set(repeats) and expects_station(survey, i)
    ]
    opened = tuple(_open_station(survey, at, free, keys, words) for at in left)
    return Stations(
        place_of=place_of,
        system_of=_tie_returns(survey, words),
        fan_system=_tie_fans(survey, words),
        open=opened,
        repeats=repeats,
    )


def expects_station(survey: Survey, index: int) -> bool:
    """Whether a place of the plan should have a reading: it gets air, has a station, and is not stopped."""
    place, extract = survey.plan.places[index], survey.place_extract(index)
    if extract is not None and (extract.no_station or extract.stopped):
        return False
    given = place.planned_m3_min if place.planned_m3_min is not None else place.stated_required_m3_min
    return given is not None and given > 0


def _kind_word(group: str) -> str:
    return "face" if group == "standby" else group


def _station_key(reading: ReadingExtract, words: NameWords) -> NameKey:
    return words.key(reading.station, reading.kind)


def _sure_places(survey: Survey, reading: ReadingExtract, keys: Sequence[NameKey], words: NameWords) -> list[int]:
    station = _station_key(reading, words)
    accept = survey.number("names.accept")
    own_names = {station.full}.union(*(group for group in words.aliases if station.full in group))
    kinds = TYPES_OF_KIND[reading.kind]
    found: list[tuple[float, int]] = []
    for index, key in enumerate(keys):
        place = survey.plan.places[index]
        same_name = key.full in own_names
        other_kind = place.type not in kinds
        if other_kind and not same_name and key.core != station.full:
            continue
        extract = survey.place_extract(index)
        if extract is not None and extract.no_station and not same_name:
            continue
        untyped = extract is not None and extract.type is None
        driven = _is_driven_roadway(reading, station, place, key)
        if other_kind and not (untyped or driven or _may_differ(reading.kind, place)):
            continue
        score = (
            _SIDE_OF_PLACE
            if driven
            else likeness(station, key, words)
            if same_name or (station.group and key.group)
            else 0.0
        )
        if reading.kind in {"chamber", "other"} and words.without_side(station) == key.full:
            score = max(score, _SIDE_OF_PLACE)
        if Decimal(str(score)) >= accept:
            found.append((score, index))
    best = max((score for score, _ in found), default=0.0)
    sure = [index for score, index in found if score == best]
    # The very name wins over a name of the same meaning: 变电所 and 变电硐室 may both be listed.
    return [index for index in sure if keys[index].exact == station.exact] or sure


def _is_driven_roadway(reading: ReadingExtract, station: NameKey, place: Place, key: NameKey) -> bool:
    """A station of a list without kinds that has the heading's very name, or its coded roadway's: 21103运顺 of 21103运顺掘进工作面.

    Roadways without a code (二采区回风大巷) are in use before they are driven on, and stay open.
    """
    if place.type is not PlaceType.HEADING or reading.kind != "other" or block_kind(reading.block) is not None:
        return False
    return station.exact == key.exact or (station.full == key.core and re.search(r"\d{3}", key.core) is not None)


def _may_differ(kind: str, place: Place) -> bool:
    """Chamber and roadway are kinds that two documents may draw apart differently; a heading is never a roadway."""
    return kind in {"chamber", "other"} and GROUP_OF_TYPE.get(place.type) in {"chamber", "other"}


def _by_system(survey: Survey, reading: ReadingExtract, places: list[int], words: NameWords) -> list[int]:
    """Places of one name told apart by the system's name in brackets, location, block or remark."""
    station = _station_key(reading, words)
    text = " ".join([*station.qualifiers, reading.location, reading.block, reading.remark])
    named = {system.id for system in survey.plan.systems if mentions(text, words.system_core(system.name), words)}
    return [index for index in places if survey.plan.places[index].system in named] or places


def _is_one_place(survey: Survey, reading: ReadingExtract, places: Sequence[int]) -> bool:
    """One station for several entries of the same name and the same figures: one place entered twice."""
    stations = sum(other.station == reading.station and other.kind == reading.kind for other in survey.readings)
    figures = {(survey.plan.places[i].stated_required_m3_min, survey.plan.places[i].planned_m3_min) for i in places}
    return stations == 1 and len(figures) == 1


def _open_station(
    survey: Survey, at: int, free: Sequence[int], keys: Sequence[NameKey], words: NameWords
) -> OpenStation:
    reading = survey.readings[at]
    station = _station_key(reading, words)
    floor = survey.number("names.candidate")
    same = [i for i, key in enumerate(keys) if station.full == key.full]
    same = [i for i in same if keys[i].exact == station.exact] or same
    if len(same) > 1:
        return OpenStation(reading=at, candidates=tuple(same), is_alike=True)
    scored = sorted(
        (
            (likeness(station, keys[i], words), -i)
            for i in free
            if survey.plan.places[i].type in TYPES_OF_KIND[reading.kind]
        ),
        reverse=True,
    )
    alike = tuple(-i for score, i in scored if Decimal(str(score)) >= floor)
    return OpenStation(reading=at, candidates=alike or tuple(-i for _, i in scored), is_alike=bool(alike))


def _tie_returns(survey: Survey, words: NameWords) -> dict[int, int]:
    returns = [at for at, reading in enumerate(survey.readings) if reading.kind == "return"]
    tied = {}
    for at in returns:
        reading = survey.readings[at]
        system = _system_of(survey, reading.station, (reading.location, reading.remark), words)
        if system is not None:
            tied[at] = system
    if not tied and len(survey.plan.systems) == 1 and len(returns) == 1:
        return {returns[0]: 0}  # one system: all return air of the mine is its own
    return tied


def _system_of(survey: Survey, name: str, texts: Sequence[str], words: NameWords) -> int | None:
    """The one system whose core the name has, or else names."""
    core = words.system_core(name)
    cores = [words.system_core(system.name) for system in survey.plan.systems]
    equal = [i for i, other in enumerate(cores) if other and other == core]
    if not equal:
        equal = [i for i, other in enumerate(cores) if mentions(" ".join((name, *texts)), other, words)]
    return equal[0] if len(equal) == 1 else None


def _tie_fans(survey: Survey, words: NameWords) -> dict[int, int]:
    """Fans by the plan's fan table first, then by the system named in row or name."""
    served = {words.key(fan.name).full: fan.system for fan in survey.plan_extract.fans if fan.system}
    tied: dict[int, int] = {}
    for at, fan in enumerate(survey.report.fans):
        name = fan.system or served.get(words.key(fan.name).full) or fan.name
        system = _system_of(survey, name, (), words)
        if system is not None:
            tied[at] = system
        elif len(survey.plan.systems) == 1:
            tied[at] = 0
    return tied


def name_findings(survey: Survey, stations: Stations) -> list[Finding]:
    """`alias_uncertain` for stations that stay open, where a place is missing or the station is a working face.

    Where most faces and headings find no name like theirs, the plan is not the one of this report or was not read whole: that
    is one thing for a person to look at, and the stations are its consequences.
    """
    lost = [s for s in stations.open if not s.is_alike and survey.readings[s.reading].kind in _WORKINGS]
    measured = sum(1 for r in survey.readings if r.kind in _WORKINGS)
    strange = len(lost) >= _MANY and 2 * len(lost) > measured
    whole = [_strange_plan(survey, lost, measured)] if strange else []
    single = [_name_finding(survey, s, is_consequence=strange) for s in stations.open]
    return [*whole, *single]


def _asks(survey: Survey, station: OpenStation) -> bool:
    """A station without air (gas at the upper corner) is no measurement of a place."""
    reading = survey.readings[station.reading]
    return flow_of(reading) is not None and (bool(station.candidates) or reading.kind in _WORKINGS)


def _strange_plan(survey: Survey, lost: Sequence[OpenStation], measured: int) -> Finding:
    return make_finding(
        survey.rules,
        FindingKind.ALIAS_UNCERTAIN,
        MINE,
        rule="names.alias",
        message=say("station.strange_plan", measured=measured, lost=len(lost)),
        clears_when=say("station.strange_plan.clear"),
        evidence=[where for station in lost for where in survey.readings[station.reading].evidence[:1]],
    )


def _name_finding(survey: Survey, station: OpenStation, *, is_consequence: bool) -> Finding:
    reading = survey.readings[station.reading]
    names = [survey.plan.places[i].name for i in station.candidates[:_NAMED_CANDIDATES]]
    loud = _asks(survey, station) and not is_consequence
    if names:
        message = say("station.open_with_candidates", station=reading.station, candidates=listed(names))
    else:
        message = say("station.open", station=reading.station)
    return make_finding(
        survey.rules,
        FindingKind.ALIAS_UNCERTAIN,
        reading_subject(survey, station.reading),
        severity=Severity.MANUAL if loud else Severity.NOTE,
        rule="names.alias",
        stated=reading.station,
        message=message,
        clears_when=say("station.open.clear"),
        evidence=reading.evidence,
        cause=cause_of(FindingKind.ALIAS_UNCERTAIN, MINE) if is_consequence else None,
    )


def coverage_findings(survey: Survey, stations: Stations) -> list[Finding]:
    """`not_measured` for places that should have a reading; a note where an open station may be theirs."""
    findings = []
    measured = set(stations.place_of.values())
    for index, place in enumerate(survey.plan.places):
        if index in stations.repeats or not expects_station(survey, index):
            continue
        if index in measured and any(_has_flow(survey.readings[r]) for r in stations.readings_of(index)):
            continue
        cause = _open_cause(survey, stations, index)
        known = survey.finding_on_place(place, FindingKind.STOPPED_PLACE, FindingKind.DUPLICATE_ENTRY)
        if cause is None and known is not None:
            cause = f"{known.kind}:{place.id}"
        extract = survey.place_extract(index)
        findings.append(
            make_finding(
                survey.rules,
                FindingKind.NOT_MEASURED,
                place_subject(place),
                severity=Severity.WARNING if cause is None else Severity.NOTE,
                rule="compare.measured",
                stated=place.planned_m3_min,
                unit="m3/min",
                message=say("station.none", place=place.name),
                clears_when=say("station.none.clear"),
                evidence=extract.evidence[:1] if extract is not None else place.evidence[:1],
                cause=cause,
            )
        )
    return findings


def _has_flow(reading: ReadingExtract) -> bool:
    return reading.flow is not None or (reading.speed is not None and reading.area is not None)


def _open_cause(survey: Survey, stations: Stations, index: int) -> str | None:
    """The open station that may be this place: by its name, or because no more places than stations are left."""
    types = survey.plan.places[index].type
    own = [
        s for s in stations.open if types in TYPES_OF_KIND[survey.readings[s.reading].kind] and index in s.candidates
    ]
    if not own:
        return None
    alike = next((s for s in own if s.is_alike), None)
    if alike is None and len(own[0].candidates) > len(own):
        return None
    return f"{FindingKind.ALIAS_UNCERTAIN}:{reading_id((alike or own[0]).reading)}"
