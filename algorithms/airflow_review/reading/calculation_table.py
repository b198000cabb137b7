"""Calculations printed in tables: one row per method inside a place's section, or one row per place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.reading.equations import Relation, relations_of, scan_expression
from algorithms.airflow_review.reading.grid import Grid, joined
from algorithms.airflow_review.reading.headers import split_header, word_table
from algorithms.airflow_review.reading.methods import method_of, methods_in
from algorithms.airflow_review.reading.numbers import convert, missing_mark, parse_quantity
from algorithms.airflow_review.reading.parameters import Parameter, parameters_in_text
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.text import fold, fold_operators
from algorithms.airflow_review.value_class import dataclass

FLOW: Final = "m3/min"
_OF_A_METHOD: Final = re.compile(r"按|法|计算|需风|Q")
_PARAMETER: Final = re.compile(r"涌出量|系数")  # 瓦斯涌出量 is an input, 按瓦斯涌出量计算 a result
_COMPUTED: Final = re.compile(r"按|法$|计算|需风")
_WORD_KEYS: Final = frozenset({"place", "sequence", "type", "system", "status", "remark", "fan"})
_EXPRESSION: Final = re.compile(r"[\d%)]\s*[*/]\s*[\d(]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row while its calculation is looked for."""

    file: str
    table: Table
    row: int
    texts: tuple[str, ...]
    heads: tuple[str, ...]
    place_type: PlaceType | None

    def calculation(
        self, column: int, label: str, parts: tuple[str, ...], stated: Decimal, said: str = ""
    ) -> CalculationExtract:
        context = " ".join(self.texts[:column])
        contexts = tuple(text for text in (said.strip(), *self.texts[:column], context) if text)
        return CalculationExtract(
            method=method_of(contexts, parts[0], self.place_type),
            label=label,
            expression=parts[0],
            parts=parts,
            stated=stated,
            where=said.strip() or context,
            evidence=(of_cell(self.file, self.table, self.row, column),),
        )


def calculations_in_table(file: str, table: Table, place_type: PlaceType | None) -> tuple[CalculationExtract, ...]:
    """The calculations of every row (method, expression, result) of a table in a place's section."""
    return tuple(
        calculation
        for index in range(len(table.rows))
        for calculation in calculations_in_row(file, table, index, place_type)
    )


def parameters_beside(file: str, table: Table, calculations: Iterable[CalculationExtract]) -> Iterator[Parameter]:
    """What the cells beside an expression explain (`K1=1.2，V=1.0m/s`), by the method of their row."""
    for calculation in calculations:
        where = calculation.evidence[0]
        if where.row is None or where.column is None or table.printed_rows:
            continue
        row, own = where.row - 1, where.column - 1
        for column, cell in enumerate(table.rows[row].cells):
            if cell.origin and column != own and "=" in fold(cell.text):
                evidence = (of_cell(file, table, row, column),)
                yield from parameters_in_text(joined(cell.text), evidence, calculation.method)


def calculations_in_row(
    file: str, table: Table, row: int, place_type: PlaceType | None
) -> tuple[CalculationExtract, ...]:
    """The equations of the first cell that holds any, or an expression with its result in a cell beside it."""
    line = _Row(
        file=file,
        table=table,
        row=row,
        texts=tuple(joined(cell.text) for cell in table.rows[row].cells),
        heads=tuple(joined(cell.text) for cell in table.rows[0].cells),
        place_type=place_type,
    )
    for column, cell in enumerate(table.rows[row].cells):
        equations = tuple(_equations_in(cell.text))
        if equations:
            return tuple(
                line.calculation(column, label, parts, stated, said) for said, label, parts, stated in equations
            )
        beside = _from_cell(line, column)
        if beside is not None:
            return (beside,)
    return ()


def _from_cell(line: _Row, column: int) -> CalculationExtract | None:
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


def _equations_in(cell: str, unit: str = FLOW) -> Iterator[tuple[str, str, tuple[str, ...], Decimal]]:
    """What is said before each equation of a cell, with label, numeric parts and result (m³/min)."""
    for line in _lines_of(cell):
        text, before = fold(line), 0
        for relation in relations_of(line):
            found = _equation_of(relation, unit)
            if found is not None:
                yield f"{text[before : relation.start]} {_label_words(relation)}", *found
                before = relation.end


def _label_words(relation: Relation) -> str:
    """The words a relation begins with: `瓦斯法：` of `瓦斯法：100×4.2×1.5=630`."""
    head = relation.groups[0].pieces[0]
    return re.split(r"\d\s*[×xX*·∙÷/+]", head.text)[0] if head.is_numeric is False else ""


