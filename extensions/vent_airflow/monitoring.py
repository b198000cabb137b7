"""Readings of the safety monitoring system (安全监测): `get_source` is the seam, a file of the session the only source.

Nothing is invented: what a file does not hold is no reading, and a row that cannot be read is told with its number.
A connection to a mine's own system takes the place of `LocalFileSource` behind `get_source`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.decoding import decode
from algorithms.airflow_review.messages.catalogue import Text
from algorithms.airflow_review.reading.numbers import convert, missing_mark, parse_quantity, parse_unit
from extensions.vent_airflow.workspace_paths import session_workspace

UNIT_OF: Final = {"ch4_pct": "%", "co2_pct": "%", "temperature_c": "C", "speed_m_s": "m/s", "flow_m3_min": "m3/min"}
_QUANTITY_WORDS: Final = {
    "ch4_pct": ("ch4", "甲烷", "瓦斯"),
    "co2_pct": ("co2", "二氧化碳"),
    "temperature_c": ("temperature", "温度", "气温"),
    "speed_m_s": ("speed", "风速"),
    "flow_m3_min": ("flow", "风量"),
}
_FIELD_WORDS: Final = {
    "at": ("time", "at", "时间", "监测时间", "采集时间"),
    "place": ("place", "地点", "安装地点", "用风地点"),
    "sensor": ("sensor", "传感器", "测点", "测点编号"),
    "quantity": ("quantity", "参数", "类型", "监测参数", "传感器类型"),
    "value": ("value", "数值", "读数", "监测值"),
    "unit": ("unit", "单位"),
    "state": ("state", "状态"),
}
_NORMAL_STATES: Final = frozenset({"", "正常", "normal", "ok"})
_FILE_WORDS: Final = ("安全监测", "安全监控", "监测数据", "监控数据", "传感器", "monitoring")
_REPORT_WORDS: Final = ("测风", "报表", "旬报", "计划")
_KINDS: Final = frozenset({".csv", ".json"})
_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
_MAX_ROWS: Final = 100_000
_CHINA: Final = timezone(timedelta(hours=8))
_MOMENT: Final = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[ T]*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorReading:
    """One value of one sensor, in the unit its quantity says."""

    place: str
    sensor: str
    quantity: str  # key of UNIT_OF
    value: Decimal
    at: datetime  # wall clock of the mine
    row: int  # 1-based record of the file, header not counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitored:
    """What a source gave: readings in its order, and a sentence for each row that could not be used."""

    readings: tuple[SensorReading, ...]
    problems: tuple[str, ...]


class MonitoringSource(Protocol):
    """Where monitored values come from."""

    @property
    def name(self) -> str:
        """What a person knows the source by."""
        ...

    def read(self) -> Monitored:
        """All readings there are.

        Raises:
            InputError: The source cannot be read.
        """
        ...


class LocalFileSource:
    """A csv or json file of the session: one record a reading, columns by their header words."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """The file's name."""
        return self._path.name

    def read(self) -> Monitored:
        """All readings of the file; raises `InputError` where it is no such file."""
        if self._path.stat().st_size > _MAX_FILE_BYTES:
            limit_mb = _MAX_FILE_BYTES // 1024 // 1024
            raise refusal.too_large(
                self.name, Text(f"监测数据超过 {limit_mb} MB", f"The monitoring data exceed {limit_mb} MB")
            )
        text = decode(self._path.read_bytes(), self.name)
        records = (
            _json_records(text, self.name) if self._path.suffix.lower() == ".json" else _csv_records(text, self.name)
        )
        readings: list[SensorReading] = []
        problems: list[str] = []
        for row, record in enumerate(records, start=1):
            if row > _MAX_ROWS:
                raise refusal.too_large(
                    self.name, Text(f"监测数据超过 {_MAX_ROWS} 条", f"The monitoring data exceed {_MAX_ROWS} records")
                )
            try:
                readings.append(_reading(row, record))
            except ValueError as error:
                problems.append(f"第 {row} 条：{error}")
        if not readings and not problems:
            raise refusal.empty(self.name, Text("没有监测数据", "There are no monitoring data"))
        return Monitored(readings=tuple(readings), problems=tuple(problems))


