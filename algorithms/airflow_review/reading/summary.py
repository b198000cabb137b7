"""The summary table (one row per return-air system) and the fan capacity table of a plan."""

from __future__ import annotations

from collections.abc import Iterator

from algorithms.airflow_review.documents.document import Document, Line
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.extract import FanCapacityExtract, SystemExtract
from algorithms.airflow_review.reading.fan_sentences import fans_in_sentences
from algorithms.airflow_review.reading.grid import Grid, is_banner, read_grid
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import missing_mark
from algorithms.airflow_review.reading.plan_columns import FLOW, column_key, in_said_unit
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.value_class import dataclass

_SUM_KEYS = ("subtotal", "required", "planned_subtotal", "planned", "coefficient", "system_required")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Rows of the summary table and the mine's total, as printed there."""

    systems: tuple[SystemExtract, ...]
    mine_total: Printed | None


def read_summary(document: Document, names: SystemNames) -> Summary:
    """Summary tables: systems in the first column, their sums beside, the mine's total below."""
    systems: list[SystemExtract] = []
    totals = _Totals()
    for grid in _grids(document):
        totals.after_coefficient = False
        column = _system_column(grid, names)
        if (
            column is None
            or grid.column(*_SUM_KEYS) is None
            or grid.column("fan_capacity", "fan_pressure", "status") is not None
        ):
            continue
        for row in grid.body():
            label = grid.text(row, column) or next(
                (cell.text for cell in grid.table.rows[row].cells if cell.text.strip()), ""
            )
            if not label or is_banner(grid.table.rows[row]):
                continue
            kind = word_table("sum_rows", "plan_words").key_of(label)
            if kind is not None and names.in_text(label) is None:
                totals.take(kind, _total(grid, row))
            else:
                systems.append(_system(grid, row, column, names.resolve(label) or label))
    return Summary(systems=tuple(systems), mine_total=totals.mine or totals.sum)


@dataclass(slots=True)
class _Totals:
    """Sum rows below the systems: a sum, perhaps a coefficient of the whole mine, then its total."""

    sum: Printed | None = None
    mine: Printed | None = None
    after_coefficient: bool = False

    def take(self, kind: str, value: Printed | None) -> None:
        """One sum row of a summary table."""
        if kind == "coefficient":
            self.after_coefficient = True
        elif kind == "subtotal" and not self.after_coefficient:
            self.sum = self.sum or value
        else:
            self.mine = self.mine or value


def read_fans(document: Document, names: SystemNames) -> tuple[FanCapacityExtract, ...]:
    """Main fans and what they can give, from tables, else from sentences."""
    fans: list[FanCapacityExtract] = []
    for grid in _grids(document):
        column = grid.column("fan", "place", "system")
        if column is None or grid.column("fan_capacity") is None:
            continue
        system_column = grid.column("system")
        for row in grid.body():
            name = grid.text(row, column)
            if not name or missing_mark(name) is not None or is_banner(grid.table.rows[row]):
                continue
            system = grid.text(row, system_column)
            fans.append(
                FanCapacityExtract(
                    name=name,
                    system=(names.resolve(system) if system else None) or names.in_text(name),
                    need=grid.printed(row, grid.column("system_required", "required"), FLOW),
                    capacity=grid.printed(row, grid.column("fan_capacity"), FLOW),
                    pressure=grid.printed(row, grid.column("fan_pressure"), "Pa"),
                    pressure_max=grid.printed(row, grid.column("fan_pressure_max"), "Pa"),
                    blade_angle=grid.printed(row, grid.column("blade_angle"), "deg"),
                    efficiency=grid.printed(row, grid.column("efficiency"), "%"),
                    evidence=(grid.evidence(row, column),),
                )
            )
    return tuple(fans) or tuple(fans_in_sentences(document, names))


def _grids(document: Document) -> Iterator[Grid]:
    before: list[str] = []
    for block in document.blocks:
        if isinstance(block, Line):
            before.append(block.text)
            continue
        grid = read_grid(document.file, block, column_key)
        if grid is not None:
            yield in_said_unit(grid, before[-2:])
        before = []


def _system_column(grid: Grid, names: SystemNames) -> int | None:
    """The column of systems; a column headed 名称 counts when its cells are known systems."""
    place = grid.column("place")
    if place is None:
        return grid.column("system")
    sums = word_table("sum_rows", "plan_words")
    rows = (row for row in grid.body() if not is_banner(grid.table.rows[row]))
    cells = [text for row in rows if (text := grid.text(row, place)) and sums.key_of(text) is None]
    return place if cells and all(names.is_one(text) for text in cells) else None


def _total(grid: Grid, row: int) -> Printed | None:
    column = grid.column("system_required")
    value = grid.printed(row, column, FLOW)
    if value is not None or column is not None:
        return value
    return grid.printed(row, grid.column("required", "subtotal"), FLOW)


def _system(grid: Grid, row: int, column: int, name: str) -> SystemExtract:
    return SystemExtract(
        name=name,
        subtotal=grid.printed(row, grid.column("subtotal", "required"), FLOW),
        planned_subtotal=grid.printed(row, grid.column("planned_subtotal", "planned"), FLOW),
        coefficient=grid.printed(row, grid.column("coefficient"), "1"),
        required=grid.printed(row, grid.column("system_required"), FLOW),
        evidence=(grid.evidence(row, column),),
    )
