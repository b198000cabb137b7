"""Small plans for the tests of the plan's engine: written as an engineer would speak, not read from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import (
    Bracket,
    CalculationExtract,
    CoefficientTable,
    FanCapacityExtract,
    Mention,
    PlaceExtract,
    PlanExtract,
    SpeedCheckExtract,
    Statement,
    SystemExtract,
)

FILE = "plan.txt"
DECEMBER = Window(start=date(2024, 12, 1), end=date(2024, 12, 31), text="2024年12月", status=WindowStatus.OK)


def proof(quote: str, row: int = 1) -> tuple[Evidence, ...]:
    return (Evidence(file=FILE, page=1, table=1, row=row, quote=quote),)


def printed(text: str | None) -> Printed | None:
    return None if text is None else Printed(value=Decimal(text), text=text, evidence=proof(text))


def calculation(method: str, chain: str, **values: Any) -> CalculationExtract:
    """`calculation("climate", "60×11.3×1.0×1.2×1.5=1221")`."""
    parts = tuple(chain.split("="))
    values.setdefault("label", "Q")
    return CalculationExtract(
        method=Method(method),
        expression=parts[0],
        parts=parts,
        stated=Decimal(parts[-1]),
        evidence=proof(chain),
        **values,
    )


def speed_check(low: str, flow: str, high: str) -> SpeedCheckExtract:
    """`speed_check("60×0.25×11.9=178.5", "1221", "60×4×10.6=2544")`."""
    low_expression, low_value = low.split("=")
    high_expression, high_value = high.split("=")
    return SpeedCheckExtract(
        flow_m3_min=Decimal(flow),
        low_expression=low_expression,
        low_m3_min=Decimal(low_value),
        high_expression=high_expression,
        high_m3_min=Decimal(high_value),
        evidence=proof(f"{low}≤{flow}≤{high}"),
    )


def place(
    name: str,
    place_type: str | None,
    required: str | None,
    planned: str | None,
    *calculations: CalculationExtract,
    basis: Mapping[str, str] | None = None,
    **values: Any,
) -> PlaceExtract:
    """A row of the distribution table with its calculations."""
    figures: dict[str, Any] = {
        key: printed(values.pop(key)) for key in ("chapter_required", "table_area", "table_speed") if key in values
    }
    values.setdefault("system", "东风井系统")
    return PlaceExtract(
        name=name,
        type=PlaceType(place_type) if place_type else None,
        required=printed(required),
        planned=printed(planned),
        calculations=calculations,
        basis={key: value for key, text in (basis or {}).items() if (value := printed(text)) is not None},
        evidence=proof(name),
        **figures,
        **values,
    )


def system(
    name: str, subtotal: str | None, coefficient: str | None, required: str | None, planned: str | None = None
) -> SystemExtract:
    return SystemExtract(
        name=name,
        subtotal=printed(subtotal),
        coefficient=printed(coefficient),
        required=printed(required),
        planned_subtotal=printed(planned),
        evidence=proof(f"{name}小计"),
    )


def statement(key: str, low: str | None = None, high: str | None = None, **values: Any) -> Statement:
    return Statement(
        key=key,
        low=None if low is None else Decimal(low),
        high=None if high is None else Decimal(high),
        evidence=proof(key),
        **values,
    )


def table(coefficient: str, match_field: str, *rows: tuple[str | None, str | None, str, str]) -> CoefficientTable:
    """Rows are (low, high, least value, greatest value)."""
    brackets = tuple(
        Bracket(
            low=None if low is None else Decimal(low),
            high=None if high is None else Decimal(high),
            value_low=Decimal(least),
            value_high=Decimal(greatest),
        )
        for low, high, least, greatest in rows
    )
    return CoefficientTable(
        coefficient=coefficient, match_field=match_field, brackets=brackets, evidence=proof(coefficient)
    )


def plan(places: Sequence[PlaceExtract], **values: Any) -> PlanExtract:
    """A plan of one system, unless systems are given; sums follow from the rows."""
    values.setdefault("period", DECEMBER)
    if "systems" not in values:
        values["systems"] = (sums_of("东风井系统", places),)
    if "mine_total" not in values:
        total = sum(
            (s.required.value for s in values["systems"] if s.required is not None),
            Decimal(0),
        )
        values["mine_total"] = printed(str(total))
    return PlanExtract(file=FILE, mine="甲煤矿", places=tuple(places), **values)


def sums_of(name: str, places: Sequence[PlaceExtract], coefficient: str = "1.2") -> SystemExtract:
    """A system's sum rows as a careful engineer prints them."""
    members = [p for p in places if p.system == name]
    subtotal = sum((p.required.value for p in members if p.required is not None), Decimal(0))
    planned = sum((p.planned.value for p in members if p.planned is not None), Decimal(0))
    return system(name, str(subtotal), coefficient, str(subtotal * Decimal(coefficient)), str(planned))


def mention(name: str, place_type: str, status: str = "正常作业", system_name: str | None = None) -> Mention:
    return Mention(name=name, type=PlaceType(place_type), status=status, system=system_name, evidence=proof(name))


def fan(name: str, need: str, capacity: str, **values: str) -> FanCapacityExtract:
    figures: dict[str, Any] = {key: printed(text) for key, text in values.items()}
    return FanCapacityExtract(
        name=name,
        system="东风井系统",
        need=printed(need),
        capacity=printed(capacity),
        evidence=proof(name),
        **figures,
    )


