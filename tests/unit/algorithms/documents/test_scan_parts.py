"""The steps from a scanned picture to cells, each against pictures whose truth the test has drawn."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.airflow_review.documents.document import Cell, Line, Row, Table
from algorithms.airflow_review.documents.pdf.grid import find_grids
from algorithms.airflow_review.documents.pdf.paging import Page, Recognition
from algorithms.airflow_review.documents.scan.doubts import recognition_doubts
from algorithms.airflow_review.documents.scan.lexicon import put_right
from tests.support.documents.scans import needs_ocr

GLYPH = 28  # px, 10 pt at 200 dpi


def cell(text: str, row: int, column: int) -> Cell:
    box = (100.0 * column, 20.0 * row, 100.0 * column + 100, 20.0 * row + 20)
    return Cell(text=text, key=(row, column), bbox=box)


def a_table(*rows: tuple[str, ...]) -> Table:
    return Table(
        index=1,
        rows=tuple(
            Row(cells=tuple(cell(text, at, column) for column, text in enumerate(texts)), page=1)
            for at, texts in enumerate(rows)
        ),
    )


def recognized(table: Table, **confidences: float) -> Page:
    """The page of a table; `t1193=0.5` gives the cell 1193 that confidence."""
    items = [
        Recognition(bbox=c.bbox, raw=c.text, text=c.text, confidence=confidences.get(f"t{c.text}", 1.0))
        for row in table.rows
        for c in row.cells
        if c.text and c.bbox
    ]
    return Page(number=1, height=842.0, recognized=items)


TABLE = a_table(
    ("用风地点", "风量(m3/min)", "断面"),
    ("101综采工作面", "1193", "14.2"),
    ("102掘进工作面", "722", "18.1"),
    ("103变电所", "80", "—"),
    ("104水泵房", "75", "15.9"),
    ("105联络巷", "234", "15.4"),
)


def doubted(table: Table, page: Page) -> list[tuple[str, int | None]]:
    return [(doubt.quote, doubt.row) for doubt in recognition_doubts([page], [table]) if doubt.needs_check]


def test_sure_numbers_that_look_alike_raise_no_doubt():
    assert doubted(TABLE, recognized(TABLE)) == []


def test_an_unsure_digit_is_a_manual_check_at_its_row():
    assert doubted(TABLE, recognized(TABLE, t722=0.80)) == [("722", 3)]


def test_unsure_words_without_digits_are_left_to_the_reader():
    table = a_table(("小计", "12"), ("合计", "12"))

    assert doubted(table, recognized(table, t小计=0.4)) == []


@pytest.mark.parametrize("wrong", ["142", "l4.2", "14,2", "1.4.2", "1.420.", "1４．2m", "014.2"])
def test_a_number_unlike_its_column_is_doubted_however_sure(wrong):
    rows = [row.texts for row in TABLE.rows]
    rows[1] = ("101综采工作面", "1193", wrong)
    table = a_table(*rows)

    assert doubted(table, recognized(table)) == [(wrong, 2)]


def test_serial_numbers_with_a_leading_zero_are_usual_in_their_column():
    table = a_table(("序号", "风量"), *((f"{n:02}", str(60 + n)) for n in range(1, 8)))

    assert doubted(table, recognized(table)) == []


def test_prose_with_an_unsure_digit_is_a_manual_check():
    box = (60.0, 60.0, 300.0, 72.0)
    line = Line(text="瓦斯涌出量1.35m3/min", page=1, bbox=box)
    page = Page(
        number=1, height=842.0, recognized=[Recognition(bbox=box, raw=line.text, text=line.text, confidence=0.6)]
    )

    (doubt,) = recognition_doubts([page], [line])

    assert doubt.needs_check
    assert "0.60" in doubt.message


def test_a_page_of_guesses_is_called_a_poor_scan():
    page = recognized(TABLE, t1193=0.1, t722=0.1, t80=0.2, t75=0.3)

    assert any("重新扫描" in doubt.message for doubt in recognition_doubts([page], [TABLE]))
    assert not any("重新扫描" in doubt.message for doubt in recognition_doubts([recognized(TABLE)], [TABLE]))


def test_a_corrected_word_is_told_with_what_was_recognised():
    page = Page(
        number=4,
        height=842.0,
        recognized=[Recognition(bbox=(0.0, 0.0, 9.0, 9.0), raw="充电碉室", text="充电硐室", confidence=0.9)] * 2,
    )

    (note,) = recognition_doubts([page], [])

    assert not note.needs_check
    assert "充电碉室" in note.message
    assert "充电硐室" in note.message
    assert note.page == 4


@pytest.mark.parametrize(
    ("recognised", "meant"),
    [
        ("充电碉室", "充电硐室"),
        ("机电确室", "机电硐室"),
        ("副平碉口", "副平硐口"),
        ("42107运输顺糟", "42107运输顺槽"),
        ("综采工作而", "综采工作面"),
    ],
)
def test_misread_words_of_mining_are_put_right(recognised, meant):
    assert put_right(recognised) == meant


@pytest.mark.parametrize(
    "text", ["硐室", "教室", "井底洞室", "平均", "平铜板", "工作而言", "顺槽", "1193", "60×0.25×13.7=205.5"]
)
def test_words_and_digits_that_may_be_meant_stay(text):
    assert put_right(text) == text


def paper(height: int = 900, width: int = 1400) -> np.ndarray:
    return np.full((height, width), 245, np.uint8)


def draw_glyphs(sheet: np.ndarray, left: int, top: int, count: int, size: int = GLYPH) -> None:
    """Boxes with an upright and a level stroke, as large as ideographs."""
    for at in range(count):
        x = left + at * (size + 4)
        for rows, columns in (
            (slice(top, top + size), slice(x, x + 3)),
            (slice(top, top + size), slice(x + size - 3, x + size)),
            (slice(top, top + 3), slice(x, x + size)),
            (slice(top + size - 3, top + size), slice(x, x + size)),
        ):
            sheet[rows, columns] = 20


@needs_ocr
@pytest.mark.parametrize("angle", [-2.3, -0.7, 0.0, 0.4, 3.1])
def test_the_skew_of_a_page_is_found_within_three_hundredths_of_a_degree(angle):
    import cv2

    from algorithms.airflow_review.documents.scan.picture import skew_deg

    sheet = paper()
    for row in range(12):
        draw_glyphs(sheet, 80, 60 + 60 * row, 35)
    turn = cv2.getRotationMatrix2D((700, 450), -angle, 1.0)
    turned = cv2.warpAffine(sheet, turn, (1400, 900), borderValue=(245,))

    assert skew_deg(turned) == pytest.approx(angle, abs=0.03)


@needs_ocr
def test_an_empty_page_has_no_skew_and_no_rules():
    from algorithms.airflow_review.documents.scan.picture import ink_of, skew_deg
    from algorithms.airflow_review.documents.scan.ruling import find_ruling

    assert skew_deg(paper()) == 0.0
    assert find_grids(find_ruling(ink_of(paper()), 0.36).drawing) == []


@needs_ocr
def test_rules_make_the_grid_and_strokes_of_glyphs_large_or_small_do_not():
    from algorithms.airflow_review.documents.scan.picture import ink_of
    from algorithms.airflow_review.documents.scan.ruling import find_ruling

    sheet = paper()
    xs, ys = (100, 400, 700, 1200), (300, 350, 400, 450, 500)
    for x in xs:
        sheet[ys[0] : ys[-1] + 2, x : x + 2] = 20
    for y in ys:
        sheet[y : y + 2, xs[0] : xs[-1] + 2] = 20
    for row in range(4):
        for left in (110, 410, 710):
            draw_glyphs(sheet, left, ys[row] + 11, 6)
    draw_glyphs(sheet, 200, 100, 10, size=2 * GLYPH)  # a title

    (grid,) = find_grids(find_ruling(ink_of(sheet), 1.0).drawing)

    assert grid.xs == pytest.approx(xs, abs=3)
    assert grid.ys == pytest.approx(ys, abs=3)


@needs_ocr
def test_a_line_stroke_alone_in_a_cell_is_a_dash_and_specks_are_nothing():
    from algorithms.airflow_review.documents.scan.cell_lines import Box, ink_lines

    ink = np.zeros((60, 200), np.uint8)
    ink[28:31, 80:108] = 255
    ink[50:53, 20:23] = 255
    (line,) = ink_lines(ink, Box(0, 0, 200, 60), GLYPH)

    assert line.is_dash
    assert line.box.left <= 80
    assert line.box.right >= 108
