"""Invents a mine: systems, places, facts; then lets every place state its need and plan its air."""

from __future__ import annotations

import calendar
from fractions import Fraction
from random import Random

from tests.support.corpus import words
from tests.support.corpus.family import FAMILIES, FAMILY_A, Family
from tests.support.corpus.figures import ceil_at, fixed, value_of
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, STANDBY, Mine, Place, System
from tests.support.corpus.need import exact_need, face_climate, settle, write_methods
from tests.support.corpus.style import Style

_PERIODS = (
    "{y}年{m}月1日至{y}年{m}月{d}日",
    "{y}.{m}.1—{y}.{m}.{d}",
    "{y}-{m:02d}-01～{y}-{m:02d}-{d:02d}",
    "{y}年{m}月1日～{m}月{d}日",
    "{y}年{m:02d}月01日至{m:02d}月{d:02d}日",
    "{y}/{m}/1-{y}/{m}/{d}",
    "{y}年{m}月1日0时起至{y}年{m}月{d}日24时止",
)


def choose_family(rng: Random, style: Style) -> Family:
    """A family; one of a mine's own only where the plan prints it."""
    return rng.choice(FAMILIES) if style.prints_tables else FAMILY_A


def invent_mine(rng: Random, style: Style, family: Family) -> Mine:
    """A mine in which everything is right."""
    count = rng.choices((1, 2, 3, 4), (3, 4, 2, 1))[0]
    names = words.choose_names(rng, count)
    year, month = rng.choice([(y, n) for y in (2025, 2026) for n in range(1, 13)])
    last = calendar.monthrange(year, month)[1]
    grade = rng.choice((10, 10, 25))
    mine = Mine(
        name=names.mine,
        year=year,
        month=month,
        period_text=rng.choice(_PERIODS).format(y=year, m=month, d=last),
        period=(f"{year}-{month:02d}-01", f"{year}-{month:02d}-{last:02d}"),
        systems=[System(name=s, fan=f) for s, f in zip(names.systems, names.fans, strict=True)],
        basis=rng.choice(("effective", "nominal")),
        gas_factor=rng.choice((100, 100, 125)),
        explosive_factor=grade,
        reserve=rng.choice(("1.15", "1.2", "1.20", "1.18", "1.25")),
        planned_step=style.planned_step,
        reserve_percent=rng.choice((0, 0, 2, 5)),
    )
    maker = _Maker(rng=rng, style=style, family=family, names=names, mine=mine)
    for index in range(count):
        maker.fill(index)
    for place in mine.places:
        write_methods(place, mine, style)
        place.true_need = exact_need(place)
        settle(place, mine)
    mine.people = sum(int(place.facts.get("n", 0)) for place in mine.places) + rng.randrange(20, 60)
    return mine


