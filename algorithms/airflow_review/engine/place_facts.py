"""What is known of one place before its calculations are judged: markers, stated values, declared factors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.document_words import document_words
from algorithms.airflow_review.engine.issue import Subject
from algorithms.airflow_review.engine.terms import is_bare_number
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed
from algorithms.airflow_review.extract import CalculationExtract, PlaceExtract, PlanExtract, Statement
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.rules.records import Marker
from algorithms.airflow_review.rules.vocabulary import marker_values, single_value
from algorithms.airflow_review.value_class import dataclass

AREA_BASIS: Final = "section_area_basis"
WORKING_NEED: Final = "working_need_m3_min"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A factor the plan's principles name; one that is meant for this very kind of place outdoes the library's choice."""

    value: Decimal
    is_for_this_place: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceFacts:
    """One place with everything that chooses its rules."""

    subject: Subject
    extract: PlaceExtract
    type: PlaceType
    type_known: bool
    markers: Mapping[str, str]
    area_basis_declared: bool  # by label, 式中 or principles chapter: contract §3, precedence 1 and 2
    known: Mapping[str, Fraction]
    plan: PlanExtract
    rules: RuleSet
    advice_only: frozenset[str] = frozenset()  # coefficients the plan takes from a family of its own

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The distribution row, then the heading of the calculation."""
        return (*self.extract.evidence, *self.extract.chapter_evidence)

    def statements(self, key: str) -> tuple[Statement, ...]:
        """The principles' statements with this key that hold for this place."""
        return tuple(
            statement for statement in self.plan.statements if statement.key == key and self._concerns(statement)
        )

    def declared_factor(self, key: str | None) -> Declared | None:
        """The one factor the plan declares for this place; None where it declares none or several."""
        if key is None:
            return None
        certain = [s for s in self.statements(key) if s.low is not None]
        possible = [s for s in self.plan.statements if s.key == key and s.low is not None and self._may_concern(s)]
        for statements in (certain, possible):
            values = {statement.low for statement in statements}
            if len(values) == 1 and (value := values.pop()) is not None:
                scoped = statements is certain and any(self._is_scoped(statement) for statement in statements)
                return Declared(value=value, is_for_this_place=scoped)
            if values:
                return None
        return None

    def _is_scoped(self, statement: Statement) -> bool:
        """Whether the scope names a fact of this place, so that the statement outdoes the library's choice."""
        return any(
            marker_values(self.rules.markers[name], statement.scope)
            for name in self.markers
            if name in self.rules.markers
        )

    def _concerns(self, statement: Statement) -> bool:
        return self._may_concern(statement) and not self._names_unknown_marker(statement.scope)

    def _may_concern(self, statement: Statement) -> bool:
        if statement.place_type is not None and statement.place_type is not self.type:
            return False
        if any(marker_values(self.rules.markers[name], statement.scope) for name in self._foreign_markers()):
            return False
        words = document_words()
        if words.machine_chamber_sign in statement.scope and any(
            w in self.subject.name for w in words.no_machine_chambers
        ):
            return False
        for name, value in self.markers.items():
            if name in self.rules.markers and not _holds(self.rules.markers[name], value, statement.scope):
                return False
        return True

    def _foreign_markers(self) -> tuple[str, ...]:
        """Markers only places of another type have: a range for 综掘 says nothing of a coal face.

        Of a chamber the same words tell the kind: 爆破材料库 is no heading driven by blasting.
        """
        if self.type is PlaceType.CHAMBER:
            return ()
        return tuple(
            name
            for name, types in _EXCLUSIVE.items()
            if self.type not in types and name in self.rules.markers and name not in self.markers
        )

    def _names_unknown_marker(self, scope: str) -> bool:
        """Whether the scope depends on a fact this place does not state: then the statement is not applied."""
        return any(
            name not in self.markers and name in _DECIDING[self.type] and marker_values(marker, scope)
            for name, marker in self.rules.markers.items()
        )


def _holds(marker: Marker, value: str, scope: str) -> bool:
    """Whether a scope leaves room for a fact; in a list (机电硐室、爆破材料库) each item that names no such fact does."""
    items = [marker_values(marker, item) for item in document_words().list_marks.split(scope) if item]
    return not items or any(not named or value in named for named in items)


