"""The measurement report as blocks: one table a block, one long table, or pairs of intake and return."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tests.support.corpus.blocks import Cell, Document, Para, Table, cells
from tests.support.corpus.calculation import merged_first
from tests.support.corpus.figures import fixed, half_up_at
from tests.support.corpus.model import Mine, Reading, Survey
from tests.support.corpus.style import Style

_GROUPS = (
    ("intake", ("矿井总进风", "总进风", "进风井")),
    ("return", ("矿井总回风", "总回风", "回风井")),
    ("fan", ("主要通风机", "主扇", "通风机")),
    ("face", ("采煤工作面", "采面", "回采面")),
    ("heading", ("掘进工作面", "掘进", "掘进面")),
    ("chamber", ("硐室", "硐室", "机电硐室")),
    ("other", ("其他巷道", "其他", "其他地点")),
)
_TITLES = ("{m}{y}年{k}月份测风报表", "{m}井下风量测定报表", "{m}通风旬报（风量测定）", "{m}测风记录汇总表")
_LEADS = ("测风日期：{}", "测定时间：{}", "测定日期 {}", "本次测风时间为{}")
_STATION = ("测风地点", "测点名称", "测站", "地点")


@dataclass(slots=True, kw_only=True)
class ReportWriter:
    """Writes a survey in one style."""

    mine: Mine
    survey: Survey
    style: Style
    tongue: int

    def write(self) -> Document:
        """Title lines, tables, fans, rates, signatures."""
        mine, style = self.mine, self.style
        year, month, _ = self.survey.window[0].split("-")
        title = _TITLES[self.tongue].format(m=mine.name, y=year, k=int(month))
        date = _LEADS[self.tongue].format(self.survey.window_text)
        blocks: Document = [Para(title, is_centred=True)]
        if style.report_title_lines == 3:
            blocks.append(Para(f"填报单位：{mine.name}通风科"))
        blocks.append(Para(date))
        blocks += self._tables()
        if style.fans_as_sentences:
            blocks += [Para(self._fan_sentence(fan)) for fan in self._of("fan")]
        unit = self._unit()
        effective = self._flow(self.survey.effective)
        blocks.append(
            Para(
                f"矿井有效风量{effective}{unit}，有效风量率{self.survey.effective_rate}%，外部漏风率{self.survey.leakage}%。"
            )
        )
        blocks += [Para(note) for note in self.survey.notes]
        return [*blocks, Para("测风员：　　　　通风科长：　　　　总工程师：")]

    def _unit(self) -> str:
        return "m³/s" if self.style.report_m3_s else self.style.unit

    def _flow(self, text: str) -> str:
        if not self.style.report_m3_s or not text:
            return text
        return fixed(half_up_at(Fraction(text) / 60, 2), 2)

    def _of(self, kind: str) -> list[Reading]:
        return [row for row in self.survey.readings if row.kind == kind]

    def _fan_sentence(self, fan: Reading) -> str:
        system = self.mine.systems[fan.system or 0]
        return f"{fan.station}排风量{self._flow(fan.flow)}{self._unit()}，负压{system.pressure_pa}Pa，叶片角度{system.angle}。"

    def columns(self) -> list[tuple[str, str, str]]:
        """Key, head, unit."""
        unit = self._unit()
        flow = [("flow", ("风量", "实测风量", "测定风量")[self.tongue % 3], unit)]
        shape = [
            ("area", ("断面", "断面积", "S")[self.tongue % 3], self.style.area_unit),
            ("speed", ("风速", "平均风速", "V")[self.tongue % 3], "m/s"),
        ]
        air = [
            ("temperature", ("温度", "气温", "t")[self.tongue % 3], "℃"),
            ("ch4", ("CH4", "瓦斯", "CH₄")[self.tongue % 3], "%"),
            ("co2", ("CO2", "二氧化碳", "CO₂")[self.tongue % 3], "%"),
        ]
        return [*shape, *flow, *air] if self.tongue != 3 else [*flow, *shape, *air]

    def _value(self, row: Reading, key: str) -> str:
        if key == "flow":
            return self._flow(row.flow)
        value = {"area": row.area, "speed": row.speed, "temperature": row.temperature, "ch4": row.ch4, "co2": row.co2}[
            key
        ]
        return value if value is not None else ("—" if self.tongue % 2 else "/")

    def _head(self, lead: list[str]) -> list[list[Cell]]:
        columns = self.columns()
        if self.style.units_row:
            return [
                cells(*lead, *(head for _, head, _ in columns)),
                cells(*("" for _ in lead), *(u for _, _, u in columns)),
            ]
        return [
            cells(*lead, *(f"{head}（{unit}）" if self.tongue % 2 else f"{head}/{unit}" for _, head, unit in columns))
        ]

    def _tables(self) -> Document:
        if self.style.report_layout == "long":
            return [self._long()]
        blocks: Document = []
        for kind, titles in _GROUPS:
            rows = self._of(kind)
            if not rows or (kind == "fan" and self.style.fans_as_sentences):
                continue
            caption = titles[self.tongue % 3]
            if kind == "fan":
                blocks.append(self._fan_table(caption, rows))
            elif kind == "face" and self.style.report_layout == "pairs":
                blocks += self._pair_table(caption, rows)
            else:
                blocks.append(self._block(kind, caption, rows))
        return blocks

    def _total_words(self, kind: str) -> tuple[str, str] | None:
        if kind == "intake":
            return ("总进风量", "矿井总进风", "总进风合计")[self.tongue % 3], self.survey.total_intake
        if kind == "return":
            return ("总回风量", "矿井总回风", "总回风合计")[self.tongue % 3], self.survey.total_return
        return None

    def _total_line(self, kind: str, lead: list[str]) -> list[list[Cell]]:
        total = self._total_words(kind)
        if total is None:
            return []
        values = [self._flow(total[1]) if key == "flow" else "" for key, _, _ in self.columns()]
        return [cells(*lead, total[0], *values)]

    def _block(self, kind: str, caption: str, rows: list[Reading]) -> Table:
        lead = _STATION[self.tongue]
        body = [cells(row.station, *(self._value(row, key) for key, _, _ in self.columns())) for row in rows]
        return Table(
            caption=caption,
            header=self._head([lead]),
            rows=[*body, *self._total_line(kind, [])],
            weights=self._weights(1),
        )

    def _weights(self, leads: int) -> list[float]:
        return [*([1.2] * (leads - 1)), 3.0, *([1.0] * len(self.columns()))]

    def _long(self) -> Table:
        rows: list[list[Cell]] = []
        for kind, titles in _GROUPS:
            some = self._of(kind)
            if not some or (kind == "fan" and self.style.fans_as_sentences):
                continue
            lines = [cells(row.station, *(self._value(row, key) for key, _, _ in self.columns())) for row in some]
            lines += self._total_line(kind, [])
            words = merged_first([titles[self.tongue % 3]] * len(lines))
            rows += [[word, *line] if word is not None else line for word, line in zip(words, lines, strict=True)]
        lead = [("类别", "类型", "项目", "分类")[self.tongue], _STATION[self.tongue]]
        return Table(header=self._head(lead), rows=rows, weights=self._weights(2))

    def _fan_table(self, caption: str, rows: list[Reading]) -> Table:
        systems = self.mine.systems
        body = [
            cells(
                row.station,
                self._flow(row.flow),
                str(systems[row.system or 0].pressure_pa),
                systems[row.system or 0].angle,
            )
            for row in rows
        ]
        head = cells("风机名称", f"风量（{self._unit()}）", "负压（Pa）", "叶片角度")
        return Table(caption=caption, header=[head], rows=body)

    def _pair_table(self, caption: str, rows: list[Reading]) -> Document:
        pairs = [(row, back) for row, back in pairwise(rows) if row.side == "进风" and back.side == "回风"]
        paired = {id(row) for pair in pairs for row in pair}
        alone = [row for row in rows if id(row) not in paired]
        keys = [(key, head, unit) for key, head, unit in self.columns() if key != "co2"]
        top = [Cell(_STATION[self.tongue], down=2), Cell("进风侧", across=len(keys)), Cell("回风侧", across=len(keys))]
        below = cells(*(f"{head}（{unit}）" for _ in range(2) for _, head, unit in keys))
        body = [
            cells(
                _base(into),
                *(self._value(into, key) for key, _, _ in keys),
                *(self._value(back, key) for key, _, _ in keys),
            )
            for into, back in pairs
        ]
        weights = [3.0, *([1.0] * (2 * len(keys)))]
        blocks: Document = [Table(caption=caption, header=[top, below], rows=body, weights=weights)]
        return [*blocks, self._block("face", "备用工作面", alone)] if alone else blocks


def _base(row: Reading) -> str:
    """The station without its side."""
    return row.station.replace(f"（{row.side}）", "").split(row.side)[0]
