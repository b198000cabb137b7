"""Documents as docx: native tables with merged cells, formulas as text or as equation objects."""

from __future__ import annotations

import re
from pathlib import Path

import docx
from docx.enum.section import WD_ORIENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import parse_xml
from docx.shared import Pt

from tests.support.corpus.blocks import Document, Formula, Heading, PageBreak, Para, Table

_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write_docx(path: Path, document: Document, *, omml: bool, header: str = "") -> None:
    """Writes the document; with `omml` a formula line is an equation object followed by its unit."""
    doc = docx.Document()
    doc.styles["Normal"].font.size = Pt(10)
    if header:
        doc.sections[0].header.paragraphs[0].text = header
    if any(isinstance(block, Table) and block.is_wide for block in document):
        section = doc.sections[0]
        section.orientation = WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = section.page_height, section.page_width
    for block in document:
        match block:
            case Heading(level=level, text=text):
                doc.add_heading(text, level)
            case Para(text=text, is_centred=centred):
                paragraph = doc.add_paragraph(text)
                if centred:
                    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
            case Formula(text=text, equation=equation, tail=tail):
                paragraph = doc.add_paragraph()
                if omml and equation:
                    paragraph._p.append(parse_xml(_math(equation)))
                    paragraph.add_run(tail)
                else:
                    paragraph.add_run(text)
            case PageBreak():
                doc.add_page_break()
            case Table():
                _add_table(doc, block)
    doc.save(str(path))


def _run(text: str) -> str:
    return f"<m:r><m:t>{text.translate(_ESCAPES)}</m:t></m:r>" if text else ""


def _math(equation: str) -> str:
    """An equation object; a quotient between equals signs becomes a fraction."""
    parts = re.split(r"(=|≤)", equation)
    body = ""
    for part in parts:
        over, sign, under = part.partition("÷") if "÷" in part else part.partition("/")
        if sign and "+" not in part:
            under = (
                under.removeprefix("(").removesuffix(")") if under.startswith("(") and under.endswith(")") else under
            )
            body += f"<m:f><m:num>{_run(over)}</m:num><m:den>{_run(under)}</m:den></m:f>"
        else:
            body += _run(part)
    return f'<m:oMath xmlns:m="{_MATH}">{body}</m:oMath>'


def _add_table(doc, table: Table) -> None:
    if table.caption:
        doc.add_paragraph(table.caption).alignment = WD_ALIGN_PARAGRAPH.CENTER
    grid = table.grid()
    made = doc.add_table(rows=len(grid), cols=table.columns())
    made.style = "Table Grid"
    for y, line in enumerate(grid):
        for x, (cell, starts) in enumerate(line):
            if not starts:
                continue
            target = made.cell(y, x)
            if cell.across > 1 or cell.down > 1:
                target = target.merge(made.cell(y + cell.down - 1, x + cell.across - 1))
            target.text = cell.text
    doc.add_paragraph("")
