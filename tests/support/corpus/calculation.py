"""The calculation chapter: as prose, as parameter tables with formula lines, or as one table with a column per method."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tests.support.corpus.blocks import Cell, Document, Formula, Heading, Para, Table, cells
from tests.support.corpus.figures import plain, value_of
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, STANDBY, Method, Mine, Place
from tests.support.corpus.style import NUMBERINGS, Style

KIND_TITLES = {
    FACE: ("采煤工作面需风量计算", "回采工作面", "采面风量"),
    STANDBY: ("备用工作面需风量计算", "备用面", "备用采面风量"),
    HEADING: ("掘进工作面需风量计算", "掘进工作面", "掘进风量"),
    CHAMBER: ("井下硐室需风量计算", "独立通风硐室", "硐室风量"),
    ROADWAY: ("其他用风巷道需风量计算", "其他井巷", "其他巷道风量"),
}
_SIGNS = {FACE: "采", STANDBY: "备", HEADING: "掘", CHAMBER: "硐", ROADWAY: "其"}

_TITLES = {
    "climate": ("按气象条件计算", "气象条件法", "按工作面气候条件", "风速（温度）法"),
    "climate_base": ("基本风量", "按风速计算基本风量", "基本需风量", "基础风量"),
    "gas": ("按瓦斯涌出量计算", "瓦斯法", "按稀释瓦斯", "瓦斯涌出量法"),
    "co2": ("按二氧化碳涌出量计算", "二氧化碳法", "按稀释二氧化碳", "CO2法"),
    "people": ("按人数计算", "人数法", "按最多工作人数", "按同时作业人数"),
    "explosive": ("按炸药量计算", "炸药法", "按一次爆破最大装药量", "装药量法"),
    "local_fan": ("按局部通风机吸风量计算", "局扇法", "按局部通风机实际吸风量", "局部通风机法"),
    "heat": ("按设备发热量计算", "发热量法", "按机电设备散热", "散热法"),
    "volume": ("按库房容积计算", "换气法", "按每小时换气4次", "容积法"),
    "hydrogen": ("按氢气产生量计算", "氢气法", "按稀释氢气", "产氢量法"),
    "speed_min": ("按最低风速计算", "最低风速法", "按允许最低风速", "风速法"),
    "diesel": ("按胶轮车功率计算", "胶轮车法", "按同时运行胶轮车总功率", "柴油车法"),
    "standby_half": ("按生产时需风量的50%计算", "备用法", "按不低于生产需风量一半", "折半法"),
}

_LABEL_WORDS = {"v": "V", "kh": "Kh", "kl": "KL", "K": "K", "θ": "θ"}
_LABEL_LONG = {"v": "工作面风速", "kh": "采高调整系数", "kl": "面长调整系数", "K": "涌出不均衡系数", "θ": "发热系数"}

AREA_NAMES = {"effective": ("平均有效断面积", "平均有效通风断面", "有效断面积（已按70%折减）"), "nominal": ("平均净断面积", "净断面积", "控顶区平均净断面")}  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Chapter:
    """Writes the calculation of a mine; the tongue is the index into the lists of titles."""

    mine: Mine
    style: Style
    rng: Random
    tongue: int

    def signs(self, formula: str) -> str:
        """The formula in the operator signs of this mine."""
        return formula.replace("×", self.style.times).replace("÷", self.style.divide)

    def title(self, key: str) -> str:
        """What a method is called here."""
        return _TITLES[key][self.tongue]

    def write(self, number: int) -> Document:
        """All kinds that the mine has, each under its own heading."""
        second, third = NUMBERINGS[self.style.numbering][1:]
        blocks: Document = []
        part = 0
        for kind, titles in KIND_TITLES.items():
            places = [p for p in self.mine.places if p.kind == kind and p.in_calculation]
            if not places:
                continue
            part += 1
            blocks.append(Heading(2, second(number, part) + titles[self.tongue % 3]))
            if self.style.calculation == "columns" and kind != CHAMBER:
                blocks += self._as_columns(kind, places)
                continue
            for n, place in enumerate(places, 1):
                blocks.append(Heading(3, third(number, part, n) + place.name))
                blocks += self._as_table(place) if self.style.calculation == "lines" else self._as_prose(place)
                blocks += self._methods(place, part, n)
                blocks += self._conclusion(place)
        return [*blocks, *self._mine_total(number, part + 1)]

    def facts(self, place: Place) -> list[tuple[str, str]]:
        """The facts of a place as name and value with unit."""
        f, style = place.facts, self.style
        area_name = AREA_NAMES[self.mine.basis][self.tongue % 3] if place.kind == FACE else "断面积"
        rows = [
            ("岩性", f.get("rock", "")),
            ("施工方法", place.way if place.kind == HEADING else ""),
            ("采煤方法", place.way if place.kind == FACE else ""),
            ("采高", f"{f['height']}m" if "height" in f else ""),
            ("面长", f"{f['length']}m" if "length" in f else ""),
            ("进风流温度", f"{f['temp']}℃" if "temp" in f else ""),
            (area_name, f"{f.get('area_said', f['area'])}{style.area_unit}" if "area" in f else ""),
            ("最大控顶断面", f"{f['area_max']}{style.area_unit}" if "area_max" in f else ""),
            ("最小控顶断面", f"{f['area_min']}{style.area_unit}" if "area_min" in f else ""),
            ("瓦斯绝对涌出量", f"{f['q']}{style.unit}" if "q" in f else ""),
            ("二氧化碳绝对涌出量", f"{f['qc']}{style.unit}" if "qc" in f else ""),
            ("同时工作最多人数", f"{f['n']}人" if "n" in f else ""),
            ("局部通风机", f"{f['fan_count']}台，实测吸风量{f['fan_flow']}{style.unit}" if "fan_flow" in f else ""),
            ("一次爆破最大装药量", f"{f['charge']}kg" if "charge" in f else ""),
            ("生产时需风量", f"{f['working_need']}{style.unit}" if "working_need" in f else ""),
            ("位置", f.get("where", "")),
            ("设备总功率", f"{f['power']}kW" if "power" in f else ""),
            ("进回风温差", f"{f['dt']}℃" if "dt" in f else ""),
            ("库房容积", f"{f['volume']}m³" if "volume" in f else ""),
            ("氢气产生量", f"{f['hydrogen']}{style.unit}" if "hydrogen" in f else ""),
            ("同时运行胶轮车功率", "、".join(f"{p}kW" for p in f["vehicles"].split("+")) if "vehicles" in f else ""),
        ]
        return [(name, value) for name, value in rows if value]

    def _as_prose(self, place: Place) -> Document:
        facts = "，".join(f"{name}{value}" for name, value in self.facts(place))
        return [Para(f"{place.name}{facts}。")] if facts else []

    def _as_table(self, place: Place) -> Document:
        facts = self.facts(place)
        if not facts:
            return []
        if len(facts) < 4:
            return self._as_prose(place)
        head, body = [name for name, _ in facts], [value for _, value in facts]
        return [Table(header=[cells(*head)], rows=[cells(*body)])]

    def _lead(self, place: Place, part: int, n: int) -> str:
        lead = self.style.formula_lead.format(n=n, g=part)
        return lead.replace("采", _SIGNS[place.kind]) + "=" if lead else ""

    def _methods(self, place: Place, part: int, n: int) -> Document:
        blocks: Document = []
        shown = [method for method in place.methods if method.shown]
        for step, method in enumerate(shown, 1):
            label = self._label(method)
            mark = {"prose": f"（{step}）", "lines": f"{step}）", "columns": "◇"}[self.style.calculation]
            blocks.append(Para(f"{mark}{self.title(method.key)}{label if self.style.labels == 'brackets' else ''}"))
            blocks.append(self._line(self._lead(place, part, n), method))
            if self.style.labels == "where" and method.label:
                said = "；".join(f"{_LABEL_WORDS[k]}——{_LABEL_LONG[k]}，取{v}" for k, v in method.label.items())
                blocks.append(Para(f"式中：{said}。"))
        return blocks

    def _label(self, method: Method) -> str:
        if not method.label:
            return ""
        return "（" + "，".join(f"{_LABEL_WORDS[k]}取{v}" for k, v in method.label.items()) + "）"

    def equation(self, method: Method) -> str:
        """The substituted formula with its result."""
        formula = self.signs(method.formula)
        if method.division_as_plus:
            formula = formula.replace(self.style.divide, "+")
        return f"{formula}={method.printed}"

    def _line(self, lead: str, method: Method) -> Formula:
        equation = lead + self.equation(method)
        tail = self.style.unit if self.tongue % 2 else f"（{self.style.unit}）"
        return Formula(equation + tail, equation=equation, tail=tail)

    def _conclusion(self, place: Place) -> Document:
        unit, need = self.style.unit, place.required
        if not place.methods:
            return [Para(f"该硐室属小型硐室，按经验取{need}{unit}。")]
        best = max((Fraction(m.printed) for m in place.methods if m.shown), default=Fraction(0))
        if best < place.floor_m3_min and Fraction(need) == place.floor_m3_min:
            blocks: Document = [Para(f"计算值低于硐室最低风量，取{need}{unit}。")]
        elif len(place.methods) == 1:
            blocks = [Para(f"故{place.name}需风量取{need}{unit}。")]
        else:
            said = (
                f"取以上各法最大值，{place.name}需风量为{need}{unit}。",
                f"经比较，{place.name}需风量确定为{need}{unit}。",
            )
            blocks = [Para(said[self.tongue % 2])]
        return [*blocks, *self._speed_check(place)]

    def bounds(self, place: Place) -> tuple[str, str] | None:
        """The least and the most air by speed, as printed expressions in canonical signs; None where none is checked."""
        f = place.facts
        if place.kind == FACE:
            share = "×70%" if self.mine.basis == "nominal" else ""
            low = f.get("low_area", f["area_max"])
            return f"60×0.25×{low}{share}", f"60×{place.bound_m_s}×{f['area_min']}{share}"
        if place.kind == HEADING:
            low = "0.15" if f["rock"] == "岩巷" else "0.25"
            return f"60×{low}×{f['area']}", f"60×{place.bound_m_s}×{f['area']}"
        return None

    def _speed_check(self, place: Place) -> Document:
        bounds = self.bounds(place)
        if bounds is None:
            return []
        low, high = bounds
        unit = self.style.unit
        least, most = plain(value_of(low)), plain(value_of(high))
        if self.tongue % 2:
            first = f"风速验算：Qmin={self.signs(low)}={least}{unit}，Qmax={self.signs(high)}={most}{unit}"
            return [Para(f"{first}，{place.required}{unit}在此范围内，符合要求。")]
        text = f"{self.signs(low)}={least}≤{place.required}≤{self.signs(high)}={most}"
        return [Para("按风速进行验算："), Formula(text, equation=text), Para("验算结果满足要求。")]

    def _as_columns(self, kind: str, places: list[Place]) -> Document:
        keys: list[str] = []
        for place in places:
            keys += [m.key for m in place.methods if m.shown and m.key not in keys]
        names: list[str] = []
        for place in places:
            names += [name for name, _ in self.facts(place) if name not in names]
        head = [self.style.place_word, *names, *(self.title(key) for key in keys), f"需风量（{self.style.unit}）"]
        rows = []
        for place in places:
            facts = dict(self.facts(place))
            shown = {m.key: self.equation(m) for m in place.methods if m.shown}
            line = [place.name, *(facts.get(name, "—") for name in names), *(shown.get(key, "—") for key in keys)]
            rows.append(cells(*line, place.required))
        weights = [2.2, *(1.0 for _ in names), *(2.1 for _ in keys), 1.0]
        caption = f"{KIND_TITLES[kind][1]}需风量计算表"
        blocks: Document = [Table(caption=caption, header=[cells(*head)], rows=rows, weights=weights, is_wide=True)]
        lines = [f"{place.name}：{self.signs(low)}={plain(value_of(low))}≤{place.required}≤{self.signs(high)}={plain(value_of(high))}" for place in places if (b := self.bounds(place)) for low, high in [b]]  # fmt: skip
        if lines:
            blocks += [Para("风速验算："), *(Para(f"{line}，满足。") for line in lines)]
        return blocks

    def _mine_total(self, number: int, part: int) -> Document:
        mine, style = self.mine, self.style
        second = NUMBERINGS[style.numbering][1]
        times, unit = style.times, style.unit
        k = mine.reserve
        people = plain(value_of(f"4×{mine.people}×{k}"))
        blocks: Document = [
            Heading(2, second(number, part) + "矿井总需风量"),
            Para(f"按井下同时工作最多人数{mine.people}人计算："),
            Formula(f"Q=4{times}{mine.people}{times}{k}={people}{unit}"),
            Para("按各用风地点需风量之和计算："),
        ]
        for system in mine.systems:
            blocks.append(
                Formula(f"{system.name}：{system.subtotal}{times}{system.coefficient}={system.required}{unit}")
            )
        if len(mine.systems) > 1:
            blocks.append(Formula(f"Q矿={'+'.join(s.required for s in mine.systems)}={mine.total}{unit}"))
        blocks.append(Para(f"两者取大，矿井总需风量为{mine.total}{unit}。"))
        return blocks


def merged_first(texts: list[str]) -> list[Cell | None]:
    """Equal neighbours become one tall cell; covered places are None."""
    result: list[Cell | None] = []
    at = 0
    while at < len(texts):
        end = at
        while end < len(texts) and texts[end] == texts[at]:
            end += 1
        result += [Cell(texts[at], down=end - at), *([None] * (end - at - 1))]
        at = end
    return result
