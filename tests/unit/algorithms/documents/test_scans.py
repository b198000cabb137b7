"""Scans made from printed fixtures, read by the real engine in its own process and held against the printed text.

Recognition costs 10 to 20 s of CPU a page, so three pages are read in all, each once for all tests of this file.
"""

from __future__ import annotations

import math
import re
import time
from contextlib import closing
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from algorithms.airflow_review.documents.document import Document, InputError, InputProblem
from algorithms.airflow_review.documents.limits import OCR_LIMITS, Limits
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.documents.reader import read_document
from algorithms.airflow_review.documents.scan import reader
from algorithms.airflow_review.documents.scan.reader import read_recognizing
from algorithms.airflow_review.model import FindingKind, Severity, Verdict
from algorithms.airflow_review.pipeline import review
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from scripts.airflow_review import main
from tests.support.documents.pdf_writer import PdfPage, write_pdf
from tests.support.documents.scans import a_page, needs_ocr, scanned_pictures, write_scan

FIXTURES = Path("tests/fixtures/airflow")
PLAN = FIXTURES / "layouts" / "l10_two_level.pdf"
REPORT = FIXTURES / "faults" / "f12_report.pdf"
REPORTS_PLAN = FIXTURES / "faults" / "f12_plan.docx"

pytestmark = pytest.mark.timeout(900)  # of a machine that does other things besides


@pytest.fixture(scope="module")
def half_scanned(tmp_path_factory) -> Path:
    """The plan's first page as printed, its second page as a skewed, noisy scan."""
    folder = tmp_path_factory.mktemp("half")
    printed = a_page(PLAN, 0, folder / "printed.pdf")
    return write_scan(folder / "plan.pdf", scanned_pictures(PLAN, [1]), before=printed)


@pytest.fixture(scope="module")
def plan_document(half_scanned) -> Document:
    return read_recognizing(half_scanned)


@pytest.fixture(scope="module")
def scanned_report(tmp_path_factory) -> Path:
    return write_scan(tmp_path_factory.mktemp("report") / "report.pdf", scanned_pictures(REPORT, [0]))


def folded(text: str) -> str:
    """Widths of punctuation are nobody's business here."""
    return re.sub(r"\s", "", text).translate(str.maketrans("（）：，～", "():,~"))


def cells_of(document: Document) -> list[list[list[str]]]:
    return [[[folded(text) for text in row.texts] for row in table.rows] for table in document.tables]


@needs_ocr
def test_the_cells_of_a_skewed_noisy_scan_are_those_of_the_printed_page(plan_document):
    printed = cells_of(parse_document(PLAN))
    scanned = cells_of(plan_document)

    assert [(len(rows), len(rows[0])) for rows in scanned] == [(len(rows), len(rows[0])) for rows in printed]
    pairs = [
        (one, other)
        for table, other_table in zip(printed, scanned, strict=True)
        for row, other_row in zip(table, other_table, strict=True)
        for one, other in zip(row, other_row, strict=True)
    ]
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    assert len(wrong) <= 0.01 * len(pairs), wrong
    assert [pair for pair in wrong if re.search(r"\d", pair[0])] == []


@needs_ocr
def test_only_the_scanned_page_is_recognised_and_the_printed_one_is_taken_as_printed(plan_document):
    assert plan_document.recognized_pages == (2,)
    assert plan_document.scanned_pages == ()
    printed = parse_document(PLAN)
    assert [line for line in plan_document.lines if line.page == 1] == [
        line for line in printed.lines if line.page == 1
    ]
    assert plan_document.tables[0] == printed.tables[0]


@needs_ocr
def test_the_plan_in_the_scan_is_the_plan_that_was_printed(plan_document):
    scanned, printed = read_plan(plan_document), read_plan(parse_document(PLAN))

    def figures(extract):
        return [
            (p.name, p.type, p.system, p.required and p.required.value, p.planned and p.planned.value)
            for p in extract.places
        ]

    assert figures(scanned) == figures(printed)
    assert [s.subtotal and s.subtotal.value for s in scanned.systems] == [
        s.subtotal and s.subtotal.value for s in printed.systems
    ]
    marks = {(e.page, e.recognized) for place in scanned.places for e in place.evidence}
    assert marks == {(1, False), (2, True)}


@needs_ocr
def test_recognised_figures_are_framed_where_the_skewed_page_shows_them(plan_document):
    scanned, printed = read_plan(plan_document), read_plan(parse_document(PLAN))
    with closing(pypdfium2.PdfDocument(PLAN)) as pdf:
        wide, high = pdf[1].get_size()
    turn = math.radians(0.7)  # anticlockwise about the middle, see `scanned_pictures`
    off = []
    for figure, truth in zip(figures_of(scanned), figures_of(printed), strict=True):
        (found,), (stands,) = figure.evidence, truth.evidence
        assert (found.page, found.quote) == (stands.page, stands.quote)
        x, y = middle_of(stands.bbox)
        if found.page == 2:
            across, below = x - wide / 2, y - high / 2
            x = wide / 2 + across * math.cos(turn) + below * math.sin(turn)
            y = high / 2 - across * math.sin(turn) + below * math.cos(turn)
            off.append(math.dist(middle_of(found.bbox), (x, y)))

    assert len(off) > 10
    assert max(off) < 1.5


def figures_of(extract):
    return [figure for place in extract.places for figure in (place.required, place.planned) if figure is not None]


