"""Two engines read other digits: a person decides, nothing passes and nobody is accused of the engine's slip."""

from __future__ import annotations

from pathlib import Path

from algorithms.airflow_review.model import FindingKind, Review, Severity, Verdict
from algorithms.airflow_review.pipeline import review
from tests.support.documents.two_voices import redraw

FAULTS = Path("tests/fixtures/airflow/faults")
PLAN, REPORT = FAULTS / "c01_plan.pdf", FAULTS / "c01_report.xlsx"
PLACE = "11205综采工作面"


def _kinds(result: Review, name: str) -> dict[FindingKind, Severity]:
    return {finding.kind: finding.severity for finding in result.findings if finding.subject_name == name}


def test_a_row_with_other_digits_passes_no_comparison_and_is_put_before_a_person(tmp_path: Path) -> None:
    path = redraw(PLAN, tmp_path / "plan.pdf", page=11, drawn="1135", digit="3", told=("3", "8"))

    clean, doubted = review(PLAN, REPORT), review(path, REPORT)

    (place,) = (place for place in doubted.plan.places if place.name == PLACE)
    assert _kinds(doubted, PLACE)[FindingKind.EXTRACTION_DOUBT] is Severity.MANUAL
    assert FindingKind.EXTRACTION_DOUBT not in _kinds(clean, PLACE)
    before = {(row.subject, row.basis): row.verdict for row in clean.comparisons}
    after = {(row.subject, row.basis): row for row in doubted.comparisons}
    own = [key for key in before if key[0] == place.id]
    assert Verdict.OK in {before[key] for key in own}
    assert {after[key].verdict for key in own} == {Verdict.NOT_JUDGED}
    assert all("提取引擎" in after[key].reason for key in own if before[key] is not Verdict.NOT_JUDGED)
    assert [key for key in before if key[0] != place.id and before[key] is not after[key].verdict] == []


def test_a_calculation_with_other_digits_is_no_wrong_arithmetic(tmp_path: Path) -> None:
    path = redraw(PLAN, tmp_path / "plan.pdf", page=11, drawn="12.5=188m", digit="8", told=("3", "8"))

    result = review(path, REPORT)

    assert [f for f in result.findings if f.kind is FindingKind.ARITHMETIC_MISMATCH] == []
    (finding,) = (f for f in result.findings if f.kind is FindingKind.EXTRACTION_DOUBT)
    assert finding.severity is Severity.MANUAL
    assert finding.evidence[0].page == 11
    assert finding.subject.startswith("P")
    rows = [row for row in result.comparisons if row.subject == finding.subject]
    assert rows
    assert not {row.verdict for row in rows} & {Verdict.OK, Verdict.WATCH, Verdict.EXCESS}
