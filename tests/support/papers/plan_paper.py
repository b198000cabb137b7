"""A month's plan as plain text: places with their calculations, sums that follow from the rows, everything open to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

EAST: Final = "东风井系统"
WEST: Final = "西风井系统"
FACE: Final = "101综采工作面"
STANDBY: Final = "104备用工作面"
HEADING: Final = "103运输顺槽掘进工作面"
ROCK: Final = "轨道大巷掘进工作面"
SUBSTATION: Final = "一采区变电所"
CHARGING: Final = "二采区充电硐室"
STORE: Final = "井下爆炸物品库"
ROADWAY: Final = "一采区回风巷"
CROSSCUT: Final = "二采区石门"
VEHICLES: Final = "二采区胶轮车运输巷"
_CHAPTERS: Final = ("采煤工作面", "备用工作面", "掘进工作面", "硐室", "其他用风巷道")


@dataclass(frozen=True, kw_only=True)
class Part:
    """One place: the lines of its calculation and its row of the distribution table. Flows in m³/min."""

    name: str
    kind: str
    lines: tuple[str, ...] = ()
    need: str = "—"
    planned: str = "—"
    area: str = "—"
    speed: str = "—"
    system: str = EAST
    remark: str = ""
    status: str = "正常生产"
    row: bool = True
    """Whether the distribution table has a row for it."""


@dataclass(frozen=True, kw_only=True)
class PlanPaper:
    """The whole plan; a sum that is not given is what its rows add up to."""

    parts: tuple[Part, ...]
    period: str = "2025年3月1日至2025年3月31日"
    principles: tuple[str, ...] = ()
    reserve: str = "1.2"
    remarks: tuple[str, ...] = ()
    """Sentences of the chapter on this month's working."""
    subtotals: Mapping[str, str] | None = None
    planned_subtotals: Mapping[str, str] | None = None
    coefficients: Mapping[str, str] | None = None
    system_needs: Mapping[str, str] | None = None
    total: str | None = None
    fans: tuple[tuple[str, ...], ...] = ()
    """Name, system, need of the system (empty: what the tables print), most air, duty and highest pressure in Pa."""
    summary: tuple[tuple[str, ...], ...] = ()

    def changed(self, name: str, swaps: Mapping[str, str] | None = None, /, **fields: Any) -> PlanPaper:
        """This plan with another text in one place's lines, and other fields of it."""
        return replace(self, parts=tuple(_swapped(p, swaps, fields) if p.name == name else p for p in self.parts))

    def said(self, old: str, new: str) -> PlanPaper:
        """This plan with another sentence in its principles."""
        assert sum(old in line for line in self.principles) == 1, f"{old!r} stands in no, or in several, principles"
        return replace(self, principles=tuple(line.replace(old, new) for line in self.principles))

    def without(self, *names: str) -> PlanPaper:
        return replace(self, parts=tuple(p for p in self.parts if p.name not in names))

    def more(self, *parts: Part) -> PlanPaper:
        return replace(self, parts=(*self.parts, *parts))

    def text(self) -> str:
        return "\n".join((*self._head(), *self._calculations(), *self._tables(), *self._fan_table())) + "\n"

    def need_of(self, system: str) -> Decimal:
        """What the sum rows print for a system."""
        given = (self.system_needs or {}).get(system)
        return Decimal(given) if given else self.subtotal_of(system) * Decimal(self.coefficient_of(system))

    def subtotal_of(self, system: str) -> Decimal:
        given = (self.subtotals or {}).get(system)
        return Decimal(given) if given else _added(self._rows(system), lambda part: part.need)

    def coefficient_of(self, system: str) -> str:
        return (self.coefficients or {}).get(system, self.reserve)

    def systems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(p.system for p in self.parts if p.row))

    def _rows(self, system: str) -> list[Part]:
        return [p for p in self.parts if p.row and p.system == system]

    def _head(self) -> Iterator[str]:
        yield "甲子沟煤矿2025年3月份配风计划"
        yield f"计划执行期：{self.period}"
        yield "一、矿井概况"
        yield "矿井为低瓦斯矿井，抽出式通风，设东风井、西风井两个回风系统。"
        yield "二、本月采掘安排"
        yield "序号\t工作面名称\t类别\t状态\t回风系统"
        listed = [p for p in self.parts if p.kind in _CHAPTERS[:3]]
        yield from (f"{i}\t{p.name}\t{p.kind}\t{p.status}\t{p.system}" for i, p in enumerate(listed, 1))
        yield from self.remarks
        yield "三、风量计算原则"
        yield from self.principles

    def _calculations(self) -> Iterator[str]:
        yield "四、需风量计算"
        for number, kind in zip("一二三四五", _CHAPTERS, strict=True):
            parts = [p for p in self.parts if p.kind == kind and p.lines]
            if parts:
                yield f"（{number}）{kind}"
            for index, part in enumerate(parts, 1):
                yield f"{index}、{part.name}"
                yield from part.lines

    def _tables(self) -> Iterator[str]:
        yield "五、配风计划表"
        for number, system in enumerate(self.systems(), 1):
            yield f"表{number} {system}配风计划表"
            yield "序号\t用风地点\t类别\t断面（m²）\t需风量（m³/min）\t计划配风量（m³/min）\t风速（m/s）\t备注"
            for index, p in enumerate(self._rows(system), 1):
                yield f"{index}\t{p.name}\t{p.kind}\t{p.area}\t{p.need}\t{p.planned}\t{p.speed}\t{p.remark}"
            planned = (self.planned_subtotals or {}).get(system) or _added(
                self._rows(system), lambda part: part.planned
            )
            yield f"\t小计\t\t\t{self.subtotal_of(system)}\t{planned}\t\t"
            yield f"\t备用系数\t\t\t{self.coefficient_of(system)}\t\t\t"
            yield f"\t系统总需风量\t\t\t{self.need_of(system).normalize():f}\t\t\t"
        if self.summary:
            yield "矿井需风量汇总表"
            yield "回风系统\t小计（m³/min）\t备用系数\t总需风量（m³/min）"
            yield from ("\t".join(row) for row in self.summary)
        total = self.total or f"{sum(map(self.need_of, self.systems()), Decimal(0)).normalize():f}"
        yield f"矿井总需风量为{total}m³/min。"

    def _fan_table(self) -> Iterator[str]:
        yield "六、主要通风机能力校核"
        yield (
            "主要通风机\t服务系统\t系统总需风量（m³/min）\t通风机最大风量（m³/min）\t运行负压（Pa）\t曲线最高静压（Pa）"
        )
        for name, system, need, *rest in self.fans:
            yield "\t".join((name, system, need or f"{self.need_of(system).normalize():f}", *rest))


