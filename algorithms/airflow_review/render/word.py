"""`report.docx`: styles with East Asian fonts, real tables, header, page numbers; the same review, the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, assert_never
from xml.sax.saxutils import escape

from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Card,
    Cell,
    Chart,
    Column,
    Content,
    Heading,
    Paragraph,
    Section,
    Table,
    Tone,
    showable,
)
from algorithms.airflow_review.render.content import numbered_title
from algorithms.airflow_review.render.words import Words

if TYPE_CHECKING:
    from docx.document import Document

_W: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BODY_FONT, _HEAD_FONT, _LATIN_FONT = "宋体", "黑体", "Times New Roman"
_COLOURS: Final = {
    Tone.PLAIN: None,
    Tone.GOOD: "1E6B4B",
    Tone.WATCH: "8A5800",
    Tone.BAD: "A8231B",
    Tone.MANUAL: "5C3A9C",
}
_SECOND = 2
_SIDES: Final = ("top", "left", "bottom", "right", "insideH", "insideV")
_LINES: Final = "".join(f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="9AA7B3"/>' for side in _SIDES)
_MARGIN_TWIPS, _A4_TWIPS = 1021, (11906, 16838)
# A zip entry must bear a time, and the time of writing would change the bytes.
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_NO_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


def docx_bytes(content: Content, words: Words) -> bytes:
    """The report as a Word file: A4 upright, chapters with wide tables lying."""
    import docx  # late: python-docx and lxml are needed for this file only

    document = docx.Document()
    _set_styles(document)
    _set_properties(document, content)
    body = document.element.body
    closing = body.sectPr
    _write(closing, _paragraph(content.title, style="Title"))
    _write(closing, _paragraph(content.subtitle, style="Subtitle"))
    wide = False
    for number, section in enumerate(content.sections, start=1):
        if section.is_wide != wide:
            _write(closing, f"<w:p {_W}><w:pPr>{_section_properties(is_wide=wide)}</w:pPr></w:p>")
            wide = section.is_wide
        # The conclusion has its page for itself.
        title = numbered_title(number, section)
        _write(closing, _paragraph(title, style="Heading1", starts_page=number == _SECOND and not section.is_wide))
        for xml in _section_xml(section):
            _write(closing, xml)
    _set_last_page(document, is_wide=wide)
    _set_header_and_footer(document, content, words)
    buffer = io.BytesIO()
    document.save(buffer)
    return _with_fixed_times(buffer.getvalue())


def _section_xml(section: Section) -> list[str]:
    width = _A4_TWIPS[1 if section.is_wide else 0] - 2 * _MARGIN_TWIPS
    parts: list[str] = []
    for block, following in zip_longest(section.blocks, section.blocks[1:]):
        xml = _block_xml(block, width)
        if isinstance(block, Paragraph) and isinstance(following, Table):
            # What introduces a table stays on its page.
            xml[-1] = _kept_with_next(xml[-1])
        parts += xml
    return parts


def _kept_with_next(paragraph: str) -> str:
    if "<w:pPr>" not in paragraph:
        return paragraph.replace("<w:r>", "<w:pPr><w:keepNext/></w:pPr><w:r>", 1)
    return re.sub(r"(<w:pPr>(?:<w:pStyle [^>]*/>)?)", r"\1<w:keepNext/>", paragraph, count=1)


def _block_xml(block: Block, width: int) -> list[str]:
    match block:
        case Paragraph():
            return [
                _paragraph(block.text, tone=block.tone, is_bold=block.strong, style="Verdict" if block.strong else "")
            ]
        case Bullets():
            return [_paragraph(item, style="ListBullet") for item in block.items]
        case Heading():
            return [_paragraph(block.text, style="Heading2")]
        case Table():
            caption = [_paragraph(block.caption, style="Caption")] if block.caption else []
            return [*caption, _table(block, width), _paragraph("", style="TableGap")]
        case Card():
            return [_paragraph(block.title, style="Heading3", tone=block.tone), *(_fact(*fact) for fact in block.facts)]
        case Chart():
            return []
        case _:
            assert_never(block)


def _paragraph(
    text: str, *, style: str = "", tone: Tone = Tone.PLAIN, is_bold: bool = False, starts_page: bool = False
) -> str:
    page_break = "<w:pageBreakBefore/>" if starts_page else ""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/>{page_break}</w:pPr>' if style else ""
    return f"<w:p {_W}>{properties}{_run(text, tone=tone, is_bold=is_bold)}</w:p>"


def _fact(label: str, text: str) -> str:
    properties = '<w:pPr><w:pStyle w:val="Fact"/></w:pPr>'
    return f"<w:p {_W}>{properties}{_run(f'{label}：', is_bold=True)}{_run(text)}</w:p>"


def _run(text: str, *, tone: Tone = Tone.PLAIN, is_bold: bool = False) -> str:
    colour = _COLOURS[tone]
    properties = ("<w:b/>" if is_bold else "") + (f'<w:color w:val="{colour}"/>' if colour else "")
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{_escape(text)}</w:t></w:r>'


def _table(table: Table, width: int) -> str:
    """The table's XML at once: python-docx's `add_row().cells` takes seconds for a few hundred rows."""
    total = sum(column.width for column in table.columns)
    widths = [width * column.width // total for column in table.columns]
    grid = "".join(f'<w:gridCol w:w="{twips}"/>' for twips in widths)
    head = "".join(
        _table_cell(Cell(text=column.title), column, twips, is_head=True)
        for column, twips in zip(table.columns, widths, strict=True)
    )
    rows = "".join(
        "<w:tr><w:trPr><w:cantSplit/></w:trPr>"
        + "".join(_table_cell(*parts) for parts in zip(row, table.columns, widths, strict=True))
        + "</w:tr>"
        for row in table.rows
    )
    return (
        f'<w:tbl {_W}><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="{sum(widths)}" w:type="dxa"/>'
        "<w:tblBorders>"
        f"{_LINES}</w:tblBorders>"
        '<w:tblLayout w:type="fixed"/><w:tblCellMar><w:top w:w="30" w:type="dxa"/><w:left w:w="60" w:type="dxa"/><w:bottom w:w="30" w:type="dxa"/><w:right w:w="60" w:type="dxa"/>'
        f"</w:tblCellMar></w:tblPr><w:tblGrid>{grid}</w:tblGrid>"
        f"<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>{head}</w:tr>{rows}</w:tbl>"
    )


def _table_cell(cell: Cell, column: Column, twips: int, *, is_head: bool = False) -> str:
    shade = '<w:shd w:val="clear" w:color="auto" w:fill="E8EDF2"/>' if is_head else ""
    align = '<w:jc w:val="right"/>' if column.numeric else ""
    run = _run(cell.text, tone=cell.tone, is_bold=is_head or cell.tone is not Tone.PLAIN)
    return (
        f'<w:tc><w:tcPr><w:tcW w:w="{twips}" w:type="dxa"/>{shade}<w:vAlign w:val="center"/></w:tcPr>'
        f'<w:p><w:pPr><w:pStyle w:val="TableText"/>{align}</w:pPr>{run}</w:p></w:tc>'
    )


def _section_properties(*, is_wide: bool) -> str:
    short, long = _A4_TWIPS
    size = f'w:w="{long}" w:h="{short}" w:orient="landscape"' if is_wide else f'w:w="{short}" w:h="{long}"'
    sides = " ".join(f'w:{side}="{_MARGIN_TWIPS}"' for side in ("top", "right", "bottom", "left"))
    return (
        f'<w:sectPr><w:type w:val="nextPage"/><w:pgSz {size}/>'
        f'<w:pgMar {sides} w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'
    )


def _set_last_page(document: Document, *, is_wide: bool) -> None:
    """The last part's page stands in the body's own properties; header and footer hang on the first part."""
    from docx.enum.section import WD_ORIENT
    from docx.shared import Twips

    section = document.sections[-1]
    short, long = _A4_TWIPS
    section.orientation = WD_ORIENT.LANDSCAPE if is_wide else WD_ORIENT.PORTRAIT
    section.page_width, section.page_height = Twips(long if is_wide else short), Twips(short if is_wide else long)
    for side in ("top_margin", "right_margin", "bottom_margin", "left_margin"):
        setattr(section, side, Twips(_MARGIN_TWIPS))


def _set_header_and_footer(document: Document, content: Content, words: Words) -> None:
    first = document.sections[0]
    header = first.header.paragraphs[0]
    header.text = content.header
    footer = first.footer.paragraphs[0]
    # The sentence holds two fields; its words come from the language table.
    before, between, after = re.split("\x01|\x02", words.say("page.of", page="\x01", pages="\x02"))
    fields = [_run(before), _field("PAGE"), _run(between), _field("NUMPAGES"), _run(after)]
    for xml in fields:
        footer._p.append(_parse(xml.replace(">", f" {_W}>", 1)))  # noqa: SLF001 - python-docx has no door for fields
    footer.alignment = 1


def _field(code: str) -> str:
    return f'<w:fldSimple w:instr="{code}"><w:r><w:t>1</w:t></w:r></w:fldSimple>'


def _set_styles(document: Document) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt, RGBColor

    sizes = {"Normal": 10.5, "Title": 20, "Subtitle": 11, "Heading 1": 15, "Heading 2": 12, "Heading 3": 10.5,
             "Caption": 9, "List Bullet": 10.5, "Header": 9, "Footer": 9}  # fmt: skip
    for name in ("Verdict", "Fact", "TableText", "TableGap"):
        style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Normal"]
        sizes[name] = {"Verdict": 13, "Fact": 10, "TableText": 8.5, "TableGap": 4}[name]
    for name, size in sizes.items():
        style = document.styles[name]
        is_head = name.startswith(("Heading", "Title", "Verdict"))
        _set_fonts(style, _HEAD_FONT if is_head else _BODY_FONT)
        style.font.size = Pt(size)
        style.font.color.rgb = RGBColor(0x1C, 0x27, 0x33)
        style.font.italic = False
        is_tight = name.startswith("Table")
        style.paragraph_format.space_after = Pt(0 if is_tight else 4)
        style.paragraph_format.space_before = Pt({"Heading 1": 14, "Heading 2": 10, "Heading 3": 8}.get(name, 0))
    document.styles["Fact"].paragraph_format.left_indent = Pt(12)
    document.styles["Caption"].paragraph_format.keep_with_next = True


def _set_fonts(style: Any, east_asian: str) -> None:
    style.font.name = _LATIN_FONT
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(_qualified(attribute), None)
    # Without eastAsia the viewer takes any font for Chinese, often none with bold.
    fonts.set(_qualified("eastAsia"), east_asian)


def _set_properties(document: Document, content: Content) -> None:
    properties = document.core_properties
    properties.title, properties.subject = content.title, content.subtitle
    properties.author = properties.last_modified_by = properties.comments = properties.keywords = ""
    properties.created = properties.modified = _NO_TIME.replace(tzinfo=None)


def _qualified(name: str) -> str:
    from docx.oxml.ns import qn

    return str(qn(f"w:{name}"))


def _write(closing: Any, xml: str) -> None:
    closing.addprevious(_parse(xml))


def _parse(xml: str) -> Any:
    from docx.oxml import parse_xml

    return parse_xml(xml)


def _escape(text: str) -> str:
    return escape(showable(text))


def _with_fixed_times(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, _ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
    return buffer.getvalue()
