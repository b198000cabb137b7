"""Blocks → files: Word, PDF printed by a browser, plain text; tables → a workbook or comma separated values."""

from __future__ import annotations

import csv
import html
from pathlib import Path

import docx
import openpyxl
from docx.enum.section import WD_ORIENT
from docx.oxml.ns import qn
from docx.shared import Pt
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter

from tests.support.mines.blocks import LEFT, UP, Block, Heading, Line, PageBreak, Para, Table, spans

RULE = Side(style="thin")
STYLE = (
    "<!doctype html><meta charset=utf-8><style>@page{size:A4;margin:20mm 15mm}@page wide{size:A4 landscape;margin:15mm}"
    "body{font:10.5pt/1.6 'Noto Serif CJK SC';margin:0}table{border-collapse:collapse;width:100%;margin:4px 0 10px}"
    "td,th{border:1px solid #000;padding:1px 4px;text-align:center;font-weight:normal;font-size:9pt}tr{break-inside:avoid}"
    ".wide{page:wide}p{margin:2px 0}.t{text-indent:2em}.c{text-align:center}h1{text-align:center}.b{break-before:page}</style>"
)


def write_docx(blocks: list[Block], path: Path, *, header: str = "") -> None:
    """A Word file with real merged cells; wide tables stand in a landscape section."""
    doc = docx.Document()
    style = doc.styles["Normal"]
    style.font.name = "宋体"
    style.font.size = Pt(10.5)
    style.element.rPr.rFonts.set(qn("w:eastAsia"), "宋体")
    if header:
        doc.sections[0].header.paragraphs[0].text = header
    for block in blocks:
        match block:
            case Heading():
                doc.add_heading(block.text, block.level)
            case Para():
                doc.add_paragraph(block.text).paragraph_format.first_line_indent = Pt(21)
            case Line():
                doc.add_paragraph(block.text)
            case PageBreak():
                doc.add_page_break()
            case Table():
                if block.landscape:
                    _turn(doc, landscape=True)
                _docx_table(doc, block)
                if block.landscape:
                    _turn(doc, landscape=False)
    doc.save(str(path))


def _turn(doc: docx.document.Document, *, landscape: bool) -> None:
    old = doc.sections[-1]
    new = doc.add_section()
    if landscape != (old.orientation == WD_ORIENT.LANDSCAPE):
        new.orientation = WD_ORIENT.LANDSCAPE if landscape else WD_ORIENT.PORTRAIT
        new.page_width, new.page_height = old.page_height, old.page_width


def _docx_table(doc: docx.document.Document, table: Table) -> None:
    if table.caption:
        doc.add_paragraph(table.caption)
    grid = doc.add_table(len(table.rows), len(table.rows[0]), style="Table Grid")
    grid.autofit = True
    rows = [list(row.cells) for row in grid.rows]
    for s in spans(table.rows):
        cell = rows[s.row][s.column]
        if s.rows > 1 or s.columns > 1:
            cell = cell.merge(rows[s.row + s.rows - 1][s.column + s.columns - 1])
        cell.text = s.text
    doc.add_paragraph()


def page_html(blocks: list[Block]) -> str:
    """The same parts as a page for printing; the header of a table is repeated on every page."""
    out = [STYLE]
    for block in blocks:
        match block:
            case Heading():
                tag = f"h{max(1, block.level)}"
                out.append(f"<{tag}>{html.escape(block.text)}</{tag}>")
            case Para():
                out.append(f"<p class=t>{html.escape(block.text)}</p>")
            case Line():
                out.append(f"<p>{html.escape(block.text)}</p>")
            case PageBreak():
                out.append("<div class=b></div>")
            case Table():
                out.append(_html_table(block))
    return "\n".join(out)


def _html_table(table: Table) -> str:
    cells: dict[int, list[str]] = {}
    for s in spans(table.rows):
        tag = "th" if s.row < table.heads else "td"
        extent = (f" rowspan={s.rows}" if s.rows > 1 else "") + (f" colspan={s.columns}" if s.columns > 1 else "")
        cells.setdefault(s.row, []).append(f"<{tag}{extent}>{html.escape(s.text)}</{tag}>")
    rows = ["<tr>" + "".join(cells.get(r, [])) + "</tr>" for r in range(len(table.rows))]
    head, body = "".join(rows[: table.heads]), "".join(rows[table.heads :])
    caption = f"<p class=c>{html.escape(table.caption)}</p>" if table.caption else ""
    return f"<div class={'wide' if table.landscape else 'n'}>{caption}<table><thead>{head}</thead><tbody>{body}</tbody></table></div>"


def write_txt(blocks: list[Block], path: Path, *, columns: str = "\t") -> None:
    """Plain text, tables with tabs or with bars; a joined cell is empty."""
    lines: list[str] = []
    for block in blocks:
        match block:
            case Heading():
                lines += ["", block.text]
            case Para():
                lines.append("　　" + block.text)
            case Line():
                lines.append("    " + block.text)
            case PageBreak():
                lines.append("\f")
            case Table():
                lines += [block.caption] if block.caption else []
                lines += [columns.join("" if c in {LEFT, UP} else c for c in row) for row in block.rows]
                lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_xlsx(sheets: list[tuple[str, list[Block]]], path: Path) -> None:
    """A workbook with numbers as numbers; a text that ends in % becomes a number shown as per cent."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, blocks in sheets:
        sheet = book.create_sheet(name)
        row = 1
        for block in blocks:
            if isinstance(block, Table):
                if block.caption:
                    sheet.cell(row, 1, block.caption)
                    row += 1
                for s in spans(block.rows):
                    cell = sheet.cell(row + s.row, 1 + s.column)
                    _fill(cell, s.text)
                    cell.alignment = Alignment(horizontal="center", wrap_text=True)
                    cell.border = Border(RULE, RULE, RULE, RULE)
                    if s.rows > 1 or s.columns > 1:
                        first, last = get_column_letter(1 + s.column), get_column_letter(s.column + s.columns)
                        sheet.merge_cells(f"{first}{row + s.row}:{last}{row + s.row + s.rows - 1}")
                row += len(block.rows) + 1
            elif not isinstance(block, PageBreak):
                sheet.cell(row, 1, block.text).font = Font(bold=isinstance(block, Heading))
                row += 1
    book.save(path)


def _fill(cell: openpyxl.cell.Cell, text: str) -> None:
    try:
        if text.endswith("%"):
            cell.value, cell.number_format = float(text[:-1]) / 100, "0.00%"
        else:
            number = float(text)
            cell.value = int(number) if number.is_integer() and "." not in text else number
            if "." in text:
                cell.number_format = "0." + "0" * len(text.partition(".")[2])
    except ValueError:
        cell.value = text


def write_csv(sheets: list[tuple[str, list[Block]]], path: Path, *, encoding: str = "utf-8-sig") -> None:
    """Comma separated values; a joined cell is empty."""
    with path.open("w", encoding=encoding, newline="") as stream:
        out = csv.writer(stream)
        for _, blocks in sheets:
            for block in blocks:
                if isinstance(block, Table):
                    out.writerows([[block.caption]] if block.caption else [])
                    out.writerows([["" if c in {LEFT, UP} else c for c in row] for row in block.rows])
                elif not isinstance(block, PageBreak):
                    out.writerow([block.text])
