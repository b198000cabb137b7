"""Names of mines that do not exist, and of their systems, faces, headings, chambers and roads."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_SOILS = ("澄川", "砚台沟", "柳荫坡", "鹤鸣", "苍梧坪", "枫桥湾", "霁月岭", "松涛", "白鹿塬", "青萍", "落霞湾", "竹溪")
_FIRMS = ("煤矿", "煤业公司", "矿业公司二号井", "矿", "煤业有限责任公司", "一矿", "煤矿（西区）")


@dataclass(frozen=True, slots=True)
class WellNames:
    """How a mine names its return-air systems and their fans; {} is filled with one of the parts."""

    parts: tuple[str, ...]
    system: str
    fan: str


_WELLS = (
    WellNames(("东翼", "西翼", "中部", "北翼"), "{}回风系统", "{}主要通风机"),
    WellNames(("柳树湾", "槐坪", "石门峪", "磨盘山"), "{}风井", "{}风井主扇"),
    WellNames(("1号", "2号", "3号", "4号"), "{}回风立井", "{}风井通风机"),
    WellNames(("甲", "乙", "丙", "丁"), "{}区通风系统", "{}区对旋主通风机"),
    WellNames(("南", "北", "东", "西"), "{}回风斜井系统", "{}风井主通风机"),
)

_HEAT = (
    ("变电所", "0.02", "0.04", "变电所"),
    ("水泵房", "0.01", "0.03", "水泵房"),
    ("主排水泵房", "0.01", "0.03", "水泵房"),
    ("空压机硐室", "0.20", "0.23", "空压机房"),
    ("绞车房", "0.02", "0.04", "绞车房"),
)
_SMALL = ("避难硐室", "消防材料库", "候车硐室", "信号硐室", "注氮硐室", "工具存放硐室", "调度站")
_STORES = ("爆炸材料库", "炸药库", "爆破器材库")
_CHARGING = ("充电硐室", "蓄电池机车充电室", "锂电车充电硐室")
_INNER_ROADS = ("集中运输巷", "轨道下山", "回风下山", "皮带下山", "材料上山", "集中回风巷")
_OUTER_ROADS = ("行人石门", "管子道", "联络石门", "排水巷", "风井联络巷", "人行斜巷")
_DRIVES = ("机巷", "风巷", "上付巷", "下付巷", "切眼", "瓦斯抽采巷", "进风联巷")
_ROCK_DRIVES = ("底板岩巷", "轨道石门", "水仓绕道", "运输石门", "岩石集中巷")


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """The words of one mine."""

    mine: str
    systems: tuple[str, ...]
    fans: tuple[str, ...]
    face_numbers: tuple[tuple[str, ...], ...]  # per system, enough for its faces and headings
    districts: tuple[str, ...]
    face_tail: str
    heading_tail: str
    standby_tail: str
    chamber_numbered: str  # "#" or "号"


def choose_names(rng: Random, systems: int) -> Naming:
    """The names of a mine with so many return-air systems."""
    wells = rng.choice(_WELLS)
    parts = rng.sample(wells.parts, systems) if rng.random() < 0.5 else list(wells.parts[:systems])
    scheme = rng.choice(("plain", "letter", "seam", "roman", "coal"))
    return Naming(
        mine=rng.choice(_SOILS) + rng.choice(_FIRMS),
        systems=tuple(wells.system.format(part) for part in parts),
        fans=tuple(wells.fan.format(part) for part in parts),
        face_numbers=tuple(_numbers(rng, scheme, index) for index in range(systems)),
        districts=tuple(_district(scheme, index) for index in range(systems)),
        face_tail=rng.choice(("回采工作面", "综采面", "采煤工作面", "采面")),
        heading_tail=rng.choice(("掘进工作面", "掘进面", "掘进头", "施工迎头")),
        standby_tail=rng.choice(("备用工作面", "备用面", "备采工作面")),
        chamber_numbered=rng.choice(("#", "号")),
    )


def _numbers(rng: Random, scheme: str, index: int) -> tuple[str, ...]:
    numbers = rng.sample(range(2, 25), 8)
    if scheme == "plain":
        return tuple(f"{index + 6}2{n:02d}" for n in numbers)
    if scheme == "letter":
        return tuple(f"{'ESWN'[index]}{index + 1}3{n:02d}" for n in numbers)
    if scheme == "seam":
        return tuple(f"戊{8 + index}-{17 + index}{n:02d}0" for n in numbers)
    if scheme == "roman":
        return tuple(f"{'ⅠⅡⅢⅣ'[index]}8{n:02d}" for n in numbers)
    return tuple(f"{index + 4}煤{n + 100}" for n in numbers)


def _district(scheme: str, index: int) -> str:
    if scheme == "letter":
        return f"{'ESWN'[index]}{index + 1}采区"
    if scheme == "roman":
        return f"{'ⅠⅡⅢⅣ'[index]}水平"
    if scheme == "coal":
        return f"{index + 4}煤"
    return f"{'五六七八'[index]}采区"


def heading_roads(rng: Random, rock: bool, count: int) -> list[str]:
    """Different road names for headings."""
    return rng.sample(_ROCK_DRIVES if rock else _DRIVES, count)


def heat_chambers(rng: Random, count: int) -> list[tuple[str, str, str, str]]:
    """Chambers that are cooled: name, least and most heat coefficient, kind."""
    return rng.sample(_HEAT, count)


def small_chambers(rng: Random, count: int) -> list[str]:
    """Chambers whose air is taken by experience."""
    return rng.sample(_SMALL, count)


def store_name(rng: Random) -> str:
    """The explosives store."""
    return rng.choice(_STORES)


def charging_name(rng: Random) -> str:
    """The charging chamber."""
    return rng.choice(_CHARGING)


def inner_roads(rng: Random, count: int) -> list[str]:
    """Roads inside a district."""
    return rng.sample(_INNER_ROADS, count)


def outer_roads(rng: Random, count: int) -> list[str]:
    """Roads outside the districts."""
    return rng.sample(_OUTER_ROADS, count)
