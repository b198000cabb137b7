"""What the two documents say, before anything is judged.

`reading/` fills these from a parsed document (or a language model fills the same shape through the template);
`engine/` judges them. Nothing here is computed: every number is printed somewhere and says where. A field that
the document does not print is None; two places with one name stay two entries (R-PIT-15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed, Recognition, Window
from algorithms.airflow_review.value_class import dataclass

# Keys of `PlaceExtract.basis`, with their units in the name. The reading layer maps header words to these.
BASIS_KEYS = (
    "mining_height_m",
    "face_length_m",
    "intake_temperature_c",
    "speed_m_s",
    "area_m2",  # the section substituted in climate and speed formulas
    "area_max_m2",  # 最大控顶
    "area_min_m2",  # 最小控顶
    "roof_span_m",  # 平均控顶距
    "gas_m3_min",
    "co2_m3_min",
    "gas_unbalance",
    "co2_unbalance",
    "people",
    "charge_kg",
    "fan_flow_m3_min",
    "fan_count",
    "working_need_m3_min",  # 备用面: 回采时需风量
    "heat_kw",
    "theta",
    "delta_t_c",
    "volume_m3",
    "hydrogen_m3_min",
    "diesel_kw",
    "k_height",
    "k_length",
    "k_temperature",
    "air_density_kg_m3",
    "heat_capacity_kj_kg_k",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculationExtract:
    """One printed calculation: `label = expression = … = stated unit`."""

    method: Method
    label: str  # Q采1
    expression: str  # as printed, first part after the label: 60×11.3×1.0×1.2×1.5
    parts: tuple[str, ...]  # every part between equals signs, in order, result included
    stated: Decimal  # the last result, in m³/min (or the unit in `unit`)
    unit: str = "m3/min"
    formula: str = ""  # the general formula printed nearest before it, e.g. Q采=60×70%×v采×S采×K采高×K采面长
    where: str = ""  # 式中 and the sentence that introduces the substituted values
    subject: str = ""  # name of the system a mine-level calculation is about
    repaired: bool = False  # an operator was repaired (÷ read as +); a Doubt says so too
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCheckExtract:
    """风速验算: low_expression = low ≤ Q ≤ high_expression = high; either side may be absent."""

    flow_m3_min: Decimal | None = None
    low_expression: str = ""
    low_m3_min: Decimal | None = None
    high_expression: str = ""
    high_m3_min: Decimal | None = None
    conclusion: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceExtract:
    """One row of a distribution table, with the calculation chapter's text on the same place."""

    name: str  # as printed in the distribution table
    type: PlaceType | None
    type_text: str = ""
    system: str | None = None
    required: Printed | None = None  # 需风量, m³/min, distribution table
    planned: Printed | None = None  # 计划配风量, m³/min
    chapter_required: Printed | None = None  # the result the calculation chapter ends with (取最大值 …)
    table_area: Printed | None = None  # 断面 column, m²
    table_speed: Printed | None = None  # 风速 column, m/s
    basis: Mapping[str, Printed] = field(default_factory=dict)  # keys: BASIS_KEYS
    basis_again: tuple[tuple[str, Printed], ...] = ()  # (key, value) printed once more with another value
    attributes: Mapping[str, str] = field(
        default_factory=dict
    )  # area_label, drive_method, roadway_kind, chamber_kind, zone, explosive_grade …
    calculations: tuple[CalculationExtract, ...] = ()
    speed_checks: tuple[SpeedCheckExtract, ...] = ()
    series_after: str | None = None  # name of the place whose return air it uses
    stopped: bool = False  # 停采, 停掘, 已封闭 …
    no_station: bool = False  # remark says it has no station, or it is an allowance row
    remark: str = ""
    evidence: tuple[Evidence, ...] = ()  # the distribution row first
    chapter_evidence: tuple[Evidence, ...] = ()  # heading of its calculation section
    unproven: tuple[str, ...] = ()  # what a filled template said of it and a person has to look at


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemExtract:
    """One return-air system: sum rows of its distribution table, or its row of the summary table."""

    name: str
    subtotal: Printed | None = None  # Σ required
    planned_subtotal: Printed | None = None
    coefficient: Printed | None = None  # K通
    required: Printed | None = None  # subtotal × K
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """One row of a coefficient table; None is an open end. Both ends belong to the bracket."""

    low: Decimal | None
    high: Decimal | None
    value_low: Decimal
    value_high: Decimal
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientTable:
    """A bracket table printed in the plan's own rules (细则)."""

    coefficient: str  # speed_m_s, k_height, k_length, k_temperature, theta …
    match_field: str  # intake_temperature_c, mining_height_m, face_length_m …
    brackets: tuple[Bracket, ...]
    title: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A fact the principles chapter states, keyed so that a rule can look it up.

    Keys: `area_basis` (text net | effective | mean_effective_net), `area_basis_formula` (the same, told by the general
    formula alone), `gas_unbalance`, `co2_unbalance` (range, `scope` 机掘 …), `theta` (range, `scope` 变电所 …),
    `gas_factor`, `co2_factor`, `explosive_factor`, `people_factor`, `hydrogen_factor`, `diesel_factor`,
    `additive_per_m2`, `min_speed_m_s`, `max_speed_m_s` (low = high = the printed factor), `floor_m3_min` (low),
    `empirical_m3_min` (range), `method` (text: a method the chapter demands and the plan applies to most places of the
    kind), `reserve_coefficient` (range), `reserve_range` (what it may be by the plan's own rules), `rounding` (text up | half_up), `infusion_and_sprays`, `return_shaft_hoist`,
    `no_return_shaft_hoist`, `effective_rate_denominator` (text).
    """

    key: str
    scope: str = ""  # what it is about, in the plan's words
    text: str = ""
    low: Decimal | None = None
    high: Decimal | None = None
    place_type: PlaceType | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A place named outside the distribution tables: working plan, lists in the text."""

    name: str
    type: PlaceType | None
    status: str = ""  # 正常作业, 备用, 停采 …
    system: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FanCapacityExtract:
    """One row of the fan capacity table of the plan."""

    name: str
    system: str | None = None
    need: Printed | None = None  # m³/min
    capacity: Printed | None = None  # 最大风量, m³/min
    pressure: Printed | None = None  # 运行负压, Pa
    pressure_max: Printed | None = None  # 曲线最高静压, Pa
    blade_angle: Printed | None = None  # degrees
    efficiency: Printed | None = None  # %
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExtract:
    """Everything the engine needs of a plan."""

    file: str
    mine: str | None = None
    period: Window = field(default_factory=Window)
    issued_on: date | None = None
    places: tuple[PlaceExtract, ...] = ()
    systems: tuple[SystemExtract, ...] = ()  # sum rows of the distribution tables
    summary: tuple[SystemExtract, ...] = ()  # rows of the summary table, if printed
    mine_total: Printed | None = None
    mine_total_expression: str = ""
    tables: tuple[CoefficientTable, ...] = ()
    statements: tuple[Statement, ...] = ()
    mentions: tuple[Mention, ...] = ()
    fans: tuple[FanCapacityExtract, ...] = ()
    loose_calculations: tuple[CalculationExtract, ...] = ()  # tied to no place
    doubts: tuple[Doubt, ...] = ()
    unproven: tuple[str, ...] = ()  # what a filled template said of the mine and a person has to look at
    recognition: Recognition | None = None  # where pages are scans


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingExtract:
    """One row of the measurement report."""

    station: str
    kind: str = "other"  # intake return fan face heading chamber other
    location: str = ""  # what the row says of its place, when apart from the station
    area: Printed | None = None  # m²
    speed: Printed | None = None  # m/s
    flow: Printed | None = None  # m³/min
    temperature: Printed | None = None  # ℃
    ch4: Printed | None = None  # %
    co2: Printed | None = None  # %
    planned: Printed | None = None  # m³/min, where the report prints the plan's figure beside
    extra: Mapping[str, Printed] = field(default_factory=dict)  # fan_intake_m3_min, duct_outlet_m3_min …
    block: str = ""  # heading of the block the row stands in
    remark: str = ""
    place: int | None = None  # index of the plan's place a person tied it to; no document says it
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FanExtract:
    """One main fan of the report."""

    name: str
    system: str | None = None
    flow: Printed | None = None  # m³/min
    pressure: Printed | None = None  # Pa
    pressure_kind: str | None = None  # static | total
    blade_angle: Printed | None = None  # degrees
    speed: Printed | None = None  # r/min
    power: Printed | None = None  # kW
    efficiency: Printed | None = None  # %
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportExtract:
    """Everything the engine needs of a measurement report."""

    file: str
    mine: str | None = None
    window: Window = field(default_factory=Window)
    readings: tuple[ReadingExtract, ...] = ()
    total_intake: Printed | None = None
    total_return: Printed | None = None
    fans: tuple[FanExtract, ...] = ()
    stated_rates: Mapping[str, Printed] = field(
        default_factory=dict
    )  # effective_rate, effective_m3_min, external_leakage …
    statements: tuple[Statement, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    recognition: Recognition | None = None  # where pages are scans
