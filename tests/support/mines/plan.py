"""The monthly plan as blocks."""

from __future__ import annotations

from decimal import Decimal
from random import Random

from tests.support.mines.blocks import LEFT, UP, Block, Heading, Line, PageBreak, Para, Table
from tests.support.mines.calculation import Calculations
from tests.support.mines.headings import chapter, item, month_text, section
from tests.support.mines.house import FAMILY_A, FAMILY_B
from tests.support.mines.mine import Mine, Place, System
from tests.support.mines.wording import (
    KINDS,
    METHODS,
    PLACE_HEADS,
    PLANNED_HEADS,
    REQUIRED_HEADS,
    RESERVES,
    ROADS,
    SUBTOTALS,
    TOTALS,
)

CLASSES = (
    (("face",), ("采煤工作面需风量计算", "采煤工作面", "回采工作面需风量", "采面风量")),
    (("standby",), ("备用工作面需风量计算", "备用工作面", "备用工作面需风量", "备采面风量")),
    (("heading",), ("掘进工作面需风量计算", "掘进工作面", "掘进工作面需风量", "掘进头风量")),
    (("chamber",), ("硐室需风量计算", "井下硐室", "独立通风硐室需风量", "硐室风量")),
    (("road", "vehicle"), ("其他用风巷道需风量计算", "其他井巷", "其他用风地点需风量", "其他巷道风量")),
)
LIMITS = {"100": "1.0%", "125": "0.8%", "133": "0.75%", "143": "0.7%"}
COEFFICIENTS = {
    "t": ("进风流温度（℃）", "采煤工作面风速（m/s）"),
    "h": ("采高（m）", "采高调整系数Kh"),
    "l": ("工作面长度（m）", "长度调整系数Kl"),
}


