"""Distribution tables: places of use with required and planned air, and the sums below them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Document, Doubt, Line, Table
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed
from algorithms.airflow_review.extract import PlaceExtract, SystemExtract
from algorithms.airflow_review.reading.calculation_table import calculations_of_row, method_columns
from algorithms.airflow_review.reading.grid import Column, Grid, is_banner, joined, read_grid, side_by_side
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import MissingMark, missing_mark, parse_number
from algorithms.airflow_review.reading.place_type import type_of_category, type_of_name
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import squeeze

FLOW: Final = "m3/min"
_DECISIVE: Final = ("采用", "确定", "取值", "选取", "最大", "最终", "核定", "取大")
_NUMBERING: Final = re.compile(r"^(?:[(]?[一二三四五六七八九十\d]+[)、.]|[①-⑳])+")
_NOTE: Final = re.compile(r"^(?:注|备注|说明|附注|注释)\d*[:.]|^[*※]\D")
_TIMES_COEFFICIENT: Final = re.compile(r"[×*xX]1\.\d+$")
_LONGEST_SUM_LABEL: Final = 12  # 其他用风巷道小计 is a label, a longer text is the name of a place
_DITTO: Final = re.compile(r"[〃″”＂\"]|同上|同前")
_IN_LABEL: Final = re.compile(r"(?:[=×*xX·]|取)\s*(\d+(?:\.\d+)?)\s*\)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What the distribution tables hold, in document order."""

    places: tuple[PlaceExtract, ...]
    systems: tuple[SystemExtract, ...]
    mine_total: Printed | None
    tables: frozenset[int]  # indexes of the tables that were read
    doubts: tuple[Doubt, ...]


@dataclass(slots=True, kw_only=True)
class _Sums:
    """Sum rows of one system while its table is read."""

    name: str
    subtotal: Printed | None = None
    planned_subtotal: Printed | None = None
    coefficient: Printed | None = None
    required: Printed | None = None
    evidence: list[Evidence] = field(default_factory=list)

    def to_extract(self) -> SystemExtract:
        return SystemExtract(
            name=self.name,
            subtotal=self.subtotal,
            planned_subtotal=self.planned_subtotal,
            coefficient=self.coefficient,
            required=self.required,
            evidence=tuple(self.evidence),
        )


@dataclass(slots=True, kw_only=True)
class _State:
    """What is known while the tables are read one after another."""

    places: list[PlaceExtract] = field(default_factory=list)
    sums: dict[str, _Sums] = field(default_factory=dict)
    mine_total: Printed | None = None
    tables: set[int] = field(default_factory=set)
    doubts: list[Doubt] = field(default_factory=list)
    system: str | None = None
    columns: Grid | None = None  # of the table before, for a continuation without header

    def sums_of(self, name: str) -> _Sums:
        return self.sums.setdefault(name, _Sums(name=name))


def column_key(label: str) -> str | None:
    """Key of a plan table's column, see `header_words.json`."""
    return word_table("columns").key_of(label)


def read_distribution(document: Document, names: SystemNames) -> Distribution:
    """All distribution tables of a plan.

    A table counts when its header names places and required or planned air, and it is neither a summary of systems
    nor a calculation table. If any table has a planned column, tables without one are calculation tables.
    """
    candidates = list(_candidates(document))
    has_planned = any(_chosen(grid, "planned") is not None for _, grid, _ in candidates if grid is not None)
    state = _State()
    for table, headed, before in candidates:
        grid = headed or _continued(document.file, table, state.columns)
        if grid is None or (has_planned and _chosen(grid, "planned") is None):
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
        if grid is None or is_distribution(grid):
            yield block, grid, tuple(before)
        before = []


def is_distribution(grid: Grid) -> bool:
    """True if the header names places and their required or planned air."""
    if grid.column("place") is None or (_chosen(grid, "required") is None and _chosen(grid, "planned") is None):
        return False
    return grid.column("subtotal", "system_required", "fan_capacity", "fan", "measured") is None


def _chosen(grid: Grid, key: str) -> int | None:
    """The column of a key: of several (one for each method), the one that says it is the value taken."""
    indexes = [i for i, column in enumerate(grid.columns) if column.key == key]
    if len(indexes) > 1:
        decisive = [i for i in indexes if any(word in grid.columns[i].header.label for word in _DECISIVE)]
        plain = [i for i in indexes if not _is_method(grid.columns[i])]
        indexes = decisive or plain or indexes
    if indexes:
        return indexes[0]
    weak = f"{key}_weak"
    return grid.column(weak)


