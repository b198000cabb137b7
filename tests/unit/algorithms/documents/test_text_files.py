"""Plain text and csv files: encodings, and columns made of tabs, blanks, bars and commas."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Document, InputError
from algorithms.airflow_review.documents.parsing import parse_document
from tests.support.documents.texts import line_texts, table_texts

ROWS = [
    ["序号", "用风地点", "需风量（m³/min）"],
    ["1", "11301综采工作面", "1221"],
    ["2", "中央变电所", "80"],
    ["", "小计", "1301"],
]


def read(folder: Path, text: str, *, name: str = "plan.txt", encoding: str = "utf-8") -> Document:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return parse_document(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_texts_are_read_in_the_usual_encodings(tmp_path: Path, encoding: str) -> None:
    document = read(tmp_path, "风量,1234\r\n面积㎡，11.3m²\r\n", encoding=encoding)

    assert line_texts(document) == ["风量,1234", "面积㎡，11.3m²"]


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.txt"
    path.write_bytes(b"\xff\xfa\xff\xff\x80abc\xff")

    with pytest.raises(InputError) as caught:
        parse_document(path)

    assert caught.value.problem == "damaged"


def test_lines_between_tab_lines_are_lines_and_numbers_of_lines_are_kept(tmp_path: Path) -> None:
    text = "一、概况\n\n　　表1 配风表\n" + "\n".join("\t".join(row) for row in ROWS) + "\n\n　　矿井总需风量1301。\n"

    document = read(tmp_path, text)

    assert [table_texts(table) for table in document.tables] == [ROWS]
    assert [row.line for row in document.tables[0].rows] == [4, 5, 6, 7]
    assert [(line.line, line.text) for line in document.lines] == [
        (1, "一、概况"),
        (3, "表1 配风表"),
        (9, "矿井总需风量1301。"),
    ]


def aligned(rows: list[list[str]], blank: str) -> str:
    widths = [
        max(sum(2 if ord(char) > 0x2E7F else 1 for char in row[at].replace("³", "3")) for row in rows)
        for at in range(3)
    ]
    lines = []
    for row in rows:
        line = ""
        for text, width in zip(row, widths, strict=True):
            used = sum(2 if ord(char) > 0x2E7F else 1 for char in text.replace("³", "3"))
            missing = width - used + 4
            line += text + (blank * (missing // 2) + " " * (missing % 2) if blank == "　" else " " * missing)
        lines.append(line.rstrip())
    return "\n".join(lines)


@pytest.mark.parametrize("blank", [" ", "　"])
def test_l11_columns_aligned_by_blanks_are_a_table(tmp_path: Path, blank: str) -> None:
    document = read(tmp_path, f"表1 配风表\n{aligned(ROWS, blank)}\n以上。\n")

    assert [table_texts(table) for table in document.tables] == [ROWS]


def test_spaced_titles_are_no_table(tmp_path: Path) -> None:
    document = read(tmp_path, "会　审　签　字　表\n目　　录\n编制：张三    审核：李四\n")

    assert not document.tables
    assert len(document.lines) == 3


@pytest.mark.parametrize("frame", ["+----+----+----+", "├──┼──┼──┤"])
def test_columns_between_bars_are_a_table(tmp_path: Path, frame: str) -> None:
    bar = "│" if "┼" in frame else "|"
    text = "\n".join([frame, *(f"{bar} " + f" {bar} ".join(row) + f" {bar}\n{frame}" for row in ROWS)])

    assert [table_texts(table) for table in read(tmp_path, text).tables] == [ROWS]


def test_comma_separated_lines_are_a_table_and_sentences_are_not(tmp_path: Path) -> None:
    rows = [["序号", "地点", "断面", "风量"], ["1", "变电所", "4", "80"], ["2", "水泵房", "4", "90"]]
    text = "总风量为1,221，其中2,000,000,000\n\n" + "\n".join(",".join(row) for row in rows)

    assert [table_texts(table) for table in read(tmp_path, text).tables] == [rows]


def test_l3_a_table_cut_by_a_continuation_line_is_one_table(tmp_path: Path) -> None:
    head, rest = [ROWS[0], ROWS[1]], [ROWS[0], ROWS[2], ROWS[3]]
    text = "\n".join("\t".join(row) for row in head) + "\n\n续表\n" + "\n".join("\t".join(row) for row in rest)

    (table,) = read(tmp_path, text).tables

    assert table_texts(table) == ROWS
    assert [row.line for row in table.rows] == [1, 2, 6, 7]


def test_l19_a_note_or_section_line_between_rows_stays_inside(tmp_path: Path) -> None:
    text = "\t".join(ROWS[0]) + "\n" + "\t".join(ROWS[1]) + "\n二、硐室\n" + "\t".join(ROWS[2])

    (table,) = read(tmp_path, text).tables

    assert table_texts(table) == [ROWS[0], ROWS[1], ["二、硐室", "", ""], ROWS[2]]


def test_two_tables_with_a_heading_between_stay_two(tmp_path: Path) -> None:
    rows = "采高（m）\t3.8\n面长（m）\t240\n"

    document = read(tmp_path, f"{rows}2．22306综采工作面\n{rows}")

    assert len(document.tables) == 2
    assert line_texts(document) == ["2．22306综采工作面"]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_csv_files_are_one_table_with_line_numbers(tmp_path: Path, delimiter: str, encoding: str) -> None:
    text = delimiter.join(["测风报表", "", ""]) + "\r\n\r\n" + "\r\n".join(delimiter.join(row) for row in ROWS)

    document = read(tmp_path, text, name="report.csv", encoding=encoding)

    (table,) = document.tables
    assert table_texts(table) == [["测风报表", "", ""], ["", "", ""], *ROWS]
    assert [row.line for row in table.rows] == [1, 2, 3, 4, 5, 6]


def test_csv_cells_with_line_breaks_keep_the_line_they_start_on(tmp_path: Path) -> None:
    document = read(tmp_path, 'a,"11302运输巷\n掘进工作面"\nb,2\n', name="report.csv")

    (table,) = document.tables
    assert table_texts(table) == [["a", "11302运输巷掘进工作面"], ["b", "2"]]
    assert [row.line for row in table.rows] == [1, 3]


def test_signs_of_ambiguous_width_may_have_been_aligned_as_two_columns(tmp_path: Path) -> None:
    text = (
        "序号  用风地点      断面  需风量  配风量\n"
        "1     11301工作面   11.3  1221    1250\n"
        "2     中央变电所    —    80      85\n"
        "3     中央水泵房    —    90      95\n"
    )

    (table,) = read(tmp_path, text).tables

    assert table_texts(table)[2] == ["2", "中央变电所", "—", "80", "85"]


def test_a_header_parted_from_its_rows_by_one_line_heads_them(tmp_path: Path) -> None:
    text = (
        "用风地点      类别    需风量  配风量\n"
        "甲区通风系统\n"
        "11301工作面   采煤面  1221    1250\n"
        "中央变电所    硐室    80      85\n"
    )

    (table,) = read(tmp_path, text).tables

    assert [row[0] for row in table_texts(table)] == ["用风地点", "甲区通风系统", "11301工作面", "中央变电所"]


def test_two_columns_of_brackets_and_numbers_are_a_table_and_a_form_is_not(tmp_path: Path) -> None:
    brackets = "采高（m）  Kh\n＜1.8      1.0\n1.8～3.2   1.15\n＞3.2      1.3\n"
    form = "编制：张三  日期：3月1日\n审核：李四  日期：3月2日\n批准：王五  日期：3月3日\n"

    document = read(tmp_path, f"{brackets}\n{form}")

    assert [table_texts(table) for table in document.tables] == [
        [["采高（m）", "Kh"], ["＜1.8", "1.0"], ["1.8～3.2", "1.15"], ["＞3.2", "1.3"]]
    ]
