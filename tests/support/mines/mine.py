"""A mine of one month: its places, what each needs by which method, what is planned; exact fractions throughout."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from random import Random

from tests.support.mines.house import FAMILY_A, FAMILY_B, House, printed, to_decimal
from tests.support.mines.regions import REGIONS, Region

POWERS = ("40", "42", "55", "66", "75", "84", "110")
PIECES = "一二三四五六"


@dataclass
class Method:
    """One printed calculation; `steps` are the substituted expressions with their printed results."""

    key: str
    steps: list[tuple[str, Decimal]]
    exact: Fraction


@dataclass
class Place:
    """A place that uses air. `figures` are the texts of its parameters."""

    name: str
    station: str
    kind: str  # face | standby | heading | chamber | road | vehicle
    system: str
    figures: dict[str, str] = field(default_factory=dict)
    methods: list[Method] = field(default_factory=list)
    checks: list[tuple[str, Decimal]] = field(default_factory=list)
    required: Decimal | None = None
    need: Fraction = Fraction(0)
    planned: Decimal | None = None
    remark: str = ""
    series_after: str = ""


@dataclass
class System:
    """A return air system with its places in the order of the table."""

    name: str
    station: str
    fan: str
    places: list[Place]

    def total(self, attribute: str) -> Decimal:
        """Sum of `required` or `planned`, m³/min."""
        return sum((getattr(p, attribute) or Decimal(0) for p in self.places), Decimal(0))


@dataclass
class Mine:
    """Everything both documents are written from."""

    region: Region
    house: House
    systems: list[System]
    people: int
    year: int
    month: int

    @property
    def places(self) -> list[Place]:
        """All places, system by system."""
        return [p for s in self.systems for p in s.places]

    def required(self, system: System) -> Decimal:
        """Need of a system with reserve, m³/min."""
        return _exact(system.total("required") * Decimal(self.house.reserve))

    def total(self) -> Decimal:
        """Need of the mine with reserve, m³/min."""
        return _exact(sum((self.required(s) for s in self.systems), Decimal(0)))


def _exact(value: Decimal) -> Decimal:
    return Decimal(format(value.normalize(), "f"))


def fraction(text: str) -> Fraction:
    """A printed figure, per cent included."""
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)


class Builder:
    """Draws the parameters of places and calculates what they need."""

    def __init__(self, house: House, rng: Random) -> None:
        self.house, self.rng = house, rng
        self.family = FAMILY_A if house.family == "A" else FAMILY_B

    def number(self, low: float, high: float, places: int) -> str:
        """A figure between two bounds."""
        return f"{self.rng.uniform(low, high):.{places}f}"

    def product(self, *parts: str) -> tuple[str, Fraction]:
        """Factors as printed and their product."""
        value = Fraction(1)
        for part in parts:
            value *= fraction(part)
        return self.house.op.join(parts), value

    def single(self, key: str, expression: tuple[str, Fraction]) -> Method:
        """A method of one step."""
        return Method(key, [(expression[0], printed(expression[1], self.house.rounding))], expression[1])

    def coefficient(self, name: str, row: int, places: int) -> str:
        """A value of a bracket."""
        _, low, high = self.family[name][row]
        return low if low == high else self.number(float(low), float(high), places)

    def finish(self, place: Place, floor: str = "") -> Place:
        """Largest method, printed need, planned air."""
        place.need = max(m.exact for m in place.methods)
        best = max(m.steps[-1][1] for m in place.methods)
        if floor and place.need < Fraction(floor):
            place.need, best = Fraction(floor), Decimal(floor)
        habit = self.house.rounding
        place.required = best if habit in {"ceil", "half"} else to_decimal(Fraction(best), 0, ROUND_CEILING)
        step = self.house.planned_step
        place.planned = to_decimal(max(place.need, Fraction(place.required)) / step, 0, ROUND_CEILING) * step
        return place

    def climate(self, f: dict[str, str]) -> Method:
        """The face by its climate, in the department's variant."""
        row = self.rng.randrange(len(self.family["t"]) - (self.house.family == "B"))
        f["t"] = (self.number(16, 19.5, 0), self.number(20.6, 22.4, 0), self.number(23.6, 25.4, 0))[row]
        f["v"] = self.coefficient("t", row, 1)
        row = self.rng.randrange(3)
        f["h"] = (self.number(1.5, 1.9, 1), self.number(2.1, 2.4, 1), self.number(2.7, 4.6, 1))[row]
        f["kh"] = self.coefficient("h", row, 1)
        row = self.rng.randrange(len(self.family["l"]))
        bounds = (
            ((90, 115), (125, 145), (155, 175), (190, 260))
            if self.house.family == "A"
            else ((95, 140), (155, 195), (210, 280))
        )
        f["l"] = str(self.rng.randrange(*bounds[row]))
        f["kl"] = self.coefficient("l", row, 2 if self.house.family == "A" else 1)
        wide, narrow = Fraction(self.number(4.4, 5.6, 1)), Fraction("0.8")
        h = Fraction(f["h"])
        f["bmax"], f["bmin"] = str(Decimal(wide.numerator) / wide.denominator), format(float(wide - narrow), ".1f")
        mean = (wide + wide - narrow) / 2
        f["b"] = format(float(mean), ".1f")
        effective = self.house.area in {"effective", "plain"}
        factor = Fraction(7, 10) if effective else Fraction(1)
        f["s"] = str(to_decimal(Fraction(f["b"]) * h * factor, 1, ROUND_CEILING))
        f["smax"] = str(to_decimal(wide * h * Fraction(7, 10), 1, "half"))
        f["smin"] = str(to_decimal((wide - narrow) * h * Fraction(7, 10), 1, "half"))
        match self.house.area:
            case "effective":
                return self.single(
                    "climate",
                    self.product("60", f["s"], f["v"], f["kh"], f["kl"])
                    if self.house.words % 2
                    else self.product("60", f["v"], f["s"], f["kh"], f["kl"]),
                )
            case "plain":
                return self.single("climate", self.product("60", f["v"], f["s"]))
            case "net":
                return self.single("climate", self.product("60", self.house.share, f["v"], f["s"], f["kh"], f["kl"]))
        text, basic = self.product("60", f["b"], f["h"], self.house.share, f["v"])
        first = printed(basic, self.house.rounding)
        chain, value = self.product(str(first), f["kh"], f["kl"])
        exact = basic * Fraction(f["kh"]) * Fraction(f["kl"])
        second = printed(value, self.house.rounding)
        return Method("climate", [(text, first), (chain, second)], max(exact, Fraction(0)))

    def emissions(self, f: dict[str, str]) -> list[Method]:
        """Methane, and carbon dioxide where the department asks for it."""
        out = [self.single("gas", self.product(self.house.gas, f["q"], f["k"]))]
        if self.house.co2:
            f["qc"] = self.number(0.3, 1.4, 2)
            out.append(self.single("co2", self.product("67", f["qc"], f["k"])))
        return out

    def face(self, place: Place, *, standby: bool) -> Place:
        """A coal face, at work or held ready."""
        f = place.figures
        climate = self.climate(f)
        f["q"], f["k"], f["n"] = self.number(0.8, 3.4, 2), self.number(1.2, 1.6, 1), str(self.rng.randrange(18, 46))
        if standby:
            f["q"], f["n"] = self.number(0.2, 0.6, 2), str(self.rng.randrange(6, 14))
            half = self.product("0.5" if self.house.words % 2 else "50%", str(climate.steps[-1][1]))
            place.methods = [climate, self.single("standby", half)]
            place.methods += [
                self.single("gas", self.product(self.house.gas, f["q"], f["k"])),
                self.single("people", self.product("4", f["n"])),
            ]
            kept, place.methods = place.methods, place.methods[1:]
            self.finish(place)
            place.methods = kept
        else:
            place.methods = [climate, *self.emissions(f), self.single("people", self.product("4", f["n"]))]
            self.finish(place)
        self.check(place, f["smax"], f["smin"], "0.25")
        return place

    def check(self, place: Place, largest: str, smallest: str, v_min: str) -> None:
        """The check of the speed; the planned air satisfies it."""
        low, high = self.product("60", v_min, largest), self.product("60", "4", smallest)
        if not low[1] <= Fraction(place.required or 0) <= high[1]:
            msg = f"{place.name}: speed outside"
            raise ValueError(msg)
        place.checks = [(low[0], printed(low[1], "cent")), (high[0], printed(high[1], "cent"))]

    def heading(self, place: Place, road: str, *, blasted: bool) -> Place:
        """A heading with its local fan."""
        f = place.figures
        f["road"], f["blasted"] = road, "1" if blasted else ""
        f["q"], f["k"] = self.number(0.3, 1.6, 2), self.number(1.8, 2.0, 1)
        f["n"], f["s"] = str(self.rng.randrange(8, 24)), self.number(8.5, 17.5, 1)
        place.methods = [*self.emissions(f), self.single("people", self.product("4", f["n"]))]
        if blasted:
            f["a"] = self.number(6, 24, 1)
            place.methods.append(self.single("explosive", self.product("10", f["a"])))
        f["fan"], f["i"] = str(self.rng.randrange(220, 460, 10)), "1"
        op, s, v = self.house.op, Fraction(f["s"]), "0.15" if road == "rock" else "0.25"
        extra = f"60{op}{v}{op}{f['s']}" if self.house.words in {1, 2} else f"{9 if road == 'rock' else 15}{op}{f['s']}"
        first = f"{f['fan']}{op}1" if self.house.fan_sum else f["fan"]
        place.methods.append(self.single("fan", (f"{first}+{extra}", Fraction(f["fan"]) + 60 * Fraction(v) * s)))
        self.finish(place)
        self.check(place, f["s"], f["s"], v)
        return place

    def chamber(self, place: Place, kind: str) -> Place:
        """A chamber by heat, volume, hydrogen or experience."""
        f, op, over = place.figures, self.house.op, self.house.over
        f["chamber"] = kind
        if kind in {"heat", "air"}:
            f["w"], f["dt"] = str(self.rng.randrange(150, 900, 15)), str(self.rng.randrange(4, 9))
            pump = any(w in place.name for w in ("泵", "排水"))
            low, high = ("0.20", "0.23") if kind == "air" else ("0.01", "0.03") if pump else ("0.02", "0.04")
            f["theta"] = self.number(float(low), float(high), 2)
            under = f"1.2{op}1.0006{op}60{op}{f['dt']}"
            value = (
                3600
                * Fraction(f["w"])
                * Fraction(f["theta"])
                / (Fraction("1.2") * Fraction("1.0006") * 60 * Fraction(f["dt"]))
            )
            place.methods = [self.single("heat", (f"3600{op}{f['w']}{op}{f['theta']}{over}({under})", value))]
            return self.finish(place, "60")
        if kind == "store":
            f["vol"] = str(self.rng.randrange(900, 2400, 50))
            place.methods = [self.single("volume", (f"4{op}{f['vol']}{over}60", 4 * Fraction(f["vol"]) / 60))]
            return self.finish(place, "60")
        if kind == "charging":
            f["qh"] = self.number(0.35, 0.95, 2)
            place.methods = [self.single("hydrogen", self.product("200", f["qh"]))]
            return self.finish(place, "100")
        by_experience = self.rng.randrange(60, 81, 5)
        place.need, place.required = Fraction(by_experience), Decimal(by_experience)
        place.planned = to_decimal(place.need / self.house.planned_step, 0, ROUND_CEILING) * self.house.planned_step
        return place

    def road(self, place: Place, kind: str) -> Place:
        """A road by methane, lowest speed and vehicles."""
        f, op = place.figures, self.house.op
        f["kind"], f["s"], f["q"] = kind, self.number(8, 17, 1), self.number(0.1, 0.7, 2)
        f["k"] = self.rng.choice(("1.2", "1.3"))
        f["where"] = "out" if kind in {"trolley", "diesel"} else "in"
        constant = "100" if f["where"] == "in" else "133"
        v = {"belt": "0.25", "trolley": "0.5"}.get(kind, "0.15")
        if kind == "track":
            v = "0.25"
        f["v"] = v
        place.methods = [
            self.single("road_gas", self.product(constant, f["q"], f["k"])),
            self.single("speed", self.product("60", v, f["s"])),
        ]
        if kind == "diesel":
            powers = self.rng.sample(POWERS, 2)
            f["powers"] = "、".join(f"{p}kW" for p in powers)
            place.methods.append(
                self.single("diesel", (f"4{op}({'+'.join(powers)})", 4 * sum(map(Fraction, powers), Fraction(0))))
            )
        return self.finish(place)

    def vehicle(self, place: Place) -> Place:
        """Air on top for the diesel vehicles of a system; nobody measures it."""
        powers = self.rng.sample(POWERS[:3], 2)
        place.figures["powers"] = "、".join(f"{p}kW" for p in powers)
        place.methods = [
            self.single(
                "diesel", (f"4{self.house.op}({'+'.join(powers)})", 4 * sum(map(Fraction, powers), Fraction(0)))
            )
        ]
        place.remark = self.rng.choice(("附加风量，不设测点", "随车辆运行，不设测风点", "附加风量"))
        return self.finish(place)


