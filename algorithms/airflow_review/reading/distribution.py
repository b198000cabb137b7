"""Distribution tables: places of use with required and planned air, and the sums below them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Document, Doubt, Line, Table
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.extract import PlaceExtract, SystemExtract
from algorithms.airflow_review.reading.distribution_rows import NUMBERING, RowReader, State
from algorithms.airflow_review.reading.grid import Grid, is_banner, joined, read_grid, side_by_side, title_of_part
from algorithms.airflow_review.reading.numbers import parse_number
from algorithms.airflow_review.reading.place_type import type_of_category
from algorithms.airflow_review.reading.plan_columns import chosen, column_key, in_said_unit
from algorithms.airflow_review.reading.system_names import SystemNames, name_in_caption
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.value_class import dataclass

_CAPTION_LINES: Final = 2
_LONGEST_CATEGORY: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What the distribution tables hold, in document order."""

    places: tuple[PlaceExtract, ...]
    systems: tuple[SystemExtract, ...]
    mine_total: Printed | None
    tables: frozenset[int]  # indexes of the tables that were read
    doubts: tuple[Doubt, ...]


def read_distribution(document: Document, names: SystemNames) -> Distribution:
    """All distribution tables of a plan.

    A table counts when its header names places and required or planned air, and it is neither a summary of systems
    nor a calculation table. If any table has a planned column, tables without one are calculation tables.
    """
    candidates = list(_candidates(document))
    has_planned = any(chosen(grid, "planned") is not None for _, grid, _ in candidates if grid is not None)
    state = State()
    for table, headed, before in candidates:
        grid = headed or _continued(document.file, table, state.columns)
        if grid is None or (has_planned and chosen(grid, "planned") is None):
            continue
        _read_table(state, grid, before, names)
        state.columns = grid
    return Distribution(
        places=tuple(state.places),
        systems=tuple(sums.to_extract() for sums in state.sums.values()),
        mine_total=state.mine_total,
        tables=frozenset(state.tables),
        doubts=tuple(state.doubts),
    )


def _candidates(document: Document) -> Iterable[tuple[Table, Grid | None, tuple[Line, ...]]]:
    """Tables that may be distribution tables, with the lines since the table before; None is a table without header."""
    before: list[Line] = []
    for block in document.blocks:
        if isinstance(block, Line):
            before.append(block)
            continue
        grid = read_grid(document.file, block, column_key)
        if grid is not None:
            grid = in_said_unit(grid, [line.text for line in before[-_CAPTION_LINES:]])
        if grid is None or is_distribution(grid):
            yield block, grid, tuple(before)
        before = []


def is_distribution(grid: Grid) -> bool:
    """True if the header names places and their required or planned air."""
    if grid.column("place") is None or (chosen(grid, "required") is None and chosen(grid, "planned") is None):
        return False
    return grid.column("subtotal", "system_required", "fan_capacity", "fan", "measured") is None


def _continued(file: str, table: Table, above: Grid | None) -> Grid | None:
    """A table without a header goes on with the columns of the one above when it is as wide."""
    if above is None or not table.rows or len(table.rows[0].cells) != len(above.columns):
        return None
    place, required = above.column("place"), chosen(above, "required")
    fits = any(
        place is not None
        and row.cells[place].text.strip()
        and required is not None
        and parse_number(row.cells[required].text) is not None
        for row in table.rows
    )
    return Grid(file=file, table=table, header_rows=0, columns=above.columns) if fits else None


def _read_table(state: State, grid: Grid, before: Sequence[Line], names: SystemNames) -> None:
    state.tables.add(grid.table.index)
    titles = [joined(row.cells[0].text) for row in grid.table.rows[: grid.header_rows] if is_banner(row)]
    state.system = names.of_table([line.text for line in before], titles) or state.system or names.only
    category = _category_of([line.text for line in before])
    for part in side_by_side(grid, "place", "required" if grid.column("required") is not None else "planned"):
        title = title_of_part(part)
        state.system = names.in_text(title) or name_in_caption(title) or state.system
        _read_rows(state, part, names, category)


def _category_of(before: Sequence[str]) -> str:
    """The kind of places the line right above a table names, when it says nothing else: `掘进工作面`."""
    text = NUMBERING.sub("", squeeze(before[-1])) if before else ""
    is_category = type_of_category(text) is not None and len(text) <= _LONGEST_CATEGORY and not re.search(r"\d", text)
    return text if is_category else ""


def _read_rows(state: State, grid: Grid, names: SystemNames, category: str) -> None:
    several = _systems_in(grid, names) > 1
    reader = RowReader(state=state, grid=grid, names=names, category=category, holds_several_systems=several)
    for row in grid.body():
        reader.read(row)


def _systems_in(grid: Grid, names: SystemNames) -> int:
    column = grid.column("system")
    return len({name for row in grid.body() if (name := names.in_text(grid.text(row, column))) is not None})
