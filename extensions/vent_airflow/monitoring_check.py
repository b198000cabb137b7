"""Monitored values beside a review: shown where they belong to its time and places, else a person has to look.

No verdict is made of them and no limit is applied here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from algorithms.airflow_review.documents.document import InputError
from algorithms.airflow_review.model import Place, Review
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.render.digest import first_rows
from algorithms.airflow_review.render.json_text import decimal_text
from extensions.vent_airflow.monitoring import UNIT_OF, Monitored, MonitoringSource, SensorReading

_MANUAL: Final = "人工核对"
_NO_SOURCE: Final = f"没有接入安全监测数据：瓦斯、二氧化碳、温度、风速只按报表判定，与监测系统是否一致须{_MANUAL}。"
_NO_WINDOW: Final = f"测风时间未能读出，监测数据无法对应，须{_MANUAL}。"


def monitoring_check(review: Review, source: MonitoringSource | None, *, max_items: int) -> dict[str, Any]:
    """Source, status (`read` or `manual`), sentence, the values by place, and what is left to a person.

    Only readings within the days of the measurement count; of each place and quantity the latest and the highest.
    """
    if source is None:
        return _manual(None, _NO_SOURCE)
    try:
        monitored = source.read()
    except InputError as error:
        return _manual(source.name, f"监测数据无法使用（{error.message}）须{_MANUAL}。")
    window = review.report.window if review.report is not None else None
    if window is None or window.start is None or window.end is None:
        return _manual(source.name, _NO_WINDOW)
    within = [reading for reading in monitored.readings if window.start <= reading.at.date() <= window.end]
    places = _by_place(review, within)
    known = {id(reading) for readings in places.values() for reading in readings}
    strangers = dict.fromkeys(reading.place for reading in within if id(reading) not in known)
    silent = [place.name for place in review.plan.places if place.id not in places]
    values = [row for place in review.plan.places if place.id in places for row in _values(place, places[place.id])]
    return {
        "source": source.name,
        "status": "read" if values else "manual",
        "note": _note(monitored, within, values, silent),
        "values": first_rows(values, max_items),
        "without_reading": first_rows(silent, max_items),
        "unknown_places": first_rows(strangers, max_items),
        "problems": first_rows(monitored.problems, max_items),
    }


def _manual(name: str | None, note: str) -> dict[str, Any]:
    return {"source": name, "status": "manual", "note": note}


def _by_place(review: Review, readings: Sequence[SensorReading]) -> Mapping[str, list[SensorReading]]:
    """Readings by id of the place whose very name, or whose station's, they carry; a name of two places is nobody's."""
    owners: dict[str, set[str]] = defaultdict(set)
    for place in review.plan.places:
        owners[normal_name(place.name)].add(place.id)
    for station in review.report.readings if review.report is not None else ():
        if station.place_id is not None:
            owners[normal_name(station.station)].add(station.place_id)
    found: dict[str, list[SensorReading]] = defaultdict(list)
    for reading in readings:
        owner = owners.get(normal_name(reading.place), set())
        if len(owner) == 1:
            found[next(iter(owner))].append(reading)
    return found


def _values(place: Place, readings: Sequence[SensorReading]) -> list[dict[str, Any]]:
    rows = []
    for quantity, unit in UNIT_OF.items():
        own = [reading for reading in readings if reading.quantity == quantity]
        if own:
            latest, highest = max(own, key=lambda r: r.at), max(own, key=lambda r: r.value)
            rows.append(
                {
                    "place": place.name,
                    "quantity": quantity,
                    "unit": unit,
                    "readings": len(own),
                    "latest": decimal_text(latest.value),
                    "latest_at": latest.at.isoformat(sep=" "),
                    "highest": decimal_text(highest.value),
                    "highest_at": highest.at.isoformat(sep=" "),
                    "row": highest.row,
                }
            )
    return rows


def _note(
    monitored: Monitored, within: Sequence[SensorReading], values: Sequence[object], silent: Sequence[str]
) -> str:
    parts = [f"测风期间的监测数据 {len(within)} 条" if within else f"没有测风期间的监测数据，须{_MANUAL}"]
    if within and not values:
        parts.append(f"地点名称都对应不上，须{_MANUAL}")
    if values and silent:
        parts.append(f"{len(silent)} 个地点没有监测数据，须{_MANUAL}")
    if monitored.problems:
        parts.append(f"{len(monitored.problems)} 条未采用")
    return "；".join(parts) + "。"
