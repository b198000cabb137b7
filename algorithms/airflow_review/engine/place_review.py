"""One place of the plan: its calculations, its need, its speed, its row."""

from __future__ import annotations

from algorithms.airflow_review.engine.brackets import outside_brackets
from algorithms.airflow_review.engine.families import note_mixed_families
from algorithms.airflow_review.engine.input_values import check_inputs
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.methods import find_missing_methods
from algorithms.airflow_review.engine.need import Need, find_need
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.planned import (
    check_conflicts,
    check_planned,
    check_rounding,
    check_table_speed,
    check_units,
)
from algorithms.airflow_review.engine.recompute import judge_place_calculations
from algorithms.airflow_review.engine.speed import judge_speed
from algorithms.airflow_review.engine.unproven import ask_unproven
from algorithms.airflow_review.model import Finding, FindingKind, Place
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReview:
    """A judged place."""

    facts: PlaceFacts
    place: Place
    need: Need
    judged: tuple[Judged, ...]
    findings: tuple[Finding, ...]

    @property
    def outside_library(self) -> frozenset[str]:
        """Coefficients outside the library's interval where the plan has none of its own."""
        outside = (
            found
            for one in self.judged
            if one.choice is not None and one.choice.is_readable
            for found in outside_brackets(self.facts, one.choice)
        )
        return frozenset(symbol for symbol, _, allowed in outside if not allowed.from_plan)


def review_place(facts: PlaceFacts, system_id: str | None) -> PlaceReview:
    """Judge one place; findings stand in the order an engineer would look for them."""
    judged = judge_place_calculations(facts)
    missing = find_missing_methods(facts, judged)
    need = find_need(facts, judged, (one.value for one in missing if one.value is not None))
    units = check_units(facts, need)
    slipped = any(one.kind is FindingKind.UNIT_SUSPECT for one in units)
    calculations = tuple(finding for one in judged for finding in one.findings)
    found = (*calculations, *check_rounding(facts, need, judged), *(one.finding for one in missing), *units)
    if not slipped:
        found = (*found, *need.findings)
    speed_check, speed = judge_speed(facts, need.required)
    if not slipped:
        found = (*found, *speed)
    found = (*found, *check_conflicts(facts, need, found))
    found = (*found, *check_planned(facts, need, found))
    found = (*found, *check_table_speed(facts, found))
    found = (*found, *check_inputs(facts, judged, found), *note_mixed_families(facts, judged))
    extract = facts.extract
    found = (*found, *ask_unproven(extract.unproven, facts.subject, extract.evidence, facts.rules))
    stated = extract.required or extract.chapter_required
    place = Place(
        id=facts.subject.id,
        name=extract.name,
        type=facts.type,
        system=system_id,
        series_after=extract.series_after,
        basis={key: printed.value for key, printed in sorted(extract.basis.items())},
        stated_required_m3_min=stated.value if stated is not None and not extract.stopped else None,
        planned_m3_min=extract.planned.value if extract.planned is not None else None,
        required_m3_min=need.required,
        required_source=need.source,
        calculations=tuple(one.calculation for one in judged),
        speed_check=speed_check,
        evidence=facts.evidence,
    )
    return PlaceReview(facts=facts, place=place, need=need, judged=judged, findings=found)
