"""What makes a document out of pages: breaks, running heads, turned pages, two columns of prose."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.reading.paragraphs import read_paragraphs
from tests.support.documents.pdf_tables import Look, draw_table
from tests.support.documents.pdf_writer import PdfPage, sideways, width_of
from tests.support.documents.texts import HEADER, WIDTHS, line_texts, parsed, place_rows, table_texts

RULED = Look(size=8)
UNRULED = Look(size=8, rules="none")


def page_with(texts: list[list[str]], look: Look = RULED, *, top: float = 60, caption: str = "") -> PdfPage:
    page = PdfPage()
    if caption:
        page.text(200, top - 8, caption, 9)
    draw_table(page, 45, top, WIDTHS, texts, look)
    return page


@pytest.mark.parametrize("look", [RULED, UNRULED])
@pytest.mark.parametrize("caption", ["", "续表", "表6-1 配风计划表（续）"])
def test_l3_l4_a_continued_table_is_one_table_with_one_header(tmp_path: Path, look: Look, caption: str) -> None:
    first, second = [HEADER, *place_rows(30)], [HEADER, *place_rows(12, 31)]

    document = parsed(tmp_path, page_with(first, look), page_with(second, look, caption=caption))

    (table,) = document.tables
    assert table_texts(table) == [HEADER, *place_rows(42)]
    assert [row.page for row in table.rows] == [1] * 31 + [2] * 12
    assert not document.lines


def test_l3_the_first_row_after_the_break_is_kept_without_a_repeated_header(tmp_path: Path) -> None:
    document = parsed(tmp_path, page_with([HEADER, *place_rows(30)]), page_with(place_rows(12, 31)))

    (table,) = document.tables
    assert table_texts(table) == [HEADER, *place_rows(42)]


def test_a_second_table_of_the_same_form_is_not_a_continuation(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(5)]

    captioned = parsed(tmp_path, page_with(texts), page_with(texts, caption="表2 北风井系统配风表"))
    bare = parsed(tmp_path, page_with(texts), page_with(texts))

    assert [len(table.rows) for table in captioned.tables] == [6, 6]
    assert [len(table.rows) for table in bare.tables] == [6, 6]


def test_a_merged_category_goes_on_over_the_page_break(tmp_path: Path) -> None:
    texts = [HEADER[:5], *(row[:5] for row in place_rows(12))]
    for row in texts[1:]:
        row[2] = ""
    texts[1][2] = "硐室"
    first, second = PdfPage(), PdfPage()
    draw_table(first, 45, 60, WIDTHS[:5], texts[:8], Look(size=8, merges=[(1, 2, 7, 1)]))
    draw_table(second, 45, 60, WIDTHS[:5], [HEADER[:5], *texts[8:]], Look(size=8, merges=[(1, 2, 5, 1)]))

    (table,) = parsed(tmp_path, first, second).tables

    assert [row.cells[2].text for row in table.rows] == ["类别"] + ["硐室"] * 12
    assert [row.cells[2].origin for row in table.rows].count(True) == 2


def test_a_row_cut_by_the_page_break_is_whole_again_and_said_so(tmp_path: Path) -> None:
    first = [HEADER, *place_rows(5)]
    first[-1][1] = "11305运输巷掘进工作面（机头"
    second = [["", "至风门段）", "", "", "", "", ""], *place_rows(3, 6)]

    document = parsed(tmp_path, page_with(first), page_with(second))

    (table,) = document.tables
    assert table.rows[5].texts[1] == "11305运输巷掘进工作面（机头至风门段）"
    assert len(table.rows) == 9
    assert [doubt.page for doubt in document.doubts] == [2]


def test_l5_running_heads_and_page_numbers_are_dropped(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 6):
        page = PdfPage()
        page.text(230, 40, "示范一矿2025年3月配风计划", 9)
        page.rule(60, 46, 535, 46)
        page.text(72, 90, f"第{3 * number}节内容第一行", 10.5)
        page.text(72, 110, "Q采1=60×11.3×1.0=678", 10.5)
        page.text(280, 810, f"第 {number} 页 共 5 页" if number % 2 else f"- {number} -", 9)
        pages.append(page)

    lines = line_texts(parsed(tmp_path, *pages))

    assert lines == [text for n in range(1, 6) for text in (f"第{3 * n}节内容第一行", "Q采1=60×11.3×1.0=678")]


def test_a_heading_at_the_top_of_one_page_is_no_running_head(tmp_path: Path) -> None:
    first, second = PdfPage(), PdfPage()
    first.text(72, 60, "六、配风计划表", 12)
    second.text(72, 60, "七、主要通风机能力校核", 12)

    assert line_texts(parsed(tmp_path, first, second)) == ["六、配风计划表", "七、主要通风机能力校核"]


@pytest.mark.parametrize("look", [RULED, UNRULED])
def test_l25_pages_turned_by_a_quarter_are_read_upright(tmp_path: Path, look: Look) -> None:
    texts = [HEADER, *place_rows(10)]
    upright = PdfPage()
    draw_table(upright, 45, 60, WIDTHS, texts, look)
    turned = sideways(upright, rotate=90)
    unmarked = sideways(upright, rotate=0)

    for page in (turned, unmarked):
        (table,) = parsed(tmp_path, page).tables
        assert table_texts(table) == texts
        assert table.rows[0].bbox is not None
        assert 60 <= table.rows[0].bbox[1] < table.rows[0].bbox[3] <= 78.5


def test_l7_prose_in_two_columns_is_read_column_by_column(tmp_path: Path) -> None:
    page = PdfPage()
    left = [f"左栏第{n}行煤矿通风方法为抽出式并有两套系统" for n in range(8)]
    right = [f"右栏第{n}行各用风地点需风量按方法取最大值" for n in range(8)]
    page.text(72, 60, "一、矿井概况", 14)
    for at, (one, other) in enumerate(zip(left, right, strict=True)):
        page.text(60, 100 + 16 * at, one, 9)
        page.text(310, 100 + 16 * at, other, 9)
    page.text(60, 300, "以上为本矿通风系统的基本情况，下面计算各地点的需风量并进行验算。", 9)

    lines = line_texts(parsed(tmp_path, page))

    assert lines[:1] == ["一、矿井概况"]
    assert lines[1:17] == left + right
    assert len(lines) == 18


def test_l7_two_ruled_tables_side_by_side_are_two_tables(tmp_path: Path) -> None:
    one, other = [["项目", "数值"], ["采高", "3.2"]], [["地点", "需风量"], ["变电所", "80"]]
    page = PdfPage()
    draw_table(page, 50, 100, [80, 60], one)
    draw_table(page, 300, 100, [80, 60], other)

    document = parsed(tmp_path, page)

    assert [table_texts(table) for table in document.tables] == [one, other]


def test_touching_tables_of_different_columns_are_two_tables(tmp_path: Path) -> None:
    one = [["项目", "数值", "单位"], ["采高", "3.2", "m"], ["面长", "220", "m"]]
    other = [["地点", "断面", "需风量", "计划风量"], ["中央变电所", "4.0", "80", "85"], ["水泵房", "4.2", "90", "95"]]
    page = PdfPage()
    bottom = draw_table(page, 50, 100, [140, 110, 110], one)
    draw_table(page, 50, bottom, [90, 70, 90, 110], other)

    document = parsed(tmp_path, page)

    assert [table_texts(table) for table in document.tables] == [one, other]


def test_lines_and_tables_stand_in_reading_order(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(72, 60, "表1 南风井系统配风表")
    bottom = draw_table(page, 45, 70, WIDTHS, [HEADER, *place_rows(3)], RULED)
    page.text(72, bottom + 20, "表2 北风井系统配风表")
    bottom = draw_table(page, 45, bottom + 30, WIDTHS, [HEADER, *place_rows(3)], UNRULED)
    page.text(72, bottom + 20, "矿井总需风量为5464.8+5595.6=11060.4m3/min。")

    document = parsed(tmp_path, page)

    kinds = [type(block).__name__ for block in document.blocks]
    assert kinds == ["Line", "Table", "Line", "Table", "Line"]
    assert [table.index for table in document.tables] == [1, 2]


def test_unruled_tables_end_at_a_caption(tmp_path: Path) -> None:
    page = PdfPage()
    bottom = draw_table(page, 45, 70, WIDTHS, [HEADER, *place_rows(4)], UNRULED)
    page.text(230, bottom + 12, "表2 北风井系统", 8)
    draw_table(page, 45, bottom + 18, WIDTHS, [HEADER, *place_rows(4, 21)], UNRULED)

    document = parsed(tmp_path, page)

    assert [table_texts(table) for table in document.tables] == [[HEADER, *place_rows(4)], [HEADER, *place_rows(4, 21)]]
    assert line_texts(document) == ["表2 北风井系统"]


def test_latin_words_keep_their_spaces_and_chinese_gets_none(tmp_path: Path) -> None:
    page = PdfPage()
    x = 60.0
    for part in ("AQ 1056", "煤矿通风", "能力"):
        page.text(x, 60, part)
        x += width_of(part, 9) + 0.1

    assert line_texts(parsed(tmp_path, page)) == ["AQ 1056煤矿通风能力"]


def test_glyphs_drawn_twice_for_boldness_are_read_once(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(60, 60, "六、配风计划表11", 12)
    page.text(60.4, 60, "六、配风计划表11", 12)

    assert line_texts(parsed(tmp_path, page)) == ["六、配风计划表11"]


def test_a_calculation_as_long_as_the_line_is_not_the_beginning_of_the_next(tmp_path: Path) -> None:
    page = PdfPage()
    lines = ("按气象条件：Q=60×14.5×1.0×1.5×1.3=1697（m³/min）", "按瓦斯涌出量：Q=100×1.13×1.5=170（m³/min）")
    for row, text in enumerate(lines):
        page.text(50, 80 + 16 * row, text)

    found = [item.text for item in read_paragraphs(parsed(tmp_path, page).blocks) if not isinstance(item, Table)]

    assert ["".join(text.split()) for text in found] == list(lines)