def _swapped(part: Part, swaps: Mapping[str, str] | None, fields: Mapping[str, Any]) -> Part:
    lines = part.lines
    for old, new in (swaps or {}).items():
        assert any(old in line for line in lines), f"{part.name} says nowhere {old!r}"
        lines = tuple(line.replace(old, new) for line in lines)
    return replace(part, **{"lines": tuple(line for line in lines if line), **fields})


def _added(parts: list[Part], cell: Callable[[Part], str]) -> Decimal:
    numbers = (cell(part) for part in parts)
    return sum((Decimal(n) for n in numbers if n.replace(".", "").isdigit()), Decimal(0))


PRINCIPLES: Final = (
    "各用风地点按下列方法分别计算，取最大值，再作风速验算。",
    "采煤工作面按气象条件：Q=60×v×S×K采高×K采面长，S为平均有效净断面积，已扣除控顶区占用，不再乘70%。",
    "采煤工作面按瓦斯涌出量：Q=100×q×K，综采K取1.2～1.6。",
    "掘进工作面按瓦斯涌出量：Q=100×q×K，综掘K取1.5～2.0，炮掘K取1.8～2.0。",
    "掘进工作面按局部通风机：煤巷Q=Q扇×I+15×S，岩巷Q=Q扇×I+9×S，Q扇为实测吸风量。",
    "掘进工作面按炸药量：Q=10×A，使用三级煤矿许用炸药。",
    "各地点按人数：Q=4×N，N为最多同时工作人数。",
    "备用工作面需风量不低于生产时需风量的50%。",
    "变电所θ取0.02～0.04，机电硐室不小于60m³/min；充电硐室Q=200×q，不小于100m³/min；爆炸物品库Q=4×V÷60。",
    "其他用风巷道：采区内Q=100×q×K，采区外Q=133×q×K，K取1.2～1.3。",
    "无轨胶轮车：Q=4×ΣP，ΣP为同时运行车辆总功率。",
    "备用系数取1.2。",
    "温度与风速取值",
    "进风温度（℃）\tv（m/s）",
    "＜20\t1.0",
    "20～23\t1.0～1.5",
    "23～26\t1.5～1.8",
    "采高系数取值",
    "采高（m）\tK采高",
    "＜2.0\t1.0",
    "2.0～2.5\t1.1",
    "＞2.5\t1.2",
    "采面长系数取值",
    "采面长（m）\tK采面长",
    "80～150\t1.0",
    "150～200\t1.0～1.3",
    "＞200\t1.3～1.5",
)


