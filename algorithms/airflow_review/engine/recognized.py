"""What may be said of values that a program has read from a picture and nobody has compared with it.

A misread digit looks like any other digit. So nothing that rests on one passes: a favourable verdict is held back until
a person has confirmed the recognition. An alarm stays, it errs on the safe side. Where figures contradict each other the
plan may be wrong or the reading: that is a question for a person, not an accusation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.engine.compare import PLAN_REQUIRED
from algorithms.airflow_review.engine.issue import MINE, make_finding
from algorithms.airflow_review.evidence import Evidence, Recognition
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.messages.catalogue import Text, listed, say
from algorithms.airflow_review.model import Comparison, Finding, FindingKind, Severity, Verdict
from algorithms.airflow_review.rules.library import RuleSet

_ALARMS: Final = frozenset({Verdict.SHORTAGE, Verdict.SERIOUS, Verdict.NOT_JUDGED})
_CONTRADICTIONS: Final = frozenset(
    {
        FindingKind.ARITHMETIC_MISMATCH,
        FindingKind.ROUNDED_DOWN,
        FindingKind.SUBTOTAL_MISMATCH,
        FindingKind.TOTAL_MISMATCH,
        FindingKind.READING_INCONSISTENT,
        FindingKind.CONFLICTING_VALUES,
        FindingKind.UNIT_SUSPECT,
        FindingKind.COEFFICIENT_OUT_OF_BRACKET,
        FindingKind.COEFFICIENT_INCONSISTENT,
        FindingKind.WRONG_CONSTANT,
        FindingKind.NOT_THE_MAXIMUM,
        FindingKind.VARIANT_MISMATCH,
    }
)
_ACCUSING: Final = frozenset({Severity.BLOCKING, Severity.ERROR, Severity.WARNING})


def unconfirmed(extract: PlanExtract | ReportExtract | None) -> Recognition | None:
    """The recognition a document's values rest on, if nobody has confirmed it."""
    recognition = None if extract is None else extract.recognition
    return None if recognition is None or recognition.confirmed else recognition


def recognition_findings(plan: PlanExtract, report: ReportExtract | None, rules: RuleSet) -> tuple[Finding, ...]:
    """One manual check a scanned document: compare it with its picture, then confirm."""
    documents = (("plan", say("recognition.of_plan"), plan), ("report", say("recognition.of_report"), report))
    return tuple(
        _question(role, name, extract, recognition, rules)
        for role, name, extract in documents
        if extract is not None and (recognition := unconfirmed(extract)) is not None
    )


def asked_instead(findings: Iterable[Finding], plan: PlanExtract, report: ReportExtract | None) -> tuple[Finding, ...]:
    """The findings, contradictions between recognised figures as questions."""
    files = {extract.file for extract in (plan, report) if extract is not None and unconfirmed(extract)}
    return tuple(
        replace(finding, severity=Severity.MANUAL)
        if finding.kind in _CONTRADICTIONS and finding.severity in _ACCUSING and _rests_on(finding.evidence, files)
        else finding
        for finding in findings
    )


def held_back(
    comparisons: Sequence[Comparison], plan: PlanExtract, report: ReportExtract | None
) -> tuple[Comparison, ...]:
    """The comparisons without a favourable verdict, margin or ratio that rests on unconfirmed recognition."""
    plan_open, report_open = unconfirmed(plan) is not None, unconfirmed(report) is not None
    reason = say("recognition.reason")
    return tuple(
        replace(
            row,
            verdict=Verdict.NOT_JUDGED,
            ratio=None,
            margin_m3_min=None,
            reason=reason.zh,
            reason_en=reason.en,
        )
        if row.verdict not in _ALARMS and (plan_open or (report_open and row.basis != PLAN_REQUIRED))
        else row
        for row in comparisons
    )


def _rests_on(evidence: Iterable[Evidence], files: set[str]) -> bool:
    return any(item.recognized and item.file in files for item in evidence)


def _question(
    role: str, name: Text, extract: PlanExtract | ReportExtract, recognition: Recognition, rules: RuleSet
) -> Finding:
    return make_finding(
        rules,
        FindingKind.EXTRACTION_DOUBT,
        MINE,
        severity=Severity.MANUAL,
        rule="calc.extraction",
        evidence=[Evidence(file=extract.file, page=page, recognized=True) for page in recognition.pages],
        message=say("recognition.message", document=name, pages=listed(map(str, recognition.pages))),
        clears_when=say("recognition.clear", path=f"{role}/recognition", token=recognition.token),
    )
