"""The measurement report as sheets of blocks, with the readings it holds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

from tests.support.mines.blocks import LEFT, UP, Block, Heading, Para, Table
from tests.support.mines.headings import window_text
from tests.support.mines.house import to_decimal
from tests.support.mines.mine import Mine, Place

SIDES = (("进风", "回风"), ("（进风流）", "（回风流）"), ("进风巷", "回风巷"), ("-进", "-回"))


@dataclass
class Reading:
    """One row of the report."""

    station: str
    kind: str
    area: Decimal | None
    speed: Decimal | None
    flow: Decimal
    temperature: Decimal | None
    ch4: Decimal | None
    co2: Decimal | None
    place: Place | None = None


@dataclass
class Style:
    """How the report is laid out."""

    window: int
    layout: str  # one | blocks | sheets
    two_heads: bool
    flow_unit: str  # min | both | s
    percent: str  # header | cell
    planned: bool
    dates: bool
    sides: int
    fans: str  # table | rows
    fan_kind: str
    rates: bool
    title: int
    half_air: bool


def choose_style(rng: Random) -> Style:
    """A measurer's habits."""
    return Style(
        rng.randrange(8),
        rng.choice(("one", "blocks", "sheets")),
        rng.random() < 0.4,
        rng.choice(("min", "min", "both", "s")),
        rng.choice(("header", "header", "cell")),
        rng.random() < 0.4,
        rng.random() < 0.3,
        rng.randrange(4),
        rng.choice(("table", "rows")),
        rng.choice(("静压", "全压", "负压")),
        rng.random() < 0.6,
        rng.randrange(4),
        rng.random() < 0.5,
    )


