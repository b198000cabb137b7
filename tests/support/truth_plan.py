"""Plans built from the truth of the fixtures, so that the report's engine is tested without the plan's reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from algorithms.airflow_review.evidence import PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import PlaceExtract, PlanExtract, SystemExtract
from algorithms.airflow_review.model import CheckStatus, MineTotal, Place, Plan, System

FIXTURES = Path(__file__).parents[1] / "fixtures" / "airflow"


def truth_cases(group: str) -> dict[str, dict[str, Any]]:
    """The cases of a group by id."""
    data = json.loads((FIXTURES / group / "truth.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in data["cases"]}


def truth_window(period: Mapping[str, str] | None) -> Window:
    """A window from the truth; None is unparsable."""
    if period is None:
        return Window(text="本月", status=WindowStatus.UNPARSABLE)
    start, end = date.fromisoformat(period["start"]), date.fromisoformat(period["end"])
    return Window(start=start, end=end, text=f"{start}～{end}", status=WindowStatus.OK)


def truth_plan(truth: Mapping[str, Any]) -> tuple[Plan, PlanExtract]:
    """Plan and extract that hold what the truth says of names, types, systems and figures."""
    names = list(dict.fromkeys(system["name"] for system in truth["systems"]))
    extracts = tuple(_extract(place) for place in truth["places"] if not place.get("optional"))
    places = tuple(_place(i, extract, names) for i, extract in enumerate(extracts))
    systems = tuple(
        System(
            id=f"S{i + 1}",
            name=system["name"],
            members=tuple(p.id for p in places if p.system == f"S{i + 1}"),
            subtotal_stated=_dec(system["subtotal"]),
            subtotal_recomputed=_dec(system["subtotal"]),
            planned_subtotal_stated=_dec(system.get("planned_subtotal")),
            planned_subtotal_recomputed=_dec(system.get("planned_subtotal")),
            coefficient=_dec(system["coefficient"]),
            required_stated=_dec(system["required"]),
            required_recomputed=_dec(system["required"]),
            status=CheckStatus.OK,
        )
        for i, system in enumerate(truth["systems"])
    )
    total = _dec(truth["mine_total"])
    plan = Plan(
        mine=truth.get("mine"),
        period=truth_window(truth["period"]),
        issued_on=None,
        places=places,
        systems=systems,
        mine_total=MineTotal(stated=total, recomputed=total, status=CheckStatus.OK),
    )
    extract = PlanExtract(
        file="plan",
        mine=truth.get("mine"),
        period=truth_window(truth["period"]),
        places=extracts,
        systems=tuple(SystemExtract(name=name) for name in names),
    )
    return plan, extract


def _extract(place: Mapping[str, Any]) -> PlaceExtract:
    vehicles = "胶轮车" in place["name"] and place["name"].endswith("车")
    return PlaceExtract(
        name=place["name"],
        type=PlaceType(place["type"]),
        system=place["system"],
        required=_printed(place["required"]),
        planned=_printed(place["planned"]),
        no_station=vehicles,
        remark="附加风量，不设测点" if vehicles else "",
    )


def _place(index: int, extract: PlaceExtract, systems: list[str]) -> Place:
    required = None if extract.required is None else extract.required.value
    return Place(
        id=f"P{index + 1:03d}",
        name=extract.name,
        type=extract.type or PlaceType.COAL_FACE,
        system=f"S{systems.index(extract.system) + 1}" if extract.system in systems else None,
        series_after=None,
        basis={},
        stated_required_m3_min=required,
        planned_m3_min=None if extract.planned is None else extract.planned.value,
        required_m3_min=required,
        required_source="plan_stated",
        calculations=(),
        speed_check=None,
    )


def _printed(value: Any) -> Printed | None:
    number = _dec(value)
    return None if number is None else Printed(value=number, text=str(number))


def _dec(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))
