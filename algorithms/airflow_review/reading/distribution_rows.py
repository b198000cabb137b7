"""The rows of a distribution table: places, sums and the categories and systems between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed
from algorithms.airflow_review.extract import PlaceExtract, SystemExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.reading.calculation_table import calculations_of_row, method_columns
from algorithms.airflow_review.reading.grid import Grid, is_banner, joined
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import MissingMark, missing_mark, parse_number
from algorithms.airflow_review.reading.place_type import type_of_category, type_of_name
from algorithms.airflow_review.reading.plan_columns import FLOW, chosen, column_key
from algorithms.airflow_review.reading.sum_rows import (
    COEFFICIENT,
    SYSTEM_REQUIRED,
    coefficient_in,
    kind_by_value,
    sum_kind,
)
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.value_class import dataclass

NUMBERING: Final = re.compile(r"^(?:[(]?[一二三四五六七八九十\d]+[)、.]|[①-⑳])+")
_NOTE: Final = re.compile(r"^(?:注|备注|说明|附注|注释)\d*[:.]|^[*※]\D")
_DITTO: Final = re.compile(r"[〃″”＂\"]|同上|同前")


@dataclass(slots=True, kw_only=True)
class Sums:
    """Sum rows of one system while its table is read."""

    name: str
    subtotal: Printed | None = None
    planned_subtotal: Printed | None = None
    coefficient: Printed | None = None
    required: Printed | None = None
    evidence: list[Evidence] = field(default_factory=list)

    def to_extract(self) -> SystemExtract:
        """The sums as the extract holds them."""
        return SystemExtract(
            name=self.name,
            subtotal=self.subtotal,
            planned_subtotal=self.planned_subtotal,
            coefficient=self.coefficient,
            required=self.required,
            evidence=tuple(self.evidence),
        )


@dataclass(slots=True, kw_only=True)
class State:
    """What is known while the tables are read one after another."""

    places: list[PlaceExtract] = field(default_factory=list)
    sums: dict[str, Sums] = field(default_factory=dict)
    mine_total: Printed | None = None
    tables: set[int] = field(default_factory=set)
    doubts: list[Doubt] = field(default_factory=list)
    system: str | None = None
    columns: Grid | None = None  # of the table before, for a continuation without header

    def sums_of(self, name: str) -> Sums:
        """The sums of a system, made when it is met for the first time."""
        return self.sums.setdefault(name, Sums(name=name))


@dataclass(slots=True, kw_only=True)
class RowReader:
    """Reads the rows of one table; keeps the category and the sum rows met so far."""

    state: State
    grid: Grid
    names: SystemNames
    category: str = ""
    holds_several_systems: bool = False  # a column tells the system of each row
    block: list[str] = field(default_factory=list)  # systems of the places since the last sum row
    summed: str | None = None  # the system whose sum rows are being read
    heads_block: str | None = None  # the system named on the first row of a block and on no other: a merged cell

    def read(self, row: int) -> None:
        """One row: a banner, a note, a sum, a place or the rest of a wrapped name."""
        cells = self.grid.table.rows[row].cells
        texts = [joined(cell.text) for cell in cells]
        if not any(texts) or _NOTE.match(squeeze(next(text for text in texts if text))):
            return
        if is_banner(self.grid.table.rows[row]):
            label = next(text for text in texts if text)
            if self._sum_kind(row) == COEFFICIENT and coefficient_in(label) is not None:
                self._sum(row, COEFFICIENT)
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
        plain = NUMBERING.sub("", squeeze(text))
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
        return chosen(self.grid, "required"), chosen(self.grid, "planned")

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
        kinds = (kind for label in self._labels(row) if (kind := sum_kind(label)) is not None)
        kind = next(kinds, None)
        if kind is None:
            return None
        value = self._sum_value(row, 0)
        return kind_by_value(kind, parse_number(value.text) if value is not None else None)

    def _labels(self, row: int) -> list[str]:
        sequence, place = self.grid.column("sequence"), self.grid.text(row, self.grid.column("place"))
        if re.fullmatch(r"\d+", squeeze(self.grid.text(row, sequence))):
            return []
        if place and missing_mark(place) is None and not self._is_shifted(row):
            return [squeeze(place)]
        skipped = self.grid.column("remark")
        columns = self.grid.span or range(len(self.grid.columns))
        texts = (self.grid.text(row, index) for index in columns if index != skipped)
        return [squeeze(text) for text in texts if missing_mark(text) is None and parse_number(text) is None]

    def _sum(self, row: int, kind: str) -> None:
        label = next(iter(self._labels(row)), "")
        own = self._cell_system(row) or self.names.in_text(label)
        system = own or self.state.system
        required = self._sum_value(row, 0)
        if kind == "mine_total":
            self.state.mine_total = self.state.mine_total or required
            return
        if self.holds_several_systems:
            system = own or self.summed or (self.block[0] if len(set(self.block)) == 1 else None)
        if system is None:  # a sum over several systems belongs to none of them
            if kind == SYSTEM_REQUIRED and self.holds_several_systems:
                self.state.mine_total = self.state.mine_total or required
            return
        sums = self.state.sums_of(system)
        is_after_coefficient = sums.coefficient is not None and sums.required is None
        is_of_all = own is None and self.holds_several_systems and kind == "subtotal" and not is_after_coefficient
        if is_of_all and not self._is_sum_of(system, required):
            self._sum_of_all(label, required)
            return
        is_part = kind == "subtotal" and self.summed is None and self._is_part_of(system, required)
        self.summed = system
        sums.evidence.append(self.grid.evidence(row, self._label_column(row)))
        if kind != "subtotal":
            sums.coefficient = sums.coefficient or self._coefficient(row, label, is_own_row=kind == COEFFICIENT)
        if kind == "system_required" or (kind == "subtotal" and sums.coefficient is not None):
            sums.required = sums.required or required
        elif kind == "subtotal":
            self._subtotal(row, sums, required, is_part=is_part)

    def _subtotal(self, row: int, sums: Sums, required: Printed | None, *, is_part: bool) -> None:
        """合计 after several 小计 of categories is the sum of all of them; a sum of some places is not the system's."""
        if is_part or (self._is_second_part() and sums.subtotal is not None):
            sums.subtotal, sums.planned_subtotal = None, None
        else:
            sums.subtotal = required or sums.subtotal
            sums.planned_subtotal = self._sum_value(row, 1) or sums.planned_subtotal

    def _is_sum_of(self, system: str, required: Printed | None) -> bool:
        """Whether a sum that names no system is nearer to the places of this one than to those of all systems."""
        if required is None or self.summed == system:
            return False
        flows = [(p.system, p.required.value) for p in self.state.places if p.required is not None]
        own = sum(flow for name, flow in flows if name == system)
        return abs(required.value - own) <= abs(required.value - sum(flow for _, flow in flows))

    def _is_part_of(self, system: str, required: Printed | None) -> bool:
        """Whether a sum is right for the places since the sum before it, and those are not all of the system."""
        block = self.state.places[len(self.state.places) - len(self.block) :]
        flows = [place.required.value for place in block if place.required is not None]
        whole = sum(place.system == system for place in self.state.places)
        return required is not None and 0 < len(block) < whole and sum(flows) == required.value

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
        if self._is_shifted(row):
            return self._shifted_value(row, which)
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

    def _is_shifted(self, row: int) -> bool:
        """`小计 | 29.6 | 30.7` below 序号 | 地点 | 需风量 | 计划: the label in the first column, a number for a name."""
        return parse_number(self.grid.text(row, self.grid.column("place"))) is not None

    def _shifted_value(self, row: int, which: int) -> Printed | None:
        cells = self.grid.table.rows[row].cells
        numeric = [i for i, cell in enumerate(cells) if cell.origin and parse_number(cell.text) is not None]
        unit_column = next((column for column in self._value_columns() if column is not None), None)
        if which >= len(numeric) or unit_column is None:
            return None
        moved = replace(self.grid, columns=tuple(self.grid.columns[unit_column] for _ in self.grid.columns))
        return moved.printed(row, numeric[which], FLOW)

    def _coefficient(self, row: int, label: str, *, is_own_row: bool) -> Printed | None:
        """The coefficient of its own row, or the one inside a label: `备用系数K=1.2`, `合计×1.2`."""
        for index, cell in enumerate(self.grid.table.rows[row].cells if is_own_row else ()):
            value = parse_number(cell.text)
            if value is not None and cell.origin:
                return Printed(value=value, text=cell.text.strip(), evidence=(self.grid.evidence(row, index),))
        inside = coefficient_in(label)
        if inside is None:
            return None
        evidence = (self.grid.evidence(row, self._label_column(row)),)
        return Printed(value=Decimal(inside), text=inside, evidence=evidence)

    def _cell_system(self, row: int) -> str | None:
        column = self.grid.column("system")
        text = self._text_or_ditto(row, column)
        if not text or missing_mark(text) is not None or (sum_kind(text) and self.names.in_text(text) is None):
            return None
        return self.names.resolve(text)

    def _system_of_place(self, row: int) -> str | None:
        """The system of a place: its own cell's, the one at the head of its block, or the table's.

        Files without merges print a merged cell's word once. At the head of a block it counts for all rows of it;
        a word in the middle (centred over the block) tells nothing about the other rows.
        """
        own = self._cell_system(row)
        if own is not None:
            self.heads_block = own if not self.block else None
        return own or self.heads_block or self.state.system

    def _text_or_ditto(self, row: int, column: int | None) -> str:
        """A word cell; 〃 and 同上 repeat the word above. Numbers are never repeated so."""
        while row > self.grid.header_rows and _DITTO.fullmatch(self.grid.text(row, column)):
            row -= 1
        return self.grid.text(row, column)

    def _place(self, row: int, name: str) -> None:
        column = self.grid.column("place")
        if not re.search(r"[A-Za-z\u4e00-\u9fff]", name) or column is None:
            return  # a mark or a number is no name
        if self.summed is not None:
            self.block.clear()
            self.heads_block = None
        self.summed = None
        type_text = self._text_or_ditto(row, self.grid.column("type")) or self.category
        remark = self.grid.text(row, self.grid.column("remark"))
        required, planned = self._value_columns()
        words = f"{remark}{self.grid.text(row, required)}{self.grid.text(row, planned)}{self.grid.text(row, self.grid.column('status'))}"
        flags = f"{words}{name}"
        system = self._system_of_place(row)
        self.block.append(system or "")
        self._doubt_unreadable(row, name)
        self.state.places.append(
            PlaceExtract(
                name=_clean_name(name),
                type=_place_type(type_text, name),
                type_text=type_text,
                system=system,
                required=self.grid.printed(row, required, FLOW),
                planned=self.grid.printed(row, planned, FLOW),
                table_area=self.grid.printed(row, self.grid.column("area"), "m2"),
                table_speed=self.grid.printed(row, self.grid.column("speed"), "m/s"),
                stopped=self._is_stopped(row, flags),
                no_station=word_table("no_station", "plan_words").key_of(words) is not None,
                remark=remark,
                calculations=calculations_of_row(self.grid, row, self._method_columns(), _place_type(type_text, name)),
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
                header = self.grid.columns[column].header.label
                message = say("doubt.cell_unreadable", name=name, column=header, text=text)
                self.state.doubts.append(Doubt.of(message, text, page=where.page, table=where.table, row=where.row))

    def _is_stopped(self, row: int, words: str) -> bool:
        marks = {missing_mark(self.grid.text(row, column)) for column in self._value_columns() if column is not None}
        return MissingMark.STOPPED in marks or word_table("stopped", "plan_words").key_of(words) is not None

    def _method_columns(self) -> dict[int, Method | None]:
        """Columns of single methods; the columns taken for anything else are none."""
        taken = {*self._value_columns(), self.grid.column("place"), self.grid.column("speed"), self.grid.column("area")}
        return {index: method for index, method in method_columns(self.grid).items() if index not in taken}

    def _rest_of_name(self, row: int, text: str) -> None:
        """A row that holds only a piece of a name belongs to the place above it."""
        plain = NUMBERING.sub("", squeeze(text))
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
