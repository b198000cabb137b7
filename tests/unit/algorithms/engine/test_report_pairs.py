"""The report's engine on every fixture pair, with plans built from the truth: names, verdicts, no false finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.engine.report_review import ReportResult, review_report
from algorithms.airflow_review.extract import Statement
from algorithms.airflow_review.model import Plan, Severity
from algorithms.airflow_review.reading.report import read_report
from tests.support.surveys import rules
from tests.support.truth_plan import FIXTURES, truth_cases, truth_plan

PAIRS = [
    (group, case)
    for group in ("reference", "faults")
    for case in truth_cases(group).values()
    if case["report"] and case["truth"]["plan"]["period"]
]
IDS = [f"{group}-{case['id']}" for group, case in PAIRS]


def judged(group, case) -> tuple[Plan, ReportResult]:
    plan, extract = truth_plan(case["truth"]["plan"])
    if case["id"] == "c04":  # its plan states infusion and sprays; the truth holds no statements
        extract = replace(extract, statements=(Statement(key="infusion_and_sprays"),))
    return plan, review_report(plan, extract, read_report(parse_document(FIXTURES / group / case["report"])), rules())


@pytest.mark.parametrize(("group", "case"), PAIRS, ids=IDS)
def test_stations_are_tied_to_the_places_of_the_truth(group, case):
    plan, result = judged(group, case)
    names = {place.id: place.name for place in plan.places}
    unsure = {f["subject"] for f in case["truth"]["findings"] if f["kind"] == "alias_uncertain"}

    for row, reading in zip(case["truth"]["report"]["readings"], result.report.readings, strict=True):
        tied = names.get(reading.place_id or "")
        assert tied == (None if row["station"] in unsure else row.get("place")), row["station"]


@pytest.mark.parametrize(("group", "case"), PAIRS, ids=IDS)
def test_measured_against_required_gets_the_verdict_of_the_truth(group, case):
    plan, result = judged(group, case)
    systems = {system.id: system.name for system in plan.systems}
    where = {place.id: systems.get(place.system or "") for place in plan.places}
    open_needs = {p["name"] for p in case["truth"]["plan"]["places"] if p["required"] is None}

    for row in case["truth"].get("comparisons") or []:
        if row["verdict"] is None or row["subject"] in open_needs:
            continue
        verdicts = {
            c.verdict.value
            for c in result.comparisons
            if c.basis == "measured_required"
            and c.subject_name == row["subject"]
            and row.get("system") in {None, where.get(c.subject)}
        }
        assert verdicts == {row["verdict"]}, row["subject"]


@pytest.mark.parametrize(("group", "case"), PAIRS, ids=IDS)
def test_no_finding_above_note_that_the_truth_does_not_hold(group, case):
    _, result = judged(group, case)
    known = {
        (kind, name)
        for f in case["truth"]["findings"]
        for kind in [f["kind"], *(f.get("acceptable_kinds") or [])]
        for name in [f["subject"], *(f.get("subjects_any") or [])]
    }

    loud = [(f.kind.value, f.subject_name) for f in result.findings if f.severity is not Severity.NOTE]
    assert [found for found in loud if found not in known] == []


REPORT_KINDS = {
    "reading_inconsistent",
    "leakage",
    "effective_rate",
    "gas_or_heat_limit",
    "not_measured",
    "alias_uncertain",
    "window_mismatch",
    "measured_shortage",
    "measured_serious",
    "measured_excess",
}


@pytest.mark.parametrize(("group", "case"), PAIRS, ids=IDS)
def test_every_fault_of_the_report_is_found(group, case):
    _, result = judged(group, case)
    found = {(f.kind.value, f.subject_name) for f in result.findings}

    for fault in case["truth"]["findings"]:
        if fault.get("optional") or fault["kind"] not in REPORT_KINDS:
            continue
        names = [fault["subject"], *(fault.get("subjects_any") or [])]
        assert {(fault["kind"], name) for name in names} & found, fault
