"""Which lines and rows of a document speak of which place: a number counts for a place only where its own passages print it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Document, Line, Table
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.reading.grid import joined
from algorithms.airflow_review.reading.headers import split_header
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, convert, parse_number, unit_at
from algorithms.airflow_review.reading.place_in_source import of_cell, of_line
from algorithms.airflow_review.reading.text import fold, normal_name

NOBODY: Final = ""  # owner of sums, titles and everything that names no place
_CHAPTER: Final = re.compile(
    r"^\s*(?:第[一二三四五六七八九十\d]+[章节]|[一二三四五六七八九十]+\s*[、.．]|[（(][一二三四五六七八九十]+[）)]|§)"
)
_FLOW_UNITS: Final = frozenset({"m3/s", "m3/h"})


class OwnPassages:
    """The words and numbers of each place, in the spelling of `normal_name`; flows per second count as per minute.

    A line or row belongs to the places it names. Lines that name none belong to the place named last, until a chapter
    begins; rows that name none belong to nobody where other rows of their table name places.
    """

    def __init__(self, document: Document, names: Iterable[str]) -> None:
        self._names = sorted({normal_name(name) for name in names if name}, key=len, reverse=True)
        self._numbers: dict[str, dict[Decimal, Evidence]] = {}
        self._texts: dict[str, list[str]] = {}
        self.text = ""  # of the whole document
        current: tuple[str, ...] = (NOBODY,)
        for block in document.blocks:
            if isinstance(block, Line):
                current = self._line(document.file, block, current)
            else:
                self._table(document.file, block, current)
        self.text = "".join(text for texts in self._texts.values() for text in texts)

    def number(self, owner: str, value: Decimal) -> Evidence | None:
        """Where the passages of `owner` print `value`."""
        return self._numbers.get(normal_name(owner), {}).get(value.normalize())

    def says(self, owner: str, words: str) -> bool:
        """Whether the passages of `owner` hold these words."""
        wanted = normal_name(words)
        return bool(wanted) and wanted in "".join(self._texts.get(normal_name(owner), ()))

    def _line(self, file: str, line: Line, current: tuple[str, ...]) -> tuple[str, ...]:
        named = self._named(line.text)
        if not named and _CHAPTER.match(line.text):
            current = (NOBODY,)
        owners = named or current
        self._take(owners, line.text, of_line(file, line), "")
        return owners if len(owners) == 1 else current

    def _table(self, file: str, table: Table, current: tuple[str, ...]) -> None:
        rows = [self._named(" ".join(cell.text for cell in row.cells)) for row in table.rows]
        others = (NOBODY,) if any(rows) else current
        heads = [split_header(cell.text).unit for cell in table.rows[0].cells] if table.rows else []
        for index, (row, named) in enumerate(zip(table.rows, rows, strict=True)):
            for column, cell in enumerate(row.cells):
                unit = heads[column] if column < len(heads) else ""
                self._take(named or others, joined(cell.text), of_cell(file, table, index, column), unit)

    def _named(self, text: str) -> tuple[str, ...]:
        """Names in a text; one inside a longer one is not meant."""
        rest, found = normal_name(text), []
        for name in self._names:
            if name in rest:
                rest = rest.replace(name, "\0")
                found.append(name)
        return tuple(found)

    def _take(self, owners: Iterable[str], text: str, evidence: Evidence, unit: str) -> None:
        words, numbers = normal_name(text), tuple(_numbers(text, unit))
        for owner in owners:
            self._texts.setdefault(owner, []).append(words)
            known = self._numbers.setdefault(owner, {})
            for number in numbers:
                known.setdefault(number.normalize(), evidence)


def _numbers(text: str, unit: str) -> Iterator[Decimal]:
    folded = fold(text)
    for match in re.finditer(NUMBER_PATTERN, folded):
        number = parse_number(match.group())
        if number is None:
            continue
        own = unit_at(folded, match.end())
        printed_in = own[0] if own is not None else unit
        per_minute = convert(number, printed_in, "m3/min") if printed_in in _FLOW_UNITS else None
        yield number if per_minute is None else per_minute
