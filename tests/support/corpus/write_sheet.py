"""Reports as xlsx and csv."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from tests.support.corpus.blocks import Document, Para, Table

_NUMBER = re.compile(r"-?\d+(?:\.(\d+))?")


def write_xlsx(path: Path, document: Document, *, sheet_each: bool) -> None:
    """A sheet for every table, or all of them below one another; numbers are numbers with their printed decimals."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "测风报表"
    at = 1
    for block in document:
        if isinstance(block, Para):
            sheet.cell(at, 1, block.text)
            at += 1
        elif isinstance(block, Table):
            if sheet_each:
                target = book.create_sheet(_sheet_name(block.caption or "测风数据", book))
                target.cell(1, 1, block.caption or "测风数据")
                _fill(target, 2, block)
            else:
                if block.caption:
                    sheet.cell(at, 1, block.caption)
                    at += 1
                at = _fill(sheet, at, block) + 1
    book.save(str(path))


def _sheet_name(wanted: str, book: Workbook) -> str:
    return wanted if wanted not in book.sheetnames else f"{wanted}{len(book.sheetnames)}"


def _fill(sheet: Worksheet, top: int, table: Table) -> int:
    """Writes the table from that row on; the row after it."""
    grid = table.grid()
    for y, line in enumerate(grid):
        for x, (cell, starts) in enumerate(line):
            if not starts:
                continue
            target = sheet.cell(top + y, x + 1)
            match = _NUMBER.fullmatch(cell.text)
            if match and y >= len(table.header):
                target.value = float(cell.text) if match[1] else int(cell.text)
                target.number_format = "0." + "0" * len(match[1]) if match[1] else "0"
            else:
                target.value = cell.text or None
            target.alignment = Alignment(horizontal="center")
            if cell.across > 1 or cell.down > 1:
                sheet.merge_cells(
                    start_row=top + y, start_column=x + 1, end_row=top + y + cell.down - 1, end_column=x + cell.across
                )
    return top + len(grid)


def write_csv(path: Path, document: Document, *, encoding: str) -> None:
    """Title lines, then tables with a blank line between; merged words stand once."""
    out = io.StringIO()
    writer = csv.writer(out)
    for block in document:
        if isinstance(block, Para):
            writer.writerow([block.text])
        elif isinstance(block, Table):
            if block.caption:
                writer.writerow([block.caption])
            for line in block.grid():
                writer.writerow([cell.text if starts else "" for cell, starts in line])
            writer.writerow([])
    path.write_text(out.getvalue(), encoding=encoding, errors="replace")