class Report:
    """Measures the mine and writes the report."""

    def __init__(self, mine: Mine, rng: Random) -> None:
        self.mine, self.rng, self.style = mine, rng, choose_style(rng)
        self.readings: list[Reading] = []
        self.watch: set[int] = set()
        self.intakes: list[Reading] = []
        self.returns: list[Reading] = []
        self.fans: list[Reading] = []
        self.measure()

    def take(
        self,
        station: str,
        kind: str,
        target: Fraction,
        v: tuple[float, float],
        *,
        warm: float,
        ch4: str,
        place: Place | None = None,
        least: Fraction = Fraction(0),
        most: Fraction | None = None,
    ) -> Reading:
        """A reading near the target flow; area and speed are drawn so that the flow follows from both."""
        for _ in range(400):
            speed = Decimal(f"{self.rng.uniform(*v):.2f}")
            area = to_decimal(target / 60 / Fraction(speed), 1, ROUND_HALF_UP)
            if area < 1:
                continue
            exact = 60 * Fraction(speed) * Fraction(area)
            flow = (
                to_decimal(exact / 60, 2, ROUND_HALF_UP) * 60
                if self.style.flow_unit == "s"
                else to_decimal(exact, 0, ROUND_HALF_UP)
            )
            if Fraction(flow) >= least and (most is None or Fraction(flow) <= most):
                co2 = Decimal(f"{self.rng.uniform(0.04, 0.3):.2f}")
                return Reading(
                    station,
                    kind,
                    area,
                    speed,
                    flow,
                    Decimal(f"{warm + self.rng.uniform(-0.9, 0.9):.1f}"),
                    Decimal(ch4),
                    co2,
                    place,
                )
        msg = f"no reading for {station}"
        raise ValueError(msg)

    def near(self, place: Place) -> tuple[Fraction, Fraction, Fraction, bool]:
        """Target, least and most flow of a place; a tenth of the places is only just supplied."""
        need = max(Fraction(place.required or 0), place.need)
        if self.rng.random() < 0.1 and need > 150:
            return need * Fraction("1.025"), need * Fraction("1.008"), need * Fraction("1.042"), True
        most = Fraction(place.planned or 0) * Fraction("1.14")
        return (
            (need * Fraction("1.058") + most) / 2,
            need * Fraction("1.058"),
            max(most, need * Fraction("1.08")),
            False,
        )

    def measure(self) -> None:
        """All readings."""
        rng, mine = self.rng, self.mine
        ends = SIDES[self.style.sides]
        for p in mine.places:
            if p.kind == "vehicle":
                continue
            gas = f"{rng.uniform(0.05, 0.45):.2f}"
            if p.required is None:
                other = next(o for o in mine.places if o.series_after == p.name or p.series_after == o.name)
                target, least, most, tight = self.near(other)
            else:
                target, least, most, tight = self.near(p)
            if tight:
                self.watch.add(id(p))
            match p.kind:
                case "face" | "standby":
                    speeds = (0.9, 2.2) if p.kind == "face" else (0.6, 1.4)
                    self.readings.append(
                        self.take(
                            p.station + ends[0],
                            "face",
                            target,
                            speeds,
                            warm=19,
                            ch4="0.02",
                            place=p,
                            least=least,
                            most=most,
                        )
                    )
                    low = Fraction(self.readings[-1].flow)
                    top = max(most, low * Fraction("1.01"))
                    self.readings.append(
                        self.take(
                            p.station + ends[1],
                            "face",
                            low * Fraction("1.005"),
                            speeds,
                            warm=23,
                            ch4=gas,
                            place=p,
                            least=low,
                            most=top,
                        )
                    )
                case "heading":
                    self.readings.append(
                        self.take(
                            p.station, "heading", target, (0.45, 1.1), warm=21, ch4=gas, place=p, least=least, most=most
                        )
                    )
                case "chamber":
                    self.readings.append(
                        self.take(
                            p.station,
                            "chamber",
                            target,
                            (0.3, 0.6),
                            warm=22,
                            ch4="0.02",
                            place=p,
                            least=least,
                            most=max(most, least * Fraction("1.1")),
                        )
                    )
                case _:
                    v = {"belt": (0.35, 1.2), "track": (0.35, 1.2), "trolley": (0.55, 1.3)}.get(
                        p.figures["kind"], (0.3, 0.8)
                    )
                    self.readings.append(
                        self.take(
                            p.station,
                            "other",
                            target,
                            v,
                            warm=18,
                            ch4="0.06",
                            place=p,
                            least=least,
                            most=max(most, least * Fraction("1.1")),
                        )
                    )
        self.trunk()

    def effective(self) -> Decimal:
        """Air of the places, a face by its return, a series once, m³/min."""
        total, n = Decimal(0), 0
        for n, r in enumerate(self.readings):
            double = n + 1 < len(self.readings) and self.readings[n + 1].place is r.place and r.kind == "face"
            if not double and not (r.place and r.place.series_after):
                total += r.flow
        return total

    def trunk(self) -> None:
        """Intake, return and fans so that the mine is in balance and at least 86 % of its air is effective."""
        mine, rng = self.mine, self.rng
        need = Fraction(mine.total())
        factor = min(Fraction("1.085"), Fraction(self.effective()) / (Fraction("0.885") * need))
        factor = max(factor, Fraction("1.012"))
        if Fraction("1.04") < factor < Fraction("1.065"):
            factor = Fraction("1.035")
        parts = [rng.uniform(0.8, 1.2) for _ in mine.region.intakes]
        for name, part in zip(mine.region.intakes, parts, strict=True):
            share = need * factor * Fraction(str(round(part / sum(parts), 4)))
            self.intakes.append(
                self.take(
                    name,
                    "intake",
                    share,
                    (1.6, 4.4),
                    warm=8,
                    ch4="0.00",
                    least=share * Fraction("0.998"),
                    most=share * Fraction("1.002"),
                )
            )
        if self.effective() < self.total(self.intakes) * Decimal("0.86"):
            msg = "too little of the air is effective"
            raise ValueError(msg)
        for s in mine.systems:
            flow = Fraction(mine.required(s)) * (factor + Fraction("0.004"))
            self.returns.append(
                self.take(
                    s.station,
                    "return",
                    flow,
                    (3.2, 6.4),
                    warm=18,
                    ch4=f"{rng.uniform(0.05, 0.3):.2f}",
                    least=flow * Fraction("0.999"),
                    most=flow * Fraction("1.003"),
                )
            )
            fan = to_decimal(
                Fraction(self.returns[-1].flow) * Fraction(str(round(rng.uniform(1.015, 1.035), 4))), 2, ROUND_HALF_UP
            )
            if self.style.flow_unit == "s":
                fan = to_decimal(Fraction(fan) / 60, 2, ROUND_HALF_UP) * 60
            self.fans.append(Reading(s.fan, "fan", None, None, fan, None, None, None))

    def total(self, rows: list[Reading]) -> Decimal:
        """Sum of flows, m³/min."""
        return sum((r.flow for r in rows), Decimal(0))

    def flow(self, value: Decimal) -> list[str]:
        """A flow in the units of the report."""
        seconds = f"{to_decimal(Fraction(value) / 60, 2, ROUND_HALF_UP)}"
        return {"min": [str(value)], "both": [str(value), seconds], "s": [seconds]}[self.style.flow_unit]

    def head(self, name: str) -> list[list[str]]:
        """The header of a table of readings."""
        s = self.style
        flows = {"min": ["风量（m³/min）"], "both": ["风量（m³/min）", "风量（m³/s）"], "s": ["风量（m³/s）"]}[
            s.flow_unit
        ]
        gases = ["CH4（%）", "CO2（%）"] if s.percent == "header" else ["甲烷浓度", "二氧化碳浓度"]
        planned = ["计划风量（m³/min）"] if s.planned else []
        dates = ["测风日期"] if s.dates else []
        if s.two_heads:
            top = ["序号", name, *(["测风日期"] if s.dates else []), "断面（m²）", "风速（m/s）", *planned]
            short = [f.removeprefix("风量（").removesuffix("）") for f in flows]
            gas = [g.removesuffix("（%）").removesuffix("浓度") for g in gases]
            lead = [
                [
                    *top,
                    "风量",
                    *[LEFT] * (len(short) - 1),
                    "气体浓度（%）" if s.percent == "header" else "气体浓度",
                    LEFT,
                    "温度（℃）",
                ]
            ]
            return [*lead, [*[UP] * len(top), *short, *gas, UP]]
        return [["序号", name, *dates, "断面（m²）", "风速（m/s）", *planned, *flows, *gases, "温度（℃）"]]

    def row(self, n: int, r: Reading, width: int) -> list[str]:
        """One reading."""
        s, sign = self.style, "%" if self.style.percent == "cell" else ""
        planned = [str(r.place.planned) if r.place and r.place.planned is not None else "—"] if s.planned else []
        dates = [f"{self.mine.month}月{self.day(n)}日"] if s.dates else []
        fields = [
            str(r.area) if r.area is not None else "—",
            str(r.speed) if r.speed is not None else "—",
            *planned,
            *self.flow(r.flow),
        ]
        gases = [f"{r.ch4}{sign}", f"{r.co2}{sign}"] if r.ch4 is not None else ["—", "—"]
        row = [str(n), r.station, *dates, *fields, *gases, str(r.temperature) if r.temperature is not None else "—"]
        if len(row) != width:
            msg = f"{len(row)} cells for {width} columns"
            raise ValueError(msg)
        return row

    def day(self, n: int) -> int:
        """A day of the window."""
        first, last = self.window()[1]
        return first + n % (last - first + 1)

    def window(self) -> tuple[str, tuple[int, int]]:
        """When it was measured."""
        return window_text(self.style.window, self.mine.year, self.mine.month)

    def sum_row(self, text: str, rows: list[Reading], width: int, lead: int) -> list[str]:
        """A total below a block."""
        flows = self.flow(self.total(rows))
        if self.style.flow_unit == "s":
            flows = [str(sum((Decimal(self.flow(r.flow)[0]) for r in rows), Decimal(0)))]
        return [text, *[LEFT] * (lead - 1), *flows, *[""] * (width - lead - len(flows))]

    def sheets(self) -> list[tuple[str, list[Block]]]:
        """The report."""
        s, mine = self.style, self.mine
        names = ("测风报表", "通风旬报", "井下测风记录", "矿井风量测定报告")
        lead: list[Block] = [
            Heading(f"{mine.region.mine}{names[s.title]}", 0),
            Para(f"{('测风时间', '测定时间', '测定日期', '报表周期')[s.title]}：{self.window()[0]}"),
        ]
        groups: list[tuple[str, list[Reading], str]] = [
            ("矿井进风", self.intakes, "总进风量"),
            ("矿井回风", self.returns, "总回风量"),
        ]
        if s.fans == "rows":
            groups.append(("主要通风机", self.fans, ""))
        for title, kinds in (
            ("采煤工作面", ("face",)),
            ("掘进工作面", ("heading",)),
            ("硐室", ("chamber",)),
            ("其他巷道", ("other",)),
        ):
            found = [r for r in self.readings if r.kind in kinds]
            if found:
                groups.append((title, found, ""))
        name = ("测风地点", "测点名称", "地点", "测站（测点）")[s.title]
        head = self.head(name)
        width = len(head[0])
        place = 4 + s.dates + s.planned
        tail = self.fan_table() if s.fans == "table" else []
        tail += self.rates()
        if s.layout == "one":
            rows, n = list(head), 0
            for title, readings, total in groups:
                rows.append([title, *[LEFT] * (width - 1)])
                for r in readings:
                    n += 1
                    rows.append(self.row(n, r, width))
                if total:
                    rows.append(self.sum_row(total, readings, width, place))
            return [("测风", [*lead, Table(rows, heads=len(head)), *tail])]
        sheets: list[tuple[str, list[Block]]] = []
        for title, readings, total in groups:
            rows = head + [self.row(n, r, width) for n, r in enumerate(readings, 1)]
            rows += [self.sum_row(total, readings, width, place)] if total else []
            sheets.append(
                (
                    title,
                    [*(lead if not sheets or s.layout == "sheets" else []), Table(rows, f"{title}测风表", len(head))],
                )
            )
        if s.layout == "sheets":
            return [*sheets, ("汇总", [*lead, *tail])] if tail else sheets
        return [("测风", [b for _, blocks in sheets for b in blocks] + tail)]

    def fan_table(self) -> list[Block]:
        """The fans with their pressure."""
        unit = "m³/s" if self.style.flow_unit == "s" else "m³/min"
        rows = [
            [
                "通风机名称",
                f"风量（{unit}）",
                f"{self.style.fan_kind}（Pa）",
                "叶片角度（°）",
                "电机功率（kW）",
                "运行方式",
            ]
        ]
        for r in self.fans:
            flow = self.flow(r.flow)[0]
            rows.append(
                [
                    r.station,
                    flow,
                    str(self.rng.randrange(1200, 2300)),
                    self.rng.choice(("-3", "0", "+3")),
                    str(self.rng.choice((200, 250, 355))),
                    self.rng.choice(("工频", "变频")),
                ]
            )
        return [Table(rows, "主要通风机运行参数")]

    def rates(self) -> list[Block]:
        """The rate of effective air and the leakage."""
        if not self.style.rates or any(p.series_after for p in self.mine.places):
            return []
        intake, effective = self.total(self.intakes), self.effective()
        rate = to_decimal(Fraction(effective) / Fraction(intake) * 100, 2, ROUND_HALF_UP)
        fans, back = self.total(self.fans), self.total(self.returns)
        leak = to_decimal((Fraction(fans) - Fraction(back)) / Fraction(fans) * 100, 2, ROUND_HALF_UP)
        return [Para(f"矿井有效风量{effective}m³/min，有效风量率{rate}%（按总进风量计算）；外部漏风率{leak}%。")]
