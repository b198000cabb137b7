"""Uploaded files: names that are safe anywhere, content that is what its name says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.errors import RefusedError
from api.uploads import FILE_TYPES, Upload, check_uploads, clean_name, store_uploads

PDF = b"%PDF-1.7\n1 0 obj"
ZIP = b"PK\x03\x04rest"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"


def check(name: str, content: bytes) -> str:
    (upload,) = check_uploads([(name, io.BytesIO(content))], limit=8)
    return upload.name


def refusal(name: str, content: bytes) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        check(name, content)
    return caught.value


@pytest.mark.parametrize(
    ("given_name", "clean"),
    [
        ("配风计划.pdf", "配风计划.pdf"),
        ("../../etc/计划.pdf", "计划.pdf"),
        ("C:\\矿\\计划.pdf", "计划.pdf"),
        ("/abs/计划.pdf", "计划.pdf"),
        ('计<划>:"|?*.pdf', "计_划______.pdf"),
        ("计划\u202e.pdf", "计划.pdf"),
        (" .计划 .pdf", "计划.pdf"),
        ("2024/12 计划.pdf", "12 计划.pdf"),
    ],
)
def test_a_name_is_cleaned(given_name: str, clean: str) -> None:
    assert clean_name(given_name) == clean


@pytest.mark.parametrize(
    "name", ["", ".", "..", "...", ".pdf", "con.pdf", "LPT1.txt", "nul", "a\x00b.pdf", "/", "无后缀"]
)
def test_an_unusable_name_is_refused(name: str) -> None:
    with pytest.raises(RefusedError) as caught:
        clean_name(name)

    assert caught.value.code == "bad_file_name"


def test_a_long_name_is_shortened_and_keeps_its_suffix() -> None:
    name = clean_name("风" * 300 + ".pdf")

    assert name.endswith("风.pdf")
    assert len(name.encode()) <= 180


@given(st.text(max_size=60))
def test_no_name_leaves_its_folder(name: str) -> None:
    try:
        clean = clean_name(name + ".pdf")
    except RefusedError:
        return

    assert Path(clean).name == clean
    assert not set(clean) & set("/\\:\x00")
    assert not clean.startswith(".")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", PDF),
        ("a.PDF", b"\xef\xbb\xbf" + PDF),
        ("a.docx", ZIP),
        ("a.docx", OLE),
        ("a.xlsx", ZIP),
        ("a.xls", OLE),
        ("a.xls", "<html><table>测风".encode()),
        ("a.xls", "地点\t风量\n".encode("gbk")),
        ("a.txt", "配风计划".encode("gbk")),
        ("a.txt", "配风计划".encode("utf-16")),
        ("a.csv", b"a,b"),
        ("a.md", b"# x"),
        ("a.json", b"{}"),
        ("a.png", b"\x89PNG\r\n\x1a\nrest"),
        ("a.jpg", b"\xff\xd8\xff\xe0"),
    ],
)
def test_a_file_that_is_what_its_name_says_is_taken(name: str, content: bytes) -> None:
    assert check(name, content) == name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", b"<html>"),
        ("a.docx", PDF),
        ("a.xlsx", b"not a workbook"),
        ("a.txt", PDF),
        ("a.csv", ZIP),
        ("a.txt", b"MZ\x90\x00"),
        ("a.txt", b"a\x00b"),
        ("a.png", b"\xff\xd8\xff"),
        ("a.xls", PDF),
    ],
)
def test_a_file_that_is_something_else_is_refused_by_name_and_remedy(name: str, content: bytes) -> None:
    error = refusal(name, content)

    assert (error.code, error.status) == ("file_content_mismatch", 422)
    assert name in error.message
    assert "另存为" in error.hint


def test_an_unknown_type_names_what_can_be_uploaded() -> None:
    error = refusal("程序.exe", b"MZ")

    assert (error.code, error.status) == ("file_type_unsupported", 422)
    assert "程序.exe" in error.message
    assert all(suffix in error.hint for suffix in FILE_TYPES)


def test_an_empty_file_is_refused_by_name() -> None:
    error = refusal("计划.pdf", b"")

    assert error.code == "empty_file"
    assert "计划.pdf" in error.message


def test_too_many_files_name_the_limit() -> None:
    with pytest.raises(RefusedError) as caught:
        check_uploads([("a.txt", io.BytesIO(b"x"))] * 3, limit=2)

    assert caught.value.code == "too_many_files"
    assert "2" in caught.value.message


def test_r_pit_18_uploads_land_in_the_sessions_uploads_and_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    uploads = [Upload(name="计划.pdf", content=io.BytesIO(bytes([65 + n]))) for n in range(3)]

    stored = store_uploads(uploads, tmp_path / "uploads")

    assert [file.path for file in stored] == [
        "/workspace/uploads/计划.pdf",
        "/workspace/uploads/计划-2.pdf",
        "/workspace/uploads/计划-3.pdf",
    ]
    assert (tmp_path / "uploads" / "计划-2.pdf").read_bytes() == b"B"
    assert {file.media_type for file in stored} == {"application/pdf"}
