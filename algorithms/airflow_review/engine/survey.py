"""One measurement report beside the plan it is compared with: the shared ground of the report's checks."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from algorithms.airflow_review.engine.issue import Subject
from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.evidence import Evidence, PlaceType, Printed
from algorithms.airflow_review.extract import PlaceExtract, PlanExtract, ReadingExtract, ReportExtract
from algorithms.airflow_review.model import Finding, FindingKind, Place, Plan, Severity
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubtful:
    """Why a reading's flow cannot be trusted."""

    other: Decimal | None  # the flow 60·v·S gives, m³/min; None where speed or section is missing
    is_unit: bool = False  # the unit is in doubt: the printed number says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Plan, report and rules; readings are R001 … in document order."""

    plan: Plan
    plan_extract: PlanExtract
    report: ReportExtract
    rules: RuleSet
    words: NameWords
    plan_findings: tuple[Finding, ...] = ()

    @property
    def readings(self) -> tuple[ReadingExtract, ...]:
        """The report's readings in document order."""
        return self.report.readings

    def number(self, rule: str) -> Decimal:
        """The value of a constant of the rule library."""
        return self.rules.constant(rule).value

    def place_extract(self, index: int) -> PlaceExtract | None:
        """What the plan document says of a place: both lists stand in document order."""
        places = self.plan_extract.places
        if index < len(places) and places[index].name == self.plan.places[index].name:
            return places[index]
        return next((p for p in places if p.name == self.plan.places[index].name), None)

    def finding_on_place(self, place: Place, *kinds: FindingKind) -> Finding | None:
        """The gravest finding of the plan review on a place, of the given kinds or of any."""
        own = [f for f in self.plan_findings if f.subject == place.id and (not kinds or f.kind in kinds)]
        return max(own, key=lambda f: SEVERITY_RANK[f.severity], default=None)


SEVERITY_RANK = {
    Severity.NOTE: 0,
    Severity.MANUAL: 1,
    Severity.WARNING: 1,
    Severity.ERROR: 2,
    Severity.BLOCKING: 3,
}


def reading_subject(survey: Survey, index: int) -> Subject:
    """The subject of a finding on one reading."""
    return Subject(id=reading_id(index), name=survey.readings[index].station)


def reading_id(index: int) -> str:
    """R001 for the first reading."""
    return f"R{index + 1:03d}"


def place_subject(place: Place) -> Subject:
    """The subject of a finding on a place of the plan."""
    return Subject(id=place.id, name=place.name)


def value_of(printed: Printed | None) -> Decimal | None:
    """The number of a printed value, None where nothing is printed."""
    return None if printed is None else printed.value


def evidence_of(reading: ReadingExtract, *printed: Printed | None) -> tuple[Evidence, ...]:
    """The station's cell and the cells of the given values."""
    cells = [where for value in printed if value is not None for where in value.evidence]
    return (*reading.evidence, *cells)


def plain(value: Decimal) -> str:
    """A decimal as people write it: at most four decimals, no exponent, no trailing zeros."""
    rounded = value if value == value.to_integral_value() else round(value, 4)
    text = format(rounded, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def flow_of(reading: ReadingExtract) -> Decimal | None:
    """The printed flow, or 60·v·S where only speed and section are printed; m³/min."""
    if reading.flow is not None:
        return reading.flow.value
    if reading.speed is not None and reading.area is not None:
        return 60 * reading.speed.value * reading.area.value
    return None


def side_of(survey: Survey, index: int) -> str:
    """The side a station stands on: intake, return, fan_site, face, or "" where its name and location say nothing."""
    reading = survey.readings[index]
    for text in (reading.station, f"{reading.station}({reading.location})"):
        side = survey.words.key(text, reading.kind).side
        if side:
            return side
    return ""


def least_flow(survey: Survey, index: int, doubtful: Mapping[int, Doubtful]) -> Decimal | None:
    """The least flow a reading leaves, m³/min; None where there is none or its unit is in doubt."""
    flow, doubt = flow_of(survey.readings[index]), doubtful.get(index)
    if flow is None or doubt is None:
        return flow
    if doubt.is_unit:
        return None
    return flow if doubt.other is None else min(flow, doubt.other)


def is_place_kind(kind: str) -> bool:
    """Whether a reading stands at a place of use, not in a shaft, a main return or a fan."""
    return kind not in {"intake", "return", "fan"}


TYPES_OF_KIND = {
    "face": (PlaceType.COAL_FACE, PlaceType.STANDBY_FACE),
    "heading": (PlaceType.HEADING,),
    "chamber": (PlaceType.CHAMBER,),
    "other": (PlaceType.OTHER_ROADWAY,),
}
