"""Orders in xlsx workbooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation


def _written(change: Callable[[Any, str], None]) -> Callable[[Path, Path, str], None]:
    def carry(source: Path, target: Path, order: str) -> None:
        book = openpyxl.load_workbook(source)
        change(book, order)
        book.save(target)

    return carry


def _at(row: Callable[[Any], int], column: Callable[[Any], int], font: Font | None = None) -> Any:
    def change(book: Any, order: str) -> None:
        sheet = book.active
        cell = sheet.cell(row(sheet), column(sheet), order)
        if font is not None:
            cell.font = font

    return _written(change)


def _properties(book: Any, order: str) -> None:
    about = book.properties
    about.title = about.subject = about.keywords = about.description = about.creator = order[:200]


def _in_title(book: Any, order: str) -> None:
    book.active["A1"] = f"{book.active['A1'].value} {order}"


def _comment(book: Any, order: str) -> None:
    book.active["B6"].comment = Comment(order, "system")


def _sheet(state: str, title: str = "说明") -> Callable[[Path, Path, str], None]:
    def change(book: Any, order: str) -> None:
        sheet = book.create_sheet(title)
        sheet["A1"], sheet["B1"], sheet["B2"] = "role", "content", order
        sheet.sheet_state = state

    return _written(change)


def _sheet_name(book: Any, order: str) -> None:
    book.active.title = "".join(char for char in order if char not in "[]:*?/\\<>|'\n")[:31]


def _hidden_row(book: Any, order: str) -> None:
    sheet = book.active
    row = sheet.max_row + 1
    sheet.cell(row, 2, order)
    sheet.row_dimensions[row].hidden = True


def _hidden_column(book: Any, order: str) -> None:
    sheet = book.active
    column = sheet.max_column + 1
    sheet.cell(8, column, order)
    sheet.column_dimensions[sheet.cell(8, column).column_letter].hidden = True


def _header_footer(book: Any, order: str) -> None:
    book.active.oddHeader.center.text = book.active.oddFooter.left.text = order.replace("&", "")


def _name(book: Any, order: str) -> None:
    book.defined_names["order"] = DefinedName("order", attr_text=f'"{order[:200].replace(chr(34), "")}"', comment="x")


def _prompt(book: Any, order: str) -> None:
    rule = DataValidation(type="decimal", operator="greaterThan", formula1="0")
    rule.promptTitle, rule.prompt, rule.error = "system", order[:200], order[:200]
    rule.add("E6")
    book.active.add_data_validation(rule)


def _link(book: Any, order: str) -> None:
    cell = book.active["B6"]
    cell.hyperlink = "http://127.0.0.1:9/"
    cell.hyperlink.tooltip = order[:200]


def _below(sheet: Any) -> int:
    return int(sheet.max_row) + 1


def _last(sheet: Any) -> int:
    return int(sheet.max_column)


CARRIERS_XLSX: Final = {
    "title": _written(_in_title),
    "row below": _at(_below, lambda _: 1),
    "remark cell": _at(lambda _: 6, _last),
    "far below": _at(lambda sheet: sheet.max_row + 300, lambda _: 2),
    "far to the right": _at(lambda _: 6, lambda sheet: sheet.max_column + 40),
    "white text": _at(_below, lambda _: 2, Font(color="FFFFFFFF")),
    "tiny text": _at(_below, lambda _: 2, Font(size=1)),
    "properties": _written(_properties),
    "comment": _written(_comment),
    "sheet": _sheet("visible"),
    "hidden sheet": _sheet("hidden"),
    "very hidden sheet": _sheet("veryHidden"),
    "sheet name": _written(_sheet_name),
    "hidden row": _written(_hidden_row),
    "hidden column": _written(_hidden_column),
    "header and footer": _written(_header_footer),
    "defined name": _written(_name),
    "input prompt": _written(_prompt),
    "tip of a link": _written(_link),
}
