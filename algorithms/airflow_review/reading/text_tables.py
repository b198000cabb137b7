"""Tables of text files that a line without columns cuts in two: a category, a note, a page number."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.documents.document import Block, Cell, Document, DocumentKind, Line, Row, Table
from algorithms.airflow_review.reading.grid import read_grid
from algorithms.airflow_review.reading.numbers import missing_mark, parse_number
from algorithms.airflow_review.reading.plan_columns import column_key
from algorithms.airflow_review.reading.text import squeeze

_MAX_LINES_BETWEEN: Final = 2
_MAX_LENGTH: Final = 40
_CAPTION: Final = re.compile(r"^(?:续?表|附表|第|§)|[:：]$")


def with_whole_tables(document: Document) -> Document:
    """The document with such tables put together; the cutting lines become rows of one text.

    Only text files need this: other containers say where a table ends.
    """
    if document.kind is not DocumentKind.TEXT:
        return document
    blocks: list[Block] = []
    for block in document.blocks:
        blocks.append(block)
        at = _start_of_cut(document.file, blocks)
        if at is not None:
            blocks[at:] = [_joined(blocks[at:])]
    return replace(document, blocks=tuple(blocks))


def _start_of_cut(file: str, blocks: list[Block]) -> int | None:
    """Index of the table that the last block goes on with, or None."""
    last = blocks[-1]
    if not isinstance(last, Table) or read_grid(file, last, column_key) is not None or _has_own_heads(last):
        return None
    at = len(blocks) - 2
    while at >= 0 and isinstance(blocks[at], Line):
        at -= 1
    first, between = (blocks[at], blocks[at + 1 : -1]) if at >= 0 else (None, [])
    if not isinstance(first, Table) or len(between) > _MAX_LINES_BETWEEN or _width(last) > _width(first):
        return None
    short = all(
        isinstance(b, Line) and len(squeeze(b.text)) <= _MAX_LENGTH and not _CAPTION.search(b.text) for b in between
    )
    grid = read_grid(file, first, column_key)
    return at if short and grid is not None and grid.column("place") is not None else None


def _has_own_heads(table: Table) -> bool:
    """`计算方法 | 中央变电所 | 水泵房`: several words and no number are the head of a table, not its next row."""
    texts = [cell.text.strip() for cell in table.rows[0].cells if cell.text.strip()] if table.rows else []
    return len(texts) > 1 and all(parse_number(text) is None and missing_mark(text) is None for text in texts)


def _width(table: Table) -> int:
    return len(table.rows[0].cells) if table.rows else 0


def _joined(blocks: list[Block]) -> Table:
    first = blocks[0]
    if not isinstance(first, Table):
        raise TypeError(f"not a table: {first!r}")
    width = _width(first)
    rows = list(first.rows)
    for block in blocks[1:]:
        if isinstance(block, Line):
            rows.append(_row(len(rows), width, [block.text], block.line))
        else:
            for row in block.rows:
                rows.append(_row(len(rows), width, list(row.texts), row.line))
    return replace(first, rows=tuple(rows))


def _row(index: int, width: int, texts: list[str], line: int | None) -> Row:
    padded = texts + [""] * (width - len(texts))
    return Row(cells=tuple(Cell(text=text, key=(index, column)) for column, text in enumerate(padded)), line=line)
