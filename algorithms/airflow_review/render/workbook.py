"""`report.xlsx`: one sheet per chapter, numbers as numbers, printed calculations as live formulas."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, assert_never

from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Card,
    Cell,
    Chart,
    Content,
    Heading,
    Paragraph,
    Table,
    Tone,
    showable,
)
from algorithms.airflow_review.render.content import numbered_title

_COLOURS: Final = {Tone.GOOD: "#1E6B4B", Tone.WATCH: "#8A5800", Tone.BAD: "#A8231B", Tone.MANUAL: "#5C3A9C"}
_FONT: Final = {"font_name": "微软雅黑", "font_size": 10, "valign": "top"}
_NOT_IN_SHEET_NAMES: Final = re.compile(r"[\[\]:*?/\\']")
_PLAIN_NUMBER: Final = re.compile(r"[-+]?\d+(\.\d+)?")
_PLACES_OF_OTHERS, _MOST_PLACES = 1, 15  # decimals
_LONGEST_SHEET_NAME, _LONGEST_TEXT = 31, 32_000
_NO_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


def xlsx_bytes(content: Content) -> bytes:
    """The report as a workbook. Texts are written as text, so none can turn into a formula."""
    import xlsxwriter  # late: needed for this file only

    buffer = io.BytesIO()
    # In memory: the reports are small and no folder for scratch files is needed.
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    # The time of writing would change the bytes.
    book.set_properties({"title": content.title, "subject": content.subtitle, "created": _NO_TIME.replace(tzinfo=None)})
    formats = _Formats(book)
    for number, section in enumerate(content.sections, start=1):
        title = numbered_title(number, section)
        sheet = book.add_worksheet(_NOT_IN_SHEET_NAMES.sub(" ", title)[:_LONGEST_SHEET_NAME])
        sheet.set_landscape()
        sheet.set_paper(9)  # A4
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&C&P / &N")
        sheet.write_string(0, 0, content.title if number == 1 else title, formats.heading)
        _SheetWriter(sheet, formats).write(section.blocks)
    book.close()
    return buffer.getvalue()


class _Formats:
    """The cell formats of one workbook."""

    def __init__(self, book: Any) -> None:
        self.text = book.add_format(_FONT)
        self.strong = book.add_format(_FONT | {"bold": True, "font_size": 12})
        self.heading = book.add_format(_FONT | {"bold": True, "font_size": 14})
        self.subheading = book.add_format(_FONT | {"bold": True, "font_size": 11})
        head = _FONT | {"bold": True, "bg_color": "#E8EDF2", "border": 1, "text_wrap": True}
        self.head, self.numeric_head = book.add_format(head), book.add_format(head | {"align": "right"})
        self._book, self._cells = book, dict[tuple[Tone, int | None, bool], Any]()
        self.toned = {Tone.PLAIN: self.text}
        for tone, colour in _COLOURS.items():
            self.toned[tone] = book.add_format(_FONT | {"font_color": colour, "bold": True})

    def of(self, cell: Cell, *, is_numeric: bool) -> Any:
        """The format of a table's cell: its tone, its side, and as many decimals as its text has."""
        places = None if cell.number is None else _shown_places(cell.text, cell.number)
        key = (cell.tone, places, is_numeric)
        if key not in self._cells:
            look = _FONT | {"border": 1, "border_color": "#D5DCE3", "text_wrap": True}
            if cell.tone in _COLOURS:
                look |= {"font_color": _COLOURS[cell.tone], "bold": True}
            if is_numeric:
                look |= {"align": "right"}
            if places is not None:
                look |= {"num_format": "0" if places == 0 else "0." + "0" * places}
            self._cells[key] = self._book.add_format(look)
        return self._cells[key]


def _shown_places(text: str, number: Decimal) -> int:
    """Decimals of the text, and more where a spreadsheet's rounding would lift a ratio just below one to one."""
    places = len(text.partition(".")[2]) if _PLAIN_NUMBER.fullmatch(text) else _PLACES_OF_OTHERS
    while 0 < number < 1 and places < _MOST_PLACES and number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) == 1:
        places += 1
    return places


class _SheetWriter:
    """Writes blocks below each other; column widths follow the widest wish of its tables."""

    def __init__(self, sheet: Any, formats: _Formats) -> None:
        self._sheet, self._formats = sheet, formats
        self._row = 2
        self._widths: dict[int, int] = {}

    def write(self, blocks: tuple[Block, ...]) -> None:
        for block in blocks:
            self._write_block(block)
        for column, width in self._widths.items():
            self._sheet.set_column(column, column, min(60, width))

    def _write_block(self, block: Block) -> None:
        match block:
            case Paragraph():
                self._line(block.text, self._formats.strong if block.strong else self._formats.toned[block.tone])
            case Bullets():
                for item in block.items:
                    self._line(f"• {item}", self._formats.text)
            case Heading():
                self._row += 1
                self._line(block.text, self._formats.subheading)
            case Card():
                self._row += 1
                self._line(block.title, self._formats.toned[block.tone])
                for label, text in block.facts:
                    self._sheet.write_string(self._row, 0, label, self._formats.text)
                    self._sheet.write_string(self._row, 1, _short(text), self._formats.text)
                    self._row += 1
            case Table():
                self._table(block)
            case Chart():
                pass
            case _:
                assert_never(block)

    def _line(self, text: str, cell_format: Any) -> None:
        self._sheet.write_string(self._row, 0, _short(text), cell_format)
        self._row += 1

    def _table(self, table: Table) -> None:
        if table.caption:
            self._line(table.caption, self._formats.text)
        for index, column in enumerate(table.columns):
            head = self._formats.numeric_head if column.numeric else self._formats.head
            self._sheet.write_string(self._row, index, column.title, head)
            self._widths[index] = max(self._widths.get(index, 0), column.width * 3 // 2)
        self._row += 1
        for row in table.rows:
            for index, cell in enumerate(row):
                self._cell(index, cell, is_numeric=table.columns[index].numeric)
            self._row += 1
        self._row += 1

    def _cell(self, column: int, cell: Cell, *, is_numeric: bool) -> None:
        cell_format = self._formats.of(cell, is_numeric=is_numeric)
        if cell.formula is not None and cell.number is not None:
            # The value is stored beside the formula for viewers that do not calculate.
            self._sheet.write_formula(self._row, column, cell.formula, cell_format, float(cell.number))
        elif cell.number is not None:
            self._sheet.write_number(self._row, column, float(cell.number), cell_format)
        else:
            self._sheet.write_string(self._row, column, _short(cell.text), cell_format)


def _short(text: str) -> str:
    """A cell holds 32 767 characters; longer text would be dropped as a whole."""
    return showable(text)[:_LONGEST_TEXT]
