"""Markdown, Word, Excel and HTML: the same content, safe against what a document may hold, stable bytes."""

import io
import re
import zipfile
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser

import docx
import openpyxl
import pytest
from typing_extensions import override

from algorithms.airflow_review.render.blocks import Cell, Column, Content, Section, Table
from algorithms.airflow_review.render.content import report_content
from algorithms.airflow_review.render.figures import spots_by_role
from algorithms.airflow_review.render.html import html_text
from algorithms.airflow_review.render.markdown import markdown_text
from algorithms.airflow_review.render.report_files import safe_filename, write_review
from algorithms.airflow_review.render.word import docx_bytes
from algorithms.airflow_review.render.words import load_words
from algorithms.airflow_review.render.workbook import xlsx_bytes
from tests.unit.algorithms.render.sample import HOSTILE, calculation, evidence, sample_review

ZH = load_words("zh")


def texts_of(review, words=ZH):
    """Each file's visible text, without Markdown's escapes."""
    content = report_content(review, words)
    document = docx.Document(io.BytesIO(docx_bytes(content, words)))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(content)))
    return {
        "md": re.sub(r"\\(.)", r"\1", markdown_text(content)),
        "docx": "\n".join([*(p.text for p in document.paragraphs), *cells]),
        "xlsx": "\n".join(
            str(c.value) for sheet in book for row in sheet.iter_rows() for c in row if c.value is not None
        ),
        "html": re.sub(r"<style>.*?</style>|<[^>]+>", " ", html_text(content, words), flags=re.DOTALL),
    }


@pytest.mark.parametrize("file", ["md", "docx", "xlsx", "html"])
def test_r_air_6_every_finding_has_document_page_row_clause_and_what_clears_it(file):
    text = texts_of(sample_review())[file]

    for part in (
        "plan.pdf 第 17 页 表 6 第 12 行",
        "范本采面 1221 1221",
        "report.xlsx 工作表 测风",
        "待核对",
        "实测不低于 1221",
    ):
        assert part in text


@pytest.mark.parametrize("file", ["md", "docx", "xlsx", "html"])
def test_r_air_10_the_report_says_what_it_does_not_cover(file):
    text = texts_of(sample_review())[file]

    for part in ("签字", "红线", "参数表", "六项检查", "知识库"):
        assert part in text


@pytest.mark.parametrize("file", ["md", "docx", "xlsx", "html"])
def test_an_unjudged_object_is_never_shown_as_a_pass(file):
    text = texts_of(sample_review(is_aligned=False))[file]

    assert "未判定（测风时间不在计划期内）" in text
    assert "合格" not in text
    assert "不低于需风量；" not in text.split("资料与版本")[0].replace("计划风量均不低于需风量；", "")


def test_a_plan_alone_is_reviewed_as_a_plan_alone():
    text = texts_of(sample_review(has_report=False))["md"]

    assert "未提供测风报表" in text
    assert "主要通风机与全矿指标" not in text


def test_the_conclusion_comes_first_with_need_plan_measurement_ratio_verdict():
    markdown = texts_of(sample_review())["md"]
    first_chapter = markdown.split("## 2 ")[0]

    assert "| 范本煤矿 | 矿井 | 32497.2 | — | 35181 | 1.0825 | 2683.8 | 满足 |" in first_chapter
    assert "-116（-9.5%）" in first_chapter
    assert "2024-12-11 至 2024-12-20" in first_chapter


def test_a_ratio_just_below_one_is_not_rounded_to_one():
    assert "0.9049 " in texts_of(sample_review())["md"]
    assert "0.905 " not in texts_of(sample_review())["md"]


def test_english_reports_have_english_words():
    text = texts_of(sample_review(), load_words("en"))["md"]

    assert "Airflow review of 范本煤矿" in text
    assert "not judged (no measured value to compare)" in text


def test_markdown_keeps_multiplication_signs_and_table_borders():
    markdown = markdown_text(report_content(sample_review(), ZH))

    assert "a\\*b\\_c" in markdown
    for block in re.findall(r"(?:^\|.*\n)+", markdown, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), []

    @override
    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs


def test_html_is_self_contained_and_escapes_every_text():
    text = html_text(report_content(sample_review(), ZH), ZH)
    page = _Tags()
    page.feed(text)

    assert not page.tags & {"script", "img", "iframe", "object", "link", "form"}
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in {"src", "style"}]
    assert all(value.startswith("#") for name, value in page.attributes if name == "href")
    assert "&lt;script&gt;" in text
    assert "\x0b" not in text
    assert '<html lang="zh-CN">' in text


