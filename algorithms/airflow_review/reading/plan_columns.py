"""What the columns of a plan's tables mean, and in which unit their air is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from algorithms.airflow_review.reading.grid import Column, Grid, is_banner, unit_said, with_unit
from algorithms.airflow_review.reading.headers import word_table

FLOW: Final = "m3/min"
FLOW_KEYS: Final = frozenset(
    {"required", "planned", "required_weak", "planned_weak", "subtotal", "planned_subtotal", "system_required"}
)
_DECISIVE: Final = ("采用", "确定", "取值", "选取", "最大", "最终", "核定", "取大")


def column_key(label: str) -> str | None:
    """Key of a plan table's column, see `header_words.json`."""
    return word_table("columns").key_of(label)


def in_said_unit(grid: Grid, before: Sequence[str]) -> Grid:
    """The grid with the unit that its caption or title rows give to its columns of air."""
    titles = [row.cells[0].text for row in grid.table.rows[: grid.header_rows] if is_banner(row)]
    unit = unit_said((*titles, *reversed(before)))
    return with_unit(grid, unit, FLOW_KEYS) if unit else grid


def chosen(grid: Grid, key: str) -> int | None:
    """The column of a key: of several (one for each method), the one that says it is the value taken."""
    indexes = [i for i, column in enumerate(grid.columns) if column.key == key]
    decisive = [i for i in indexes if any(word in grid.columns[i].header.label for word in _DECISIVE)]
    plain = [i for i in indexes if not _is_method(grid.columns[i])]
    weak = grid.column(f"{key}_weak")
    if decisive or plain:
        return (decisive or plain)[0]
    if weak is None and len(indexes) == 1:
        return indexes[0]
    return weak  # of several methods none is the value taken


def _is_method(column: Column) -> bool:
    return word_table("methods", "plan_words").key_of(column.header.label) is not None