def _is_method(column: Column) -> bool:
    return word_table("methods", "plan_words").key_of(column.header.label) is not None


def _continued(file: str, table: Table, above: Grid | None) -> Grid | None:
    """A table without a header goes on with the columns of the one above when it is as wide."""
    if above is None or not table.rows or len(table.rows[0].cells) != len(above.columns):
        return None
    place, required = above.column("place"), _chosen(above, "required")
    fits = any(
        place is not None
        and row.cells[place].text.strip()
        and required is not None
        and parse_number(row.cells[required].text) is not None
        for row in table.rows
    )
    return Grid(file=file, table=table, header_rows=0, columns=above.columns) if fits else None


def _read_table(state: _State, grid: Grid, before: Sequence[Line], names: SystemNames) -> None:
    state.tables.add(grid.table.index)
    titles = [joined(row.cells[0].text) for row in grid.table.rows[: grid.header_rows] if is_banner(row)]
    state.system = names.of_table([line.text for line in before], titles) or state.system or names.only
    for part in side_by_side(grid, "place", "required" if grid.column("required") is not None else "planned"):
        _read_rows(state, part, names)


def _read_rows(state: _State, grid: Grid, names: SystemNames) -> None:
    reader = _RowReader(state=state, grid=grid, names=names, holds_several_systems=_systems_in(grid, names) > 1)
    for row in grid.body():
        reader.read(row)


def _systems_in(grid: Grid, names: SystemNames) -> int:
    column = grid.column("system")
    return len({name for row in grid.body() if (name := names.in_text(grid.text(row, column))) is not None})