def _lines_of(cell: str) -> list[str]:
    """The lines of a cell that holds several equations; the whole cell, broken lines joined, where it holds one."""
    lines = [line for line in cell.splitlines() if line.strip()]
    if sum("=" in fold(line) for line in lines) < 2:  # noqa: PLR2004 - several equations
        return [joined(cell)]
    whole: list[str] = []
    for line in lines:
        if whole and ("=" not in fold(line) or re.match(r"\s*[=×÷*/+)）]", fold(line))):
            whole[-1] += line
        else:
            whole.append(line)
    return whole


def _equation_of(relation: Relation, unit: str) -> tuple[str, tuple[str, ...], Decimal] | None:
    equation = relation.equation
    result = equation.result if equation is not None else None
    if equation is None or not equation.expression or result is None or result.value is None:
        return None
    stated = convert(result.value, result.unit or unit, FLOW)
    parts = tuple(piece.body for piece in equation.pieces if piece.is_numeric)
    return None if stated is None else (equation.label, parts, stated)


def method_columns(grid: Grid) -> dict[int, Method | None]:
    """Columns that hold the result of one method each: told by the header's words, or by the equations below them.

    The method is None where only the cells tell it.
    """
    found: dict[int, Method | None] = {}
    for index, column in enumerate(grid.columns):
        label = column.header.label
        if _is_input(label):
            continue
        named = [method for method in methods_in(label) if method is not Method.MAXIMUM]
        if (
            len(named) > 1
        ):  # 按局部通风机吸风量及巷道最低风速计算, 风速（温度）法: the speed is part of the other method
            named = [method for method in named if method is not Method.SPEED_MIN]
        method = named[0] if len(named) == 1 else None
        is_result = column.header.unit in {"", "m3/min", "m3/s"} and _OF_A_METHOD.search(label) is not None
        if (is_result and method is not None and not (_PARAMETER.search(label) and not _COMPUTED.search(label))) or (
            _may_be_result(grid, index) and _holds_equations(grid, index)
        ):
            found[index] = method
    return found


def _is_input(label: str) -> bool:
    """生产时需风量 of a standby face is what its half is taken of."""
    key = word_table("parameters", "plan_words").key_of(label)
    return key == "working_need_m3_min" and re.search(r"按|50%|半|法$", label) is None


def _may_be_result(grid: Grid, index: int) -> bool:
    """Not a column of words, and not the only one of required or planned air."""
    key = grid.columns[index].key
    return key not in _WORD_KEYS and (
        key not in {"required", "planned"} or sum(column.key == key for column in grid.columns) > 1
    )


def _holds_equations(grid: Grid, column: int) -> bool:
    """Whether most filled cells of a column are equations, or expressions with their result in the next column."""
    texts = [text for row in grid.body() if (text := grid.text(row, column)) and missing_mark(text) is None]
    return 2 * sum(bool(_EXPRESSION.search(fold_operators(text))) for text in texts) > len(texts) > 0


def calculations_of_row(
    grid: Grid, row: int, columns: Mapping[int, Method | None], place_type: PlaceType | None
) -> tuple[CalculationExtract, ...]:
    """Calculations of one place from a row with a column for each method; a bare result is its own expression."""
    found: list[CalculationExtract] = []
    result_of_expression: int | None = None
    for index, method in columns.items():
        if index == result_of_expression:
            continue
        header = grid.columns[index].header
        equations = list(_equations_in(grid.table.rows[row].cells[index].text, header.unit or FLOW))
        if not equations and (beside := _expression_and_next(grid, row, index)) is not None:
            result_of_expression = index + 1
            equations = [("", *beside)]
        if not equations and (printed := grid.printed(row, index, FLOW)) is not None:
            equations = [("", header.label, (printed.text,), printed.value)]
        for said, label, parts, stated in equations:
            contexts = tuple(text for text in (said.strip(), header.label) if text)
            only = method if len(equations) == 1 else None
            found.append(
                CalculationExtract(
                    method=only or method_of(contexts, parts[0], place_type),
                    label=label,
                    expression=parts[0],
                    parts=parts,
                    stated=stated,
                    where=said.strip(),
                    evidence=(grid.evidence(row, index),),
                )
            )
    return tuple(found)


def _expression_and_next(grid: Grid, row: int, column: int) -> tuple[str, tuple[str, ...], Decimal] | None:
    """`60×11.3×1.0 | 678`: the expression in one column, its result in the next."""
    expression = grid.text(row, column).rstrip("=＝ ")
    operators = fold_operators(expression)
    scanned = scan_expression(operators, 0, len(operators))
    if scanned is None or not scanned[1] or operators[scanned[0] :].strip():
        return None
    printed = grid.printed(row, column + 1, FLOW)
    return None if printed is None else ("", (expression, printed.text), printed.value)
