"""Limits that hold at a station whatever the plan says: air speed, methane, carbon dioxide, temperature."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.engine.document_words import document_words
from algorithms.airflow_review.engine.issue import make_finding, span
from algorithms.airflow_review.engine.speed_bounds import SpeedBounds, is_added, tightened, widest
from algorithms.airflow_review.engine.stations import Stations
from algorithms.airflow_review.engine.survey import Survey, evidence_of, plain, reading_subject
from algorithms.airflow_review.evidence import PlaceType, Printed
from algorithms.airflow_review.extract import ReadingExtract
from algorithms.airflow_review.messages.catalogue import rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.records import SpeedLimit
from algorithms.airflow_review.value_class import dataclass

_TYPE_OF_KIND: Final = {"face": PlaceType.COAL_FACE, "heading": PlaceType.HEADING, "other": PlaceType.OTHER_ROADWAY}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """A value reaches (`inclusive`) or exceeds the limit of a rule."""

    rule: str
    quantity: str  # ch4 | co2 | temperature
    unit: str
    sign: str
    inclusive: bool = False


# kind of reading → measured quantity → limits, the gravest first
_GAS_AND_HEAT: Final[Mapping[str, Mapping[str, tuple[_Limit, ...]]]] = {
    "return": {
        "ch4": (_Limit(rule="gas.ch4.return", quantity="ch4", unit="%", sign="%"),),
        "co2": (_Limit(rule="gas.co2.return", quantity="co2", unit="%", sign="%"),),
    },
    "intake": {"co2": (_Limit(rule="gas.co2.intake", quantity="co2", unit="%", sign="%"),)},
}
_PLACE_GAS: Final = {
    "ch4": (_Limit(rule="gas.ch4.place", quantity="ch4", unit="%", sign="%", inclusive=True),),
    "co2": (_Limit(rule="gas.co2.place", quantity="co2", unit="%", sign="%", inclusive=True),),
}
_FACE_HEAT: Final = (
    _Limit(rule="heat.face_stop", quantity="temperature", unit="C", sign="℃"),
    _Limit(rule="heat.face", quantity="temperature", unit="C", sign="℃"),
)
_CHAMBER_HEAT: Final = (
    _Limit(rule="heat.chamber_stop", quantity="temperature", unit="C", sign="℃"),
    _Limit(rule="heat.chamber", quantity="temperature", unit="C", sign="℃"),
)


def limit_findings(survey: Survey, stations: Stations, doubted: frozenset[int]) -> list[Finding]:
    """`gas_or_heat_limit` and `speed_check_failed` of every station; speeds of doubtful readings are left out."""
    findings: list[Finding] = []
    for index, reading in enumerate(survey.readings):
        findings += _gas_and_heat(survey, index, reading)
        if index not in doubted:
            findings += _speed(survey, stations, index, reading)
    return findings


def _limits_of(kind: str) -> Mapping[str, tuple[_Limit, ...]]:
    if kind in _GAS_AND_HEAT:
        return _GAS_AND_HEAT[kind]
    if kind in {"face", "heading"}:
        return {**_PLACE_GAS, "temperature": _FACE_HEAT}
    if kind == "chamber":
        return {**_PLACE_GAS, "temperature": _CHAMBER_HEAT}
    return _PLACE_GAS if kind == "other" else {}


def _gas_and_heat(survey: Survey, index: int, reading: ReadingExtract) -> list[Finding]:
    findings = []
    for quantity, limits in _limits_of(reading.kind).items():
        printed: Printed | None = getattr(reading, quantity)
        if printed is None:
            continue
        for limit in limits:
            bound = survey.number(limit.rule)
            if printed.value > bound or (limit.inclusive and printed.value == bound):
                findings.append(_limit_finding(survey, index, printed, limit, bound))
                break
    return findings


def _limit_finding(survey: Survey, index: int, printed: Printed, limit: _Limit, bound: Decimal) -> Finding:
    reading = survey.readings[index]
    constant = survey.rules.constant(limit.rule)
    return make_finding(
        survey.rules,
        FindingKind.GAS_OR_HEAT_LIMIT,
        reading_subject(survey, index),
        severity=Severity.ERROR,
        rule=constant.id,
        stated=printed.value,
        expected=bound,
        unit=limit.unit,
        message=say(
            "limit.reached" if printed.value == bound else "limit.exceeded",
            station=reading.station,
            quantity=say(f"quantity.{limit.quantity}"),
            value=printed.text,
            unit=limit.sign,
            bound=plain(bound),
            source=rule_words(constant.source),
        ),
        clears_when=say("limit.clear"),
        evidence=evidence_of(reading, printed),
    )


def _speed(survey: Survey, stations: Stations, index: int, reading: ReadingExtract) -> list[Finding]:
    speed = reading.speed
    if speed is None or reading.kind in {"fan", "chamber"}:
        return []
    limits = _speed_bounds(survey, stations, index, reading)
    low, high = limits.low, limits.high
    is_below = low is not None and speed.value < low
    if not is_below and (high is None or speed.value <= high):
        return []
    place = stations.place_of.get(index)
    known = (
        None if place is None else survey.finding_on_place(survey.plan.places[place], FindingKind.SPEED_CHECK_FAILED)
    )
    bounds = span(*(plain(b) if b is not None else "" for b in (low, high)))
    return [
        make_finding(
            survey.rules,
            FindingKind.SPEED_CHECK_FAILED,
            reading_subject(survey, index),
            severity=Severity.WARNING if known is None else Severity.NOTE,
            rule=limits.low_rule if is_below else limits.high_rule,
            stated=speed.value,
            expected=low if is_below else high,
            unit="m/s",
            message=say("limit.speed", station=reading.station, speed=speed.text, allowed=bounds),
            clears_when=say("limit.speed.clear"),
            evidence=evidence_of(reading, speed),
            cause=None if known is None else f"{known.kind}:{known.subject}",
        )
    ]


def _speed_bounds(survey: Survey, stations: Stations, index: int, reading: ReadingExtract) -> SpeedBounds:
    if reading.kind in {"intake", "return"}:
        main = any(reading.station.endswith(word) for word in document_words().main_airway_ends)
        constant = survey.rules.constant("speed.main_airway" if main else "speed.shaft")
        return SpeedBounds(low=None, high=constant.value, low_rule=constant.id, high_rule=constant.id)
    place = stations.place_of.get(index)
    kind = survey.plan.places[place].type if place is not None else _TYPE_OF_KIND[reading.kind]
    added = [limit for limit in survey.rules.speed_limits(kind) if is_added(limit) and _may_hold(survey, place, limit)]
    limits = [limit for limit in survey.rules.speed_limits(kind) if not is_added(limit)]
    known = [limit for limit in limits if _known_to_hold(survey, place, limit)]
    # Where the plan does not say what roadway it is, only a speed outside every limit is certainly wrong.
    fitting = known or [limit for limit in limits if not limit.when] or limits
    return tightened(widest(fitting, fitting[0].id if fitting else ""), added)


def _known_to_hold(survey: Survey, place: int | None, limit: SpeedLimit) -> bool:
    """Whether the plan says that the limit's conditions are met."""
    return bool(limit.when) and all(_has_marker(survey, place, marker, values) for marker, values in limit.when.items())


def _may_hold(survey: Survey, place: int | None, limit: SpeedLimit) -> bool:
    """Whether the plan tells nothing against the limit's conditions: what is not told keeps a stricter limit."""
    return all(_has_marker(survey, place, marker, values) is not False for marker, values in limit.when.items())


def _has_marker(survey: Survey, place: int | None, marker: str, values: tuple[str, ...]) -> bool | None:
    """Whether the plan gives the marker one of the values; None where it says nothing about it."""
    extract = None if place is None else survey.place_extract(place)
    if any(
        s.key == marker and _concerns(s.scope, extract.name if extract else "") for s in survey.plan_extract.statements
    ):
        return True
    text = extract.attributes.get(marker) or extract.name if extract is not None else ""
    vocabulary = survey.rules.markers.get(marker)
    if not text or vocabulary is None:
        return None
    words = [(word, value) for value, listed in vocabulary.values.items() for word in listed if word in text]
    if not words:
        return True if text in values else None
    return max(words, key=lambda pair: len(pair[0]))[1] in values


def _concerns(scope: str, name: str) -> bool:
    """A statement with a scope that names a place concerns that place only."""
    return not scope or not name or scope in name or name in scope or not any(char.isdigit() for char in scope)
