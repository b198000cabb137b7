"""Reads xlsx and xls workbooks: one table for each visible sheet, row and column numbers those of the sheet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

import python_calamine as calamine

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.cell_text import join_lines
from algorithms.airflow_review.documents.document import Block, Doubt, Row, Table
from algorithms.airflow_review.documents.layout import Placed, lay_out
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.sheet_formats import Place, SheetLook, sheet_looks, shown
from algorithms.airflow_review.messages.catalogue import say

Value = int | float | str | bool | date | datetime | time | timedelta
Merge = tuple[Place, Place]  # upper left and lower right cell, both inside

_PLAIN: Final = SheetLook(formats={}, uncalculated=(), hidden_rows=())
_LISTED: Final = 20


def parse_workbook(data: bytes, file: str, limits: Limits) -> tuple[tuple[Block, ...], int, tuple[Doubt, ...]]:
    """One table for each visible sheet that holds anything, the number of visible sheets, and what is doubtful.

    Blank rows inside a sheet stay, so that row 7 of the table is row 7 of the sheet. Numbers read as the sheet shows them.

    Raises:
        InputError: the workbook is damaged, too large or needs a password.
    """
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = [
            sheet.name
            for sheet in book.sheets_metadata
            if sheet.typ == calamine.SheetTypeEnum.WorkSheet and sheet.visible == calamine.SheetVisibleEnum.Visible
        ]
        sheets = [(name, book.get_sheet_by_name(name)) for name in names]
    except calamine.PasswordError as error:
        raise refusal.encrypted(file) from error
    except calamine.CalamineError as error:
        raise refusal.damaged(file) from error
    for name, sheet in sheets:
        if sheet.total_height * sheet.total_width > limits.sheet_cells:
            raise refusal.too_large(
                file, say("refusal.named_sheet_extent", sheet=name, rows=sheet.total_height, columns=sheet.total_width)
            )
    looks = sheet_looks(data)
    tables: list[Block] = []
    doubts: list[Doubt] = []
    for name, sheet in sheets:
        look = looks.get(name, _PLAIN)
        rows = _grid(sheet.to_python(skip_empty_area=False), sheet.merged_cell_ranges or [], look.formats)
        if rows:
            tables.append(Table(index=len(tables) + 1, rows=rows, sheet=name))
            doubts += _doubts(name, look, len(tables), len(rows))
    return tuple(tables), len(names), tuple(doubts)


def _doubts(sheet: str, look: SheetLook, table: int, rows: int) -> Iterator[Doubt]:
    for row, column in look.uncalculated[:_LISTED]:
        message = say("doubt.uncalculated_formula", sheet=sheet, row=row + 1, column=column + 1)
        yield Doubt.of(message, "", table=table, row=row + 1)
    for row in [row for row in look.hidden_rows if row <= rows][:_LISTED]:
        yield Doubt.of(say("doubt.hidden_row", sheet=sheet, row=row), "", table=table, row=row)


def _grid(values: Sequence[Sequence[Value]], merges: Sequence[Merge], formats: Mapping[Place, str]) -> tuple[Row, ...]:
    texts = [
        [value_text(value, formats.get((at, column), "")) for column, value in enumerate(row)]
        for at, row in enumerate(values)
    ]
    height = max((at for at, row in enumerate(texts, start=1) if any(row)), default=0)
    width = max((at for row in texts for at, text in enumerate(row, start=1) if text), default=0)
    spans = {start: (end[0] - start[0] + 1, end[1] - start[1] + 1) for start, end in merges}
    covered = {
        (row, column)
        for (top, left), (tall, wide) in spans.items()
        for row in range(top, min(top + tall, height))
        for column in range(left, min(left + wide, width))
        if (row, column) != (top, left)
    }
    placed = []
    for at, row in enumerate(texts[:height]):
        for column, text in enumerate(row[:width]):
            if (at, column) not in covered:
                tall, wide = spans.get((at, column), (1, 1))
                placed.append(Placed(row=at, column=column, rows=tall, columns=wide, text=text))
    return tuple(Row(cells=tuple(cells)) for cells in lay_out(placed, height, width))


def value_text(value: Value, number_format: str = "") -> str:
    """A cell value as the sheet shows it: 12.0 is 12, 0.1 + 0.2 is 0.3, a day without a clock time is a date."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, str):
        return join_lines(value.splitlines())
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, int | float):
        return _number_text(value, number_format)
    return str(value)


def _number_text(value: float, number_format: str) -> str:
    """A number in its format, else with the 15 significant digits a sheet keeps and no trailing zeros."""
    exact = Decimal(format(value, ".15g"))
    text = shown(exact, number_format) if number_format else None
    if text is not None:
        return text
    plain = format(exact, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