class _Maker:
    """Fills one system after the other; keeps the names of the mine apart."""

    def __init__(self, *, rng: Random, style: Style, family: Family, names: words.Naming, mine: Mine) -> None:
        self.rng, self.style, self.family, self.names, self.mine = rng, style, family, names, mine
        self.has_co2 = rng.random() < 0.7
        self.order = rng.choice(("speed_first", "area_first", "decimal"))
        self.spelled = rng.random() < 0.3
        self.chain = rng.random() < 0.2 and style.calculation != "columns"
        self.wide_names = rng.random() < 0.3

    def fill(self, index: int) -> None:
        """All places of a system."""
        rng = self.rng
        numbers = iter(self.names.face_numbers[index])
        district = self.names.districts[index]
        places: list[Place] = []
        places += [self.face(index, next(numbers)) for _ in range(rng.choice((1, 1, 2)))]
        if rng.random() < 0.4:
            places.append(self.standby(index, next(numbers)))
        rock = rng.random() < 0.4
        coal = rng.choice((1, 2)) if rock else rng.choice((2, 3))
        number = next(numbers)
        places += [
            self.heading(index, f"{number}{road}", rock=False)
            for road in words.heading_roads(rng, rock=False, count=coal)
        ]
        if rock:
            places.append(self.heading(index, district + words.heading_roads(rng, rock=True, count=1)[0], rock=True))
        heat = words.heat_chambers(rng, rng.choice((1, 2, 3)))
        places += [self.heat_chamber(index, district + name, least, most, way) for name, least, most, way in heat]
        if rng.random() < 0.5:
            places.append(self.charging(index, district + words.charging_name(rng)))
        if index == 0:
            places.append(self.store(index, words.store_name(rng)))
        places += [self.small(index, district + name) for name in words.small_chambers(rng, rng.choice((0, 1, 2)))]
        places += [
            self.road(index, district + name, inside=True) for name in words.inner_roads(rng, rng.choice((1, 2)))
        ]
        places += [
            self.road(index, district + name, inside=False) for name in words.outer_roads(rng, rng.choice((0, 1)))
        ]
        if rng.random() < 0.4:
            places.append(self.road(index, f"{district}无轨胶轮车辅运巷", inside=True, vehicles=True))
        self.mine.places += places

    def face(self, index: int, number: str) -> Place:
        rng = self.rng
        while True:
            area = Fraction(rng.randrange(96, 152), 10)
            if self.mine.basis == "nominal":
                area = Fraction(rng.randrange(138, 210), 10)
            facts = {
                "height": f"{rng.randrange(17, 49) / 10:.1f}",
                "length": str(rng.choice((100, 120, 135, 150, 160, 180, 195, 210, 230, 245))),
                "temp": rng.choice(("17", "18.5", "19", "20", "21", "22", "22.5", "23", "24")),
                "area": fixed(area, 1),
                "area_max": fixed(area + Fraction(rng.randrange(4, 9), 10), 1),
                "area_min": fixed(area - Fraction(rng.randrange(4, 11), 10), 1),
                "q": f"{rng.randrange(90, 620) / 100:.2f}",
                "k": rng.choice(("1.2", "1.3", "1.4", "1.5", "1.6", "1.35")),
                "n": str(rng.randrange(18, 48)),
                "order": self.order,
            }
            if self.has_co2:
                facts["qc"] = f"{rng.randrange(40, 240) / 100:.2f}"
            if self.chain:
                facts["chain"] = "yes"
            facts["v"] = self.family.choose(self.family.speed, facts["temp"], rng, 1)
            facts["kh"] = self.family.choose(self.family.height, facts["height"], rng, 1)
            facts["kl"] = self.family.choose(self.family.length, facts["length"], rng, 1)
            need = value_of(face_climate(facts, basis=self.mine.basis, order=self.order))
            share = Fraction(7, 10) if self.mine.basis == "nominal" else 1
            most = 240 * Fraction(facts["area_min"]) * share
            if need * Fraction(13, 10) < most and need > 500:
                break
        return Place(
            name=f"{number}{self.names.face_tail}", kind=FACE, way=rng.choice(("综采", "综采", "综放")), system=index, stem=number,
            facts=facts, table_area=facts["area"],
        )  # fmt: skip

    def standby(self, index: int, number: str) -> Place:
        rng = self.rng
        facts = {
            "working_need": str(rng.randrange(900, 1500)),
            "area": f"{rng.randrange(95, 140) / 10:.1f}",
            "q": f"{rng.randrange(40, 140) / 100:.2f}",
            "k": rng.choice(("1.2", "1.3", "1.4")),
            "n": str(rng.randrange(8, 20)),
        }
        return Place(
            name=f"{number}{self.names.standby_tail}", kind=STANDBY, way="备用", system=index, stem=number,
            facts=facts, table_area=facts["area"],
        )  # fmt: skip

    def heading(self, index: int, stem: str, *, rock: bool) -> Place:
        rng = self.rng
        blasted = rock or rng.random() < 0.2
        facts = {
            "rock": "岩巷" if rock else rng.choice(("煤巷", "煤巷", "半煤岩巷")),
            "area": f"{rng.randrange(102, 190) / 10:.1f}",
            "fan_flow": str(rng.choice((260, 285, 310, 330, 365, 390, 415, 440))),
            "fan_count": "1" if rng.random() < 0.9 else "2",
            "q": f"{rng.randrange(35, 170) / 100:.2f}",
            "k": rng.choice(("1.8", "1.9", "2.0") if blasted else ("1.5", "1.6", "1.7", "1.8", "2.0")),
            "n": str(rng.randrange(12, 30)),
            "order": "spelled" if self.spelled else "short",
        }
        if blasted:
            facts["charge"] = f"{rng.randrange(62, 140) / 10:.1f}"
        if self.has_co2:
            facts["qc"] = f"{rng.randrange(25, 95) / 100:.2f}"
        return Place(
            name=f"{stem}{self.names.heading_tail}", kind=HEADING, way="炮掘" if blasted else "综掘", system=index, stem=stem,
            facts=facts, table_area=facts["area"],
        )  # fmt: skip

    def heat_chamber(self, index: int, name: str, least: str, most: str, way: str) -> Place:
        rng = self.rng
        theta = f"{rng.randrange(round(float(least) * 100), round(float(most) * 100) + 1) / 100:.2f}"
        power = (
            rng.choice((110, 132, 160)) if way == "空压机房" else rng.choice((150, 200, 260, 315, 400, 480, 560, 630))
        )
        facts = {"power": str(power), "theta": theta, "dt": str(rng.choice((4, 5, 6)))}
        return Place(name=name, kind=CHAMBER, way=way, system=index, facts=facts, floor_m3_min=60)

    def charging(self, index: int, name: str) -> Place:
        facts = {"hydrogen": f"{self.rng.randrange(35, 95) / 100:.2f}"}
        return Place(name=name, kind=CHAMBER, way="充电", system=index, facts=facts, floor_m3_min=100)

    def store(self, index: int, name: str) -> Place:
        facts = {"volume": str(self.rng.randrange(1520, 2400, 10))}
        return Place(name=name, kind=CHAMBER, way="爆炸材料", system=index, facts=facts, floor_m3_min=100)

    def small(self, index: int, name: str) -> Place:
        need = str(self.rng.randrange(60, 81))
        return Place(name=name, kind=CHAMBER, way="小型", system=index, fixed_need=need)

    def road(self, index: int, name: str, *, inside: bool, vehicles: bool = False) -> Place:
        rng = self.rng
        facts = {
            "where": "采区内" if inside else "采区外",
            "area": f"{rng.randrange(98, 188) / 10:.1f}",
            "q": f"{rng.randrange(30, 120) / 100:.2f}",
            "k": rng.choice(("1.2", "1.3", "1.25")),
        }
        if vehicles:
            facts["vehicles"] = "+".join(str(rng.choice((42, 55, 66, 75, 90))) for _ in range(rng.choice((1, 2, 3))))
        return Place(name=name, kind=ROADWAY, way="巷道", system=index, facts=facts, table_area=facts["area"])


def sum_up(mine: Mine) -> None:
    """Adds up the printed rows: subtotals, times the coefficient, and the mine."""
    total = Fraction(0)
    for index, system in enumerate(mine.systems):
        rows = [p for p in mine.of_system(index) if p.in_distribution and not p.series_after and p.planned]
        subtotal = sum((Fraction(p.table_required) for p in rows), Fraction(0))
        system.subtotal = fixed(subtotal, 0)
        system.planned_subtotal = fixed(sum((p.planned_in_sum() for p in rows), Fraction(0)), 0)
        system.coefficient = system.coefficient or mine.reserve
        required = subtotal * Fraction(system.coefficient)
        system.required = _shortest(required)
        system.true_required = required
        total += required
        system.fan_limit_m3_min = system.fan_limit_m3_min or int(ceil_at(required * Fraction(128, 100) / 50)) * 50
    mine.total = _shortest(total)


def _shortest(value: Fraction) -> str:
    text = fixed(value, 4)
    return text.rstrip("0").rstrip(".")