class Plan:
    """Writes the plan of a mine; `calculations` knows afterwards what was printed."""

    def __init__(self, mine: Mine, rng: Random) -> None:
        self.mine, self.house, self.rng = mine, mine.house, rng
        self.calculations = Calculations(mine.house)
        self.chapters = 0
        self.period = month_text(self.house.period, mine.year, mine.month)

    def chapter(self, text: str) -> Heading:
        """The next chapter."""
        self.chapters += 1
        return Heading(chapter(self.house.numbering, self.chapters, text), 1)

    def section(self, m: int, text: str) -> Heading:
        """A section of the running chapter."""
        return Heading(section(self.house.numbering, self.chapters, m, text), 2)

    def blocks(self) -> list[Block]:
        """The document from its title to its last measure."""
        mine, words = self.mine, self.house.words
        title = (
            f"{mine.year}年{mine.month}月份矿井配风计划",
            f"{mine.year}年{mine.month}月风量分配方案",
            f"{mine.month}月份通风配风计划",
            "矿井月度配风计划",
        )[words]
        out: list[Block] = [
            Heading(mine.region.mine, 0),
            Heading(title, 0),
            Para(f"执行时间：{self.period}" if words % 2 else f"计划执行期：{self.period}"),
        ]
        out += [Para("编制：通风科　　审核：通风副总工程师　　批准：总工程师"), PageBreak()]
        out += self.overview()
        parts = (
            [self.distribution, self.calculation]
            if self.house.first_distribution
            else [self.calculation, self.distribution]
        )
        out += self.rules()
        for part in parts:
            out += part()
        return out + self.fans() + self.measures()

    def overview(self) -> list[Block]:
        """What the mine is and what it does this month."""
        mine = self.mine
        names = "、".join(s.name for s in mine.systems)
        out: list[Block] = [self.chapter(("矿井概况", "矿井通风概况", "基本情况", "概述")[self.house.words])]
        out.append(
            Para(
                f"{mine.region.mine}采用机械抽出式通风，由{'、'.join(mine.region.intakes)}进风，回风系统为{names}。本月井下同时工作的最多人数为{mine.people}人。"
            )
        )
        work = [p for p in mine.places if p.kind in {"face", "standby", "heading"}]
        out.append(self.chapter(("本月采掘安排", "采掘工作面布置", "采掘接续情况", "生产安排")[self.house.words]))
        if self.house.words % 2:
            rows = [["工作面", "所属回风系统", "作业方式", "备注"]]
            for p in work:
                road = (
                    ROADS[p.figures["road"]] + ("炮掘" if p.figures["blasted"] else "综掘")
                    if p.kind == "heading"
                    else "备用"
                    if p.kind == "standby"
                    else "综采"
                )
                rows.append([p.name, p.system, road, ""])
            out.append(Table(rows, "本月采掘工作面一览表"))
        else:
            out += [Para(f"{s.name}：{'、'.join(p.name for p in s.places if p in work)}。") for s in mine.systems]
        out += [
            Para(f"{p.name}与{p.series_after}串联通风，{p.series_after}的回风供{p.name}使用，其风量只计一次。")
            for p in mine.places
            if p.series_after
        ]
        return out

    def rules(self) -> list[Block]:
        """Sources, formulas and coefficients."""
        house, calc = self.house, self.calculations
        out: list[Block] = [self.chapter(("编制依据", "依据", "编制依据", "计划依据")[house.words])]
        out.append(Para("《煤矿安全规程》、《煤矿矿井风量计算方法》（MT/T 634）及本公司风量计算实施细则。"))
        out.append(
            self.chapter(("风量计算原则及方法", "计算方法与系数取值", "需风量计算依据", "计算规定")[house.words])
        )
        out.append(Para("各用风地点分别按下列方法计算，取其中最大值，并进行风速验算。"))
        kinds = {p.kind for p in self.mine.places}
        keys: list[tuple[str, str, str]] = [
            ("采煤工作面", "climate", f"climate_{house.area}"),
            ("采煤工作面、掘进工作面", "gas", "gas"),
        ]
        keys += [("采煤工作面、掘进工作面", "co2", "co2")] if house.co2 else []
        keys += [("采煤工作面、掘进工作面", "people", "people")]
        keys += [("备用工作面", "standby", "standby")] if "standby" in kinds else []
        if any(m.key == "explosive" for p in self.mine.places for m in p.methods):
            keys.append(("炮掘工作面", "explosive", "explosive"))
        end = "_long" if house.words in {1, 2} else ""
        roads = {p.figures["road"] for p in self.mine.places if p.kind == "heading"}
        keys += [("煤巷、半煤岩巷掘进工作面", "fan", f"fan_coal{end}")] if roads - {"rock"} else []
        keys += [("岩巷掘进工作面", "fan", f"fan_rock{end}")] if "rock" in roads else []
        printed = {m.key for p in self.mine.places for m in p.methods}
        keys += [
            (o, k, k)
            for o, k in (("机电硐室", "heat"), ("爆破材料库", "volume"), ("充电硐室", "hydrogen"))
            if k in printed
        ]
        keys += [
            ("采区内巷道", "road_gas", "road_gas_in"),
            ("采区外巷道", "road_gas", "road_gas_out"),
            ("其他巷道", "speed", "speed"),
        ]
        keys += [("无轨胶轮车", "diesel", "diesel")] if "diesel" in printed else []
        if house.general == "table":
            out.append(
                Table(
                    [
                        ["计算对象", "计算方法", "公式", "符号说明"],
                        *[
                            [
                                o,
                                METHODS[k][house.words],
                                "Q=" + calc.formula(f),
                                "；".join(f"{s}——{m}" for s, m in calc.meanings(f)),
                            ]
                            for o, k, f in keys
                        ],
                    ],
                    "需风量计算方法",
                )
            )
        else:
            for n, (o, k, f) in enumerate(keys, 1):
                out.append(Para(f"{n}）{o}{METHODS[k][house.words]}"))
                out.append(Line(f"Q={calc.formula(f)}"))
                out.append(Para("式中："))
                out += [Line(f"{s}—{m}；") for s, m in calc.meanings(f)]
        out.append(
            Para(
                f"采掘工作面回风流瓦斯浓度按不超过{LIMITS[house.gas]}管理，系数取{house.gas}；采区内巷道系数取100，采区外巷道系数取133。"
            )
        )
        out.append(Para("瓦斯涌出不均衡系数：综采工作面取1.2～1.6，掘进工作面取1.8～2.0，其他巷道取1.2～1.3。"))
        out.append(
            Para(
                "发热系数：空气压缩机房取0.20～0.23，水泵房取0.01～0.03，变电所、绞车房取0.02～0.04。机电硐室、爆破材料库不小于60m³/min，充电硐室不小于100m³/min。"
            )
        )
        if house.area != "plain":
            out += self.coefficients()
        out.append(
            Para(
                "风速验算：采煤工作面、煤巷和半煤岩巷掘进工作面最低风速0.25m/s，岩巷掘进工作面最低风速0.15m/s，最高风速4m/s。采煤工作面最低风速按最大控顶有效断面、最高风速按最小控顶有效断面验算。"
            )
        )
        out.append(Para(f"矿井需风量按各用风地点需风量之和乘以{RESERVES[house.words]}计算，取{house.reserve}。"))
        return out

    def coefficients(self) -> list[Block]:
        """The tables of speed, height and length."""
        out: list[Block] = []
        family = FAMILY_A if self.house.family == "A" else FAMILY_B
        for key, (left, right) in COEFFICIENTS.items():
            rows = [(a, low if low == high else f"{low}～{high}") for a, low, high in family[key]]
            match self.house.coefficients:
                case "down":
                    out.append(
                        Table(
                            [[left, right], *[[a, b] for a, b in rows]],
                            f"{left.partition('（')[0]}与{right.partition('（')[0]}对应表",
                        )
                    )
                case "across":
                    out.append(
                        Table(
                            [[left, *[a for a, _ in rows]], [right, *[b for _, b in rows]]],
                            f"{left.partition('（')[0]}与{right.partition('（')[0]}对应表",
                        )
                    )
                case _:
                    unit = left.partition("（")[2].rstrip("）")
                    name = left.partition("（")[0]
                    out.append(
                        Para(
                            f"{right.partition('（')[0]}取值："
                            + "；".join(
                                f"{name}{a.replace('及放顶煤', '')}{unit}{'及放顶煤' if '放顶煤' in a else ''}时取{b}"
                                for a, b in rows
                            )
                            + "。"
                        )
                    )
        return out

    def calculation(self) -> list[Block]:
        """Chapter of the needs of all places and of the mine."""
        house, calc = self.house, self.calculations
        out: list[Block] = [
            self.chapter(("各用风地点需风量计算", "需风量计算", "用风地点风量计算", "风量计算过程")[house.words])
        ]
        m = 0
        for kinds, titles in CLASSES:
            places = [p for p in self.mine.places if p.kind in kinds]
            if not places:
                continue
            m += 1
            out.append(self.section(m, titles[house.words]))
            layout = (
                house.layout_work
                if kinds[0] in {"face", "heading"}
                else "prose"
                if kinds[0] == "standby"
                else house.layout_rest
            )
            if layout in {"matrix", "results", "rows"}:
                out += calc.group(
                    places,
                    layout,
                    f"{titles[house.words]}表"
                    if not titles[house.words].endswith("计算")
                    else titles[house.words] + "表",
                )
                if layout != "matrix":
                    out += [b for p in places for b in calc.checks(p)] if layout == "rows" else []
                continue
            for i, p in enumerate(places, 1):
                out.append(Heading(item(house.numbering, self.chapters, m, i, p.name), 3))
                out += calc.write(p, i, layout)
        out.append(self.section(m + 1, ("矿井总需风量", "矿井需风量", "全矿井需风量计算", "矿井总风量")[house.words]))
        return out + self.total()

    def total(self) -> list[Block]:
        """The need of the mine by people and by places."""
        mine, op, unit = self.mine, self.house.op, self.calculations.unit
        people = Decimal(4 * mine.people) * Decimal(self.house.reserve)
        out: list[Block] = [
            Para(
                f"按井下同时工作的最多人数计算：Q矿=4{op}{mine.people}{op}{self.house.reserve}={people.normalize():f}{unit}"
            )
        ]
        if len(mine.systems) == 1:
            s = mine.systems[0]
            out.append(
                Para(
                    f"按各用风地点需风量之和计算：Q矿={s.total('required')}{op}{self.house.reserve}={mine.total()}{unit}"
                )
            )
        elif self.house.sums == "summary":
            sums = "+".join(str(s.total("required")) for s in mine.systems)
            out.append(Para(f"按各用风地点需风量之和计算：Q矿=({sums}){op}{self.house.reserve}={mine.total()}{unit}"))
        else:
            out += [
                Para(f"{s.name}：Q={s.total('required')}{op}{self.house.reserve}={mine.required(s)}{unit}")
                for s in mine.systems
            ]
            out.append(Para(f"Q矿={'+'.join(str(mine.required(s)) for s in mine.systems)}={mine.total()}{unit}"))
        out.append(Para(f"两者取大值，矿井总需风量为{mine.total()}{unit}。"))
        return out

    def distribution(self) -> list[Block]:
        """The tables of the planned air."""
        house, mine = self.house, self.mine
        out: list[Block] = [self.chapter(("配风计划", "风量分配", "各用风地点配风计划表", "风量分配表")[house.words])]
        kind = house.distribution
        if kind == "beside" and len(mine.systems) == 2:
            out.append(self.beside(mine.systems))
        elif kind in {"one", "sections"}:
            out += self.split(self.one(sections=kind == "sections"), "配风计划表")
        else:
            for n, s in enumerate(mine.systems, 1):
                rows, heads = self.head(with_system=False)
                rows += [
                    self.row(
                        i, p, with_system=False, first=i == 1 or s.places[i - 2].kind != p.kind, last=s.places[i - 2]
                    )
                    for i, p in enumerate(s.places, 1)
                ]
                out += self.split(
                    Table(
                        rows + self.sum_rows(s, len(rows[0]), with_system=False),
                        f"表{n} {s.name}配风计划表",
                        heads,
                        landscape=house.flow_s and house.two_heads,
                    ),
                    f"表{n} {s.name}配风计划表",
                )
        return out + self.after()

    def split(self, table: Table, name: str) -> list[Block]:
        """A long table in two, the second called 续表."""
        cut = table.heads + 9
        if not self.house.continued or len(table.rows) < cut + 5:
            return [table]
        if UP in table.rows[cut]:
            return [table]
        rest = Table(table.rows[: table.heads] + table.rows[cut:], f"续{name}", table.heads, table.landscape)
        return [Table(table.rows[:cut], table.caption, table.heads, table.landscape), rest]

    def head(self, *, with_system: bool) -> tuple[list[list[str]], int]:
        """The header of a distribution table."""
        house, unit = self.house, self.calculations.unit
        left = (
            ["序号", PLACE_HEADS[house.words]]
            + (["类别"] if house.kind_column else [])
            + (["回风系统"] if with_system else [])
        )
        need, planned = REQUIRED_HEADS[house.words], PLANNED_HEADS[house.words]
        if house.two_heads:
            flows = [need, planned] + (["m³/s"] if house.flow_s else [])
            top = [f"风量（{unit}）", LEFT] + (["折合风量"] if house.flow_s else [])
            return [[*left, *top, "断面（m²）", "备注"], [*[UP] * len(left), *flows, UP, UP]], 2
        flows = [f"{need}（{unit}）", f"{planned}（{unit}）"] + ([f"{planned}（m³/s）"] if house.flow_s else [])
        return [[*left, *flows, "断面（m²）", "备注"]], 1

    def row(self, i: int, p: Place, *, with_system: bool, first: bool, last: Place) -> list[str]:
        """One place of the table."""
        house = self.house
        words = KINDS[house.words]
        same = not first and words[last.kind] == words[p.kind]
        category = [[], [words[p.kind]], [UP if same else words[p.kind]], ["〃" if same else words[p.kind]]][
            house.kind_column
        ]
        flows = [str(p.required) if p.required is not None else "—", str(p.planned) if p.planned is not None else "—"]
        seconds = [f"{p.planned / 60:.2f}" if p.planned is not None else "—"] if house.flow_s else []
        system = [p.system] if with_system else []
        return [str(i), p.name, *category, *system, *flows, *seconds, p.figures.get("s", "—"), p.remark]

    def sum_rows(self, s: System, width: int, *, with_system: bool) -> list[list[str]]:
        """Subtotal, reserve and need of a system."""
        house, words = self.house, self.house.words
        left = 2 + bool(house.kind_column) + with_system
        pad = [""] * (width - left - 2)

        def line(text: str, need: object, planned: object = "") -> list[str]:
            return [text, *[LEFT] * (left - 1), str(need), str(planned), *pad]

        name = f"{s.name}{SUBTOTALS[words].replace(' ', '')}" if with_system else SUBTOTALS[words]
        rows = [line(name, s.total("required"), s.total("planned"))]
        if house.sums == "rows" and not with_system:
            rows += [line(RESERVES[words], house.reserve), line(TOTALS[words], self.mine.required(s))]
        return rows

    def one(self, *, sections: bool) -> Table:
        """All systems in one table."""
        rows, heads = self.head(with_system=not sections)
        width, n = len(rows[0]), 0
        for s in self.mine.systems:
            if sections:
                rows.append([s.name, *[LEFT] * (width - 1)])
            for k, p in enumerate(s.places):
                n += 1
                rows.append(self.row(n, p, with_system=not sections, first=k == 0, last=s.places[k - 1]))
            rows += self.sum_rows(s, width, with_system=not sections)
        return Table(rows, "矿井配风计划表", heads, landscape=len(rows[0]) > 8)

    def beside(self, systems: list[System]) -> Table:
        """Two systems side by side."""
        words, unit = self.house.words, self.calculations.unit
        heads = [PLACE_HEADS[words], f"{REQUIRED_HEADS[words]}（{unit}）", f"{PLANNED_HEADS[words]}（{unit}）"]
        rows = [[systems[0].name, LEFT, LEFT, systems[1].name, LEFT, LEFT], heads + heads]
        columns = []
        for s in systems:
            lines = [
                [
                    p.name,
                    str(p.required) if p.required is not None else "—",
                    str(p.planned) if p.planned is not None else "—",
                ]
                for p in s.places
            ]
            columns.append((lines, [SUBTOTALS[words], str(s.total("required")), str(s.total("planned"))]))
        length = max(len(lines) for lines, _ in columns)
        blank = ["", "", ""]
        rows += [
            [cell for lines, _ in columns for cell in (lines[n] if n < len(lines) else blank)] for n in range(length)
        ]
        rows.append([cell for _, total in columns for cell in total])
        return Table(rows, "矿井配风计划表", 2)

    def after(self) -> list[Block]:
        """Sums that do not stand in the table."""
        house, mine, unit = self.house, self.mine, self.calculations.unit
        out: list[Block] = []
        in_rows = (
            house.sums == "rows"
            and house.distribution != "one"
            and not (house.distribution == "beside" and len(mine.systems) == 2)
        )
        remarks = (
            [p for p in mine.places if p.remark] if house.distribution == "beside" and len(mine.systems) == 2 else []
        )
        out += [Para(f"{p.name}：{p.remark}。") for p in remarks]
        if house.sums == "sentence":
            for s in mine.systems:
                out.append(
                    Para(
                        f"{s.name}各用风地点需风量小计{s.total('required')}{unit}，计划配风量小计{s.total('planned')}{unit}，{RESERVES[house.words]}取{house.reserve}，系统需风量为{s.total('required')}{house.op}{house.reserve}={mine.required(s)}{unit}。"
                    )
                )
        elif not in_rows:
            rows = [
                [
                    "回风系统",
                    f"需风量小计（{unit}）",
                    f"配风量小计（{unit}）",
                    RESERVES[house.words],
                    f"{TOTALS[house.words]}（{unit}）",
                ]
            ]
            rows += [
                [s.name, str(s.total("required")), str(s.total("planned")), house.reserve, str(mine.required(s))]
                for s in mine.systems
            ]
            rows.append(
                [
                    "矿井合计",
                    str(sum(s.total("required") for s in mine.systems)),
                    str(sum(s.total("planned") for s in mine.systems)),
                    "",
                    str(mine.total()),
                ]
            )
            out.append(Table(rows, "矿井需风量汇总表"))
        out.append(Para(f"矿井总需风量合计{mine.total()}{unit}。"))
        return out

    def fans(self) -> list[Block]:
        """The duty of the main fans."""
        rows = [["主要通风机", "服务范围", "需风量（m³/min）", "额定风量（m³/min）", "运行方式", "静压（Pa）"]]
        for s in self.mine.systems:
            need = self.mine.required(s)
            rows.append(
                [
                    s.fan,
                    s.name,
                    str(need),
                    str(int(need * Decimal("1.35")) // 10 * 10),
                    self.rng.choice(("工频", "变频45Hz")),
                    str(self.rng.randrange(1200, 2300, 10)),
                ]
            )
        return [
            self.chapter(("主要通风机能力校核", "主要通风机校验", "通风机能力核算", "主扇能力")[self.house.words]),
            Table(rows, "主要通风机能力校核表"),
            Para("经校核，主要通风机能力满足本月配风要求。"),
        ]

    def measures(self) -> list[Block]:
        """What every plan ends with."""
        return [
            self.chapter(("安全措施", "保证措施", "通风管理措施", "措施")[self.house.words]),
            Para("1.每旬进行一次全面测风，风量不足时立即调整。"),
            Para("2.严禁擅自拆除或改变通风设施，局部通风机不得随意停开。"),
        ]
