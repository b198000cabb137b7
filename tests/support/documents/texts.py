"""What tests ask of a parsed document."""

from __future__ import annotations

from pathlib import Path

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.documents.parsing import parse_document
from tests.support.documents.pdf_writer import PdfPage, write_pdf

HEADER = ["序号", "用风地点", "类别", "断面（m²）", "需风量（m³/min）", "计划风量（m³/min）", "备注"]
WIDTHS = [34.0, 130.0, 66.0, 50.0, 76.0, 84.0, 60.0]


def place_rows(count: int, first: int = 1, *, wrapped: bool = False) -> list[list[str]]:
    """Rows of a distribution table with different names and numbers; some cells are empty or dashes."""
    kinds = ["采煤工作面", "掘进工作面", "硐室", "其他巷道"]
    tails = ["综采工作面", "运输巷掘进工作面", "采区变电所", "回风巷"]
    rows = []
    for number in range(first, first + count):
        name = f"{11300 + number}{tails[number % 4]}"
        if wrapped and number % 3 == 0:
            name += "\n（机头至风门段）"
        area = "—" if number % 4 == 2 else f"{5 + number * 0.7:.1f}"
        need = 60 + number * 137 % 1300
        rows.append(
            [str(number), name, kinds[number % 4], area, str(need), str(need + 5), "无测点" if number % 5 == 0 else ""]
        )
    return rows


def joined(texts: list[list[str]]) -> list[list[str]]:
    """The texts with their line breaks gone, as wrapped names come back."""
    return [[text.replace("\n", "") for text in row] for row in texts]


def table_texts(table: Table) -> list[list[str]]:
    """All texts of a table, merged values repeated."""
    return [list(row.texts) for row in table.rows]


def squeezed(document: Document) -> list[list[list[str]]]:
    """All tables of a document without white space."""
    return [[["".join(text.split()) for text in row.texts] for row in table.rows] for table in document.tables]


def parsed(folder: Path, *pages: PdfPage) -> Document:
    """The pages written as a pdf file and read back."""
    return parse_document(write_pdf(folder / "plan.pdf", list(pages)))


def line_texts(document: Document) -> list[str]:
    """All lines outside tables."""
    return [line.text for line in document.lines]