_FACES: Final = frozenset({PlaceType.COAL_FACE, PlaceType.STANDBY_FACE})
_EXCLUSIVE: Final[Mapping[str, frozenset[PlaceType]]] = {
    "mining_method": _FACES,
    "drive_method": frozenset({PlaceType.HEADING}),
}

# Which markers can tell places of one type apart; a scope word of another marker is just a word.
_DECIDING: Final[Mapping[PlaceType, frozenset[str]]] = {
    PlaceType.COAL_FACE: frozenset({"mining_method"}),
    PlaceType.STANDBY_FACE: frozenset({"mining_method"}),
    PlaceType.HEADING: frozenset({"drive_method", "roadway_kind", "explosive_grade"}),
    PlaceType.CHAMBER: frozenset({"chamber_kind"}),
    PlaceType.OTHER_ROADWAY: frozenset({"zone"}),
} | {kind: frozenset() for kind in (PlaceType.DISTRICT, PlaceType.RETURN_SYSTEM, PlaceType.MINE, PlaceType.MAIN_FAN)}


def gather_facts(
    identity: str,
    extract: PlaceExtract,
    plan: PlanExtract,
    rules: RuleSet,
    advice_only: frozenset[str] = frozenset(),
) -> PlaceFacts:
    """Collect the facts of one place; an unknown type is treated as a coal face (R-PIT-21)."""
    place_type = extract.type or PlaceType.COAL_FACE
    markers = dict(_place_markers(extract, place_type, rules))
    basis = _area_basis(extract, place_type, plan, rules)
    if basis is not None:
        markers[AREA_BASIS] = basis
    if any(statement.key == "infusion_and_sprays" for statement in plan.statements):
        markers["infusion_and_sprays"] = "stated"
    extract = _with_working_need(extract)
    known = {key: Fraction(printed.value) for key, printed in extract.basis.items()}
    return PlaceFacts(
        subject=Subject(id=identity, name=extract.name),
        extract=extract,
        type=place_type,
        type_known=extract.type is not None,
        markers=markers,
        area_basis_declared=basis is not None,
        known=known,
        plan=plan,
        rules=rules,
        advice_only=advice_only,
    )


def _with_working_need(extract: PlaceExtract) -> PlaceExtract:
    """A standby face whose working need is printed like a result (回采时需风量=1142): an input, not the conclusion."""
    bare = [c for c in extract.calculations if c.method is Method.STANDBY_HALF and is_bare_number(c.expression)]
    stated = extract.basis.get(WORKING_NEED)
    if stated is None and bare:
        stated = Printed(value=bare[0].stated, text=bare[0].expression, evidence=bare[0].evidence)
    if stated is None:
        return extract
    chapter = extract.chapter_required
    is_input = chapter is not None and chapter.value == stated.value and extract.required is not None
    return replace(
        extract, basis={**extract.basis, WORKING_NEED: stated}, chapter_required=None if is_input else chapter
    )


def _place_markers(extract: PlaceExtract, place_type: PlaceType, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Markers from the attribute of that name, else from name, type word and the texts of the calculations."""
    running = " ".join(
        (extract.name, extract.type_text, extract.remark, *(calculation.where for calculation in extract.calculations))
    )
    for name in sorted(_DECIDING[place_type] | {"airway"}):
        marker = rules.markers.get(name)
        if marker is None:
            continue
        attribute = extract.attributes.get(name)
        value = single_value(marker, attribute) if attribute else None
        value = value or single_value(marker, f"{extract.name} {extract.type_text}")
        value = value or single_value(marker, running)
        if value is not None:
            yield name, value


def _area_basis(extract: PlaceExtract, place_type: PlaceType, plan: PlanExtract, rules: RuleSet) -> str | None:
    """The declared area basis: (1) label or 式中 of the area, (2) a sentence of the principles chapter."""
    marker = rules.markers[AREA_BASIS]
    for text in (
        extract.attributes.get(AREA_BASIS),
        *_labels(extract.calculations),
        extract.attributes.get("area_label"),
    ):
        value = single_value(marker, text) if text else None
        if value is not None:
            return value
    for statement in plan.statements:
        if statement.key == "area_basis" and statement.place_type in {None, place_type}:
            value = single_value(marker, statement.text) or single_value(marker, statement.scope)
            if value is not None:
                return value
    return None


def _labels(calculations: tuple[CalculationExtract, ...]) -> Iterator[str]:
    for calculation in calculations:
        found = document_words().area_label.search(calculation.where)
        if found is not None:
            yield found.group(1)
