"""What becomes of a review where two extraction engines read other digits: a person decides, nothing passes.

A wrong digit may stand in any number of the row or line, so nothing that rests on it accuses the engineer of wrong arithmetic, and no
comparison of it passes. A shortage stays: it is looked at anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Final

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Comparison, Finding, FindingKind, Plan, Report, Severity, Verdict
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.rules.library import RuleSet

_PASSES: Final = frozenset({Verdict.OK, Verdict.WATCH, Verdict.EXCESS})


def doubt_digits(
    plan: tuple[Plan, PlanExtract],
    report: tuple[Report, ReportExtract] | None,
    findings: Sequence[Finding],
    comparisons: Sequence[Comparison],
    rules: RuleSet,
) -> tuple[tuple[Finding, ...], tuple[Comparison, ...]]:
    """Findings and comparisons with the doubts about digits in force."""
    documents: list[tuple[PlanExtract | ReportExtract, list[tuple[Subject, object]]]] = [(plan[1], _in_plan(*plan))]
    if report is not None:
        documents.append((report[1], _in_report(*report)))
    doubts = [
        (doubt, extract.file, said)
        for extract, said in documents
        for doubt in extract.doubts
        if doubt.other is not None
    ]
    if not doubts:
        return tuple(findings), tuple(comparisons)
    told: list[Finding] = []
    for doubt, file, said in doubts:
        own = [subject for subject, what in said if any(_is_at(doubt, file, one) for one in _evidence_in(what))]
        told += [_finding(doubt, file, subject, rules) for subject in own or [MINE]]
    subjects = {finding.subject for finding in told} - {MINE.id}

    def is_touched(evidence: Sequence[Evidence]) -> bool:
        return any(_is_at(doubt, file, one) for doubt, file, _ in doubts for one in evidence)

    kept = [f for f in findings if f.kind is not FindingKind.ARITHMETIC_MISMATCH or not is_touched(f.evidence)]
    reason = say("doubt.engines_differ_reason")
    rows = (
        replace(row, verdict=Verdict.NOT_JUDGED, reason=reason.zh, reason_en=reason.en)
        if row.verdict in _PASSES and (row.subject in subjects or is_touched(row.evidence))
        else row
        for row in comparisons
    )
    return (*kept, *told), tuple(rows)


def _in_plan(plan: Plan, extract: PlanExtract) -> list[tuple[Subject, object]]:
    """Everything of the plan that has a subject of its own, with what the document says of it."""
    systems = {system.name: system.id for system in plan.systems}
    places = [
        (Subject(id=place.id, name=place.name), said) for place, said in zip(plan.places, extract.places, strict=True)
    ]
    named = [
        (Subject(id=systems.get(said.name, MINE.id), name=said.name), said)
        for said in (*extract.systems, *extract.summary)
    ]
    return [*places, *named]


def _in_report(report: Report, extract: ReportExtract) -> list[tuple[Subject, object]]:
    return [
        (Subject(id=reading.id, name=reading.station), said)
        for reading, said in zip(report.readings, extract.readings, strict=True)
    ]


def _evidence_in(what: object) -> Iterator[Evidence]:
    """All evidence inside a part of an extract."""
    if isinstance(what, Evidence):
        yield what
    elif isinstance(what, Mapping):
        yield from _evidence_in(tuple(what.values()))
    elif isinstance(what, tuple):
        for one in what:
            yield from _evidence_in(one)
    elif is_dataclass(what):
        for field in fields(what):
            yield from _evidence_in(getattr(what, field.name))


def _is_at(doubt: Doubt, file: str, evidence: Evidence) -> bool:
    """Whether the evidence stands in the row, or in the line, that the doubt is about."""
    if evidence.file != file:
        return False
    if doubt.table is not None or evidence.table is not None:
        return (evidence.table, evidence.row) == (doubt.table, doubt.row)
    if evidence.page != doubt.page or not doubt.quote or not evidence.quote:
        return False
    line, quote = squeeze(doubt.quote), squeeze(evidence.quote)
    return line in quote or quote in line


def _finding(doubt: Doubt, file: str, subject: Subject, rules: RuleSet) -> Finding:
    return make_finding(
        rules,
        FindingKind.EXTRACTION_DOUBT,
        subject,
        severity=Severity.MANUAL,
        rule="calc.extraction",
        stated=doubt.quote or None,
        expected=doubt.other or None,
        message=Text(doubt.message, doubt.message_en or doubt.message),
        clears_when=say("doubt.engines_differ_clears"),
        evidence=(Evidence(file=file, page=doubt.page, table=doubt.table, row=doubt.row, quote=doubt.quote),),
    )
