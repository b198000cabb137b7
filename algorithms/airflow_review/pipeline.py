"""The door of the airflow review: two files in, one `Review` out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from algorithms.airflow_review.documents.document import Document
from algorithms.airflow_review.engine.compare import compare_plan
from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.engine.recognized import (
    asked_instead,
    held_back,
    recognition_findings,
    unconfirmed,
)
from algorithms.airflow_review.engine.report_review import review_report
from algorithms.airflow_review.engine.two_readings import doubt_digits
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import (
    Alignment,
    AlignmentStatus,
    Comparison,
    Finding,
    FindingKind,
    InputFile,
    Review,
    Settled,
    Severity,
    Summary,
)
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from algorithms.airflow_review.settling import Read, apply_settled, asks_for_ties

_RANK: Final = {Severity.BLOCKING: 0, Severity.ERROR: 1, Severity.WARNING: 2, Severity.MANUAL: 3, Severity.NOTE: 4}
_MEASURED_REQUIRED: Final = "measured_required"
_GATES: Final = frozenset({FindingKind.UNPARSABLE_EFFECTIVE_WINDOW, FindingKind.WINDOW_MISMATCH})


def review(
    plan_path: str | Path,
    report_path: str | Path | None = None,
    *,
    rules: RuleSet | None = None,
    settled: Sequence[Settled] = (),
    on_step: Callable[[str], None] | None = None,
    ocr: bool = False,
) -> Review:
    """Review a plan, and a measurement report with it, from their files.

    `settled` are a person's corrections, applied to what was read. `on_step` hears what is being done, for a progress
    bar. With `ocr` the text of scanned pages is recognised. Raises `InputError` for a file that cannot be read,
    `RuleError` for a rule library that cannot be used and `SettlingError` for a correction that cannot be applied.
    """
    # Late: reading brings the parsers, and a review from extracts needs none of them.
    from algorithms.airflow_review.documents.reader import read_documents
    from algorithms.airflow_review.reading.plan import read_plan
    from algorithms.airflow_review.reading.report import read_report

    tell = on_step or _say_nothing
    tell("解析文件")
    paths = (plan_path,) if report_path is None else (plan_path, report_path)
    if ocr:
        from algorithms.airflow_review.documents.scan.reader import read_all_recognizing

        documents = read_all_recognizing(paths)
    else:
        documents = read_documents(paths)
    tell("提取配风计划")
    plan = read_plan(documents[0])
    report = None
    if report_path is not None:
        tell("提取测风报表")
        report = read_report(documents[1])
    tell("复核与比较")
    inputs = tuple(_input(role, document) for role, document in zip(("plan", "report"), documents, strict=False))
    return review_extracts(plan, report, rules or load_rules(), inputs, settled)


def review_extracts(
    plan: PlanExtract,
    report: ReportExtract | None,
    rules: RuleSet,
    inputs: Sequence[InputFile],
    settled: Sequence[Settled] = (),
) -> Review:
    """Review what was read, by whatever reader: the same extracts, corrections and rules give the same review, byte for byte.

    Raises `SettlingError` for a correction in `settled` that cannot be applied.
    """
    if settled:
        read = apply_settled(settled, as_read(plan, report, rules, ties=asks_for_ties(settled)))
        plan, report = read.plan, read.report
    in_force = rules.on(plan.period.start)
    judged = review_plan(plan, rules)
    if report is None:
        findings, comparisons = judged.findings, compare_plan(judged.plan, plan, in_force)
        reviewed, alignment = None, None
    else:
        result = review_report(judged.plan, plan, report, in_force, judged.findings)
        findings = (*judged.findings, *result.findings)
        comparisons, reviewed, alignment = result.comparisons, result.report, result.alignment
    findings, comparisons = doubt_digits(
        (judged.plan, plan),
        None if report is None or reviewed is None else (reviewed, report),
        findings,
        comparisons,
        in_force,
    )
    findings = (*recognition_findings(plan, report, rules), *asked_instead(findings, plan, report))
    comparisons = held_back(comparisons, plan, report)
    numbered = number_findings(findings)
    return Review(
        inputs=tuple(inputs),
        rules=rules.source,
        plan=judged.plan,
        report=reviewed,
        alignment=alignment,
        comparisons=tuple(comparisons),
        findings=numbered,
        summary=_summary(numbered, comparisons, alignment, is_open=any(map(unconfirmed, (plan, report)))),
        settled=tuple(settled),
    )


def as_read(plan: PlanExtract, report: ReportExtract | None, rules: RuleSet, *, ties: bool = True) -> Read:
    """What can be settled: the extracts and, where `ties` are asked for, which place each station is tied to by name."""
    judged = review_extracts(plan, report, rules, ()) if ties and report is not None else None
    readings = judged.report.readings if judged is not None and judged.report is not None else ()
    places = {place.id: at for at, place in enumerate(judged.plan.places)} if judged is not None else {}
    tied = {at: places[reading.place_id] for at, reading in enumerate(readings) if reading.place_id is not None}
    return Read(plan=plan, report=report, tied=tied)


def number_findings(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings by severity, then in the order found, with ids F001 …; a cause `<kind>:<subject>` becomes an id."""
    ordered = sorted(dict.fromkeys(findings), key=lambda finding: _RANK[finding.severity])
    numbered = [replace(finding, id=f"F{index:03d}") for index, finding in enumerate(ordered, start=1)]
    ids: dict[str, str] = {}
    for finding in numbered:
        ids.setdefault(f"{finding.kind.value}:{finding.subject}", finding.id)
    return tuple(replace(f, cause=ids.get(f.cause)) if f.cause is not None else f for f in numbered)


def _summary(
    findings: Sequence[Finding], comparisons: Sequence[Comparison], alignment: Alignment | None, *, is_open: bool
) -> Summary:
    measured = [row for row in comparisons if row.basis == _MEASURED_REQUIRED]
    margins: dict[str, Decimal] = {}
    for row in measured:
        if (
            row.margin_m3_min is not None and row.type is not PlaceType.MAIN_FAN
        ):  # a system judged twice counts with its smaller margin
            margins[row.subject] = min(row.margin_m3_min, margins.get(row.subject, row.margin_m3_min))
    severities = Counter(finding.severity.value for finding in findings)
    verdicts = Counter(row.verdict.value for row in measured)
    return Summary(
        verdict="manual" if is_open else _verdict(findings, alignment),
        by_severity={name: severities[name] for name in (severity.value for severity in _RANK) if severities[name]},
        by_verdict=dict(sorted(verdicts.items())),
        deficit_m3_min={subject: -margin for subject, margin in margins.items() if margin < 0},
        surplus_m3_min={subject: margin for subject, margin in margins.items() if margin > 0},
    )


def _verdict(findings: Sequence[Finding], alignment: Alignment | None) -> str:
    gate_failed = alignment is not None and alignment.status is not AlignmentStatus.ALIGNED
    if gate_failed or any(finding.kind in _GATES for finding in findings):
        return "manual"
    severities = {finding.severity for finding in findings}
    if Severity.BLOCKING in severities:
        return "blocked"
    return "conclusive_with_errors" if Severity.ERROR in severities else "conclusive"


def _input(role: str, document: Document) -> InputFile:
    return InputFile(role=role, file=document.file, sha256=document.sha256, pages=document.pages)


def _say_nothing(_: str) -> None:
    return None
