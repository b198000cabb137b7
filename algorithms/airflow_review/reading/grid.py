"""A table with its header understood: what each column means and which rows hold data."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from algorithms.airflow_review.documents.document import Row, Table
from algorithms.airflow_review.evidence import Evidence, Printed
from algorithms.airflow_review.reading.headers import Header, split_header
from algorithms.airflow_review.reading.numbers import Quantity, convert, parse_number, parse_quantity, parse_unit
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.value_class import dataclass

_MAX_HEADER_ROWS: Final = 4
_UNIT_SAID: Final = re.compile(r"单位[均]?[:为是]?[（(]?((?:m[³3]|立方米|方)/(?:min|分钟?|s|秒|h|小?时))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its header taken apart and its key (None where the words are unknown)."""

    header: Header
    key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table whose first `header_rows` rows name the columns."""

    file: str
    table: Table
    header_rows: int
    columns: tuple[Column, ...]
    span: range | None = None  # the columns this grid is about, where two tables stand side by side

    def column(self, *keys: str) -> int | None:
        """Index of the first column with one of the keys, keys in order of preference."""
        for key in keys:
            for index, column in enumerate(self.columns):
                if column.key == key:
                    return index
        return None

    def body(self) -> Iterator[int]:
        """Indexes of the rows below the header."""
        return iter(range(self.header_rows, len(self.table.rows)))

    def text(self, row: int, column: int | None) -> str:
        """Text of a cell without line breaks, "" where there is no such column."""
        if column is None or column >= len(self.table.rows[row].cells):
            return ""
        return joined(self.table.rows[row].cells[column].text)

    def printed(self, row: int, column: int | None, unit: str) -> Printed | None:
        """The number of a cell in `unit`; the header's unit counts where none is glued to the number."""
        if column is None or column >= len(self.columns):
            return None
        quantity = parse_quantity(self.text(row, column), self.columns[column].header.unit)
        return None if quantity is None else self._in_unit(row, column, quantity, unit)

    def _in_unit(self, row: int, column: int, quantity: Quantity, unit: str) -> Printed | None:
        value = convert(quantity.value, quantity.unit, unit)
        if value is None:
            return None
        return Printed(value=value, text=self.text(row, column), evidence=(self.evidence(row, column),))

    def evidence(self, row: int, column: int) -> Evidence:
        """Where a cell stands."""
        return of_cell(self.file, self.table, row, column)


def with_unit(grid: Grid, unit: str, keys: Collection[str]) -> Grid:
    """The grid with a unit said above the table for the columns of these keys that name none."""
    columns = tuple(
        replace(c, header=replace(c.header, unit=unit)) if c.key in keys and not c.header.unit else c
        for c in grid.columns
    )
    return replace(grid, columns=columns)


def unit_said(texts: Iterable[str]) -> str:
    """The unit the words above a table give: `（单位：m³/s）`, `风量单位为m³/min`; "" where none is given."""
    for text in texts:
        found = _UNIT_SAID.search(squeeze(text))
        unit = parse_unit(found[1]) if found is not None else None
        if unit is not None:
            return unit
    return ""


def side_by_side(grid: Grid, first: str, needed: str) -> tuple[Grid, ...]:
    """The tables of a grid whose header repeats (序号 地点 风量 | 序号 地点 风量); the grid itself where it does not.

    `first` and `needed` are keys every part must have; the columns before a part's `first` that another key repeats
    (a sequence number) belong to it.
    """
    starts = [i for i, column in enumerate(grid.columns) if column.key == first]
    if len(starts) < 2 or sum(column.key == needed for column in grid.columns) < len(starts):  # noqa: PLR2004 - two tables
        return (grid,)
    lead = starts[0]
    bounds = [max(start - lead, 0) for start in starts] + [len(grid.columns)]
    parts: list[Grid] = []
    for begin, end in pairwise(bounds):
        span = range(begin, end)
        columns = tuple(c if i in span else replace(c, key=None) for i, c in enumerate(grid.columns))
        parts.append(replace(grid, columns=columns, span=span))
    return tuple(parts)


@lru_cache(maxsize=8192)
def joined(text: str) -> str:
    """A cell's text on one line: breaks between Chinese characters vanish, others become one space."""
    parts = [part.strip() for part in text.splitlines() if part.strip()]
    out = parts[0] if parts else ""
    for left, right in pairwise(parts):
        glue = (
            " " if left[-1:].isascii() and left[-1:].isalpha() and right[:1].isascii() and right[:1].isalpha() else ""
        )
        out += glue + right
    return out