def build(house: House, rng: Random, number: int) -> Mine:
    """The mine of one pair of documents."""
    region = REGIONS[number % len(REGIONS)]
    builder = Builder(house, rng)
    count = rng.randint(1, len(region.systems))
    systems = []
    for index, (name, district, station, fan) in enumerate(region.systems[:count]):
        places = _places(builder, region, name, district, index)
        systems.append(System(name, station, fan, places))
    people = rng.randrange(110, 260)
    return Mine(region, house, systems, people, rng.choice((2024, 2025)), rng.randrange(1, 13))


def _places(builder: Builder, region: Region, system: str, district: str, index: int) -> list[Place]:
    rng, house, out = builder.rng, builder.house, []
    number = rng.randrange(1, 4)

    def named(pair: tuple[str, str]) -> tuple[str, str]:
        nonlocal number
        number += rng.randrange(1, 3)
        keys = {"s": district, "n": f"{number:02d}" if "-" not in pair[0] else str(number), "c": PIECES[number % 6]}
        return pair[0].format(**keys), pair[1].format(**keys)

    faces = region.faces[: rng.randint(1, len(region.faces))]
    out += [_retry(builder, named(pair), "face", system) for pair in faces]
    if house.standby and index == 0:
        out.append(_retry(builder, named(region.standby), "standby", system))
    for name, station, road, blasted in region.headings[: rng.randint(2, 3)]:
        out.append(_retry(builder, named((name, station)), "heading", system, road, blasted=blasted))
    if house.series and index == 0:
        _series(out)
    shared = region.chambers if index == 0 else ()
    for pattern, kind in (*shared[: rng.randint(3, 5)], *region.district_rooms):
        name = pattern.format(s=district)
        out.append(builder.chamber(Place(name, name, "chamber", system), kind))
    for pattern, kind in region.roads:
        if index and "{s}" not in pattern:
            continue
        name = pattern.format(s=district)
        out.append(builder.road(Place(name, name, "road", system), kind))
    if house.vehicles and index == 0:
        out.append(builder.vehicle(Place(f"{system}无轨胶轮车", "", "vehicle", system)))
    return out


def _retry(
    builder: Builder, names: tuple[str, str], kind: str, system: str, road: str = "", *, blasted: bool = False
) -> Place:
    while True:  # parameters that break a speed limit are drawn anew
        place = Place(names[0], names[1], kind, system)
        try:
            if kind == "heading":
                return builder.heading(place, road, blasted=blasted)
            return builder.face(place, standby=kind == "standby")
        except ValueError:
            continue


def _series(places: list[Place]) -> None:
    """The second heading takes the first one's return air and is not counted."""
    first, second = [p for p in places if p.kind == "heading"][:2]
    second.series_after = first.name
    second.remark = f"与{first.name}串联，风量不重复计算"
    need = max(first.need, second.need)
    if need > first.need:
        first.series_after, second.series_after = second.name, ""
        first.remark, second.remark = f"与{second.name}串联，风量不重复计算", ""
        first.required = first.planned = None
    else:
        second.required = second.planned = None
