"""The reference documents: the same tables in every format, and the sums the plan itself states."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.documents.parsing import parse_document
from tests.support.documents.texts import squeezed

REFERENCE = Path("tests/fixtures/airflow/reference")


@pytest.fixture(scope="module")
def plans() -> dict[str, Document]:
    return {kind: parse_document(REFERENCE / f"plan.{kind}") for kind in ("pdf", "docx", "txt")}


def distribution_tables(document: Document) -> list[Table]:
    return [
        table
        for table in document.tables
        if any("需风量" in text for text in table.rows[0].texts) and len(table.rows) > 30
    ]


@pytest.mark.parametrize("kind", ["pdf", "docx", "txt"])
def test_r_pit_14_rows_add_up_to_the_stated_subtotals(plans: dict[str, Document], kind: str) -> None:
    sums = []
    for table in distribution_tables(plans[kind]):
        column = next(at for at, text in enumerate(table.rows[0].texts) if text.startswith("需风量"))
        items = [row for row in table.rows if row.texts[0].isdecimal()]
        sums.append(sum(Decimal(row.texts[column]) for row in items if row.cells[column].origin))

    assert sums == [9228, 17853]


def test_r_pit_15_repeated_type_labels_survive(plans: dict[str, Document]) -> None:
    labels = [text for table in distribution_tables(plans["pdf"]) for row in table.rows for text in row.texts]

    assert labels.count("硐室") > 9


def test_pdf_docx_and_txt_give_the_same_cells(plans: dict[str, Document]) -> None:
    tables = squeezed(plans["docx"])

    assert len(tables) == 25
    assert squeezed(plans["pdf"]) == tables
    assert squeezed(plans["txt"]) == tables


def test_pdf_lines_say_what_the_paragraphs_say(plans: dict[str, Document]) -> None:
    texts = {kind: "".join("".join(line.text.split()) for line in document.lines) for kind, document in plans.items()}

    assert texts["docx"] == texts["txt"]
    assert texts["pdf"] == texts["txt"]


def test_report_formats_give_the_same_rows() -> None:
    docx, pdf, xlsx = (squeezed(parse_document(REFERENCE / f"report.{kind}"))[0] for kind in ("docx", "pdf", "xlsx"))

    assert pdf == docx
    assert [row for row in xlsx if row in docx] == docx