def middle_of(box):
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@needs_ocr
def test_a_review_with_a_scanned_report_asks_a_person_and_passes_nothing(scanned_report):
    result = review(REPORTS_PLAN, scanned_report, ocr=True)

    assert result.summary.verdict == "manual"
    measured = {row.verdict for row in result.comparisons if row.basis == "measured_required"}
    assert measured <= {Verdict.NOT_JUDGED, Verdict.SHORTAGE, Verdict.SERIOUS}
    asked = [f for f in result.findings if f.kind is FindingKind.EXTRACTION_DOUBT and f.severity is Severity.MANUAL]
    assert any("OCR" in finding.message for finding in asked)
    assert result.report is not None
    with_page = [e for reading in result.report.readings for e in reading.evidence]
    assert with_page
    assert all(e.recognized for e in with_page)
    truth = [
        (r.station, r.area and r.area.value, r.speed and r.speed.value, r.flow and r.flow.value)
        for r in read_report(parse_document(REPORT)).readings
        if all(e.page == 1 for e in r.evidence)
    ]
    read = [(r.station, r.area_m2, r.speed_m_s, r.flow_m3_min) for r in result.report.readings]
    assert len(truth) > 20
    assert read == truth


@needs_ocr
def test_a_page_scanned_on_its_side_is_turned(tmp_path):
    """A corner of the plan's table is enough: the whole page would be read up to four times."""
    sheet = pypdfium2.PdfDocument(PLAN)[0].render(scale=200 / 72, grayscale=True).to_pil().convert("L")
    corner = sheet.crop((130, 440, 1540, 800)).rotate(90, expand=True)
    picture = tmp_path / "corner.jpg"
    corner.save(picture, "JPEG", quality=85)
    scan = write_scan(tmp_path / "plan.pdf", [picture.read_bytes()])

    document = read_document(scan, limits=OCR_LIMITS)

    words = {text for table in document.tables for row in table.rows for text in row.texts}
    assert {"21197综采工作面", "1193", "1195", "21884运输巷掘进工作面", "722"} <= words
    (straightening,) = document.straightenings
    (found,) = [cell for table in document.tables for row in table.rows for cell in row.cells if cell.text == "1193"]
    printed = parse_document(PLAN).tables[0]
    (stands,) = [cell for row in printed.rows for cell in row.cells if cell.text == "1193"]
    assert found.bbox is not None
    x, y = (at * 200 / 72 for at in middle_of(stands.bbox))
    on_its_side = ((y - 440) * 72 / 200, (1540 - x) * 72 / 200)
    assert math.dist(middle_of(straightening.box_on_page(found.bbox)), on_its_side) < 1.5


def test_a_scan_is_refused_without_the_switch_and_told_how_to_switch_on(scanned_report, capsys):
    assert main([str(REPORTS_PLAN), str(scanned_report)]) == 2

    said = capsys.readouterr().err
    assert "report.pdf" in said
    assert "扫描件" in said
    for way in ("--ocr", "AIRFLOW_OCR=1", '".[ocr]"'):
        assert way in said


def test_a_scanned_page_among_printed_ones_is_named_without_the_switch(half_scanned):
    document = read_document(half_scanned)

    assert document.scanned_pages == (2,)
    assert document.recognized_pages == ()
    assert [doubt.page for doubt in document.doubts if "OCR" in doubt.message] == [2]


def test_the_switch_without_the_packages_names_what_to_install(scanned_report, monkeypatch):
    monkeypatch.setattr(reader, "missing_packages", lambda: ("rapidocr", "onnxruntime"))

    with pytest.raises(InputError, match="rapidocr、onnxruntime") as caught:
        read_recognizing(scanned_report)

    assert caught.value.problem is InputProblem.NO_TEXT
    assert '".[ocr]"' in caught.value.hint


def test_the_switch_without_the_packages_says_so_of_single_scanned_pages(half_scanned, monkeypatch):
    monkeypatch.setattr(reader, "missing_packages", lambda: ("rapidocr",))

    document = read_recognizing(half_scanned)

    assert document.scanned_pages == (2,)
    (doubt,) = [doubt for doubt in document.doubts if "没有安装 rapidocr" in doubt.message]
    assert doubt.needs_check
    assert doubt.page == 2


def test_a_printed_file_is_read_alike_with_the_switch_on(monkeypatch):
    monkeypatch.setattr(reader, "missing_packages", lambda: ("rapidocr",))

    assert read_recognizing(PLAN) == read_document(PLAN)


@needs_ocr
def test_more_scanned_pages_than_allowed_are_refused_before_any_is_read(tmp_path, scanned_report):
    with pikepdf.open(scanned_report) as pdf:
        pdf.pages.append(pdf.pages[0])
        pdf.save(tmp_path / "long.pdf")
    start = time.process_time()

    with pytest.raises(InputError, match="有 2 页是扫描件，文字识别每次最多 1 页") as caught:
        parse_document(tmp_path / "long.pdf", limits=Limits(ocr_pages=1))

    assert caught.value.problem is InputProblem.TOO_LARGE
    assert time.process_time() - start < 5


@needs_ocr
def test_recognition_that_takes_too_long_is_killed(scanned_report):
    hurried = Limits(memory_bytes=OCR_LIMITS.memory_bytes, cpu_s=2, wall_s=30.0, ocr_pages=1)

    with pytest.raises(InputError) as caught:
        read_recognizing(scanned_report, ocr_limits=hurried)

    assert caught.value.problem is InputProblem.TIMEOUT


def test_pictures_of_a_text_that_a_scanner_recognised_are_marked_too(tmp_path):
    page = PdfPage()
    page.picture(0, 0, 595, 842)
    for line in range(10):
        page.text(60, 60 + 20 * line, f"一、总进风 主斜井 {7900 + line}", mode=3)

    document = parse_document(write_pdf(tmp_path / "layer.pdf", [page]))

    assert document.recognized_pages == (1,)
    assert document.scanned_pages == ()
