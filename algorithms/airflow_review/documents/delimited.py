"""Reads csv files: one table, one row a record, whatever the delimiter."""

from __future__ import annotations

import csv
import io

from algorithms.airflow_review.documents.cell_text import join_lines
from algorithms.airflow_review.documents.decoding import decode
from algorithms.airflow_review.documents.document import Block
from algorithms.airflow_review.documents.layout import plain_table

_DELIMITERS = (",", "\t", ";", "，", "|")


def parse_delimited(data: bytes, file: str) -> tuple[Block, ...]:
    """One table of all records, blank ones included, each with the line it starts on.

    Raises:
        InputError: the encoding is unknown.
    """
    text = decode(data, file)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    records: list[list[str]] = []
    starts: list[int] = []
    done = 0
    for record in reader:
        records.append([join_lines(cell.splitlines()) for cell in record])
        starts.append(done + 1)
        done = reader.line_num
    while records and not any(records[-1]):
        records.pop()
    if not records:
        return ()
    width = max(max((at for at, cell in enumerate(record, start=1) if cell), default=1) for record in records)
    return (plain_table(1, [record[:width] for record in records], lines=starts, ruled=True),)


def _delimiter(text: str) -> str:
    """The delimiter that splits the most lines; the first of the list where nothing decides."""
    lines = text.splitlines()
    return max(_DELIMITERS, key=lambda mark: sum(mark in line for line in lines))
