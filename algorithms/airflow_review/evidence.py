"""Where a value stands in the source, shared by extracts and reviews."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum

from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One place in one document; `quote` is verbatim text found there."""

    file: str
    page: int | None = None  # 1-based; None for docx, txt and csv
    sheet: str | None = None
    line: int | None = None  # 1-based line or paragraph
    table: int | None = None  # 1-based table of the document
    row: int | None = None  # 1-based row of the table, header included
    column: int | None = None  # 1-based
    bbox: tuple[float, float, float, float] | None = None  # points, origin upper left
    quote: str = ""
    recognized: bool = False  # read from a picture by recognition, not printed as text


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """That pages of a document are pictures whose text was recognised."""

    pages: tuple[int, ...]  # 1-based
    sha256: str  # of the document
    confirmed: bool = False  # a person has compared the values with the picture

    @property
    def token(self) -> str:
        """What a person quotes to confirm just this document."""
        return self.sha256[:12]


class WindowStatus(StrEnum):
    """Whether a time window could be read."""

    OK = "ok"
    UNPARSABLE = "unparsable"  # text is there, dates are not
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A span of days, both ends included."""

    start: date | None = None
    end: date | None = None
    text: str = ""
    status: WindowStatus = WindowStatus.MISSING
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as printed, converted to the unit its field name says."""

    value: Decimal
    text: str  # the token as printed, with the unit if one was glued to it
    evidence: tuple[Evidence, ...] = ()


class PlaceType(StrEnum):
    """Kinds of objects air is given to; the last four are not places of use."""

    COAL_FACE = "coal_face"  # 采煤工作面
    STANDBY_FACE = "standby_face"  # 备用工作面
    HEADING = "heading"  # 掘进工作面
    CHAMBER = "chamber"  # 硐室
    OTHER_ROADWAY = "other_roadway"  # 其他用风巷道
    DISTRICT = "district"  # 采区
    RETURN_SYSTEM = "return_system"  # 回风系统
    MINE = "mine"  # 矿井
    MAIN_FAN = "main_fan"  # 主要通风机


class Method(StrEnum):
    """How a required airflow, or a step towards it, is calculated."""

    CLIMATE = "climate"  # 按气象条件
    GAS = "gas"  # 按瓦斯涌出量
    CO2 = "co2"  # 按二氧化碳涌出量
    PEOPLE = "people"  # 按人数
    EXPLOSIVE = "explosive"  # 按炸药量
    LOCAL_FAN = "local_fan"  # 按局部通风机吸风量
    STANDBY_HALF = "standby_half"  # 不小于回采时需风量的 50 %
    HEAT = "heat"  # 机电硐室发热
    HYDROGEN = "hydrogen"  # 充电硐室
    AIR_CHANGES = "air_changes"  # 爆炸物品库每小时换气
    EMPIRICAL = "empirical"  # 经验值
    SPEED_MIN = "speed_min"  # 最低风速
    SPEED_MAX = "speed_max"  # 最高风速
    DIESEL = "diesel"  # 无轨胶轮车
    MAXIMUM = "maximum"  # 取最大值
    SUBTOTAL = "subtotal"  # 小计
    SYSTEM_TOTAL = "system_total"  # 小计 × K
    MINE_TOTAL = "mine_total"  # 系统之和
    AREA = "area"  # 断面换算
    OTHER = "other"
