"""The calculation chapter: what it prints for each place and for the mine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field, replace

from algorithms.airflow_review.documents.document import Document, Doubt, Table
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed
from algorithms.airflow_review.extract import CalculationExtract, Mention, PlaceExtract, SpeedCheckExtract
from algorithms.airflow_review.reading.paragraphs import Paragraph
from algorithms.airflow_review.reading.parameters import Parameter, first_values
from algorithms.airflow_review.value_class import dataclass


@dataclass(slots=True, kw_only=True)
class ChapterOfPlace:
    """What the chapter says about one place."""

    calculations: list[CalculationExtract] = field(default_factory=list)
    checks: list[SpeedCheckExtract] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    required: Printed | None = None
    evidence: list[Evidence] = field(default_factory=list)
    type: PlaceType | None = None  # of the section it stands in


@dataclass(slots=True, kw_only=True)
class Chapter:
    """What the calculation chapter says; places by their index in the distribution."""

    document: Document
    distributed: Sequence[PlaceExtract]
    places: dict[int, ChapterOfPlace] = field(default_factory=lambda: defaultdict(ChapterOfPlace))
    loose: list[CalculationExtract] = field(default_factory=list)
    mine_totals: list[Printed] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    general: list[Paragraph | Table] = field(default_factory=list)  # everything outside the places' own sections


def with_chapter(place: PlaceExtract, said: ChapterOfPlace | None) -> PlaceExtract:
    """The place with what the chapter says of it."""
    if said is None:
        return place
    basis, again = first_values(said.parameters)
    area = next((p.label for p in said.parameters if p.key == "area_m2"), "")
    return replace(
        place,
        type=_type_of(place, said),
        calculations=(*place.calculations, *said.calculations),
        speed_checks=tuple(said.checks),
        basis=basis,
        basis_again=again,
        attributes=said.attributes | ({"area_label": area} if area else {}),
        chapter_required=said.required,
        chapter_evidence=tuple(said.evidence),
    )


def _type_of(place: PlaceExtract, said: ChapterOfPlace) -> PlaceType | None:
    """Without a category in the table the section tells what the name does not: 机巷 under 掘进工作面 with a local fan."""
    if place.type is None or place.type_text:
        return place.type or said.type
    is_driven = said.type is PlaceType.HEADING and any(c.method is Method.LOCAL_FAN for c in said.calculations)
    if place.type is PlaceType.OTHER_ROADWAY and is_driven:
        return PlaceType.HEADING
    if place.type is PlaceType.COAL_FACE and said.type is PlaceType.STANDBY_FACE:
        return PlaceType.STANDBY_FACE
    return place.type
