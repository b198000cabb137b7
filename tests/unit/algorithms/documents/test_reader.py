"""Reading in a process of its own: the result comes back whole, and a parser that dies is a refusal."""

from __future__ import annotations

import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from algorithms.airflow_review.documents import wire
from algorithms.airflow_review.documents.document import Document, Doubt, InputError, InputProblem
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.documents.reader import read_document, read_documents
from tests.support.documents.pdf_writer import PdfPage, write_pdf

REFERENCE = Path("tests/fixtures/airflow/reference")


@pytest.mark.parametrize("name", ["plan.txt", "plan.docx", "plan.pdf", "report.xlsx", "report.docx", "report.pdf"])
def test_the_process_returns_what_the_parser_returns(name: str) -> None:
    assert read_document(REFERENCE / name) == parse_document(REFERENCE / name)


def test_documents_and_refusals_survive_the_wire() -> None:
    document = parse_document(REFERENCE / "report.xlsx")
    doubt = Doubt(message="核对", message_en="check", quote="1+2", page=3, table=4, row=5)
    doubtful = Document(
        file=document.file,
        sha256=document.sha256,
        kind=document.kind,
        pages=None,
        blocks=document.blocks,
        doubts=(doubt,),
    )
    error = InputError(InputProblem.NO_TEXT, "a.pdf", "没有文字。", "请识别。", "No text.", "Recognise it.")

    assert wire.from_text(wire.to_text(doubtful)) == doubtful
    back = wire.from_text(wire.to_text(error))
    assert isinstance(back, InputError)
    assert (back.problem, str(back)) == (error.problem, "a.pdf：没有文字。请识别。")
    assert back.sentence("en") == error.sentence("en") == "a.pdf: No text. Recognise it."


def test_several_files_come_back_in_their_order() -> None:
    documents = read_documents([REFERENCE / "plan.txt", REFERENCE / "report.xlsx"])

    assert [document.file for document in documents] == ["plan.txt", "report.xlsx"]


def test_a_refusal_crosses_the_process(tmp_path: Path) -> None:
    (tmp_path / "plan.pdf").write_text("<html></html>", encoding="utf-8")

    with pytest.raises(InputError, match=r"plan\.pdf") as caught:
        read_documents([REFERENCE / "plan.txt", tmp_path / "plan.pdf"])

    assert caught.value.problem is InputProblem.WRONG_TYPE


def test_a_missing_file_needs_no_process(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_document(tmp_path / "none.pdf")

    assert caught.value.problem is InputProblem.MISSING


def test_a_parser_that_needs_too_much_memory_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "plan.txt"
    path.write_bytes(b"x" * 40_000_000)

    with pytest.raises(InputError) as caught:
        read_document(path, limits=Limits(memory_bytes=60_000_000))

    assert caught.value.problem is InputProblem.TOO_LARGE


def test_a_parser_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "plan.pdf", [PdfPage()])
    start = time.monotonic()

    with pytest.raises(InputError) as caught:
        read_document(path, limits=Limits(wall_s=0.01))

    assert caught.value.problem is InputProblem.TIMEOUT
    assert time.monotonic() - start < 5


def test_nothing_goes_on_reading_after_the_time_is_over(tmp_path: Path) -> None:
    page = PdfPage()
    page.operators = ["0 0 m 1 1 l S\n" * 1_000_000] * 10
    slow = write_pdf(tmp_path / "report.pdf", [page])
    start = time.monotonic()

    with pytest.raises(InputError, match=r"report\.pdf") as caught:
        read_documents([REFERENCE / "plan.txt", slow], limits=Limits(wall_s=6, cpu_s=60, memory_bytes=4_000_000_000))

    assert caught.value.problem is InputProblem.TIMEOUT
    assert time.monotonic() - start < 20
    lines = (process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"]))
    assert not [line for line in lines if str(slow) in line]


def test_one_file_that_takes_its_process_down_leaves_the_other_readable(tmp_path: Path) -> None:
    huge = tmp_path / "report.csv"
    huge.write_bytes(b"x,y\n" * 20_000_000)
    small = REFERENCE / "plan.txt"
    limits = Limits(memory_bytes=80_000_000)

    assert read_documents([small], limits=limits) == [parse_document(small)]
    for pair in ([small, huge], [huge, small]):
        with pytest.raises(InputError, match=r"report\.csv") as caught:
            read_documents(pair, limits=limits)
        assert caught.value.problem is InputProblem.TOO_LARGE


def test_a_content_stream_that_inflates_without_end_is_refused(tmp_path: Path) -> None:
    page = PdfPage()
    page.operators = ["0 0 m 1 1 l S\n" * 1_000_000] * 10
    path = write_pdf(tmp_path / "plan.pdf", [page])
    start = time.monotonic()

    with pytest.raises(InputError) as caught:
        read_document(path, limits=Limits(memory_bytes=500_000_000, cpu_s=10, wall_s=20))

    assert caught.value.problem in {InputProblem.TOO_LARGE, InputProblem.TIMEOUT}
    assert time.monotonic() - start < 30
