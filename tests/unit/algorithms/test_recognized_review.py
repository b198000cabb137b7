"""A review of recognised values: nothing passes on them, alarms stay, contradictions are questions, a person can confirm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Document, Doubt, Table
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.messages.catalogue import Text
from algorithms.airflow_review.model import Finding, FindingKind, Review, Settled, Severity, Verdict
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.extract_json import plan_extract_from_json_text, plan_extract_to_json_text
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.render.figures import evidence_place
from algorithms.airflow_review.render.json_text import review_from_json_text, review_to_json_text
from algorithms.airflow_review.render.words import load_words
from algorithms.airflow_review.rules.library import load_rules
from algorithms.airflow_review.settling import SettlingError

FIXTURES = Path(__file__).parents[2] / "fixtures" / "airflow"
# A sound pair, and a plan whose sums are right: see their truth.json.
CLEAN_PLAN, CLEAN_REPORT = FIXTURES / "faults" / "c01_plan.pdf", FIXTURES / "faults" / "c01_report.xlsx"
LAYOUT = FIXTURES / "layouts" / "l10_two_level.pdf"


def as_scan(document: Document) -> Document:
    """The document as if every page had been recognised."""
    return replace(document, recognized_pages=tuple(range(1, (document.pages or 1) + 1)))


@pytest.fixture(scope="module")
def printed_plan() -> Document:
    return parse_document(CLEAN_PLAN)


@pytest.fixture(scope="module")
def report() -> ReportExtract:
    return read_report(parse_document(CLEAN_REPORT))


def judged(plan: PlanExtract, report: ReportExtract | None = None, *settled: Settled) -> Review:
    return review_extracts(plan, report, load_rules(), (), settled)


def confirmation(old: str) -> Settled:
    when = "2025-04-12T09:30:00+08:00"
    return Settled(path="plan/recognition", old=old, new="confirmed", who="张工", when=when, note="已逐项核对")


def questions(review: Review) -> list[Finding]:
    return [f for f in review.findings if f.kind is FindingKind.EXTRACTION_DOUBT and "OCR" in f.message]


def test_a_sound_plan_that_was_recognised_is_a_manual_check_and_nothing_passes(printed_plan, report):
    printed = judged(read_plan(printed_plan), report)
    scanned = judged(read_plan(as_scan(printed_plan)), report)

    assert printed.summary.verdict == "conclusive"
    assert Verdict.OK in {row.verdict for row in printed.comparisons}
    assert scanned.summary.verdict == "manual"
    assert {row.verdict for row in scanned.comparisons} <= {Verdict.NOT_JUDGED, Verdict.SHORTAGE, Verdict.SERIOUS}
    assert not scanned.summary.surplus_m3_min
    (question,) = questions(scanned)
    assert question.severity is Severity.MANUAL
    assert {evidence.page for evidence in question.evidence} <= set(range(1, 14))


def test_alarms_of_a_recognised_plan_stay(printed_plan, report):
    plan = read_plan(as_scan(printed_plan))
    place = plan.places[0]
    assert place.planned is not None
    starved = replace(place, planned=replace(place.planned, value=place.planned.value / 2))

    review = judged(replace(plan, places=(starved, *plan.places[1:])), report)

    assert review.summary.verdict == "manual"
    assert any(f.kind is FindingKind.PLANNED_BELOW_REQUIRED and f.severity is Severity.ERROR for f in review.findings)
    assert Verdict.SHORTAGE in {row.verdict for row in review.comparisons if row.basis == "plan_required"}


def test_a_recognised_report_holds_back_what_was_measured_and_leaves_the_printed_plan(printed_plan):
    plan = read_plan(printed_plan)
    document = replace(parse_document(CLEAN_REPORT), recognized_pages=(1,))

    review = judged(plan, read_report(document))

    by_basis: dict[str, set[Verdict]] = {}
    for row in review.comparisons:
        by_basis.setdefault(row.basis, set()).add(row.verdict)
    assert review.summary.verdict == "manual"
    assert Verdict.OK in by_basis["plan_required"]
    assert Verdict.OK not in by_basis["measured_required"] | by_basis["measured_planned"]


def test_a_digit_misread_with_full_confidence_is_caught_by_the_sums_as_a_question():
    document = parse_document(LAYOUT)
    sound = judged(read_plan(as_scan(document)))
    misread = judged(read_plan(as_scan(with_cell(document, "1193", "1198"))))

    wrong = {FindingKind.SUBTOTAL_MISMATCH, FindingKind.ARITHMETIC_MISMATCH}
    assert not [f for f in sound.findings if f.kind in wrong]
    (found,) = [f for f in misread.findings if f.kind in wrong]
    assert found.severity is Severity.MANUAL
    assert any(evidence.recognized for evidence in found.evidence)
    # The same figures in a printed plan are a fault of the plan.
    (accused,) = [f for f in judged(read_plan(with_cell(document, "1193", "1198"))).findings if f.kind in wrong]
    assert accused.severity in {Severity.ERROR, Severity.WARNING}


def with_cell(document: Document, old: str, new: str) -> Document:
    """The document with one figure read otherwise."""
    found = [cell for table in document.tables for row in table.rows for cell in row.cells if cell.text == old]
    assert len(found) == 1

    def changed(table: Table) -> Table:
        rows = tuple(
            replace(row, cells=tuple(replace(c, text=new) if c is found[0] else c for c in row.cells))
            for row in table.rows
        )
        return replace(table, rows=rows)

    return replace(document, blocks=tuple(changed(b) if isinstance(b, Table) else b for b in document.blocks))


def test_a_doubtful_figure_is_asked_about_although_a_repaired_calculation_holds_the_same_digits(printed_plan):
    plan = read_plan(printed_plan)
    at, place = next((at, place) for at, place in enumerate(plan.places) if place.calculations)
    repaired = replace(place.calculations[0], repaired=True)
    other = replace(place, calculations=(repaired, *place.calculations[1:]))
    digit = next(char for char in repaired.evidence[0].quote if char.isdigit())
    doubt = Doubt.of(Text("请对照原图核对。", "compare it."), digit, page=1, needs_check=True)

    review = judged(replace(plan, places=(*plan.places[:at], other, *plan.places[at + 1 :]), doubts=(doubt,)))

    asked = [f for f in review.findings if f.message == doubt.message]
    assert [(f.severity, f.stated) for f in asked] == [(Severity.MANUAL, digit)]


def test_every_value_of_a_recognised_page_says_so_and_no_value_of_another(printed_plan):
    extract = read_plan(replace(printed_plan, recognized_pages=(3, 4)))

    marks = {(place.page, place.recognized) for place in all_evidence(extract)}

    assert {page for page, recognized in marks if recognized} <= {3, 4}
    assert {page for page, recognized in marks if not recognized}.isdisjoint({3, 4})
    assert any(recognized for _, recognized in marks)


def all_evidence(extract: PlanExtract) -> list[Evidence]:
    return [
        evidence
        for place in extract.places
        for evidence in (
            *place.evidence,
            *place.chapter_evidence,
            *(e for value in (place.required, place.planned, *place.basis.values()) if value for e in value.evidence),
            *(e for calculation in place.calculations for e in calculation.evidence),
        )
    ]


def test_what_recognition_asks_is_asked_in_english_too(printed_plan):
    plan = read_plan(as_scan(printed_plan))

    review = judged(plan)

    (asked,) = questions(review)
    assert "read by recognition (OCR)" in asked.message_en
    assert f"settle plan/recognition (old: {printed_plan.sha256[:12]}, new: confirmed)" in asked.clears_when_en
    held = {row.reason_en for row in review.comparisons if "OCR" in row.reason}
    assert held == {"figures read by recognition (OCR), checked by nobody"}


def test_the_report_names_recognised_evidence_in_both_languages():
    evidence = Evidence(file="plan.pdf", page=3, recognized=True)

    assert "OCR" in evidence_place(evidence, load_words("zh"))
    assert "OCR" in evidence_place(evidence, load_words("en"))
    assert "OCR" not in evidence_place(replace(evidence, recognized=False), load_words("zh"))


def test_a_confirmed_recognition_is_judged_like_print(printed_plan, report):
    plan = read_plan(as_scan(printed_plan))
    printed = judged(read_plan(printed_plan), report)

    confirmed = judged(plan, report, confirmation(printed_plan.sha256[:12]))

    assert confirmed.summary.verdict == printed.summary.verdict
    assert [row.verdict for row in confirmed.comparisons] == [row.verdict for row in printed.comparisons]
    assert [(f.kind, f.severity) for f in confirmed.findings] == [(f.kind, f.severity) for f in printed.findings]
    assert confirmed.settled[0].who == "张工"
    assert all(item.recognized for item in confirmed.plan.places[0].evidence)


@pytest.mark.parametrize("old", ["000000000000", "confirmed", None])
def test_a_confirmation_of_another_scan_is_refused(printed_plan, old):
    with pytest.raises(SettlingError, match="plan/recognition"):
        judged(read_plan(as_scan(printed_plan)), None, replace(confirmation(""), old=old))


def test_a_printed_document_has_no_recognition_to_confirm(printed_plan):
    with pytest.raises(SettlingError, match="不是扫描件"):
        judged(read_plan(printed_plan), None, confirmation(printed_plan.sha256[:12]))


def test_marks_survive_the_extract_file_and_the_review_file(printed_plan):
    plan = read_plan(as_scan(printed_plan))
    review = judged(plan)

    assert plan_extract_from_json_text(plan_extract_to_json_text(plan)) == plan
    assert review_from_json_text(review_to_json_text(review)) == review
