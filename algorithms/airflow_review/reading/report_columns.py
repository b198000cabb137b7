"""The header of a measurement table: which column holds what, in which unit, for which side of the place.

One header may describe several readings a row: a group of columns for 进风 and one for 回风, or two panels side by
side with a station column each. Every such reading is one `Layout`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Row
from algorithms.airflow_review.reading.headers import Header, split_header, word_table
from algorithms.airflow_review.reading.numbers import parse_number, parse_unit
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.value_class import dataclass

WORDS: Final = "report_words"
_MAX_LEVELS: Final = 3
_TAKEN: Final = re.compile("平均|均值|真速|真风速|校正")  # of several speeds the one the air is computed with
_FEWEST_COLUMNS: Final = 3
_NAMES: Final = frozenset({"station", "location", "block", "system", "code", "sequence", "remark", "date"})
_VALUES: Final = frozenset(
    {"area", "speed", "flow", "flow_measured", "temperature", "ch4", "co2", "pressure_static", "pressure_total"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its place, its unit ("" where the header names none) and its header text."""

    index: int
    unit: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read one reading out of a row; `label` is the group's heading where a row holds several."""

    fields: Mapping[str, Column]
    names: tuple[Column, ...]  # station columns in order, the location column last
    label: str = ""

    def column(self, *roles: str) -> Column | None:
        """The column of the first role present."""
        return next((self.fields[role] for role in roles if role in self.fields), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHeader:
    """A header and the number of rows it takes."""

    layouts: tuple[Layout, ...]
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    role: str | None
    column: Column
    group: str


def read_header(rows: Sequence[Row], at: int) -> TableHeader | None:
    """The header that begins at row `at` (up to three levels and a row of units), or None."""
    best: TableHeader | None = None
    for height in range(1, _MAX_LEVELS + 1):
        block = rows[at : at + height]
        if len(block) < height or not _may_be_header(block[-1], is_lower=height > 1):
            break
        if height > 1 and not (_continues(block) and any(_is_level_word(cell.text) for cell in block[0].cells)):
            break
        layouts = _layouts(block)
        if layouts:
            best = TableHeader(layouts=layouts, height=height)
    return best


def first_value_row(rows: Sequence[Row]) -> int | None:
    """Where a table lists its stations side by side (测点 | A面 | B面, below it 断面, 风速, 风量), the row of stations."""
    for at, row in enumerate(rows[:_MAX_LEVELS]):
        heads = [_role_of((split_header(line.cells[0].text).label,)) for line in rows[at:] if line.cells]
        beside = [cell.text for cell in row.cells[1:] if cell.text.strip()]
        is_list = heads[:1] == ["station"] and len(set(heads[1:]) & _VALUES) >= _FEWEST_COLUMNS
        values = [text for text in beside if _role_of((split_header(text).label,)) in _VALUES]
        if is_list and 2 * len(values) < len(beside):
            return at
    return None


def is_column_numbers(row: Row) -> bool:
    """A row that only counts the columns: 1 2 3 4."""
    texts = [squeeze(cell.text) for cell in row.cells if cell.text.strip()]
    return len(texts) > 2 and texts == [str(i) for i in range(1, len(texts) + 1)]  # noqa: PLR2004 - 1 2 could be data


def is_other_header(row: Row) -> bool:
    """The header of a table that holds no readings, say of local fans: most cells are column words, none a number."""
    own = {cell.key: cell.text for cell in row.cells if cell.text.strip()}
    if len(own) < _FEWEST_COLUMNS or any(parse_number(text) is not None for text in own.values()):
        return False
    roles = [role for text in own.values() if (role := _role_of((split_header(text).label,))) is not None]
    return len(set(roles)) > 1 and len(roles) * 2 > len(own)


def _may_be_header(row: Row, *, is_lower: bool) -> bool:
    own = {cell.key: cell.text for cell in row.cells if cell.text.strip()}
    numbers = [text for text in own.values() if parse_number(text) is not None]
    return len(own) > 1 and all(is_lower and _is_repeat(text) for text in numbers)


def _is_repeat(text: str) -> bool:
    """One of several measurements under one heading: 1 2 3 平均."""
    return squeeze(text) in {word for word, _ in word_table("levels", WORDS).words}


def _continues(block: Sequence[Row]) -> bool:
    """Whether the last row is a lower level: mostly roles, units or groups, under the row above."""
    above, last = block[-2], block[-1]
    own = [cell for column, cell in enumerate(last.cells) if cell.text.strip() and cell.key != above.cells[column].key]
    if not own:
        return True  # wholly merged from above
    ordinals = [cell for cell in own if word_table("levels", WORDS).key_of(cell.text) == "ordinal"]
    # 一 二 三 平均 count measurements; one 一 alone is the number of a section
    known = [cell for cell in own if _is_level_word(cell.text) or (cell in ordinals and len(ordinals) > 1)]
    return len(known) * 2 > len(own)


def _is_level_word(text: str) -> bool:
    label = squeeze(text).strip("()")
    return (
        parse_unit(label) is not None
        or _role_of((split_header(text).label,)) is not None
        or word_table("sides", WORDS).key_of(text) is not None
        or _is_repeat(text)
    )


def _role_of(labels: Sequence[str]) -> str | None:
    """The role of the longest column word in any of the texts."""
    table = word_table("columns", WORDS)
    texts = [squeeze(label).casefold() for label in labels]
    ranks = [rank for text in texts if (rank := table.rank_in(text)) is not None]
    return table.words[min(ranks)][1] if ranks else None


def _levels(block: Sequence[Row], column: int) -> list[str]:
    """The header texts over one column, top first, each merged cell once."""
    seen: set[tuple[int, int]] = set()
    texts: list[str] = []
    for level, row in enumerate(block):
        cell = row.cells[column]
        text = cell.text.strip()
        if not text and level + 1 < len(block) and block[level + 1].cells[column].text.strip():
            text = _spanning_left(row, column)  # files without merges leave the group's other cells empty
        elif cell.key in seen:
            continue
        seen.add(cell.key)
        if text and text not in texts:
            texts.append(text)
    return texts


def _spanning_left(row: Row, column: int) -> str:
    return next((row.cells[i].text.strip() for i in range(column, -1, -1) if row.cells[i].text.strip()), "")


def _cell(block: Sequence[Row], column: int) -> _Cell:
    texts = _levels(block, column)
    headers: list[Header] = []
    unit = ""
    for text in texts:
        bare = parse_unit(squeeze(text).strip("()"))
        if bare is not None:
            unit = bare
            continue
        header = split_header(text)
        unit = header.unit or unit
        headers.append(header)
    labels = [header.label for header in headers]
    symbol = _role_of(labels[-1:]) if labels and labels[-1].isascii() else None  # S, V, CH4 under 进风侧
    role = symbol or (_role_of(("".join(labels), "".join(reversed(labels)))) if labels else None)
    group = labels[0] if len(labels) > 1 else ""
    return _Cell(role=role, column=Column(index=column, unit=unit, text="".join(texts)), group=group)


def _layouts(block: Sequence[Row]) -> tuple[Layout, ...]:
    cells = [_cell(block, column) for column in range(len(block[0].cells))]
    roles = {cell.role for cell in cells}
    if "station" not in roles and "location" not in roles:
        return ()
    if len(roles & _VALUES) < 1 or not roles & {"flow", "flow_measured", "speed", "pressure_static"}:
        return ()
    return tuple(layout for panel in _panels(cells) for layout in _groups(panel))


def _panels(cells: Sequence[_Cell]) -> list[list[_Cell]]:
    """Split side-by-side tables: a station column after value columns that come again behind it."""
    starts = [0]
    seen_values: set[str] = set()
    for at, cell in enumerate(cells):
        if cell.role in _VALUES:
            seen_values.add(cell.role)
        again = {c.role for c in cells[at + 1 :] if c.role in _VALUES}
        if cell.role == "station" and seen_values and again & seen_values:
            start = at - 1 if cells[at - 1].role in {"sequence", "block"} else at
            starts.append(start)
            seen_values = set()
    ends = [*starts[1:], len(cells)]
    return [list(cells[start:end]) for start, end in zip(starts, ends, strict=True)]


def _groups(panel: Sequence[_Cell]) -> list[Layout]:
    """One layout a group of value columns; columns that stand once belong to every group."""
    values = [cell for cell in panel if cell.role is not None and cell.role not in _NAMES and cell.role != "ignored"]
    repeated = {cell.role for cell in values if sum(other.role == cell.role for other in values) > 1}
    labels = [
        label
        for label in dict.fromkeys(cell.group for cell in values if cell.role in repeated and cell.group)
        if sum(cell.group == label for cell in values) > 0
    ]
    names = [cell.column for cell in panel if cell.role == "station"] or []
    names += [cell.column for cell in panel if cell.role == "location"]
    shared = {cell.role: cell.column for cell in reversed(panel) if cell.role in _NAMES}
    if len(labels) < 2 or not repeated & {"flow", "flow_measured"}:  # noqa: PLR2004 - one group is no group
        fields = {cell.role: cell.column for cell in reversed(values) if cell.role}
        averaged = next((c for c in values if c.role == "speed" and _TAKEN.search(c.column.text)), None)
        if averaged is not None:
            fields["speed"] = averaged.column
        return [Layout(fields={**shared, **fields}, names=tuple(names))]
    single = {cell.role: cell.column for cell in reversed(values) if cell.role and cell.group not in labels}
    layouts = []
    for label in labels:
        own = {cell.role: cell.column for cell in reversed(values) if cell.role and cell.group == label}
        layouts.append(Layout(fields={**shared, **single, **own}, names=tuple(names), label=label))
    return layouts