def read_grid(file: str, table: Table, key_of: Callable[[str], str | None], *, needed: int = 2) -> Grid | None:
    """Understand a table's header; None when fewer than `needed` columns are known.

    A header may have several levels: the words of all levels above a column count, a merged cell once. A title row
    over the whole width is passed over.
    """
    start = _first_header_row(table, key_of, needed)
    if start is None:
        return None
    end = start + 1
    while end < min(len(table.rows), start + _MAX_HEADER_ROWS) and _continues_header(table, start, end):
        end += 1
    columns = tuple(_column(table.rows[start:end], index, key_of) for index in range(_width(table)))
    if sum(column.key is not None for column in columns) < needed:
        return None
    return Grid(file=file, table=table, header_rows=end, columns=columns)


def is_banner(row: Row) -> bool:
    """One text over the whole row (a title, a category, a note), merged or alone."""
    filled = {cell.key for cell in row.cells if cell.text.strip()}
    return len(filled) == 1 and len(row.cells) > 1


def _width(table: Table) -> int:
    return max((len(row.cells) for row in table.rows), default=0)


def _first_header_row(table: Table, key_of: Callable[[str], str | None], needed: int) -> int | None:
    for index, row in enumerate(table.rows[:_MAX_HEADER_ROWS]):
        if is_banner(row) or _names_parts(table, index, key_of):
            continue
        known = {key for cell in row.cells if (key := key_of(split_header(cell.text).label)) is not None}
        return index if len(known) >= min(needed, 2) and not _has_numbers(row) else None
    return None


def _names_parts(table: Table, index: int, key_of: Callable[[str], str | None]) -> bool:
    """A row of titles over tables that stand side by side: `东翼回风系统 | 西翼回风系统`, each above a header of its own."""
    if index + 1 >= len(table.rows):
        return False
    titles = {cell.key for cell in table.rows[index].cells if cell.text.strip()}
    keys = [key_of(split_header(cell.text).label) for cell in table.rows[index + 1].cells if cell.origin]
    parts = keys.count("place")
    return parts > 1 and len(titles) == parts and keys.count(keys[0]) == parts


def title_of_part(part: Grid) -> str:
    """What stands above the header of one of several tables side by side; "" where nothing does."""
    span, rows = part.span, part.table.rows
    for row in reversed(rows[: part.header_rows - 1] if span is not None else ()):
        texts = [joined(row.cells[index].text) for index in span or () if index < len(row.cells)]
        found = next((text for text in texts if text), "")
        if found and not is_banner(row):
            return found
    return ""


def _has_numbers(row: Row) -> bool:
    return any(parse_number(cell.text) is not None for cell in row.cells)


def _continues_header(table: Table, start: int, index: int) -> bool:
    """A second level: no numbers, and it hangs under merged cells or holds only units."""
    row, above = table.rows[index], table.rows[index - 1]
    if _has_numbers(row) or is_banner(row):
        return False
    texts = [squeeze(cell.text) for cell in row.cells]
    if any(texts) and all(not text or parse_unit(text.strip("()")) is not None for text in texts):
        return True
    shares = any(
        cell.text.strip() and not cell.origin and cell.key == up.key
        for cell, up in zip(row.cells, above.cells, strict=False)
    )
    first = table.rows[start]
    spread = {cell.key for cell in first.cells if cell.text.strip()}
    has_wide = len(spread) < sum(1 for cell in first.cells if cell.text.strip())
    blank_above = any(text and not up.text.strip() for text, up in zip(texts, above.cells, strict=False))
    long_run = re.search(r"[\u4e00-\u9fff]", "".join(texts)) is not None
    return long_run and (shares or (has_wide and not texts[0]) or (blank_above and not texts[0]))


def _group_left(rows: tuple[Row, ...], level: int, index: int) -> str:
    """The group heading whose cell only files with merges would stretch over this column; "" where there is none.

    Told by the level below: it names a column here and below the heading itself.
    """
    if level + 1 >= len(rows) or not rows[level + 1].cells[index].text.strip():
        return ""
    cells = rows[level].cells
    left = next((i for i in range(index - 1, -1, -1) if cells[i].text.strip()), None)
    if left is None or any(not rows[level + 1].cells[i].text.strip() for i in range(left, index)):
        return ""
    return squeeze(joined(cells[left].text))


def _column(rows: tuple[Row, ...], index: int, key_of: Callable[[str], str | None]) -> Column:
    labels: list[str] = []
    unit = ""
    seen: set[tuple[int, int]] = set()
    for level, row in enumerate(rows):
        if index >= len(row.cells) or row.cells[index].key in seen:
            continue
        seen.add(row.cells[index].key)
        text = squeeze(joined(row.cells[index].text)) or _group_left(rows, level, index)
        alone = parse_unit(text.strip("()"))
        header = Header(label="", unit=alone) if alone and len(rows) > 1 and labels else split_header(text)
        labels.append(header.label)
        unit = header.unit or unit
    key = next((found for label in reversed(labels) if (found := key_of(label)) is not None), None)
    return Column(header=Header(label="".join(labels), unit=unit), key=key or key_of("".join(labels)))
