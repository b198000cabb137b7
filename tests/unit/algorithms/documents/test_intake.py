"""Files that are not what they say, or would cost too much, are refused with the reason and the remedy."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path

import pikepdf
import pytest

from algorithms.airflow_review.documents.document import InputError, InputProblem
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.parsing import parse_document
from tests.support.documents.docx_writer import paragraph, write_docx
from tests.support.documents.pdf_writer import PdfPage, write_pdf

HOSTILE = Path("tests/fixtures/airflow/hostile")
CASES = json.loads((HOSTILE / "truth.json").read_text(encoding="utf-8"))["cases"]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refused(path: Path, limits: Limits | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_document(path, limits=limits or Limits())
    assert caught.value.file == path.name
    assert path.name in str(caught.value)
    assert caught.value.hint
    return caught.value


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_hostile_fixtures_are_refused_in_their_class(case: dict[str, dict[str, str]]) -> None:
    assert refused(HOSTILE / str(case["file"])).problem == case["expect"]["class"]


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("plan.doc", OLE + b"\0" * 600, InputProblem.WRONG_TYPE),
        ("plan.docx", OLE + b"\0" * 600 + "WordDocument".encode("utf-16-le"), InputProblem.WRONG_TYPE),
        ("plan.docx", OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), InputProblem.ENCRYPTED),
        ("plan.pdf", b"", InputProblem.EMPTY),
        ("plan.txt", b" \r\n\t \r\n", InputProblem.EMPTY),
        ("report.csv", b"\0" * 4000, InputProblem.EMPTY),
        ("plan.txt", b"PK\x03\x04abc", InputProblem.DAMAGED),
        ("report.xls", b"<html><table><tr><td>1</td></tr></table></html>", InputProblem.WRONG_TYPE),
        ("plan.txt", b"\x7fELF\x02\x01\x01\0\0\0", InputProblem.WRONG_TYPE),
        ("plan.pdf", "配风计划".encode(), InputProblem.WRONG_TYPE),
        ("plan", b"text", InputProblem.WRONG_TYPE),
        ("plan.pdf", b"%PDF-1.4\nnothing more", InputProblem.DAMAGED),
    ],
)
def test_content_and_name_must_agree(tmp_path: Path, name: str, data: bytes, problem: InputProblem) -> None:
    assert refused(write(tmp_path / name, data)).problem is problem


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "plan.pdf").problem is InputProblem.MISSING


def test_a_zip_that_is_no_office_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plan.txt", "x")

    assert refused(path).problem is InputProblem.WRONG_TYPE


def test_a_workbook_is_no_plan_of_type_docx(tmp_path: Path) -> None:
    data = Path("tests/fixtures/airflow/reference/report.xlsx").read_bytes()

    assert refused(write(tmp_path / "plan.docx", data)).problem is InputProblem.WRONG_TYPE


def test_an_xlsx_named_xls_is_read_as_what_it_is(tmp_path: Path) -> None:
    data = Path("tests/fixtures/airflow/reference/report.xlsx").read_bytes()

    assert parse_document(write(tmp_path / "report.xls", data)).kind == "xlsx"


def test_sizes_are_counted_while_inflating_because_directories_lie(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "plan.docx", paragraph("甲" * 200_000))
    data = path.read_bytes()
    real = len(zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml"))
    lying = data.replace(real.to_bytes(4, "little"), (10).to_bytes(4, "little"))

    assert refused(path, Limits(inflated_bytes=real // 2)).problem is InputProblem.TOO_LARGE
    assert refused(write(path, lying)).problem in {InputProblem.DAMAGED, InputProblem.TOO_LARGE}


def test_bombs_are_refused_before_they_are_inflated(tmp_path: Path) -> None:
    path = tmp_path / "plan.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "wordprocessingml.document.main+xml")
        archive.writestr("word/document.xml", b"\0" * 30_000_000)
    many = tmp_path / "many.docx"
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(2_001):
            archive.writestr(f"{number}.xml", "")

    assert refused(path).problem is InputProblem.TOO_LARGE
    assert refused(many).problem is InputProblem.TOO_LARGE


def test_an_entity_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.docx"
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(9))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "wordprocessingml.document.main+xml")
        archive.writestr(
            "word/document.xml",
            f'<!DOCTYPE d [{entities}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
            "<w:body><w:p><w:r><w:t>&e8;</w:t></w:r></w:p></w:body></w:document>",
        )

    assert refused(path).problem in {InputProblem.DAMAGED, InputProblem.EMPTY, InputProblem.TOO_LARGE}


def test_a_file_of_too_many_bytes_is_refused(tmp_path: Path) -> None:
    assert (
        refused(write(tmp_path / "plan.txt", b"x" * 2_000), Limits(file_bytes=1_000)).problem is InputProblem.TOO_LARGE
    )


def a_pdf(path: Path, pages: int = 6) -> Path:
    sheets = []
    for number in range(pages):
        page = PdfPage()
        for line in range(30):
            page.text(60, 60 + 20 * line, f"第{number}页第{line}行需风量{number * 100 + line}m3/min", 10)
        sheets.append(page)
    return write_pdf(path, sheets)


def test_a_pdf_with_a_password_is_refused_and_one_with_an_owner_password_is_read(tmp_path: Path) -> None:
    plain = a_pdf(tmp_path / "plain.pdf")
    with pikepdf.open(plain) as pdf:
        pdf.save(tmp_path / "user.pdf", encryption=pikepdf.Encryption(user="geheim", owner="owner"))
        pdf.save(tmp_path / "owner.pdf", encryption=pikepdf.Encryption(user="", owner="owner"))

    assert refused(tmp_path / "user.pdf").problem is InputProblem.ENCRYPTED
    assert len(parse_document(tmp_path / "owner.pdf").lines) == 180


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_pdf_is_refused(tmp_path: Path, share: float) -> None:
    data = a_pdf(tmp_path / "plan.pdf").read_bytes()

    assert refused(write(tmp_path / "cut.pdf", data[: int(share * len(data))])).problem is InputProblem.DAMAGED


def test_a_pdf_whose_pages_came_out_empty_is_refused(tmp_path: Path) -> None:
    data = bytearray(a_pdf(tmp_path / "plan.pdf").read_bytes())
    chance = random.Random(5)
    for start in [at for at in range(len(data)) if data.startswith(b">>stream\n", at)][:-1]:
        for offset in range(9, 40):
            data[start + offset] = chance.randrange(256)

    assert refused(write(tmp_path / "hurt.pdf", bytes(data))).problem is InputProblem.DAMAGED


def test_l25_a_scan_is_refused_with_the_way_to_ocr(tmp_path: Path) -> None:
    page = PdfPage()
    page.picture(0, 0, 595, 842)

    error = refused(write_pdf(tmp_path / "scan.pdf", [page]))

    assert error.problem is InputProblem.NO_TEXT
    assert "OCR" in error.hint
    assert "--ocr" in error.hint


def test_l25_a_table_as_picture_and_text_from_a_scanner_are_doubtful(tmp_path: Path) -> None:
    text, table, scanned = PdfPage(), PdfPage(), PdfPage()
    text.text(60, 60, "一、矿井概况")
    table.text(60, 60, "表6-1 配风计划表")
    table.picture(50, 80, 545, 600)
    scanned.picture(0, 0, 595, 842)
    for line in range(20):
        scanned.text(60, 60 + 20 * line, f"第{line}行需风量{line * 10}", mode=3)

    document = parse_document(write_pdf(tmp_path / "plan.pdf", [text, table, scanned]))

    assert [doubt.page for doubt in document.doubts] == [2, 3]
    assert "图片" in document.doubts[0].message
    assert "识别层" in document.doubts[1].message


def test_a_page_of_too_many_characters_is_refused(tmp_path: Path) -> None:
    assert refused(a_pdf(tmp_path / "plan.pdf"), Limits(page_glyphs=100)).problem is InputProblem.TOO_LARGE
    assert refused(a_pdf(tmp_path / "plan.pdf"), Limits(pages=5)).problem is InputProblem.TOO_LARGE


def test_text_that_is_mostly_placeholders_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "plan.txt", ("\ue001\ue002\ue003" * 50 + "风量").encode())

    assert refused(path).problem is InputProblem.DAMAGED
