"""Tables without rules: headings, numbers and merged words find their columns and rows by their places."""

from __future__ import annotations

from pathlib import Path

from tests.support.documents.pdf_tables import Look, draw_table
from tests.support.documents.pdf_writer import PdfPage, width_of
from tests.support.documents.texts import joined, parsed, table_texts


def test_a_heading_over_empty_cells_keeps_its_column_beside_headings_that_touch(tmp_path: Path) -> None:
    texts = [
        ["序号", "地点", "需风量（m3）", "计划（m3）", "备注"],
        ["1", "变电所", "80", "85", ""],
        ["2", "水泵房", "90", "95", ""],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [30, 60, 59, 50, 60], texts, Look(rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_headings_at_the_left_of_numbers_at_the_right_are_one_column(tmp_path: Path) -> None:
    texts = [
        ["用风地点", "需风量", "计划风量"],
        ["中央变电所", "80", "85"],
        ["中央水泵房", "1221", "1230"],
        ["充电硐室", "100", "100"],
    ]
    page = PdfPage()
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            left = 60 + 100 * column
            is_number = text.isdecimal()
            page.text(left + 80 - width_of(text, 9) if is_number else left, 80 + 16 * row, text)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_a_header_in_two_lines_is_one_row(tmp_path: Path) -> None:
    texts = [
        ["序\n号", "用风\n地点", "需风量\n（m3/min）", "计划风量\n（m3/min）"],
        ["1", "变电所", "80", "85"],
        ["2", "水泵房", "90", "95"],
        ["3", "充电室", "100", "105"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [30, 60, 70, 70], texts, Look(rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == joined(texts)


def test_a_heading_over_two_unruled_columns_is_said_of_both(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(200, 62, "风量（m3/min）")
    for x, text in ((60, "序号"), (100, "用风地点"), (320, "备注")):
        page.text(x, 68, text)
    for x, text in ((185, "需风量"), (255, "计划风量")):
        page.text(x, 74, text)
    for row, line in enumerate(
        [["1", "变电所", "80", "85", ""], ["2", "水泵房", "90", "95", ""], ["3", "充电室", "99", "99", "无"]]
    ):
        for x, text in zip((65, 100, 190, 265, 322), line, strict=True):
            if text:
                page.text(x, 92 + 18 * row, text)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table)[0] == ["序号", "用风地点", "风量（m3/min）需风量", "风量（m3/min）计划风量", "备注"]
    assert table_texts(table)[1] == ["1", "变电所", "80", "85", ""]


def test_small_raised_digits_nearly_as_large_as_the_text_are_powers(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(60, 60, "=1221m", size=10)
    page.text(60 + 30, 56.5, "3", size=8.5)
    page.text(60 + 30 + 4.25, 60, "/min", size=10)

    assert [line.text for line in parsed(tmp_path, page).lines] == ["=1221m³/min"]


def test_l2_labels_centred_beside_unruled_rows_are_merged_cells(tmp_path: Path) -> None:
    rows = [
        ["类别", "用风地点", "需风量", "计划风量"],
        *(["", f"{n}号地点", str(60 + n), str(65 + n)] for n in range(1, 8)),
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [70, 100, 70, 70], rows, Look(rules="none", row_height=18))
    for text, y in (("采煤工作面", 96), ("掘进工作面", 141), ("硐室", 186)):  # rows 1-2, 3-5, 6-7
        page.text(50, y + 3.15, text)

    document = parsed(tmp_path, page)

    (table,) = document.tables
    labels = ["采煤工作面"] * 2 + ["掘进工作面"] * 3 + ["硐室"] * 2
    assert [row.texts[0] for row in table.rows] == ["类别", *labels]
    assert [row.cells[0].origin for row in table.rows] == [True, True, False, True, False, False, True, False]
    assert not document.doubts


def test_labels_beside_unruled_rows_that_fit_no_rows_are_doubtful(tmp_path: Path) -> None:
    rows = [
        ["类别", "用风地点", "需风量", "计划风量"],
        *(["", f"{n}号地点", str(60 + n), str(65 + n)] for n in range(1, 8)),
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [70, 100, 70, 70], rows, Look(rules="none", row_height=18))
    for text, y in (("采煤工作面", 96), ("掘进工作面", 114), ("硐室", 186)):
        page.text(50, y + 3.15, text)

    document = parsed(tmp_path, page)

    (doubt,) = document.doubts
    assert (doubt.table, doubt.page) == (1, 1)


def test_lines_stretched_to_the_margin_are_text_and_no_table(tmp_path: Path) -> None:
    lines = (
        ["辅运顺槽掘进工作面：断面", "14.1m2", "、局扇实际吸风量", "340m3/min"],
        ["台）、瓦斯涌出量", "1.31m3/min", "、二氧化碳涌出量", "0.5m3/min"],
        ["人。按瓦斯涌出量计算：", "Q=100", "按局扇实际吸风量：", "Q=260"],
    )
    page = PdfPage()
    for row, parts in enumerate(lines):
        x = 50.0
        for part in parts:
            for char in part if not part.isascii() else [part]:
                page.text(x, 80 + 16 * row, char)
                x += width_of(char, 9) + 3.2
            x += 2.4

    document = parsed(tmp_path, page)

    assert document.tables == ()
    assert "".join("".join(line.text.split()) for line in document.lines) == "".join(map("".join, lines))
