"""A ten-day measurement report as a csv file: stations block by block, totals that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from tests.support.papers import plan_paper as own

INTAKE, RETURN, FANS, FACES, HEADINGS, CHAMBERS, ROADWAYS = (
    "矿井进风",
    "矿井回风",
    "主要通风机",
    "采煤工作面",
    "掘进工作面",
    "硐室",
    "其他用风巷道",
)
FACE_IN: Final = "101综采工作面进风"
FACE_OUT: Final = "101综采工作面回风"
MAIN_SHAFT: Final = "主斜井"
SIDE_SHAFT: Final = "副立井"
EAST_RETURN: Final = "东风井总回风"
WEST_RETURN: Final = "西风井总回风"
EAST_FAN: Final = "东风井主扇"
WEST_FAN: Final = "西风井主扇"


@dataclass(frozen=True, kw_only=True)
class Station:
    """One row; m², m/s, m³/min, ℃, %."""

    name: str
    block: str
    flow: str
    area: str = ""
    speed: str = ""
    temperature: str = "18.0"
    ch4: str = "0.08"
    co2: str = "0.06"
    remark: str = ""

    def row(self, number: int) -> str:
        cells = (self.name, self.area, self.speed, self.flow, self.temperature, self.ch4, self.co2, self.remark)
        return ",".join((str(number), *cells))


@dataclass(frozen=True, kw_only=True)
class SurveyPaper:
    """The whole report; a total that is not given is the sum of its shafts."""

    stations: tuple[Station, ...]
    dates: str = "2025年3月11日至2025年3月20日"
    total_intake: str | None = None
    total_return: str | None = None
    notes: tuple[str, ...] = ()

    def changed(self, name: str, /, **fields: str) -> SurveyPaper:
        assert any(s.name == name for s in self.stations), name
        return replace(self, stations=tuple(replace(s, **fields) if s.name == name else s for s in self.stations))

    def flowing(self, name: str, area: str, speed: str) -> SurveyPaper:
        """One station with another speed or section, and the flow that follows."""
        return self.changed(name, area=area, speed=speed, flow=flow_of(area, speed))

    def without(self, *names: str) -> SurveyPaper:
        return replace(self, stations=tuple(s for s in self.stations if s.name not in names))

    def more(self, *stations: Station) -> SurveyPaper:
        return replace(self, stations=(*self.stations, *stations))

    def text(self) -> str:
        lines = [
            "甲子沟煤矿测风报表",
            f"测定日期：{self.dates}",
            "序号,测风地点,断面(m2),风速(m/s),风量(m3/min),温度(℃),CH4(%),CO2(%),备注",
        ]
        number = 0
        for block in dict.fromkeys(s.block for s in self.stations):
            lines.append(block)
            for station in (s for s in self.stations if s.block == block):
                number += 1
                lines.append(station.row(number))
            if block in {INTAKE, RETURN}:
                word = "总进风合计" if block == INTAKE else "总回风合计"
                lines.append(f",{word},,,{self._total(block)},,,,")
        return "\n".join((*lines, *self.notes)) + "\n"

    def _total(self, block: str) -> str:
        given = self.total_intake if block == INTAKE else self.total_return
        return given or str(sum((Decimal(s.flow) for s in self.stations if s.block == block), Decimal(0)))


def flow_of(area: str, speed: str) -> str:
    """Q = 60·v·S, to the whole m³/min."""
    return str(round(60 * Decimal(area) * Decimal(speed)))


def _at(name: str, block: str, area: str, speed: str, **fields: str) -> Station:
    return Station(name=name, block=block, area=area, speed=speed, flow=flow_of(area, speed), **fields)


SOUND: Final = SurveyPaper(
    stations=(
        _at(MAIN_SHAFT, INTAKE, "14.0", "2.50", ch4="0.00", co2="0.03"),
        _at(SIDE_SHAFT, INTAKE, "16.0", "3.34", ch4="0.00", co2="0.03"),
        _at(EAST_RETURN, RETURN, "15.0", "4.00", ch4="0.20"),
        _at(WEST_RETURN, RETURN, "12.5", "2.33", ch4="0.20"),
        Station(name=EAST_FAN, block=FANS, flow="3720", temperature="", ch4="", co2="", remark="负压2056Pa"),
        Station(name=WEST_FAN, block=FANS, flow="1800", temperature="", ch4="", co2="", remark="负压1559Pa"),
        _at(FACE_IN, FACES, "12.4", "1.70"),
        _at(FACE_OUT, FACES, "12.5", "1.72", ch4="0.30", temperature="21.0"),
        _at(own.STANDBY, FACES, "10.2", "1.11"),
        _at(own.HEADING, HEADINGS, "18.5", "0.59", ch4="0.15"),
        _at(own.ROCK, HEADINGS, "13.3", "0.53", ch4="0.15"),
        _at(own.SUBSTATION, CHAMBERS, "3.6", "0.30"),
        _at(own.CHARGING, CHAMBERS, "5.5", "0.50"),
        _at(own.STORE, CHAMBERS, "3.5", "0.50"),
        _at(own.ROADWAY, ROADWAYS, "18.5", "0.41"),
        _at(own.CROSSCUT, ROADWAYS, "14.4", "0.27"),
        _at(own.VEHICLES, ROADWAYS, "18.4", "0.49"),
    )
)
