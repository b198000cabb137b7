"""The chapter of calculations in the layouts of several departments."""

from __future__ import annotations

from decimal import Decimal

from tests.support.mines.blocks import Block, Line, Para, Table
from tests.support.mines.house import House
from tests.support.mines.mine import Method, Place
from tests.support.mines.wording import FIGURES, FORMULAS, MEANINGS, METHODS, ROADS, UNITS

SHORT = {"face": "采", "standby": "备", "heading": "掘", "chamber": "硐", "road": "其他", "vehicle": "车"}
ORDER = {
    "face": ("h", "l", "t", "v", "b", "s", "smax", "smin", "kh", "kl", "q", "qc", "k", "n"),
    "standby": ("h", "l", "t", "v", "b", "s", "smax", "smin", "kh", "kl", "q", "k", "n"),
    "heading": ("s", "q", "qc", "k", "n", "a", "fan", "i"),
    "chamber": ("w", "theta", "dt", "vol", "qh"),
    "road": ("s", "q", "k", "powers"),
    "vehicle": ("powers",),
}
AREAS = {"effective": "平均有效断面积", "plain": "平均有效断面积", "net": "平均净断面积", "basic": "平均净断面积"}


class Calculations:
    """Writes calculations and remembers which of them stand in the document."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.printed: dict[int, list[tuple[str, str, Decimal]]] = {}

    @property
    def unit(self) -> str:
        """The unit of flow as the department writes it."""
        return UNITS[self.house.unit]

    def sign(self, text: str) -> str:
        """A general formula with the department's signs."""
        return text.replace("×", self.house.op).replace("÷", self.house.over).replace("70%", self.house.share)

    def key(self, place: Place, method: Method) -> str:
        """The row of the wording tables."""
        if method.key == "climate":
            return f"climate_{self.house.area}"
        if method.key == "fan":
            road = "rock" if place.figures["road"] == "rock" else "coal"
            return f"fan_{road}" + ("_long" if self.house.words in {1, 2} else "")
        return f"road_gas_{place.figures['where']}" if method.key == "road_gas" else method.key

    def formula(self, key: str) -> str:
        """The general formula of a method."""
        text = FORMULAS[key].format(gas=self.house.gas)
        if key.startswith("fan") and not self.house.fan_sum:
            text = text.replace("Qf×I", "Qf")
        return self.sign(text)

    def meanings(self, key: str) -> list[tuple[str, str]]:
        """Symbols of the formula with what they mean."""
        rows = MEANINGS["fan" if key.startswith("fan") else key]
        if key.startswith("fan") and not self.house.fan_sum:
            rows = tuple(r for r in rows if r[0] != "I")
        return [(self.house.share if s == "70%" else s, m) for s, m in rows]

    def label(self, place: Place, method: Method) -> str:
        """What the method is called."""
        key = "production" if place.kind == "standby" and method.key == "climate" else method.key
        return METHODS[key][self.house.words]

    def symbol(self, place: Place, index: int) -> str:
        """The left side of an equation."""
        return self.house.quantity.format(k=SHORT[place.kind], i=index)

    def note(self, place: Place, method: Method) -> list[tuple[str, Decimal]]:
        """The steps of a method, now printed."""
        for text, stated in method.steps:
            self.printed.setdefault(id(place), []).append((method.key, text, stated))
        return method.steps

    def figures(self, place: Place) -> list[tuple[str, str, str, str]]:
        """Parameters as name, symbol, value, unit."""
        out = []
        for key in ORDER[place.kind]:
            value = place.figures.get(key)
            if (
                not value
                or (key == "b" and self.house.area != "basic")
                or (key == "s" and place.kind in {"face", "standby"} and self.house.area == "basic")
            ):
                continue
            if key == "i" and not self.house.fan_sum:
                continue
            if key in {"kh", "kl"} and self.house.area == "plain":
                continue
            name, symbol, unit = FIGURES[key]
            if key == "s" and place.kind in {"face", "standby"}:
                name = AREAS[self.house.area]
            out.append((name, symbol, value, unit))
        return out

    def lines(self, place: Place, method: Method, index: int) -> list[str]:
        """One method as lines of an equation."""
        key, out = self.key(place, method), []
        for n, (text, stated) in enumerate(self.note(place, method)):
            symbol = "Q基本" if len(method.steps) > 1 and n == 0 else self.symbol(place, index)
            match self.house.words:
                case 0:
                    out.append(f"{symbol}={text}={stated}（{self.unit}）")
                case 1:
                    out.append(f"{symbol}＝{text}＝{stated}{self.unit}")
                case 2 if len(method.steps) == 1:
                    out += [f"{symbol}={self.formula(key)}", f"={text}", f"={stated}{self.unit}"]
                case 2:
                    out.append(f"{symbol} = {text} = {stated} {self.unit}")
                case _:
                    out.append(f"{text}={stated}{self.unit}")
        return out

    def largest(self, place: Place, index: int) -> str:
        """The sentence that takes the maximum."""
        if place.series_after:
            value = str(max(m.steps[-1][1] for m in place.methods))
            return f"经比较，{place.name}所需风量为{value}{self.unit}，与{place.series_after}串联，不另计入总需风量。"
        results = "，".join(
            str(m.steps[-1][1]) for m in place.methods if not (place.kind == "standby" and m.key == "climate")
        )
        symbol = self.symbol(place, index)
        if place.kind == "chamber" and place.need in {60, 100}:
            return f"计算值不足{place.required}{self.unit}时按{place.required}{self.unit}配给，{place.name}需风量取{place.required}{self.unit}。"
        return (
            f"取以上最大值，{place.name}需风量{symbol}={place.required}{self.unit}。",
            f"根据以上计算，{place.name}需风量取{place.required}{self.unit}。",
            f"{symbol}=max{{{results}}}，取{place.required}{self.unit}。",
            f"需风量确定为{place.required}{self.unit}。",
        )[self.house.words]

    def checks(self, place: Place) -> list[Block]:
        """The check of the speed."""
        if not place.checks:
            return []
        (low, a), (high, b) = place.checks
        q = place.required or max(m.steps[-1][1] for m in place.methods)
        return [
            Line(
                (
                    f"风速验算：{low}={a}≤{q}≤{high}={b}，符合规定。",
                    f"按最低风速验算：Q≥{low}＝{a}{self.unit}；按最高风速验算：Q≤{high}＝{b}{self.unit}，满足要求。",
                    f"验算：最低风量{low}={a}{self.unit}，最高风量{high}={b}{self.unit}，{q}在此范围内。",
                    f"{a}（{low}）＜{q}＜{b}（{high}），风速符合要求。",
                )[self.house.words]
            )
        ]

    def intro(self, place: Place) -> list[Block]:
        """Parameters in running text."""
        parts = [f"{name}{value}{unit}" for name, _, value, unit in self.figures(place)]
        road = f"{ROADS[place.figures['road']]}，" if place.kind == "heading" else ""
        where = {"in": "位于采区内，", "out": "位于采区外，"}.get(place.figures.get("where", ""), "")
        return [Para(f"{place.name}{'：' if not road else '为' + road}{where}{'，'.join(parts)}。")] if parts else []

    def write(self, place: Place, index: int, layout: str) -> list[Block]:
        """One place in one of the layouts that treat places singly."""
        if not place.methods:
            return [Para(f"{place.name}为小型硐室，按经验值60～80{self.unit}配风，取{place.required}{self.unit}。")]
        out: list[Block] = []
        match layout:
            case "prose":
                out += self.intro(place)
                for n, method in enumerate(place.methods, 1):
                    out.append(Para(f"（{n}）{self.label(place, method)}"))
                    if self.house.words != 2:
                        out.append(Line(f"{self.symbol(place, index)}={self.formula(self.key(place, method))}"))
                    out.append(
                        Para(
                            "式中：" + "；".join(f"{s}——{m}" for s, m in self.meanings(self.key(place, method))) + "。"
                        )
                    )
                    out += [Line(text) for text in self.lines(place, method, index)]
            case "across":
                figures = self.figures(place)
                out.append(
                    Table(
                        [
                            [f"{n}{s}" + (f"（{u}）" if u else "") for n, s, _, u in figures],
                            [v for _, _, v, _ in figures],
                        ],
                        f"{place.name}参数表",
                    )
                )
                for n, method in enumerate(place.methods, 1):
                    out.append(Line(f"{n}）{self.label(place, method)}"))
                    out += [Line(text) for text in self.lines(place, method, index)]
            case "down":
                rows = [["参数名称", "符号", "单位", "取值"]] + [
                    [n, s, u or "—", v] for n, s, v, u in self.figures(place)
                ]
                out.append(Table(rows, f"{place.name}计算参数"))
                for n, method in enumerate(place.methods):
                    out.append(Line(f"{'①②③④⑤⑥'[n]}{self.label(place, method)}："))
                    out += [Line(text) for text in self.lines(place, method, index)]
            case "steps":
                rows = [["序号", "计算方法", "计算公式", "计算过程", f"结果（{self.unit}）"]]
                for n, method in enumerate(place.methods, 1):
                    for text, stated in self.note(place, method):
                        name = self.label(place, method) + (
                            "（基本风量）" if len(method.steps) > 1 and text == method.steps[0][0] else ""
                        )
                        rows.append([str(n), name, self.formula(self.key(place, method)), text, str(stated)])
                out += [*self.intro(place), Table(rows, f"{place.name}需风量计算表")]
            case _:
                parts = [f"{self.label(place, m)}：" + "，".join(self.inline(place, m, index)) for m in place.methods]
                out += [*self.intro(place), Para("；".join(parts) + "。")]
        return [*out, Para(self.largest(place, index)), *self.checks(place)]

    def inline(self, place: Place, method: Method, index: int) -> list[str]:
        """Equations inside a sentence."""
        return [
            f"{'Q基本' if len(method.steps) > 1 and n == 0 else self.symbol(place, index)}={text}={stated}{self.unit}"
            for n, (text, stated) in enumerate(self.note(place, method))
        ]

    def matrix(self, places: list[Place], title: str) -> list[Block]:
        """Methods down, places across, substituted equations in the cells."""
        keys = list(dict.fromkeys((self.label(p, m), m.key) for p in places for m in p.methods))
        rows = [["计算方法", *[p.name for p in places]]]
        names = list(dict.fromkeys(f[0] for p in places for f in self.figures(p)))
        for name in names:
            unit = next(f[3] for p in places for f in self.figures(p) if f[0] == name)
            rows.append(
                [
                    name + (f"（{unit}）" if unit else ""),
                    *[next((f[2] for f in self.figures(p) if f[0] == name), "—") for p in places],
                ]
            )
        for label, key in keys:
            row = [label]
            for p in places:
                method = next((m for m in p.methods if m.key == key and self.label(p, m) == label), None)
                row.append("；".join(f"{t}={s}" for t, s in self.note(p, method)) if method else "—")
            rows.append(row)
        rows.append(
            [f"需风量取值（{self.unit}）", *[str(p.required) if p.required is not None else "—" for p in places]]
        )
        out: list[Block] = [Table(rows, title, landscape=len(places) > 3)]
        return out + [b for p in places for b in ([Para(f"{p.name}："), *self.checks(p)] if p.checks else [])]

    def results(self, places: list[Place], title: str) -> list[Block]:
        """Places down, parameters and results across; the equations are not printed."""
        names = list(dict.fromkeys((f[0], f[3]) for p in places for f in self.figures(p)))
        labels = list(dict.fromkeys(self.label(p, m) for p in places for m in p.methods))
        head = [
            "序号",
            "地点",
            *[n + (f"（{u}）" if u else "") for n, u in names],
            *[f"{x}（{self.unit}）" for x in labels],
            f"取最大值（{self.unit}）",
        ]
        rows = [head]
        for i, p in enumerate(places, 1):
            values = {f[0]: f[2] for f in self.figures(p)}
            found = {self.label(p, m): str(m.steps[-1][1]) for m in p.methods}
            rows.append(
                [
                    str(i),
                    p.name,
                    *[values.get(n, "—") for n, _ in names],
                    *[found.get(x, "—") for x in labels],
                    str(p.required) if p.required is not None else "—",
                ]
            )
        return [Table(rows, title, landscape=len(head) > 9)]

    def rows(self, places: list[Place], title: str) -> list[Block]:
        """One row a place: parameters, equation, result."""
        rows = [["序号", "名称", "计算参数", "计算式", f"需风量（{self.unit}）"]]
        for i, p in enumerate(places, 1):
            text = "；".join(f"{t}={s}" for m in p.methods for t, s in self.note(p, m)) or "经验值60～80"
            rows.append(
                [
                    str(i),
                    p.name,
                    "，".join(f"{s}={v}{u}" for _, s, v, u in self.figures(p)) or "—",
                    text,
                    str(p.required),
                ]
            )
        return [Table(rows, title)]

    def group(self, places: list[Place], layout: str, title: str) -> list[Block]:
        """A class of places in a layout of one table."""
        if layout == "matrix":
            loose = [p for p in places if not p.methods]
            out = [
                b
                for n in range(0, len(places), 4)
                for b in self.matrix([p for p in places[n : n + 4] if p.methods], title)
            ]
            return out + [b for p in loose for b in self.write(p, 0, "prose")]
        return self.results(places, title) if layout == "results" else self.rows(places, title)