def get_source() -> MonitoringSource | None:
    """The source of the running session; None where there is none, and then a person has to look.

    The newest csv or json of the session that its name calls monitoring data.
    """
    workspace = session_workspace()
    files = [
        path
        for folder in (workspace, workspace / "uploads")
        if folder.is_dir()
        for path in folder.iterdir()
        if is_monitoring_file(path.name) and path.is_file() and not path.is_symlink()
    ]
    return LocalFileSource(max(files, key=lambda path: (path.stat().st_mtime_ns, path.name))) if files else None


def is_monitoring_file(file: str) -> bool:
    """Whether a file's name calls it monitoring data, and neither plan nor measurement report."""
    path = PurePosixPath(file)
    name = path.stem.casefold()
    named = any(word in name for word in _FILE_WORDS) and not any(word in name for word in _REPORT_WORDS)
    return named and path.suffix.casefold() in _KINDS


def _json_records(text: str, file: str) -> Iterator[Mapping[str, str]]:
    try:
        raw = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise refusal.damaged(file, Text("不是有效的 JSON", "It is no valid JSON")) from error
    rows = raw.get("readings") if isinstance(raw, Mapping) else raw
    if not isinstance(rows, list):
        what = Text("应为记录的列表，或 readings 下的列表", "It should be a list of records, or one under readings")
        raise refusal.damaged(file, what)
    return (_texts(row) for row in rows)


def _csv_records(text: str, file: str) -> Iterator[Mapping[str, str]]:
    try:
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    except csv.Error as error:
        raise refusal.damaged(file, Text("不是有效的 csv", "It is no valid csv")) from error
    return (_texts(row) for row in rows)


def _texts(row: object) -> Mapping[str, str]:
    """A record by our own field names; columns nobody knows are left out."""
    found: dict[str, Any] = dict(row) if isinstance(row, Mapping) else {}
    given = {str(key).strip().casefold(): str(value or "").strip() for key, value in found.items()}
    return {field: next((given[word] for word in words if word in given), "") for field, words in _FIELD_WORDS.items()}


def _reading(row: int, record: Mapping[str, str]) -> SensorReading:
    if not record["place"]:
        raise ValueError("没有写明地点")
    if record["state"].casefold() not in _NORMAL_STATES:
        raise ValueError(f"{record['place']} 传感器状态为“{record['state']}”，读数不采用")
    quantity = _quantity(record["quantity"])
    return SensorReading(
        place=record["place"],
        sensor=record["sensor"],
        quantity=quantity,
        value=_value(record["value"], record["unit"], quantity),
        at=_moment(record["at"]),
        row=row,
    )


def _quantity(text: str) -> str:
    folded = text.casefold()
    if folded in UNIT_OF:
        return folded
    found = [key for key, words in _QUANTITY_WORDS.items() if any(word in folded for word in words)]
    if len(found) != 1:
        raise ValueError(f"监测参数“{text}”不能识别")
    return found[0]


def _value(text: str, unit_text: str, quantity: str) -> Decimal:
    """The value in the quantity's unit; without a unit nothing is assumed."""
    unit = parse_unit(unit_text) if unit_text else ""
    printed = parse_quantity(text, unit or "") if unit is not None and missing_mark(text) is None else None
    if printed is None:
        raise ValueError(f"数值“{text}{unit_text}”读不出")
    value = convert(printed.value, printed.unit, UNIT_OF[quantity]) if printed.unit else None
    if value is None:
        raise ValueError(f"数值“{text}{unit_text}”没有单位或单位不符")
    return value


def _moment(text: str) -> datetime:
    """A day with its time; with an offset it is brought to the mine's clock (UTC+8)."""
    match = _MOMENT.fullmatch(text)
    try:
        if match is not None:
            year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
            return datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - the wall clock as written
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo is None else moment.astimezone(_CHINA).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"时间“{text}”读不出") from error
