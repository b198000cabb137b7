"""Workbooks read as their sheets look, and row numbers are those of the sheet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.documents.sheet_formats import shown
from tests.support.documents.texts import table_texts


def read(folder: Path, fill: Callable[[Worksheet], None], limits: Limits | None = None) -> Document:
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "测风报表"
    fill(sheet)
    path = folder / "report.xlsx"
    book.save(path)
    return parse_document(path, limits=limits or Limits())


def test_rows_and_columns_are_those_of_the_sheet(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["B3"], sheet["C3"], sheet["B6"] = "测风地点", "风量", "主斜井"

    document = read(tmp_path, fill)

    (table,) = document.tables
    assert (document.pages, table.sheet, len(table.rows)) == (1, "测风报表", 6)
    assert table.rows[2].texts == ("", "测风地点", "风量")
    assert table.rows[5].texts == ("", "主斜井", "")


def test_numbers_carry_no_float_noise(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append([12.0, 0.1 + 0.2, 2.98, 13716.14, 1e16, 17987])

    assert read(tmp_path, fill).tables[0].rows[0].texts == (
        "12",
        "0.3",
        "2.98",
        "13716.14",
        "10000000000000000",
        "17987",
    )


def test_l18_numbers_read_as_their_format_shows_them(tmp_path: Path) -> None:
    values = [
        (0.0025, "0.00%"),
        (0.912, "0.0%"),
        (1259.6666, "0"),
        (17986.98, "#,##0"),
        (2.5, "0.00"),
        (3.14159, "General"),
    ]

    def fill(sheet: Worksheet) -> None:
        sheet.append([value for value, _ in values])
        for cell, (_, code) in zip(sheet[1], values, strict=True):
            cell.number_format = code

    assert read(tmp_path, fill).tables[0].rows[0].texts == ("0.25%", "91.2%", "1260", "17987", "2.50", "3.14159")


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        ("2.5", "0", "3"),  # away from zero, as sheets do
        ("-1.5", "0.0;[Red]-0.0", "-1.5"),
        ("2.50", "0.0#", "2.5"),
        ("2.5", "0.##", "2.5"),
        ("2", "0.##", "2"),
        ("1234.5", "#,##0.00_ ", "1234.50"),
        ("45000", "yyyy-mm-dd", None),
        ("12", '0"m³"', None),
    ],
)
def test_number_formats(value: str, code: str, text: str | None) -> None:
    assert shown(Decimal(value), code) == text


def test_dates_and_truth_values_are_readable(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append([date(2024, 12, 11), datetime(2024, 12, 11, 9, 30), True])  # noqa: DTZ001 - sheets know no zones

    assert read(tmp_path, fill).tables[0].rows[0].texts == ("2024-12-11", "2024-12-11 09:30", "是")


def test_merged_cells_are_filled_and_counted_once(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["一、总进风", None, None])
        sheet.append(["硐室", "变电所", 80])
        sheet.append([None, "水泵房", 90])
        sheet.merge_cells("A1:C1")
        sheet.merge_cells("A2:A3")

    (table,) = read(tmp_path, fill).tables

    assert table_texts(table) == [["一、总进风"] * 3, ["硐室", "变电所", "80"], ["硐室", "水泵房", "90"]]
    assert [[cell.origin for cell in row.cells] for row in table.rows] == [
        [True, False, False],
        [True] * 3,
        [False, True, True],
    ]


def test_hidden_sheets_are_left_out_and_hidden_rows_are_doubtful(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["主斜井", 17987])
        sheet.append(["旧数据", 1])
        sheet.row_dimensions[2].hidden = True
        other = sheet.parent.create_sheet("上月")
        other.append(["主斜井", 1])
        other.sheet_state = "hidden"

    document = read(tmp_path, fill)

    assert [table.sheet for table in document.tables] == ["测风报表"]
    assert [(doubt.table, doubt.row) for doubt in document.doubts] == [(1, 2)]


def test_formulas_without_a_result_are_doubtful(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["风量", "=60*11.3*1.1"])

    (doubt,) = read(tmp_path, fill).doubts

    assert "第 1 行第 2 列" in doubt.message
    assert (doubt.table, doubt.row) == (1, 1)


def test_formats_far_out_do_not_count_as_used_cells(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"] = "主斜井"
        for row in range(1, 200):
            sheet.cell(row, 16384).number_format = "0.00"

    (table,) = read(tmp_path, fill).tables

    assert table_texts(table) == [["主斜井"]]


def test_a_sheet_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["CV101"] = 1, 1

    with pytest.raises(InputError, match=r"101 行 × 100 列") as caught:
        read(tmp_path, fill, Limits(sheet_cells=10_000))

    assert caught.value.problem == "too_large"


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, lambda _: None)

    assert caught.value.problem == "empty"