def test_word_has_east_asian_fonts_real_tables_header_and_page_numbers():
    document = docx.Document(io.BytesIO(docx_bytes(report_content(sample_review(), ZH), ZH)))
    qualified = docx.oxml.ns.qn

    for name in ("Normal", "Heading 1", "TableText"):
        assert document.styles[name].element.rPr.rFonts.get(qualified("w:eastAsia")) in {"宋体", "黑体"}
    assert document.sections[-1].header.paragraphs[0].text == "范本煤矿 · 风量研判报告"
    footer = document.sections[0].footer.paragraphs[0]._p.xml
    assert 'w:instr="PAGE"' in footer
    assert 'w:instr="NUMPAGES"' in footer
    assert all(table.rows[0]._tr.xpath("./w:trPr/w:tblHeader") for table in document.tables)
    assert {str(section.orientation) for section in document.sections} == {"PORTRAIT (0)", "LANDSCAPE (1)"}


def test_excel_has_live_formulas_with_stored_values_and_text_stays_text():
    data = xlsx_bytes(report_content(sample_review(), ZH))
    live, stored = (openpyxl.load_workbook(io.BytesIO(data), data_only=only) for only in (False, True))
    formulas = {
        cell.value: stored[sheet.title][cell.coordinate].value
        for sheet in live
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }

    assert formulas["=CEILING(60*11.3*1*1.2*1.5,1)"] == 1221
    assert formulas["=60*11.3*1*1.2*1.5"] == pytest.approx(1220.4)
    assert formulas["=9228*1.2"] == pytest.approx(11073.6)
    assert formulas["=11073.6+21423.6"] == pytest.approx(32497.2)
    assert not [formula for formula in formulas if "HYPERLINK" in formula]
    assert len(live.sheetnames) == 11


def test_r_air_12_all_files_have_the_same_bytes_each_time(tmp_path):
    first = write_review(sample_review(), tmp_path / "a")
    second = write_review(sample_review(), tmp_path / "b")

    assert [path.name for path in first] == ["review.json", "report.md", "report.docx", "report.xlsx", "report.html"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == sorted(path.name for path in first)


def test_a_word_file_bears_no_time_of_writing():
    data = docx_bytes(report_content(sample_review(), ZH), ZH)

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("示例一号煤矿 2024年12月", "示例一号煤矿_2024年12月"),
        ("../../etc/passwd", "etc_passwd"),
        ("a\\b:c*?", "a_b_c"),
        ("x\x00y\n", "x_y"),
        ("CON.txt", "_CON.txt"),
        ("...", "review"),
        ("", "review"),
    ],
)
def test_r_pit_21_file_names_are_safe(name, safe):
    assert safe_filename(name) == safe


def test_a_long_chinese_name_is_cut_at_a_whole_sign():
    name = safe_filename("矿" * 300)

    assert name == "矿" * 40
    assert HOSTILE not in safe_filename(HOSTILE)


def test_excel_shows_the_decimals_of_the_report_and_never_lifts_a_ratio_to_one():
    near = Decimal("0.99996")
    cells = tuple(
        Cell(text=text, number=number)
        for text, number in (("1221", Decimal(1221)), ("1.062", Decimal("1.06203")), ("0.9999", near))
    )
    table = Table(columns=(Column(title="x", numeric=True),), rows=tuple((cell,) for cell in cells))
    content = Content(title="t", subtitle="", header="", sections=(Section(key="s", title="s", blocks=(table,)),))
    sheet = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(content))).worksheets[0]
    found = {
        cell.value: cell.number_format
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, int | float)
    }

    assert found == {1221: "0", 1.06203: "0.000", 0.99996: "0.00000"}


def test_a_row_names_the_spot_in_plan_and_report_in_this_order():
    inputs = sample_review().inputs
    plan, report = evidence(), evidence(file="report.xlsx", page=None, table=1, sheet="测风", row=5)

    assert spots_by_role((report, plan), inputs, ZH) == "计划 第 17 页 表 6 第 12 行；报表 工作表 测风 第 5 行"
    assert spots_by_role((plan,), (inputs[0], replace(inputs[1], file="plan.pdf")), ZH).startswith("plan.pdf ")
    assert spots_by_role((), inputs, ZH) == "—"


def test_inputs_are_named_in_the_words_of_the_field_with_their_units():
    text = texts_of(sample_review())["md"]

    assert "S=11.3" in text  # a key of no known quantity stays as it is
    place = replace(
        sample_review().plan.places[0],
        calculations=(calculation(inputs={"area_m2": Decimal("11.3"), "k_height": Decimal("1.2")}),),
    )
    review = sample_review()
    text = texts_of(replace(review, plan=replace(review.plan, places=(place,))))["md"]
    assert "断面积 11.3 m²，采高系数 1.2" in text


def test_what_introduces_a_table_in_word_stays_on_its_page():
    document = docx.Document(io.BytesIO(docx_bytes(report_content(sample_review(), ZH), ZH)))
    before = [table._tbl.getprevious() for table in document.tables]
    sentence = next(one for one in before if "采用 1221（复算）" in "".join(one.itertext()))

    assert sentence.xpath("./w:pPr/w:keepNext")
