"""The distribution tables: columns, words, groups and sums as this mine prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.support.corpus.blocks import Cell, Document, Heading, Para, Table, cells
from tests.support.corpus.calculation import merged_first
from tests.support.corpus.figures import fixed, half_up_at
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, STANDBY, Mine, Place, System
from tests.support.corpus.style import NUMBERINGS, Style

KIND_WORDS = {
    FACE: ("采煤工作面", "回采", "采煤面"),
    STANDBY: ("备用工作面", "备用", "备用面"),
    HEADING: ("掘进工作面", "掘进", "掘进面"),
    CHAMBER: ("硐室", "硐室", "机电硐室及其他硐室"),
    ROADWAY: ("其他巷道", "其他", "其他用风巷道"),
}
_WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its key and printed head."""

    key: str
    head: str
    unit: str = ""

    @property
    def full(self) -> str:
        """The head with its unit."""
        return f"{self.head}（{self.unit}）" if self.unit else self.head


@dataclass(slots=True, kw_only=True)
class Distribution:
    """Writes the chapter with the tables."""

    mine: Mine
    style: Style
    tongue: int

    def write(self, number: int) -> Document:
        """The chapter's tables, then the summary of the systems."""
        style = self.style
        blocks: Document = []
        if style.distribution in {"one_table", "banded"}:
            blocks += self._one_table(number)
        else:
            second = NUMBERINGS[style.numbering][1]
            for index, system in enumerate(self.mine.systems):
                caption = f"表{number}-{index + 1} {system.name}风量分配表"
                if style.distribution == "headed":
                    blocks.append(Heading(2, second(number, index + 1) + system.name))
                    caption = f"表{number}-{index + 1} 风量分配表"
                blocks.append(self._table(caption, self._system_rows(index, system)))
        return [*blocks, *self._summary(number)]

    def columns(self) -> list[Column]:
        """The columns in the order of this mine."""
        style = self.style
        required = Column("required", style.required_word, style.unit)
        planned = [Column("planned", style.planned_word, style.unit)]
        if style.planned_m3_s:
            planned.append(Column("planned_s", style.planned_word, "m³/s"))
        flows = [*planned, required] if style.order == "planned_first" else [required, *planned]
        shape = [Column("area", style.area_word, style.area_unit), Column("speed", style.speed_word, "m/s")]
        lead = [Column("serial", "序号")] if style.serial else []
        kind = [Column("kind", style.kind_word)] if style.distribution != "banded" or self.tongue % 2 else []
        system = [Column("system", style.system_word)] if style.distribution == "one_table" else []
        name = [Column("name", style.place_word)]
        if style.distribution == "by_category":
            lead, kind = [], [Column("kind", style.kind_word)]
            middle = [*kind, *name]
        else:
            middle = [*name, *kind]
        if style.order == "remarked":
            return [*lead, *middle, *system, *flows, *shape, Column("remark", style.remark_word)]
        return [*lead, *middle, *shape, *flows, *system, Column("remark", style.remark_word)]

    def number(self, text: str) -> str:
        """A number as these tables print it: plain, with thousands or in full width."""
        if not text or text == "—":
            return text
        if self.style.thousands and Fraction(text) >= 1000:
            whole, dot, rest = text.partition(".")
            text = f"{int(whole):,}{dot}{rest}"
        return text.translate(_WIDE) if self.style.full_width else text

    def _values(self, place: Place, serial: int) -> dict[str, str]:
        planned, area = place.planned, place.table_area
        gone = bool(place.series_after) or not planned
        speed = ""
        if planned and area and not gone:
            share = Fraction(7, 10) if place.kind == FACE and self.mine.basis == "nominal" else 1
            speed = fixed(half_up_at(Fraction(planned) / 60 / (Fraction(area) * share), 2), 2)
        return {
            "serial": str(serial),
            "name": place.name,
            "kind": KIND_WORDS[place.kind][self.tongue % 3],
            "system": self.mine.systems[place.system].name,
            "area": area or "—",
            "speed": speed or "—",
            "required": "—" if gone else self.number(place.table_required),
            "planned": "—" if gone else self.number(planned),
            "planned_s": "—" if gone else fixed(half_up_at(Fraction(planned) / 60, 2), 2),
            "remark": place.remark,
        }

    def _line(self, values: dict[str, str]) -> list[Cell]:
        return [Cell(values.get(column.key, "")) for column in self.columns()]

    def _sum(self, label: str, required: str, planned: str = "") -> list[Cell]:
        """A sum row: the label reaches up to the first number or stands in the name column."""
        columns = self.columns()
        values = {"required": self.number(required), "planned": self.number(planned)}
        if self.tongue % 2:
            values["name"] = label
            return [Cell(values.get(column.key, "")) for column in columns]
        first = next(i for i, c in enumerate(columns) if c.key in {"required", "planned", "area", "system"})
        return [Cell(label, across=first), *(Cell(values.get(column.key, "")) for column in columns[first:])]

    def _places(self, index: int) -> list[Place]:
        return [p for p in self.mine.of_system(index) if p.in_distribution]

    def _item_rows(self, places: Sequence[Place], start: int = 1) -> list[list[Cell]]:
        if self.style.distribution != "by_category":
            return [self._line(self._values(place, start + n)) for n, place in enumerate(places)]
        rows: list[list[Cell]] = []
        for kind in KIND_WORDS:
            some = [place for place in places if place.kind == kind]
            words = merged_first([KIND_WORDS[kind][self.tongue % 3]] * len(some))
            for n, (place, cell) in enumerate(zip(some, words, strict=True)):
                line = self._line(self._values(place, start + n))
                rows.append([cell, *line[1:]] if cell is not None else line[1:])
            counted = [place for place in some if not place.series_after and place.planned]
            if counted:
                required = sum((Fraction(place.table_required) for place in counted), Fraction(0))
                planned = sum((place.planned_in_sum() for place in counted), Fraction(0))
                rows.append(self._sum("小计", fixed(required, 0), fixed(planned, 0)))
        return rows

    def _sum_rows(self, system: System, lead: str = "") -> list[list[Cell]]:
        style = self.style
        subtotal = "合计" if style.distribution == "by_category" else style.subtotal_word
        rows = [self._sum(lead + subtotal, system.subtotal, system.planned_subtotal)]
        if self.tongue % 3 == 0:
            label = f"{lead}{style.system_total_word}（{subtotal}×{system.coefficient}）"
            rows.append(self._sum(label, system.required))
        else:
            rows.append(self._sum(lead + style.reserve_word, system.coefficient))
            rows.append(self._sum(lead + style.system_total_word, system.required))
        return rows

    def _note(self) -> list[list[Cell]]:
        if not self.style.notes_inside:
            return []
        text = "注：表中风量单位均按表头，硐室风量不足最低值的按最低值配给。"
        return [[Cell(text, across=len(self.columns()))]]

    def _system_rows(self, index: int, system: System) -> list[list[Cell]]:
        return [*self._item_rows(self._places(index)), *self._sum_rows(system), *self._note()]

    def _one_table(self, number: int) -> Document:
        month = f"{self.mine.month}月份" if self.mine.is_dated else ""
        caption = f"表{number}-1 {month}各用风地点风量分配表"
        rows: list[list[Cell]] = []
        serial = 1
        for index, system in enumerate(self.mine.systems):
            places = self._places(index)
            if self.style.distribution == "banded":
                rows.append([Cell(f"{system.name}", across=len(self.columns()))])
            rows += self._item_rows(places, serial)
            rows += self._sum_rows(system, lead="" if self.style.distribution == "banded" else system.name)
            serial += len(places)
        return [self._table(caption, [*rows, *self._note()])]

    def _table(self, caption: str, rows: list[list[Cell]]) -> Table:
        columns, style = self.columns(), self.style
        header = [[Cell(column.full) for column in columns]]
        if style.two_level:
            header = _two_level(columns)
        weights = [
            {"name": 3.0, "serial": 0.6, "system": 1.6, "remark": 2.0, "kind": 1.4}.get(c.key, 1.1) for c in columns
        ]
        return Table(
            caption=caption,
            header=header,
            rows=rows,
            weights=weights,
            is_ruled=style.ruled,
            by_column=style.column_order,
        )

    def _summary(self, number: int) -> Document:
        mine, style = self.mine, self.style
        if len(mine.systems) == 1 and self.tongue % 2:
            return [Para(f"全矿仅一个回风系统，矿井总需风量为{mine.total}{style.unit}。")]
        rows = [cells(s.name, s.subtotal, s.coefficient, s.required) for s in mine.systems]
        rows.append([Cell(style.total_word, across=3), Cell(mine.total)])
        head = cells(
            style.system_word, f"用风地点需风量之和（{style.unit}）", style.reserve_word, f"总需风量（{style.unit}）"
        )
        return [Table(caption=f"表{number}-{len(mine.systems) + 1} 矿井需风量汇总表", header=[head], rows=rows)]


def _two_level(columns: list[Column]) -> list[list[Cell]]:
    """Flows under one head, everything else two rows tall."""
    top: list[Cell] = []
    below: list[Cell] = []
    at = 0
    while at < len(columns):
        column = columns[at]
        group = 1
        while column.unit.endswith("min") and at + group < len(columns) and columns[at + group].unit == column.unit:
            group += 1
        if group > 1:
            top.append(Cell(f"风量（{column.unit}）", across=group))
            below += [Cell(c.head) for c in columns[at : at + group]]
        else:
            top.append(Cell(column.full, down=2))
        at += group
    return [top, below] if below else [[Cell(c.full) for c in columns]]