OWN_TABLES = (
    table(
        "speed_m_s",
        "intake_temperature_c",
        (None, "20", "1.0", "1.0"),
        ("20", "23", "1.0", "1.5"),
        ("23", "26", "1.5", "1.8"),
    ),
    table(
        "k_height",
        "mining_height_m",
        (None, "2.0", "1.0", "1.0"),
        ("2.0", "2.5", "1.1", "1.1"),
        ("2.5", None, "1.2", "1.2"),
    ),
    table(
        "k_length",
        "face_length_m",
        ("80", "150", "1.0", "1.0"),
        ("150", "200", "1.0", "1.3"),
        ("200", None, "1.3", "1.5"),
    ),
)
OWN_RULES = (
    statement("area_basis", text="mean_effective_net", place_type=PlaceType.COAL_FACE),
    statement("gas_factor", "100", place_type=PlaceType.COAL_FACE),
    statement("gas_unbalance", "1.2", "1.6", scope="综采", place_type=PlaceType.COAL_FACE),
    statement("reserve_coefficient", "1.2", "1.2"),
    statement("explosive_factor", "10", scope="三级煤矿许用炸药", place_type=PlaceType.HEADING),
    statement("theta", "0.02", "0.04", scope="变电所", place_type=PlaceType.CHAMBER),
    statement("floor_m3_min", "60", scope="机电硐室", place_type=PlaceType.CHAMBER),
)
FACE_BASIS = {
    "mining_height_m": "3.8",
    "face_length_m": "240",
    "intake_temperature_c": "19",
    "speed_m_s": "1.0",
    "area_m2": "11.3",
    "area_max_m2": "11.9",
    "area_min_m2": "10.6",
    "gas_m3_min": "2.13",
    "gas_unbalance": "1.4",
    "people": "42",
    "k_height": "1.2",
    "k_length": "1.5",
}


def face(name: str = "101综采工作面", **changes: Any) -> PlaceExtract:
    """A coal face without a fault; `changes` replace fields."""
    sound = place(
        name,
        "coal_face",
        "1221",
        "1225",
        calculation("climate", "60×11.3×1.0×1.2×1.5=1221"),
        calculation("gas", "100×2.13×1.4=298.2"),
        calculation("people", "4×42=168"),
        basis=FACE_BASIS,
        chapter_required="1221",
        table_area="11.3",
        table_speed="1.81",
        speed_checks=(speed_check("60×0.25×11.9=178.5", "1221", "60×4×10.6=2544"),),
    )
    return replace(sound, **changes)


def heading(name: str = "103运输顺槽掘进工作面", **changes: Any) -> PlaceExtract:
    """A coal heading without a fault."""
    sound = place(
        name,
        "heading",
        "628",
        "630",
        calculation("gas", "100×1.48×1.7=251.6"),
        calculation("people", "4×25=100"),
        calculation("local_fan", "350×1+15×18.5=628"),
        basis={
            "area_m2": "18.5",
            "fan_flow_m3_min": "350",
            "fan_count": "1",
            "gas_m3_min": "1.48",
            "gas_unbalance": "1.7",
            "people": "25",
        },
        attributes={"roadway_kind": "煤巷", "drive_method": "综掘"},
        chapter_required="628",
        table_area="18.5",
        table_speed="0.57",
        speed_checks=(speed_check("60×0.25×18.5=277.5", "628", "60×4×18.5=4440"),),
    )
    return replace(sound, **changes)


def substation(name: str = "一采区变电所", **changes: Any) -> PlaceExtract:
    """A substation whose heat asks for less than the floor."""
    sound = place(
        name,
        "chamber",
        "60",
        "60",
        calculation("heat", "3600×240×0.02÷(1.2×1.0006×60×5)=48"),
        basis={"heat_kw": "240", "theta": "0.02", "delta_t_c": "5"},
        chapter_required="60",
    )
    return replace(sound, **changes)


def roadway(name: str = "一采区回风巷", **changes: Any) -> PlaceExtract:
    """A roadway inside its district."""
    sound = place(
        name,
        "other_roadway",
        "416",
        "420",
        calculation("gas", "100×3.20×1.3=416"),
        calculation("speed_min", "60×0.25×18.5=278"),
        basis={"area_m2": "18.5", "gas_m3_min": "3.20", "gas_unbalance": "1.3"},
        attributes={"zone": "采区内"},
        chapter_required="416",
        table_area="18.5",
        table_speed="0.38",
    )
    return replace(sound, **changes)


def sound_plan(*places: PlaceExtract, **values: Any) -> PlanExtract:
    """A plan without a fault, or with the places given instead of the usual four."""
    rows = places or (face(), heading(), substation(), roadway())
    return plan(rows, statements=OWN_RULES, tables=OWN_TABLES, **values)


def calculated(row: PlaceExtract, *calculations: CalculationExtract, need: str, planned: str = "") -> PlaceExtract:
    """The row with other calculations, and the need they lead to in chapter and table; no speeds are printed."""
    value = printed(need)
    return replace(
        row,
        calculations=calculations,
        required=value,
        chapter_required=value,
        planned=printed(planned or need),
        table_speed=None,
        speed_checks=(),
    )


def basis(row: PlaceExtract, **values: str) -> PlaceExtract:
    known = {**row.basis, **{key: value for key, text in values.items() if (value := printed(text)) is not None}}
    return replace(row, basis=known)


def without(row: PlaceExtract, *keys: str) -> PlaceExtract:
    return replace(row, basis={key: value for key, value in row.basis.items() if key not in keys})


CLIMATE = calculation("climate", "60×11.3×1.0×1.2×1.5=1221")
GAS = calculation("gas", "100×2.13×1.4=298.2")
PEOPLE = calculation("people", "4×42=168")
