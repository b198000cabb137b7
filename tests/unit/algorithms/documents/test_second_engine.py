"""A second engine reads the digits of a pdf file again: what it contradicts is doubted, what it cannot see is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS
from algorithms.airflow_review.documents.pdf import second_engine
from algorithms.airflow_review.documents.pdf.parser import parse_pdf
from algorithms.airflow_review.documents.reader import read_document
from tests.support.documents.pdf_writer import PdfPage, write_pdf
from tests.support.documents.two_voices import redraw

FIXTURES = Path("tests/fixtures/airflow")
PLAN = FIXTURES / "faults" / "c01_plan.pdf"


def _disagreements(path: Path) -> list[Doubt]:
    return [doubt for doubt in read_document(path).doubts if doubt.other is not None]


def test_a_number_of_a_table_that_the_engines_read_differently_is_doubted_in_its_row(tmp_path: Path) -> None:
    path = redraw(PLAN, tmp_path / "plan.pdf", page=11, drawn="1135", digit="3", told=("3", "8"))

    (doubt,) = _disagreements(path)

    assert (doubt.page, doubt.table, doubt.row, doubt.other) == (11, 15, 3, "1185")
    assert "1135" in doubt.quote
    assert "1185" in doubt.message
    assert "1135" in doubt.message


def test_a_number_of_a_calculation_is_doubted_in_its_line(tmp_path: Path) -> None:
    path = redraw(PLAN, tmp_path / "plan.pdf", page=11, drawn="12.5=188m", digit="8", told=("3", "8"))

    (doubt,) = _disagreements(path)

    assert (doubt.page, doubt.table) == (11, None)
    assert doubt.quote.replace(" ", "").endswith("12.5=133m³/min")


@pytest.mark.parametrize(
    "name",
    ["reference/plan.pdf", "reference/report.pdf", "faults/c01_plan.pdf", "faults/f12_report.pdf"],
)
def test_where_both_read_the_same_nothing_is_doubted(name: str) -> None:
    assert read_document(FIXTURES / name).doubts == ()


@pytest.mark.parametrize(
    "page",
    [
        PdfPage(),
        PdfPage(rotate=90),
        PdfPage(tilt=0.5),
        PdfPage(tilt=90.0),
        PdfPage(origin=(100.0, 50.0)),
    ],
    ids=["font not embedded", "rotated", "skewed", "sideways", "box off the origin"],
)
def test_where_the_second_engine_is_blind_it_says_nothing(page: PdfPage, tmp_path: Path) -> None:
    for at in range(12):
        page.text(100, 300 + 14 * at, f"第{at}行 12305综采工作面需风量 {1200 + 7 * at} m³/min，配风量 {1300 + 7 * at}")
    path = write_pdf(tmp_path / "plan.pdf", [page])

    assert [doubt for doubt in read_document(path).doubts if doubt.other is not None] == []


@pytest.mark.parametrize(
    ("fault", "longest_s"),
    [("import os; os.kill(os.getpid(), 9)", 10.0), ("raise RuntimeError", 10.0), ("import time; time.sleep(60)", 10.0)],
    ids=["dies", "fails", "hangs"],
)
def test_an_engine_that_dies_fails_or_hangs_costs_the_check_and_not_the_document(
    fault: str, longest_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = PLAN.read_bytes()
    whole = parse_pdf(data, PLAN.name, DEFAULT_LIMITS)
    monkeypatch.setattr(second_engine, "_load_engine", lambda: exec(fault))  # noqa: S102 - a text of this test
    monkeypatch.setattr(second_engine, "_PATIENCE_S", 1.0)
    start = time.monotonic()

    parsed = parse_pdf(data, PLAN.name, DEFAULT_LIMITS, second_engine=True)

    assert time.monotonic() - start < longest_s
    assert parsed.blocks == whole.blocks
    (doubt,) = parsed.doubts
    assert doubt.other is None
    assert doubt.page == 1
    assert "13 页" in doubt.message
    assert "没有核对" in doubt.message


def test_pages_the_engine_told_before_it_died_stay_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    load = second_engine._load_engine

    class _Dying:
        class PdfDocument:
            def __init__(self, document: object) -> None:
                self._document = document

            @classmethod
            def from_bytes(cls, data: bytes) -> object:
                return cls(load().PdfDocument.from_bytes(data))

            def extract_chars(self, page: int) -> object:
                if page == 4:
                    raise SystemExit
                return self._document.extract_chars(page)  # type: ignore[attr-defined]

    monkeypatch.setattr(second_engine, "_load_engine", _Dying)

    parsed = parse_pdf(PLAN.read_bytes(), PLAN.name, DEFAULT_LIMITS, second_engine=True)

    assert [(doubt.page, "9 页" in doubt.message) for doubt in parsed.doubts] == [(5, True)]
