"""Judging a whole plan: every place, every sum, every list."""

from __future__ import annotations

from collections import Counter

from algorithms.airflow_review.engine.align import plan_window_findings
from algorithms.airflow_review.engine.fans import check_fans
from algorithms.airflow_review.engine.hierarchy import check_hierarchy, system_names, uncounted
from algorithms.airflow_review.engine.issue import MINE, make_finding
from algorithms.airflow_review.engine.loose import check_loose
from algorithms.airflow_review.engine.own_tables import note_own_tables
from algorithms.airflow_review.engine.place_facts import gather_facts
from algorithms.airflow_review.engine.place_review import PlaceReview, review_place
from algorithms.airflow_review.engine.reserve import check_reserve
from algorithms.airflow_review.engine.roster import check_roster
from algorithms.airflow_review.engine.sum_causes import explain_sums
from algorithms.airflow_review.engine.unproven import ask_unproven
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Finding, FindingKind, Plan, Severity
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult:
    """The plan as judged; findings have no ids yet."""

    plan: Plan
    findings: tuple[Finding, ...]


def review_plan(extract: PlanExtract, rules: RuleSet) -> PlanResult:
    """Re-compute a plan by the rules in force in its period.

    `plan.places[i]` belongs to `extract.places[i]`; nothing is left out or merged. Findings come in the order places,
    sums, lists, fans, text.
    """
    rules = rules.on(extract.period.start)
    systems = {normal_name(name): f"S{index}" for index, name in enumerate(system_names(extract), start=1)}
    places = tuple(_review_places(extract, systems, rules, frozenset()))
    own_ways = _own_ways(places)
    if own_ways:
        places = tuple(_review_places(extract, systems, rules, own_ways))
    hierarchy = check_hierarchy(extract, places, rules)
    reserve = check_reserve(extract, hierarchy.sums, rules)
    left_out = frozenset(identity for one in hierarchy.sums for identity in uncounted(one))
    roster = check_roster(extract, places, rules, left_out)
    sums = (*_without_consequences(hierarchy.findings, reserve), *reserve)
    sums = explain_sums(sums, extract, places, roster)
    findings = (
        *plan_window_findings(extract, rules),
        *(finding for place in places for finding in place.findings),
        *sums,
        *roster,
        *check_fans(extract, hierarchy.sums, rules),
        *check_loose(extract, hierarchy.sums, sums, rules),
        *note_own_tables(extract, rules),
        *_doubts(extract, rules),
        *ask_unproven(extract.unproven, MINE, (), rules),
    )
    plan = Plan(
        mine=extract.mine,
        period=extract.period,
        issued_on=extract.issued_on,
        places=tuple(place.place for place in places),
        systems=hierarchy.systems,
        mine_total=hierarchy.mine_total,
    )
    return PlanResult(plan=plan, findings=findings)


def _review_places(
    extract: PlanExtract, systems: dict[str, str], rules: RuleSet, advice_only: frozenset[str]
) -> list[PlaceReview]:
    places = []
    for index, place in enumerate(extract.places, start=1):
        facts = gather_facts(f"P{index:03d}", place, extract, rules, advice_only)
        places.append(review_place(facts, systems.get(normal_name(place.system)) if place.system else None))
    return places


def _own_ways(places: tuple[PlaceReview, ...]) -> frozenset[str]:
    """Coefficients that several places take from outside the library's families: the mine has a family of its own.

    One place that leaves the family the others keep is a fault; several that leave it follow another table, which the
    plan does not print or which could not be read.
    """
    counts = Counter(symbol for place in places for symbol in place.outside_library)
    return frozenset(symbol for symbol, count in counts.items() if count > 1)


def _without_consequences(sums: tuple[Finding, ...], reserve: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """One cause, one finding: a coefficient that differs is not told a second time by the total it makes."""
    told = {finding.subject for finding in reserve}
    return tuple(f for f in sums if not (f.kind is FindingKind.COEFFICIENT_INCONSISTENT and f.subject in told))


def _doubts(extract: PlanExtract, rules: RuleSet) -> tuple[Finding, ...]:
    """Repairs of the text layer that no calculation has reported: they concern the whole document."""
    repaired = [c for place in extract.places for c in place.calculations if c.repaired]
    repaired += [c for c in extract.loose_calculations if c.repaired]
    quotes = [evidence.quote for calculation in repaired for evidence in calculation.evidence]
    return tuple(
        make_finding(
            rules,
            FindingKind.EXTRACTION_DOUBT,
            MINE,
            rule="calc.extraction",
            stated=doubt.quote or None,
            evidence=(
                Evidence(file=extract.file, page=doubt.page, table=doubt.table, row=doubt.row, quote=doubt.quote),
            ),
            severity=Severity.MANUAL if doubt.needs_check else None,
            message=Text(doubt.message, doubt.message_en or doubt.message),
            clears_when=say("doubt.document.clear"),
        )
        for doubt in extract.doubts
        if doubt.other is None  # told apart, with the place or system it touches
        and (
            doubt.needs_check  # a short figure stands in many quotes
            or not any(doubt.quote and (doubt.quote in quote or quote in doubt.quote) for quote in quotes)
        )
    )