PARTS: Final = (
    Part(
        name=FACE,
        kind="采煤工作面",
        lines=(
            (
                "采高3.8m，工作面长度240m，进风流温度19℃，平均有效净断面积11.3m²，最大控顶有效断面11.9m²，"
                "最小控顶有效断面10.6m²，瓦斯绝对涌出量2.13m³/min，最多同时工作人数42人。"
            ),
            "按气象条件（v=1.0m/s，K采高=1.2，K采面长=1.5）：",
            "Q采=60×11.3×1.0×1.2×1.5=1221m³/min",
            "按瓦斯涌出量（K=1.4）：Q采=100×2.13×1.4=298.2m³/min",
            "按人数：Q采=4×42=168m³/min",
            "取最大值，需风量为1221m³/min。",
            "风速验算：60×0.25×11.9=178.5≤1221≤60×4×10.6=2544m³/min",
        ),
        need="1221",
        planned="1225",
        area="11.3",
        speed="1.81",
    ),
    Part(
        name=STANDBY,
        kind="备用工作面",
        lines=(
            (
                "生产时需风量1254m³/min，瓦斯绝对涌出量2.30m³/min，最多同时工作人数11人，有效断面积10.2m²，"
                "最大控顶有效断面10.7m²，最小控顶有效断面9.7m²。"
            ),
            "按生产时需风量的一半：Q备=1254×50%=627m³/min",
            "按瓦斯涌出量（K=1.3）：Q备=100×2.30×1.3=299m³/min",
            "按人数：Q备=4×11=44m³/min",
            "取最大值，需风量为627m³/min。",
            "风速验算：60×0.25×10.7=160.5≤627≤60×4×9.7=2328m³/min",
        ),
        need="627",
        planned="630",
        area="10.2",
        speed="1.03",
        status="备用",
    ),
    Part(
        name=HEADING,
        kind="掘进工作面",
        lines=(
            "煤巷，综掘，断面18.5m²，局部通风机一台，实测吸风量350m³/min，瓦斯绝对涌出量1.48m³/min，最多同时工作人数25人。",
            "按局部通风机：Q掘=350×1+15×18.5=628m³/min",
            "按瓦斯涌出量（K=1.7）：Q掘=100×1.48×1.7=251.6m³/min",
            "按人数：Q掘=4×25=100m³/min",
            "取最大值，需风量为628m³/min。",
            "风速验算：60×0.25×18.5=277.5≤628≤60×4×18.5=4440m³/min",
        ),
        need="628",
        planned="630",
        area="18.5",
        speed="0.57",
    ),
    Part(
        name=ROCK,
        kind="掘进工作面",
        lines=(
            (
                "岩巷，炮掘，断面13.3m²，局部通风机一台，实测吸风量280m³/min，瓦斯绝对涌出量1.07m³/min，"
                "一次最大装药量17.1kg，三级煤矿许用炸药，最多同时工作人数22人。"
            ),
            "按局部通风机：Q掘=280×1+9×13.3=400m³/min",
            "按瓦斯涌出量（K=1.9）：Q掘=100×1.07×1.9=203.3m³/min",
            "按炸药量：Q掘=10×17.1=171m³/min",
            "按人数：Q掘=4×22=88m³/min",
            "取最大值，需风量为400m³/min。",
            "风速验算：60×0.15×13.3=119.7≤400≤60×4×13.3=3192m³/min",
        ),
        need="400",
        planned="400",
        area="13.3",
        speed="0.50",
        system=WEST,
    ),
    Part(
        name=SUBSTATION,
        kind="硐室",
        lines=(
            "设备总功率240kW，θ=0.02，温差5℃。",
            "按设备发热量：Q硐=3600×240×0.02÷(1.2×1.0006×60×5)=48m³/min",
            "不足最小值，需风量为60m³/min。",
        ),
        need="60",
        planned="60",
    ),
    Part(
        name=CHARGING,
        kind="硐室",
        lines=(
            "最大产氢量0.76m³/min。",
            "按氢气产生量：Q硐=200×0.76=152m³/min",
            "需风量为152m³/min。",
        ),
        need="152",
        planned="155",
        system=WEST,
    ),
    Part(
        name=STORE,
        kind="硐室",
        lines=(
            "库房容积1500m³。",
            "按换气次数：Q硐=4×1500÷60=100m³/min",
            "需风量为100m³/min。",
        ),
        need="100",
        planned="100",
        system=WEST,
    ),
    Part(
        name=ROADWAY,
        kind="其他用风巷道",
        lines=(
            "断面18.5m²，瓦斯绝对涌出量3.20m³/min，位于采区内。",
            "按瓦斯涌出量（K=1.3）：Q它=100×3.20×1.3=416m³/min",
            "按最低风速：Q它=60×0.25×18.5=278m³/min",
            "取最大值，需风量为416m³/min。",
        ),
        need="416",
        planned="420",
        area="18.5",
        speed="0.38",
    ),
    Part(
        name=CROSSCUT,
        kind="其他用风巷道",
        lines=(
            "断面14.4m²，瓦斯绝对涌出量0.43m³/min，位于采区外。",
            "按瓦斯涌出量（K=1.2）：Q它=133×0.43×1.2=69m³/min",
            "按最低风速：Q它=60×0.25×14.4=216m³/min",
            "取最大值，需风量为216m³/min。",
        ),
        need="216",
        planned="220",
        area="14.4",
        speed="0.25",
        system=WEST,
    ),
    Part(
        name=VEHICLES,
        kind="其他用风巷道",
        lines=(
            "断面18.4m²，瓦斯绝对涌出量0.76m³/min，位于采区内，同时运行胶轮车84kW、42kW。",
            "按瓦斯涌出量（K=1.3）：Q它=100×0.76×1.3=98.8m³/min",
            "按胶轮车功率：Q它=4×(84+42)=504m³/min",
            "按最低风速：Q它=60×0.25×18.4=276m³/min",
            "取最大值，需风量为504m³/min。",
        ),
        need="504",
        planned="505",
        area="18.4",
        speed="0.46",
        system=WEST,
    ),
)

SOUND: Final = PlanPaper(
    parts=PARTS,
    principles=PRINCIPLES,
    fans=(
        ("东风井主扇", EAST, "", "4600", "2056", "2876"),
        ("西风井主扇", WEST, "", "2400", "1559", "2379"),
    ),
)


def part(name: str) -> Part:
    """The place of the sound plan."""
    return next(p for p in PARTS if p.name == name)


STOPPED: Final = replace(
    part(HEADING),
    name="105切眼掘进工作面",
    lines=(),
    status="停掘",
    need="—",
    planned="—",
    speed="—",
    remark="停掘",
)
