"""Word files are read as their pages show them: nothing deleted, nothing left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms.airflow_review.documents.document import Document, InputError, Line
from algorithms.airflow_review.documents.parsing import parse_document
from tests.support.documents.docx_writer import cell, paragraph, run, table, write_docx
from tests.support.documents.texts import line_texts, table_texts


def read(folder: Path, body: str, numbering: str = "") -> Document:
    return parse_document(write_docx(folder / "plan.docx", body, numbering))


def math(inner: str) -> str:
    return f"<m:oMath>{inner}</m:oMath>"


def m(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def test_paragraphs_and_tables_keep_their_order_and_numbers(tmp_path: Path) -> None:
    body = paragraph("一、概况") + table(["地点", "需风量"], ["变电所", "80"]) + paragraph("") + paragraph("二、计算")

    document = read(tmp_path, body)

    assert [type(block).__name__ for block in document.blocks] == ["Line", "Table", "Line"]
    assert [line.line for line in document.lines] == [1, 3]
    assert table_texts(document.tables[0]) == [["地点", "需风量"], ["变电所", "80"]]


def test_l24_merged_cells_cover_their_rows_and_columns_once(tmp_path: Path) -> None:
    body = table(
        ["类别", "地点", "风量"],
        [cell("硐室", merge="restart"), "变电所", "80"],
        [cell(merge="continue"), "水泵房", "90"],
        [cell("注：不含漏风", span=3)],
    )

    (found,) = read(tmp_path, body).tables

    assert table_texts(found)[1:] == [["硐室", "变电所", "80"], ["硐室", "水泵房", "90"], ["注：不含漏风"] * 3]
    assert [row.cells[0].origin for row in found.rows] == [True, True, False, True]
    assert [place.origin for place in found.rows[3].cells] == [True, False, False]


def test_l24_tables_in_text_boxes_and_nested_tables_are_read_once(tmp_path: Path) -> None:
    inner = table(["项目", "数值"], ["采高", "3.2"])
    box = (
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>"
        f"{paragraph('框内文字')}{inner}</w:txbxContent></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><w:txbxContent>{paragraph('框内文字')}{inner}</w:txbxContent></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    nested = table(["外层", "说明"], [cell("内含参数表", inner), "见左"])

    document = read(tmp_path, paragraph("正文", box) + nested)

    assert line_texts(document) == ["正文", "框内文字"]
    assert [table_texts(found) for found in document.tables] == [
        [["项目", "数值"], ["采高", "3.2"]],
        [["外层", "说明"], ["内含参数表", "见左"]],
        [["项目", "数值"], ["采高", "3.2"]],
    ]


def test_l24_tracked_changes_are_read_as_accepted(tmp_path: Path) -> None:
    deleted = "<w:del><w:r><w:delText>1211</w:delText></w:r></w:del>"
    inserted = f"<w:ins>{run('1221')}</w:ins>"
    gone = f"<w:tr><w:trPr><w:del/></w:trPr>{cell('旧地点')}{cell('100')}</w:tr>"
    kept = table(["地点", "需风量"], ["变电所", "80"]).replace("</w:tbl>", f"{gone}</w:tbl>")

    document = read(tmp_path, paragraph("需风量", deleted, inserted, "m³/min") + kept)

    assert line_texts(document) == ["需风量1221m³/min"]
    assert table_texts(document.tables[0]) == [["地点", "需风量"], ["变电所", "80"]]


def test_raised_text_is_part_of_the_unit_and_lowered_text_of_the_symbol(tmp_path: Path) -> None:
    up, down = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
    body = paragraph(
        "Q", run("采1", down), "=1221m", run("3", up), "/min，v=2m·s", run("-1", up), "，见注", run("①", up)
    )

    assert line_texts(read(tmp_path, body)) == ["Q采1=1221m³/min，v=2m·s⁻¹，见注①"]


def test_hidden_text_and_field_codes_are_not_on_the_page(tmp_path: Path) -> None:
    body = paragraph("第", "<w:r><w:instrText>PAGE</w:instrText></w:r>", "3", "章", run("草稿", "<w:vanish/>"))

    assert line_texts(read(tmp_path, body)) == ["第3章"]


@pytest.mark.parametrize("off", ["0", "false", "off"])
def test_a_switch_that_takes_hiding_back_leaves_the_text_on_the_page(tmp_path: Path, off: str) -> None:
    body = paragraph("风量", run("1221", f'<w:vanish w:val="{off}"/>'), run("草稿", '<w:vanish w:val="1"/>'))

    assert line_texts(read(tmp_path, body)) == ["风量1221"]


def test_breaks_and_tabs_inside_a_paragraph(tmp_path: Path) -> None:
    body = paragraph(
        "甲", "<w:r><w:br/></w:r>", "乙", '<w:r><w:br w:type="page"/></w:r>', "丙", "<w:r><w:tab/></w:r>", "丁"
    )

    assert line_texts(read(tmp_path, body)) == ["甲", "乙丙 丁"]


def test_paragraphs_aligned_by_tabs_are_a_table(tmp_path: Path) -> None:
    tab = "<w:r><w:tab/></w:r>"
    rows = [["序号", "用风地点", "需风量"], ["1", "变电所", "80"], ["2", "水泵房", "90"]]
    body = paragraph("表1") + "".join(paragraph(a, tab, b, tab, c) for a, b, c in rows) + paragraph("后文")

    document = read(tmp_path, body)

    assert [table_texts(found) for found in document.tables] == [rows]
    assert line_texts(document) == ["表1", "后文"]


def test_lines_of_a_cell_are_joined_without_gluing_numbers(tmp_path: Path) -> None:
    body = table(
        [cell(paragraph("11302运输巷"), paragraph("掘进工作面")), cell(paragraph("60"), paragraph("70"))], ["甲", "1"]
    )

    (found,) = read(tmp_path, body).tables

    assert found.rows[0].texts == ("11302运输巷掘进工作面", "60 70")


def test_a_frame_of_one_cell_is_text(tmp_path: Path) -> None:
    document = read(tmp_path, table([cell("审批意见：同意")]))

    assert line_texts(document) == ["审批意见：同意"]
    assert not document.tables


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (f"{m('Q=')}<m:f><m:num>{m('4×1500')}</m:num><m:den>{m('60')}</m:den></m:f>{m('=100')}", "Q=(4×1500)/60=100"),
        (f"<m:sSub><m:e>{m('Q')}</m:e><m:sub>{m('采1')}</m:sub></m:sSub>{m('=1221m')}", "Q采1=1221m"),
        (f"<m:sSup><m:e>{m('m')}</m:e><m:sup>{m('3')}</m:sup></m:sSup>", "m³"),
        (f"<m:sSup><m:e>{m('70')}</m:e><m:sup>{m('2')}</m:sup></m:sSup>", "70^2"),
        (f"<m:d><m:e>{m('v×S')}</m:e></m:d>{m('×2')}", "(v×S)×2"),
        (f"<m:rad><m:deg/><m:e>{m('18')}</m:e></m:rad>", "√18"),
        (f"<m:rad><m:deg>{m('3')}</m:deg><m:e>{m('a×b')}</m:e></m:rad>", "∛(a×b)"),
        (f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub/><m:sup/><m:e>{m('Q')}</m:e></m:nary>", "∑Q"),
        (
            f"<m:func><m:fName>{m('max')}</m:fName><m:e><m:d><m:e>{m('409,733')}</m:e></m:d></m:e></m:func>",
            "max(409,733)",
        ),
    ],
)
def test_l24_equations_become_typed_formulas(tmp_path: Path, inner: str, expected: str) -> None:
    document = read(tmp_path, paragraph(math(inner)))

    (line,) = document.lines
    assert (line.text, line.is_formula) == (expected, True)


def test_an_equation_inside_a_sentence_is_text(tmp_path: Path) -> None:
    (line,) = read(tmp_path, paragraph("按瓦斯：", math(m("Q=100×2.13×1.4=298.2")), "m³/min")).lines

    assert line == Line(text="按瓦斯：Q=100×2.13×1.4=298.2m³/min", line=1)


def test_automatic_numbers_are_read(tmp_path: Path) -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="%1、"/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%2．"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )

    def numbered(level: int) -> str:
        return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'

    body = (
        paragraph("矿井概况", properties=numbered(0))
        + paragraph("一号面", properties=numbered(1))
        + paragraph("二号面", properties=numbered(1))
        + paragraph("需风量计算", properties=numbered(0))
        + table([cell(f"<w:p><w:pPr>{numbered(1)}</w:pPr></w:p>"), "变电所"], ["合计", "80"])
    )

    document = read(tmp_path, body, numbering)

    assert line_texts(document) == ["一、矿井概况", "1．一号面", "2．二号面", "二、需风量计算"]
    assert document.tables[0].rows[0].texts == ("1．", "变电所")


def test_embedded_formula_objects_are_reported(tmp_path: Path) -> None:
    document = read(tmp_path, paragraph("按气象条件：", "<w:r><w:object/></w:r>"))

    (doubt,) = document.doubts
    assert "嵌入对象" in doubt.message
    assert doubt.quote == "按气象条件："


def test_l25_a_file_of_pictures_only_has_no_text(tmp_path: Path) -> None:
    picture = "<w:r><w:drawing><a:blip/></w:drawing></w:r>"

    with pytest.raises(InputError, match="OCR") as caught:
        read(tmp_path, paragraph(picture))

    assert caught.value.problem == "no_text"


def test_l4_a_table_cut_by_the_word_continued_is_one_table(tmp_path: Path) -> None:
    head = ["序号", "地点", "风量"]
    first = table(head, ["1", "变电所", "80"])
    second = table(head, [cell("2", merge="restart"), "水泵房", "90"], [cell(merge="continue"), "泵房二", "95"])
    third = table(["参数", "数值", "说明"], ["采高", "3.2", ""])

    document = read(tmp_path, first + paragraph("续表6-1") + second + paragraph("表6-2") + third)

    assert [found.index for found in document.tables] == [1, 2]
    joined = document.tables[0]
    assert table_texts(joined) == [head, ["1", "变电所", "80"], ["2", "水泵房", "90"], ["2", "泵房二", "95"]]
    assert [row.cells[0].key for row in joined.rows] == [(0, 0), (1, 0), (2, 0), (2, 0)]
    assert line_texts(document) == ["表6-2"]
