"""Rows of unequal height: headings between rows, numbers broken in a cell, cells of several lines."""

from __future__ import annotations

from pathlib import Path

from tests.support.documents.pdf_tables import Look, draw_table
from tests.support.documents.pdf_writer import PdfPage
from tests.support.documents.texts import parsed, table_texts

HEADER = ["用风地点", "需风量", "计划风量"]
ROWS = [["中央变电所", "80", "85"], ["中央水泵房", "90", "95"], ["充电硐室", "100", "105"]]


def test_a_heading_set_over_the_middle_of_an_unruled_table_is_a_row_of_its_own(tmp_path: Path) -> None:
    page = PdfPage()
    rows = [HEADER, *ROWS[:2], ["", "西翼系统", ""], *ROWS[2:]]
    draw_table(page, 45, 60, [110, 90, 90], rows, Look(rules="none"))

    (found,) = parsed(tmp_path, page).tables

    assert table_texts(found) == rows


def test_a_heading_at_the_left_does_not_join_the_columns_below_it(tmp_path: Path) -> None:
    page = PdfPage()
    for row, (first, second, number, planned) in enumerate(
        [
            ("序号", "用风地点", "需风量", "计划风量"),
            ("槐坪风井", "", "", ""),
            ("1", "五采区无轨胶轮车巷", "80", "85"),
            ("2", "五采区变电所硐室", "90", "95"),
            ("", "合计", "170", "180"),
        ]
    ):
        for x, text in ((60, first), (84, second), (220, number), (280, planned)):
            if text:
                page.text(x, 80 + 16 * row, text)

    (found,) = parsed(tmp_path, page).tables

    assert table_texts(found)[2:4] == [
        ["1", "五采区无轨胶轮车巷", "80", "85"],
        ["2", "五采区变电所硐室", "90", "95"],
    ]


def test_a_number_broken_at_its_point_is_one_number(tmp_path: Path) -> None:
    page = PdfPage()
    for row, line in enumerate([HEADER, *ROWS]):
        for x, text in zip((60, 180, 260), line, strict=True):
            page.text(x, 80 + 16 * row, text)
    page.text(60, 144, "系统总需风量（合计")
    page.text(180, 144, "7669.")
    page.text(60, 154, "×1.20）")
    page.text(180, 154, "2")

    (found,) = parsed(tmp_path, page).tables

    assert table_texts(found)[-1][:2] == ["系统总需风量（合计×1.20）", "7669.2"]


def test_numbers_on_different_lines_of_one_ruled_row_do_not_split_it(tmp_path: Path) -> None:
    rows = [
        ["地点", "净断面", "最大断面", "需风量"],
        ["戊9-\n18030\n采面", "20.7\n㎡", "21.1\n㎡", "1696"],
        ["戊9-\n18050\n采面", "18.4\n㎡", "19.0\n㎡", "1739"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [60, 60, 60, 60], rows, Look(row_height=44))

    (found,) = parsed(tmp_path, page).tables

    assert table_texts(found)[1:] == [
        ["戊9-18030采面", "20.7㎡", "21.1㎡", "1696"],
        ["戊9-18050采面", "18.4㎡", "19.0㎡", "1739"],
    ]
