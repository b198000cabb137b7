"""Calculations printed in tables: one row per method inside a place's section, or one row per place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.reading.equations import relations_of, scan_expression
from algorithms.airflow_review.reading.grid import Grid, joined
from algorithms.airflow_review.reading.headers import split_header
from algorithms.airflow_review.reading.methods import method_of, methods_in
from algorithms.airflow_review.reading.numbers import convert, parse_quantity
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.text import fold_operators

FLOW: Final = "m3/min"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row while its calculation is looked for."""

    file: str
    table: Table
    row: int
    texts: tuple[str, ...]
    heads: tuple[str, ...]
    place_type: PlaceType | None

    def calculation(self, column: int, label: str, parts: tuple[str, ...], stated: Decimal) -> CalculationExtract:
        context = " ".join(self.texts[:column])
        return CalculationExtract(
            method=method_of((context,) if context else (), parts[0], self.place_type),
            label=label,
            expression=parts[0],
            parts=parts,
            stated=stated,
            where=context,
            evidence=(of_cell(self.file, self.table, self.row, column),),
        )


def calculations_in_table(file: str, table: Table, place_type: PlaceType | None) -> tuple[CalculationExtract, ...]:
    """One calculation for each row (method, expression, result) of a table in a place's section."""
    found = (calculation_in_row(file, table, index, place_type) for index in range(len(table.rows)))
    return tuple(calculation for calculation in found if calculation is not None)


def calculation_in_row(file: str, table: Table, row: int, place_type: PlaceType | None) -> CalculationExtract | None:
    """The first calculation of a row: a cell with a whole equation, or an expression with its result beside it."""
    line = _Row(
        file=file,
        table=table,
        row=row,
        texts=tuple(joined(cell.text) for cell in table.rows[row].cells),
        heads=tuple(joined(cell.text) for cell in table.rows[0].cells),
        place_type=place_type,
    )
    return next((found for column in range(len(line.texts)) if (found := _from_cell(line, column)) is not None), None)


def _from_cell(line: _Row, column: int) -> CalculationExtract | None:
    equation = _equation(line.texts[column], FLOW)
    if equation is not None:
        return line.calculation(column, *equation)
    expression = line.texts[column].strip().rstrip("=＝").strip()
    operators = fold_operators(expression)
    scanned = scan_expression(operators, 0, len(operators))
    if scanned is None or not scanned[1] or operators[scanned[0] :].strip() or not re.search(r"[*/]", operators):
        return None
    for other in range(column + 1, len(line.texts)):
        unit = split_header(line.heads[other]).unit or FLOW
        quantity = parse_quantity(line.texts[other].lstrip("=＝ "), unit)
        stated = convert(quantity.value, quantity.unit, FLOW) if quantity is not None else None
        if stated is not None:
            return line.calculation(column, "", (expression, line.texts[other]), stated)
    return None


def _equation(text: str, unit: str) -> tuple[str, tuple[str, ...], Decimal] | None:
    """Label, numeric parts and result (m³/min) of the first equation in a cell; `unit` counts where none is printed."""
    for relation in relations_of(text):
        equation = relation.equation
        result = equation.result if equation is not None else None
        if equation is not None and equation.expression and result is not None and result.value is not None:
            stated = convert(result.value, result.unit or unit, FLOW)
            parts = tuple(piece.body for piece in equation.pieces if piece.is_numeric)
            return None if stated is None else (equation.label, parts, stated)
    return None


def method_columns(grid: Grid) -> dict[int, Method]:
    """Columns that hold the result of one method each, from the words of their headers."""
    found: dict[int, Method] = {}
    for index, column in enumerate(grid.columns):
        label = column.header.label
        named = methods_in(label)
        is_result = column.header.unit in {"", "m3/min", "m3/s"} and re.search(r"按|法|计算|需风|Q", label) is not None
        if len(named) == 1 and named[0] is not Method.MAXIMUM and is_result and not re.search(r"涌出量|系数", label):
            found[index] = named[0]
    return found


def calculations_of_row(grid: Grid, row: int, columns: Mapping[int, Method]) -> tuple[CalculationExtract, ...]:
    """Calculations of one place from a row with a column for each method; a bare result is its own expression."""
    found: list[CalculationExtract] = []
    for index, method in columns.items():
        header = grid.columns[index].header
        equation = _equation(grid.text(row, index), header.unit or FLOW)
        printed = grid.printed(row, index, FLOW)
        if equation is None and printed is not None:
            equation = (header.label, (printed.text,), printed.value)
        if equation is not None:
            label, parts, stated = equation
            evidence = (grid.evidence(row, index),)
            found.append(
                CalculationExtract(
                    method=method, label=label, expression=parts[0], parts=parts, stated=stated, evidence=evidence
                )
            )
    return tuple(found)
