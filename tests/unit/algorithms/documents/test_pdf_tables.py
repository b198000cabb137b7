"""Tables of pdf pages come back row by row, however they were drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.documents.pdf_tables import Look, Order, draw_table
from tests.support.documents.pdf_writer import PdfPage
from tests.support.documents.texts import HEADER, WIDTHS, joined, parsed, place_rows, table_texts

LOOKS = {
    "ruled": Look(size=8),
    "no_rules": Look(size=8, rules="none"),
    "rules_between_rows": Look(size=8, rules="horizontal"),
    "rules_between_columns": Look(size=8, rules="vertical"),
    "frame_only": Look(size=8, rules="frame"),
    "rules_as_bars": Look(size=8, rules="bars"),
}


def drawn(look: Look, texts: list[list[str]], tilt: float = 0.0) -> PdfPage:
    page = PdfPage(tilt=tilt)
    draw_table(page, 45, 60, WIDTHS, texts, look)
    return page


@pytest.mark.parametrize("order", ["rows", "columns", "names_first", "glyphs"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_r_pit_14_l1_rows_are_whole_in_any_drawing_order(tmp_path: Path, look: Look, order: Order) -> None:
    texts = [HEADER, *place_rows(20)]

    document = parsed(tmp_path, drawn(replace(look, order=order), texts))

    assert [table_texts(table) for table in document.tables] == [texts]


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("height", [12.0, 20.0])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_l6_a_wrapped_name_stays_in_its_row(tmp_path: Path, look: Look, height: float, *, centered: bool) -> None:
    texts = [HEADER, *place_rows(20, wrapped=True)]

    document = parsed(tmp_path, drawn(replace(look, row_height=height, centered=centered), texts))

    assert [table_texts(table) for table in document.tables] == [joined(texts)]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_rows_survive_uneven_baselines_and_a_skewed_page(tmp_path: Path, look: Look) -> None:
    texts = [HEADER, *place_rows(20)]

    uneven = parsed(tmp_path, drawn(replace(look, jitter=1.6), texts))
    skewed = parsed(tmp_path, drawn(look, texts, tilt=0.5))

    assert [table_texts(table) for table in uneven.tables] == [texts]
    assert [table_texts(table) for table in skewed.tables] == [texts]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_dense_tables_in_small_print_are_read(tmp_path: Path, look: Look) -> None:
    texts = [HEADER, *place_rows(80)]

    document = parsed(tmp_path, drawn(replace(look, size=5.5, row_height=8), texts))

    assert [table_texts(table) for table in document.tables] == [texts]


def test_l2_r_pit_15_a_merged_category_is_filled_down_and_counted_once(tmp_path: Path) -> None:
    texts = [HEADER[:5], *(row[:5] for row in place_rows(9))]
    for row in texts[1:]:
        row[2] = ""
    texts[1][2], texts[5][2] = "硐室", "其他巷道"
    page = PdfPage()
    draw_table(page, 45, 60, WIDTHS[:5], texts, Look(size=8, merges=[(1, 2, 4, 1), (5, 2, 5, 1)]))

    (table,) = parsed(tmp_path, page).tables

    assert [row.cells[2].text for row in table.rows] == ["类别"] + ["硐室"] * 4 + ["其他巷道"] * 5
    assert [row.cells[2].origin for row in table.rows] == [True, True, False, False, False, True] + [False] * 4


def test_l22_r_pit_15_repeated_type_labels_survive(tmp_path: Path) -> None:
    texts = [["序号", "用风地点", "类别"], *([str(n), f"{n}号变电所", "硐室"] for n in range(1, 10))]
    page = PdfPage()
    draw_table(page, 45, 60, [40, 120, 60], texts, Look(size=8, rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert [row.texts[2] for row in table.rows] == ["类别"] + ["硐室"] * 9


def test_l21_two_places_of_one_name_are_two_rows(tmp_path: Path) -> None:
    texts = [
        ["序号", "用风地点", "需风量"],
        ["1", "采区变电所", "120"],
        ["2", "采区变电所", "120"],
        ["3", "水泵房", "80"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [40, 120, 60], texts)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_l8_white_rules_divide_nothing(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(8)]
    page = drawn(Look(size=8), texts)
    for at in range(9):
        page.rule(45, 69 + 18 * at, 545, 69 + 18 * at, gray=1)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_double_rules_make_no_rows_of_their_own(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(4)]
    page = drawn(Look(size=8), texts)
    page.rule(45, 63.2, 545, 63.2)
    page.rule(45, 81.2, 545, 81.2)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_l3_a_table_without_its_outer_rules_keeps_its_first_row_and_column(tmp_path: Path) -> None:
    texts = [["用风地点", "需风量", "计划风量"], ["11301综采工作面", "1221", "1230"], ["11302掘进工作面", "400", "410"]]
    page = PdfPage()
    for y in (80, 100):
        page.rule(50, y, 350, y)
    for x in (150, 250):
        page.rule(x, 60, x, 120)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            page.text(54 + 100 * column, 73 + 20 * row, text)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_two_level_headers_stand_over_both_columns(tmp_path: Path) -> None:
    texts = [
        ["用风地点", "风量（m³/min）", ""],
        ["", "需风量", "计划风量"],
        ["综采工作面", "1221", "1230"],
        ["水泵房", "80", "85"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [120, 80, 80], texts, Look(merges=[(0, 0, 2, 1), (0, 1, 1, 2)]))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table)[:2] == [
        ["用风地点", "风量（m³/min）", "风量（m³/min）"],
        ["用风地点", "需风量", "计划风量"],
    ]
    assert table_texts(table)[2:] == texts[2:]


def test_l19_a_note_row_spans_the_table(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(3), ["注：带*者为局部通风机供风地点。", *[""] * 6], *place_rows(2, 4)]
    look = Look(size=8, merges=[(4, 0, 1, 7)])

    (table,) = parsed(tmp_path, drawn(look, texts)).tables

    assert table_texts(table)[4] == ["注：带*者为局部通风机供风地点。"] * 7
    assert [cell.origin for cell in table.rows[4].cells] == [True] + [False] * 6
    assert table_texts(table)[5:] == texts[5:]


def test_l20_sums_stand_under_their_column_in_unruled_tables(tmp_path: Path) -> None:
    texts = [
        ["序号", "用风地点", "类别", "需风量", "计划风量"],
        ["1", "11301综采工作面", "采煤工作面", "1221", "1230"],
        ["2", "中央变电所", "硐室", "80", "85"],
        ["", "小计", "", "1301", "1315"],
        ["", "备用系数", "", "1.2", ""],
        ["", "系统总需风量", "", "1561.2", ""],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [40, 120, 80, 70, 70], texts, Look(rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_headings_that_nearly_touch_are_two_headings(tmp_path: Path) -> None:
    texts = [
        ["序号", "地点", "需风量m3", "计划风量", "备注"],
        ["1", "变电所", "80", "85", "a"],
        ["2", "水泵房", "90", "95", "b"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [30, 40, 38, 38, 30], texts, Look(rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_l6_two_values_in_one_ruled_row_become_two_rows(tmp_path: Path) -> None:
    texts = [
        ["测风地点", "位置", "断面", "风量"],
        ["11301综采工作面", "进风\n回风", "11.3\n12.1", "1260\n1283"],
        ["中央变电所", "", "4.2", "88"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [120, 60, 60, 60], texts)

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table)[1:] == [
        ["11301综采工作面", "进风", "11.3", "1260"],
        ["11301综采工作面", "回风", "12.1", "1283"],
        ["中央变电所", "", "4.2", "88"],
    ]
    assert [row.cells[0].origin for row in table.rows] == [True, True, False, True]


def test_a_name_too_long_for_its_cell_keeps_its_last_character(tmp_path: Path) -> None:
    texts = [
        ["用风地点", "类别", "需风量"],
        ["11301综采工作面（切眼段）", "采煤工作面", "1221"],
        ["变电所", "硐室", "80"],
    ]
    page = PdfPage()
    draw_table(page, 45, 60, [100, 60, 60], texts, Look(size=9, centered=False))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_l14_raised_digits_are_part_of_the_unit(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(60, 60, "需风量（m")
    page.text(60 + 4.5 * 9, 57, "3", size=5)
    page.text(60 + 4.5 * 9 + 2.5, 60, "/min）")
    page.text(60, 90, "Q")
    page.text(64.5, 92, "采1", size=5)
    page.text(73, 90, "=1221")

    document = parsed(tmp_path, page)

    assert [line.text for line in document.lines] == ["需风量（m³/min）", "Q采1=1221"]


def test_sideways_labels_are_read_in_their_cells(tmp_path: Path) -> None:
    texts = [["", "中央变电所", "80"], ["", "中央水泵房", "90"], ["", "充电硐室", "100"]]
    page = PdfPage()
    draw_table(page, 45, 60, [30, 120, 60], texts, Look(merges=[(0, 0, 3, 1)]))
    page.text(63, 105, "硐室", angle=90)

    (table,) = parsed(tmp_path, page).tables

    assert [row.texts[0] for row in table.rows] == ["硐室"] * 3


def test_a_watermark_across_the_page_is_no_text(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(8)]
    page = drawn(Look(size=8), texts)
    page.text(100, 250, "审批专用", size=60, angle=45)

    document = parsed(tmp_path, page)

    assert [table_texts(table) for table in document.tables] == [texts]
    assert not document.lines


def test_a_frame_around_the_page_is_no_table(tmp_path: Path) -> None:
    page = PdfPage()
    for start, end in (((30, 30), (565, 30)), ((565, 30), (565, 800)), ((565, 800), (30, 800)), ((30, 800), (30, 30))):
        page.rule(*start, *end)
    page.text(60, 100, "一、矿井概况")

    document = parsed(tmp_path, page)

    assert [line.text for line in document.lines] == ["一、矿井概况"]
    assert not document.tables


def test_shading_behind_rows_is_no_rule(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(8)]
    page = PdfPage()
    for at in range(0, 9, 2):
        page.bar(45, 60 + 18 * at, 545, 78 + 18 * at, gray=0.9)
    draw_table(page, 45, 60, WIDTHS, texts, Look(size=8, rules="none"))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts


def test_evidence_boxes_lie_on_the_page_where_the_row_stands(tmp_path: Path) -> None:
    page = PdfPage()
    bottom = draw_table(page, 45, 60, WIDTHS, [HEADER, *place_rows(3)], Look(size=8))

    (table,) = parsed(tmp_path, page).tables

    assert [row.page for row in table.rows] == [1] * 4
    assert table.rows[0].bbox == pytest.approx((45, 60, 545, 78), abs=0.6)
    assert table.rows[-1].bbox == pytest.approx((45, bottom - 18, 545, bottom), abs=0.6)
    assert table.rows[1].cells[1].bbox == pytest.approx((79, 78, 209, 96), abs=0.6)


def boxes(page: PdfPage, rows: int, widths: list[float], operator: str) -> list[str]:
    """A path of one rectangle for each cell of a grid with its upper left corner at 45, 60 and rows of 18 pt."""
    path = []
    for row in range(rows):
        x = 45.0
        for width in widths:
            path.append(f"{x:g} {page.height - 78 - 18 * row:g} {width:g} 18 re{operator}")
            x += width
    return path


@pytest.mark.parametrize("way", ["a_box_each", "one_path", "scaled", "in_a_form"])
def test_rules_are_found_however_paths_are_built(tmp_path: Path, way: str) -> None:
    texts = [HEADER, *place_rows(3)]
    page = PdfPage()
    draw_table(page, 45, 60, WIDTHS, texts, Look(size=8, rules="none", centered=False))
    strokes = boxes(page, 4, WIDTHS, "" if way == "one_path" else " S")
    if way == "one_path":
        strokes.append("S")
    if way == "scaled":
        strokes = [
            "q 0.1 0 0 0.1 0 0 cm 5 w",
            *(" ".join(_tenfold(part) for part in line.split()) for line in strokes),
            "Q",
        ]
    page.operators = [*strokes, *page.operators]
    if way == "in_a_form":
        page.form, page.operators = page.operators, ["q 1 0 0 1 0 0 cm /X1 Do Q"]

    (table,) = parsed(tmp_path, page).tables

    assert table.ruled
    assert table_texts(table) == texts


def _tenfold(token: str) -> str:
    return f"{float(token) * 10:g}" if token[0].isdigit() else token


def test_a_page_whose_box_does_not_start_at_zero_has_its_evidence_in_place(tmp_path: Path) -> None:
    page = PdfPage(origin=(100, 50))
    page.operators = ["1 0 0 1 100 50 cm"]
    draw_table(page, 45, 60, WIDTHS, [HEADER, *place_rows(3)], Look(size=8))

    (table,) = parsed(tmp_path, page).tables

    assert table.rows[0].bbox == pytest.approx((45, 60, 545, 78), abs=0.6)


def test_white_words_on_a_dark_heading_are_read(tmp_path: Path) -> None:
    texts = [HEADER, *place_rows(3)]
    page = PdfPage()
    page.bar(45, 60, 545, 78, gray=0.2)
    page.operators.append("1 g")
    draw_table(page, 45, 60, WIDTHS, texts[:1], Look(size=8))
    page.operators.append("0 g")
    draw_table(page, 45, 78, WIDTHS, texts[1:], Look(size=8))

    (table,) = parsed(tmp_path, page).tables

    assert table_texts(table) == texts