@dataclass(slots=True, kw_only=True)
class _RowReader:
    """Reads the rows of one table; keeps the category and the sum rows met so far."""

    state: _State
    grid: Grid
    names: SystemNames
    category: str = ""
    holds_several_systems: bool = False  # a column tells the system of each row
    summed: str | None = None  # the system whose sum rows are being read

    def read(self, row: int) -> None:
        """One row: a banner, a note, a sum, a place or the rest of a wrapped name."""
        cells = self.grid.table.rows[row].cells
        texts = [joined(cell.text) for cell in cells]
        if not any(texts) or _NOTE.match(squeeze(next(text for text in texts if text))):
            return
        if is_banner(self.grid.table.rows[row]):
            label = next(text for text in texts if text)
            if self._sum_kind(row) == "coefficient" and _IN_LABEL.search(squeeze(label)):
                self._sum(row, "coefficient")
            else:
                self._banner(row, label)
            return
        place = self.grid.text(row, self.grid.column("place"))
        sum_kind = self._sum_kind(row)
        if sum_kind is not None:
            self._sum(row, sum_kind)
        elif self._has_values(row):
            self._place(row, place)
        elif place and not self._is_repeated_header(texts):
            self._rest_of_name(row, place)

    def _banner(self, row: int, text: str) -> None:
        plain = _NUMBERING.sub("", squeeze(text))
        system = self.names.in_text(plain)
        if system is not None:
            self.state.system = system
        elif type_of_category(plain) is not None and len(plain) <= 16:  # noqa: PLR2004 - a category, not a sentence
            self.category = plain
        elif self.grid.text(row, self.grid.column("place")):
            self._rest_of_name(row, self.grid.text(row, self.grid.column("place")))

    def _is_repeated_header(self, texts: Sequence[str]) -> bool:
        return sum(column_key(squeeze(text)) is not None for text in texts if text) > 1

    def _value_columns(self) -> tuple[int | None, int | None]:
        return _chosen(self.grid, "required"), _chosen(self.grid, "planned")

    def _has_values(self, row: int) -> bool:
        cells = self.grid.table.rows[row].cells
        for column in self._value_columns():
            if column is not None and column < len(cells):
                text = cells[column].text
                mark = missing_mark(text)
                if self.grid.printed(row, column, FLOW) is not None or mark not in {None, MissingMark.EMPTY}:
                    return True
        sequence = self.grid.column("sequence")
        return (
            sequence is not None
            and parse_number(cells[sequence].text) is not None
            and self.grid.text(row, self.grid.column("place")) != ""
        )

    def _sum_kind(self, row: int) -> str | None:
        """Kind of a sum row; its label stands in the column of places, else (merged or moved) in any other (L20)."""
        words = word_table("sum_rows", "plan_words")
        for label in self._labels(row):
            kind = words.key_of(re.sub(r"\([^()]*\)", "", label))
            if _TIMES_COEFFICIENT.search(label):
                return "system_required"
            if kind is not None and (type_of_name(label) is None or len(label) <= _LONGEST_SUM_LABEL):
                return kind
        return None

    def _labels(self, row: int) -> list[str]:
        sequence, place = self.grid.column("sequence"), self.grid.text(row, self.grid.column("place"))
        if re.fullmatch(r"\d+", squeeze(self.grid.text(row, sequence))):
            return []
        if place:
            return [squeeze(place)]
        skipped = self.grid.column("remark")
        columns = self.grid.span or range(len(self.grid.columns))
        texts = (self.grid.text(row, index) for index in columns if index != skipped)
        return [squeeze(text) for text in texts if text and parse_number(text) is None]

    def _sum(self, row: int, kind: str) -> None:
        label = next(iter(self._labels(row)), "")
        own = self._cell_system(row) or self.names.in_text(label)
        system = own or self.state.system
        required = self._sum_value(row, 0)
        if kind == "mine_total":
            self.state.mine_total = self.state.mine_total or required
            return
        if self.holds_several_systems:
            system = own or self.summed
        if system is None:
            return  # a sum over several systems belongs to none of them
        self.summed = system
        sums = self.state.sums_of(system)
        is_after_coefficient = sums.coefficient is not None and sums.required is None
        if own is None and self.holds_several_systems and kind == "subtotal" and not is_after_coefficient:
            self._sum_of_all(label, required)
            return
        sums.evidence.append(self.grid.evidence(row, self._label_column(row)))
        if kind != "subtotal":
            sums.coefficient = sums.coefficient or self._coefficient(row, label, is_own_row=kind == "coefficient")
        if kind == "system_required" or (kind == "subtotal" and sums.coefficient is not None):
            sums.required = sums.required or required
        elif kind == "subtotal" and self._is_second_part() and sums.subtotal is not None:
            sums.subtotal, sums.planned_subtotal = None, None  # each half of the table has a sum of its own
        elif kind == "subtotal":  # 合计 after several 小计 of categories is the sum of all of them
            sums.subtotal = required or sums.subtotal
            sums.planned_subtotal = self._sum_value(row, 1) or sums.planned_subtotal

    def _is_second_part(self) -> bool:
        return self.grid.span is not None and self.grid.span.start > 0

    def _sum_of_all(self, label: str, required: Printed | None) -> None:
        """总计 below the sums of several systems is the mine's."""
        if "总" in label:
            self.state.mine_total = self.state.mine_total or required

    def _label_column(self, row: int) -> int:
        return next((i for i, cell in enumerate(self.grid.table.rows[row].cells) if cell.text.strip()), 0)

    def _sum_value(self, row: int, which: int) -> Printed | None:
        required, planned = self._value_columns()
        if which == 1:
            return self.grid.printed(row, planned, FLOW)
        value = self.grid.printed(row, required, FLOW)
        if value is not None or (self.grid.printed(row, planned, FLOW) is not None and required is not None):
            return value
        cells = self.grid.table.rows[row].cells
        numeric = [i for i, cell in enumerate(cells) if cell.origin and parse_number(cell.text) is not None]
        unit_column = required if required is not None else planned
        if len(numeric) != 1 or unit_column is None:
            return None
        moved = replace(self.grid, columns=tuple(self.grid.columns[unit_column] for _ in self.grid.columns))
        return moved.printed(row, numeric[0], FLOW)

    def _coefficient(self, row: int, label: str, *, is_own_row: bool) -> Printed | None:
        """The coefficient of its own row, or the one inside a label: `备用系数K=1.2`, `合计×1.2`."""
        for index, cell in enumerate(self.grid.table.rows[row].cells if is_own_row else ()):
            value = parse_number(cell.text)
            if value is not None and cell.origin:
                return Printed(value=value, text=cell.text.strip(), evidence=(self.grid.evidence(row, index),))
        inside = _IN_LABEL.search(squeeze(label))
        if inside is None:
            return None
        evidence = (self.grid.evidence(row, self._label_column(row)),)
        return Printed(value=Decimal(inside[1]), text=inside[1], evidence=evidence)

    def _cell_system(self, row: int) -> str | None:
        column = self.grid.column("system")
        text = self._text_or_ditto(row, column)
        return self.names.resolve(text) if text and missing_mark(text) is None else None

    def _text_or_ditto(self, row: int, column: int | None) -> str:
        """A word cell; 〃 and 同上 repeat the word above. Numbers are never repeated so."""
        while row > self.grid.header_rows and _DITTO.fullmatch(self.grid.text(row, column)):
            row -= 1
        return self.grid.text(row, column)

    def _place(self, row: int, name: str) -> None:
        column = self.grid.column("place")
        if not name or column is None:
            return
        self.summed = None
        type_text = self._text_or_ditto(row, self.grid.column("type")) or self.category
        remark = self.grid.text(row, self.grid.column("remark"))
        required, planned = self._value_columns()
        words = f"{remark}{self.grid.text(row, required)}{self.grid.text(row, planned)}{self.grid.text(row, self.grid.column('status'))}"
        flags = f"{words}{name}"
        self._doubt_unreadable(row, name)
        self.state.places.append(
            PlaceExtract(
                name=_clean_name(name),
                type=_place_type(type_text, name),
                type_text=type_text,
                system=self._cell_system(row) or self.state.system,
                required=self.grid.printed(row, required, FLOW),
                planned=self.grid.printed(row, planned, FLOW),
                table_area=self.grid.printed(row, self.grid.column("area"), "m2"),
                table_speed=self.grid.printed(row, self.grid.column("speed"), "m/s"),
                stopped=self._is_stopped(row, flags),
                no_station=word_table("no_station", "plan_words").key_of(words) is not None,
                remark=remark,
                calculations=calculations_of_row(self.grid, row, self._method_columns()),
                evidence=tuple(
                    self.grid.evidence(row, index)
                    for index in (column, required, planned)
                    if index is not None and self.grid.table.rows[row].cells[index].text.strip()
                ),
            )
        )

    def _doubt_unreadable(self, row: int, name: str) -> None:
        """Say where a cell of air holds something that is neither a number nor a mark for none."""
        for column in self._value_columns():
            text = self.grid.text(row, column)
            if column is not None and missing_mark(text) is None and self.grid.printed(row, column, FLOW) is None:
                where = self.grid.evidence(row, column)
                message = (
                    f"“{name}”的{self.grid.columns[column].header.label}“{text}”读不出数值，请核对原文件后人工填写。"
                )
                self.state.doubts.append(
                    Doubt(message=message, quote=text, page=where.page, table=where.table, row=where.row)
                )

    def _is_stopped(self, row: int, words: str) -> bool:
        marks = {missing_mark(self.grid.text(row, column)) for column in self._value_columns() if column is not None}
        return MissingMark.STOPPED in marks or word_table("stopped", "plan_words").key_of(words) is not None

    def _method_columns(self) -> dict[int, Method]:
        """Columns of single methods; the columns taken for anything else are none."""
        taken = {*self._value_columns(), self.grid.column("place"), self.grid.column("speed"), self.grid.column("area")}
        return {index: method for index, method in method_columns(self.grid).items() if index not in taken}

    def _rest_of_name(self, row: int, text: str) -> None:
        """A row that holds only a piece of a name belongs to the place above it."""
        plain = _NUMBERING.sub("", squeeze(text))
        system = self.names.in_text(plain)
        if system is not None and len(plain) <= len(system) + 4:
            self.state.system = system
            return
        if type_of_category(plain) is not None and self._is_category(plain):
            self.category = plain
            return
        if self.state.places and self.grid.column("sequence") is not None and row > self.grid.header_rows:
            last = self.state.places[-1]
            self.state.places[-1] = replace(last, name=last.name + _clean_name(text))

    @staticmethod
    def _is_category(text: str) -> bool:
        words: Callable[[str], str | None] = word_table("place_types", "plan_words").key_of
        return words(text) is not None and not re.search(r"[A-Za-z\d]", text) and len(text) <= 8  # noqa: PLR2004 - 采煤工作面, 其他用风巷道


def _clean_name(text: str) -> str:
    return re.sub(r"[*※＊]+$", "", text.strip())


def _place_type(type_text: str, name: str) -> PlaceType | None:
    by_name = type_of_name(name)
    by_category = type_of_category(type_text) if type_text else None
    if by_category is PlaceType.COAL_FACE and by_name in {PlaceType.STANDBY_FACE, PlaceType.HEADING}:
        return by_name  # 工作面 as a category holds all three kinds
    return by_category or by_name
