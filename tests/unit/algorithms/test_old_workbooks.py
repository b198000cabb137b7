"""A report kept by an old spreadsheet program (.xls) is the same report: the reference one, saved again in that format."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms.airflow_review import review
from algorithms.airflow_review.documents.document import InputError, InputProblem
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.extract import ReportExtract
from algorithms.airflow_review.model import Severity
from algorithms.airflow_review.reading.report import read_report

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
OLD = FIXTURES / "workbooks" / "reference_report.xls"
REFERENCE = FIXTURES / "airflow" / "reference"
COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")


def printed(report: ReportExtract) -> list[tuple[object, ...]]:
    """Names and printed values of every reading, with the row each stands in."""
    rows: list[tuple[object, ...]] = []
    for r in report.readings:
        values = (r.area, r.speed, r.flow, r.temperature, r.ch4, r.co2)
        rows.append((r.station, r.kind, r.block, r.evidence[0].row, *(v and v.value for v in values)))
    return rows


def test_the_fixture_is_a_real_compound_file() -> None:
    assert OLD.read_bytes()[:8] == COMPOUND_FILE


def test_r_air_1_an_xls_report_is_read_cell_for_cell_like_the_xlsx() -> None:
    old, new = read_report(parse_document(OLD)), read_report(parse_document(REFERENCE / "report.xlsx"))

    assert len(printed(old)) == 95
    assert printed(old) == printed(new)
    assert (old.window.start, old.window.end, old.window.text) == (new.window.start, new.window.end, new.window.text)
    assert [(f.name, f.flow and f.flow.value) for f in old.fans] == [
        (f.name, f.flow and f.flow.value) for f in new.fans
    ]


def test_r_air_5_an_xls_report_gives_the_published_totals_through_the_review() -> None:
    result = review(REFERENCE / "plan.txt", OLD)

    assert result.report is not None
    assert (str(result.report.total_intake_m3_min), str(result.report.total_return_m3_min)) == ("35181", "35713")
    assert [f for f in result.findings if f.severity is not Severity.NOTE] == []
    assert result.summary.verdict == "conclusive"


@pytest.mark.parametrize("kept", [600, 5000])
def test_an_xls_cut_off_in_transfer_is_refused_readably(tmp_path: Path, kept: int) -> None:
    cut = tmp_path / "report.xls"
    cut.write_bytes(OLD.read_bytes()[:kept])

    with pytest.raises(InputError) as refused:
        parse_document(cut)

    assert refused.value.problem is InputProblem.DAMAGED
    assert "report.xls" in str(refused.value)
