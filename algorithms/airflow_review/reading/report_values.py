"""One cell of a measurement table as a number in the unit the extract promises."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Row, Table
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.reading.numbers import Quantity, convert, missing_mark, parse_quantity
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.report_columns import Column

# The unit of every role, as `ReadingExtract` and `FanExtract` promise it.
UNITS: Final = {
    "area": "m2",
    "speed": "m/s",
    "flow": "m3/min",
    "flow_measured": "m3/min",
    "planned": "m3/min",
    "required": "m3/min",
    "fan_intake": "m3/min",
    "duct_outlet": "m3/min",
    "temperature": "C",
    "ch4": "%",
    "co2": "%",
    "pressure_static": "Pa",
    "pressure_total": "Pa",
    "blade_angle": "deg",
    "fan_speed": "r/min",
    "power": "kW",
    "efficiency": "%",
}
_PA_PER_MMH2O: Final = Decimal("9.80665")  # conventional millimetre of water


def to_unit(quantity: Quantity, target: str) -> Decimal | None:
    """The value in `target` units, or None where the printed unit does not fit."""
    if quantity.unit == "mmH2O" and target == "Pa":
        return quantity.value * _PA_PER_MMH2O
    return convert(quantity.value, quantity.unit, target)


def read_value(file: str, table: Table, at: int, column: Column | None, role: str) -> Printed | None:
    """The number of one cell in the unit of its role; None where the cell holds none.

    A value merged over several rows counts at its first row only.
    """
    if column is None:
        return None
    cell = table.rows[at].cells[column.index]
    if not cell.origin:
        return None
    quantity = parse_quantity(cell.text, column.unit)
    value = to_unit(quantity, UNITS[role]) if quantity is not None else None
    if value is None:
        return None
    return Printed(value=value, text=cell.text, evidence=(of_cell(file, table, at, column.index),))


def is_unreadable(row: Row, column: Column | None) -> bool:
    """Whether a cell holds text that is neither a number nor a missing mark."""
    if column is None:
        return False
    cell = row.cells[column.index]
    return cell.origin and missing_mark(cell.text) is None and parse_quantity(cell.text, column.unit) is None
