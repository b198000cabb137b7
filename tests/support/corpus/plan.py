"""The whole plan: cover, works of the month, principles, calculation, distribution, fans."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.support.corpus.blocks import Document, Formula, Heading, PageBreak, Para, Table, cells
from tests.support.corpus.calculation import AREA_NAMES, Chapter
from tests.support.corpus.distribution import Distribution
from tests.support.corpus.family import Bracket, Family
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, STANDBY, Mine
from tests.support.corpus.style import NUMBERINGS, Style

_TITLES = (
    "{m}{y}年{k}月份配风计划",
    "{m}{y}年{k}月风量分配计划",
    "{y}年{k}月{m}矿井配风方案",
    "{m}月度配风计划（{y}年{k}月）",
)
_PERIOD_LEADS = ("本计划执行时间：{}。", "计划有效期：{}", "执行期限：{}。", "本方案自{}执行。")
_WORKS = {FACE: "采煤", STANDBY: "备用", HEADING: "掘进"}


@dataclass(slots=True, kw_only=True)
class PlanWriter:
    """Writes the plan of a mine in one style."""

    mine: Mine
    style: Style
    family: Family
    rng: Random
    tongue: int

    def write(self) -> Document:
        """All blocks in order."""
        top = NUMBERINGS[self.style.numbering][0]
        chapters = [
            (("矿井概况", "矿井通风概述", "基本情况")[self.tongue % 3], self._overview()),
            (("本月采掘安排", "采掘工作面布置", "当月生产布置")[self.tongue % 3], self._works()),
            (("编制依据", "编制说明", "引用文件")[self.tongue % 3], self._sources()),
            (("风量计算方法", "风量计算原则及取值规定", "计算公式与参数")[self.tongue % 3], self._principles()),
        ]
        blocks = self._cover()
        for n, (title, part) in enumerate(chapters, 1):
            blocks += [Heading(1, top(n) + title), *part]
        chapter = Chapter(mine=self.mine, style=self.style, rng=self.rng, tongue=self.tongue)
        blocks += [Heading(1, top(5) + ("用风地点需风量计算", "需风量计算过程")[self.tongue % 2]), *chapter.write(5)]
        table = Distribution(mine=self.mine, style=self.style, tongue=self.tongue)
        title = ("风量分配", "配风计划表", "风量分配方案")[self.tongue % 3]
        blocks += [Heading(1, top(6) + title), *table.write(6)]
        blocks += [Heading(1, top(7) + ("主要通风机能力校核", "主扇能力验算")[self.tongue % 2]), *self._fans()]
        return [*blocks, Heading(1, top(8) + "通风安全措施"), *self._measures()]

    def _cover(self) -> Document:
        mine = self.mine
        title = _TITLES[self.tongue].format(m=mine.name, y=mine.year, k=mine.month)
        if not mine.is_dated:
            title = f"{mine.name}矿井配风计划"
        blocks: Document = [Heading(0, title)]
        if mine.period_text:
            blocks.append(Para(_PERIOD_LEADS[self.tongue].format(mine.period_text), is_centred=True))
        if self.tongue % 2 == 0:
            roles = ("编制", "通风科长", "机电副总", "通风副总", "总工程师")
            rows = [cells(role, "", "") for role in roles]
            blocks.append(Table(caption="会审签字", header=[cells("职务", "签名", "意见")], rows=rows))
        if self.style.plan_format != "txt":
            blocks.append(PageBreak())
        return blocks

    def _overview(self) -> Document:
        mine = self.mine
        wells = "、".join(f"{s.name}（由{s.fan}担负）" for s in mine.systems)
        gas = "低瓦斯矿井" if mine.gas_factor == 100 else "高瓦斯矿井"
        return [
            Para(
                f"{mine.name}为{gas}，通风方式为分区式，通风方法为抽出式，共有{len(mine.systems)}个回风系统：{wells}。"
            ),
            Para(f"井下同时作业最多人数{mine.people}人。"),
        ]

    def _works(self) -> Document:
        mine, style = self.mine, self.style
        works = [p for p in mine.places if p.kind in _WORKS and p.in_works]
        named = [(p.name, _WORKS[p.kind] + f"（{p.way}）", p.system) for p in works] + mine.extra_works
        if self.tongue % 2:
            rows = [cells(str(n), name, way, mine.systems[s].name) for n, (name, way, s) in enumerate(named, 1)]
            head = cells("序号", "工作面", "作业方式", style.system_word)
            blocks: Document = [Table(caption="本月采掘工作面一览表", header=[head], rows=rows)]
        else:
            blocks = []
            for index, system in enumerate(mine.systems):
                some = "、".join(name for name, _, s in named if s == index)
                blocks.append(Para(f"{system.name}：本月布置{some}。"))
        chambers = "、".join(dict.fromkeys(p.name for p in mine.places if p.kind == CHAMBER and p.in_works))
        roads = "、".join(dict.fromkeys(p.name for p in mine.places if p.kind == ROADWAY and p.in_works))
        blocks += [Para(f"独立通风硐室有{chambers}。"), Para(f"其他用风巷道有{roads}。")]
        notes = [note for note in (mine.series_note, *mine.stopped_notes, *mine.extra_notes) if note]
        return [*blocks, *(Para(note) for note in notes)]

    def _sources(self) -> Document:
        lines = (
            "《煤矿安全规程》；",
            "《煤矿矿井风量计算方法》（MT/T 634-2019）；",
            "《煤矿通风能力核定标准》（AQ 1056-2008）；",
        )
        if self.style.prints_tables:
            return [*(Para(f"{n}. {line}") for n, line in enumerate(lines, 1)), Para("4. 本矿风量计算细则。")]
        return [Para(f"{n}. {line}") for n, line in enumerate(lines, 1)]

    def _principles(self) -> Document:
        mine, style = self.mine, self.style
        t, d = style.times, style.divide
        limit = {100: "1.0%", 125: "0.8%"}[mine.gas_factor]
        grade = "三级煤矿许用炸药" if mine.explosive_factor == 10 else "一级煤矿许用炸药"
        share = f"70%{t}" if mine.basis == "nominal" or self.tongue == 3 else ""
        by_area = any(p.facts.get("order") == "area_first" for p in mine.places if p.kind == FACE)
        core = f"S{t}V" if by_area else f"V{t}S"
        area = AREA_NAMES[mine.basis][self.tongue % 3]
        kinds = {p.kind for p in mine.places}
        ways = {p.way for p in mine.places}
        rows = [
            ("采煤工作面按气象条件", f"Q=60{t}{share}{core}{t}Kh{t}KL", f"S为{area}，V按进风流温度选取"),
            ("采掘工作面按瓦斯", f"Q={mine.gas_factor}{t}q{t}K", f"回风流瓦斯浓度不超过{limit}；采煤K取1.2～1.6，综掘K取1.5～2.0，炮掘K取1.8～2.0"),
            ("按人数", f"Q=4{t}N", "每人供风不少于4m³/min"),
            ("掘进按局部通风机", f"煤巷、半煤岩巷Q=Q扇{t}I+15{t}S；岩巷Q=Q扇{t}I+9{t}S", "Q扇取实测吸风量"),
            ("机电硐室", f"Q=3600{t}W{t}θ{d}(1.2{t}1.0006{t}60{t}Δt)", "θ：变电所、绞车房0.02～0.04，水泵房0.01～0.03，空压机房0.20～0.23；不低于60m³/min"),
            ("爆炸材料库", f"Q=4{t}V{d}60", "不低于100m³/min"),
            ("其他巷道按瓦斯", f"采区内Q=100{t}q{t}K，采区外Q=133{t}q{t}K", "K取1.2～1.3"),
            ("其他巷道按风速", f"采区内Q=60{t}0.25{t}S，采区外Q=60{t}0.15{t}S", ""),
        ]  # fmt: skip
        if any("qc" in p.facts for p in mine.places):
            rows.insert(2, ("采煤、掘进工作面按二氧化碳", f"Q=67{t}qc{t}K", "回风流二氧化碳不超过1.5%"))
        if any("charge" in p.facts for p in mine.places):
            rows.insert(4, ("炮掘按炸药", f"Q={mine.explosive_factor}{t}A", f"使用{grade}"))
        if STANDBY in kinds:
            rows.insert(4, ("备用工作面", f"Q=Q生产{t}50%", "并满足瓦斯、人数要求"))
        if "充电" in ways:
            rows.append(("充电硐室", f"Q=200{t}qH", "不低于100m³/min"))
        if any("vehicles" in p.facts for p in mine.places):
            rows.append(("胶轮车巷道", f"Q=4{t}ΣP", "ΣP为同时运行车辆的总功率，kW"))
        blocks: Document = [Para("各用风地点分别按下列方法计算，取其中最大值，并按风速验算。")]
        if self.tongue % 2:
            blocks.append(
                Table(
                    caption="计算方法",
                    header=[cells("项目", "公式", "说明")],
                    rows=[cells(*row) for row in rows],
                    weights=[1.4, 2.4, 3],
                )
            )
        else:
            for name, formula, note in rows:
                blocks += [Para(f"{name}："), Formula(formula, equation=formula)]
                if note:
                    blocks.append(Para(note + "。"))
        blocks += self._coefficients()
        k = mine.reserve_in_text or mine.reserve
        said = (
            f"矿井通风系数（备用系数）K通取{k}",
            f"各回风系统总需风量为用风地点需风量之和乘以备用系数，备用系数取{k}",
        )
        return [*blocks, Para(said[self.tongue % 2] + "。"), *self._special_rules()]

    def _special_rules(self) -> Document:
        rules = []
        if self.mine.series_note:
            rules.append("串联通风的地点只计一次风量。")
        if self.mine.allows_5_m_s:
            rules.append("综采、综放工作面已采取煤层注水和采煤机喷雾降尘措施，最高允许风速为5m/s。")
        return [Para(rule) for rule in rules]

    def _coefficients(self) -> Document:
        if not self.style.prints_tables:
            return [Para("风速及采高、面长调整系数按AQ 1056-2008附表选取。")]
        family = self.family
        tables = (
            ("进风流温度与工作面风速", "温度（℃）", "风速V（m/s）", "℃", "m/s", family.speed, "V"),
            ("采高调整系数", "采高（m）", "Kh", "m", "", family.height, "Kh"),
            ("工作面长度调整系数", "面长（m）", "KL", "m", "", family.length, "KL"),
        )
        blocks: Document = []
        for caption, left, right, unit, of, rows, sign in tables:
            if self.style.tables_as_prose:
                said = "；".join(f"{_said(row, unit)}，{sign}取{row.choice}{of}" for row in rows)
                blocks.append(Para(f"{caption}：{said}。"))
            else:
                blocks.append(
                    Table(caption=caption, header=[cells(left, right)], rows=[cells(r.span, r.choice) for r in rows])
                )
        return blocks

    def _fans(self) -> Document:
        unit = self.style.unit
        if self.tongue % 2:
            rows = [cells(s.name, s.fan, s.required, str(s.fan_limit_m3_min)) for s in self.mine.systems]
            head = cells("服务系统", "主要通风机", f"系统需风量（{unit}）", f"最大供风能力（{unit}）")
            return [
                Table(caption="主要通风机能力校核表", header=[head], rows=rows),
                Para("各风机能力均按性能曲线查取。"),
            ]
        return [
            Para(f"{s.fan}服务于{s.name}，系统需风量{s.required}{unit}，风机最大供风能力{s.fan_limit_m3_min}{unit}。")
            for s in self.mine.systems
        ]

    def _measures(self) -> Document:
        return [
            Para("通风队每旬对全矿进行一次全面测风，发现风量不足及时调整。"),
            Para("任何人不得擅自调整通风设施。"),
        ]


def _said(row: Bracket, unit: str) -> str:
    if not row.low:
        return f"低于{row.high}{unit}时"
    return f"{row.low}～{row.high}{unit}时" if row.high else f"大于{row.low}{unit}时"
