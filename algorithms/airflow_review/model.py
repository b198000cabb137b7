"""The review: types of `review.json` (schema airflow_review/1), field for field as in the contract.

Decimals inside; `render.json_text` writes them as JSON numbers without rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Window
from algorithms.airflow_review.value_class import dataclass

SCHEMA = "airflow_review/1"
MINE_ID = "矿井"  # the subject of whatever belongs to no single place, reading or system


class Severity(StrEnum):
    """note < manual = warning < error < blocking."""

    NOTE = "note"
    MANUAL = "manual"
    WARNING = "warning"
    ERROR = "error"
    BLOCKING = "blocking"


class FindingKind(StrEnum):
    """The closed list of the contract, §4."""

    ARITHMETIC_MISMATCH = "arithmetic_mismatch"
    ROUNDED_DOWN = "rounded_down"
    VARIANT_MISMATCH = "variant_mismatch"
    COEFFICIENT_OUT_OF_BRACKET = "coefficient_out_of_bracket"
    COEFFICIENT_INCONSISTENT = "coefficient_inconsistent"
    WRONG_CONSTANT = "wrong_constant"
    NOT_THE_MAXIMUM = "not_the_maximum"
    SPEED_CHECK_FAILED = "speed_check_failed"
    MISSING_METHOD = "missing_method"
    UNIT_SUSPECT = "unit_suspect"
    SUBTOTAL_MISMATCH = "subtotal_mismatch"
    TOTAL_MISMATCH = "total_mismatch"
    DUPLICATE_ENTRY = "duplicate_entry"
    MISSING_PLACE = "missing_place"
    STOPPED_PLACE = "stopped_place"
    SERIES_COUNTED_TWICE = "series_counted_twice"
    CONFLICTING_VALUES = "conflicting_values"
    PLANNED_BELOW_REQUIRED = "planned_below_required"
    FAN_CAPACITY = "fan_capacity"
    UNPARSABLE_EFFECTIVE_WINDOW = "unparsable_effective_window"
    WINDOW_MISMATCH = "window_mismatch"
    ALIAS_UNCERTAIN = "alias_uncertain"
    MEASURED_SHORTAGE = "measured_shortage"
    MEASURED_SERIOUS = "measured_serious"
    MEASURED_EXCESS = "measured_excess"
    READING_INCONSISTENT = "reading_inconsistent"
    LEAKAGE = "leakage"
    EFFECTIVE_RATE = "effective_rate"
    GAS_OR_HEAT_LIMIT = "gas_or_heat_limit"
    NOT_MEASURED = "not_measured"
    EXTRACTION_DOUBT = "extraction_doubt"


class Verdict(StrEnum):
    """What a comparison row says."""

    OK = "ok"
    WATCH = "watch"
    SHORTAGE = "shortage"
    SERIOUS = "serious"
    EXCESS = "excess"
    NOT_JUDGED = "not_judged"


class CheckStatus(StrEnum):
    """Outcome of a re-computation."""

    OK = "ok"
    MISMATCH = "mismatch"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One input document."""

    role: str  # plan | report
    file: str
    sha256: str
    pages: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSource:
    """The rule library a review was made with."""

    id: str
    edition: str
    mine: str | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """A printed calculation and its re-computation."""

    label: str
    method: Method
    expression: str
    inputs: Mapping[str, Decimal]
    stated: Decimal
    recomputed: Decimal | None
    unit: str
    rounding: str | None  # exact | ceil | half_up | chain | None where none reproduces it
    variant: str | None
    variant_selection: str  # declared | inferred_from_stated_calculation | default
    status: CheckStatus
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCheck:
    """Air speed of a place against its limits."""

    area_m2: Decimal | None
    v_m_s: Decimal | None
    min: Decimal | None  # m/s
    max: Decimal | None  # m/s
    status: CheckStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place of use of the plan."""

    id: str
    name: str
    type: PlaceType
    system: str | None  # id of the system
    series_after: str | None
    basis: Mapping[str, Decimal]
    stated_required_m3_min: Decimal | None
    planned_m3_min: Decimal | None
    required_m3_min: Decimal | None
    required_source: str  # recomputed | plan_stated | missing
    calculations: tuple[Calculation, ...]
    speed_check: SpeedCheck | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One return-air system with its sums."""

    id: str
    name: str
    members: tuple[str, ...]  # ids of places, duplicates kept
    subtotal_stated: Decimal | None
    subtotal_recomputed: Decimal | None
    planned_subtotal_stated: Decimal | None
    planned_subtotal_recomputed: Decimal | None
    coefficient: Decimal | None
    required_stated: Decimal | None
    required_recomputed: Decimal | None
    status: CheckStatus
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MineTotal:
    """The mine's required airflow."""

    stated: Decimal | None
    recomputed: Decimal | None
    status: CheckStatus
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan as judged."""

    mine: str | None
    period: Window
    issued_on: date | None
    places: tuple[Place, ...]
    systems: tuple[System, ...]
    mine_total: MineTotal


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading of the report."""

    id: str
    station: str
    place_id: str | None
    kind: str  # intake return fan face heading chamber other
    area_m2: Decimal | None
    speed_m_s: Decimal | None
    flow_m3_min: Decimal | None
    temperature_c: Decimal | None
    ch4_pct: Decimal | None
    co2_pct: Decimal | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fan:
    """One main fan as measured."""

    name: str
    system: str | None
    flow_m3_min: Decimal | None
    pressure_pa: Decimal | None
    pressure_kind: str | None
    blade_angle_deg: Decimal | None
    speed_rpm: Decimal | None
    power_kw: Decimal | None
    efficiency: Decimal | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Mine-level rates, computed from the readings beside what the report states."""

    effective_m3_min: Decimal | None
    effective_rate: Decimal | None
    denominator: str | None  # total_intake | main_fan
    external_leakage: Decimal | None
    stated: Mapping[str, Decimal]
    resistance: Decimal | None = None
    equivalent_orifice_m2: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The measurement report as judged."""

    mine: str | None
    window: Window
    readings: tuple[Reading, ...]
    total_intake_m3_min: Decimal | None
    total_return_m3_min: Decimal | None
    fans: tuple[Fan, ...]
    rates: Rates | None


class AlignmentStatus(StrEnum):
    """The time gate."""

    ALIGNED = "ALIGNED"
    ALIGN_MANUAL = "ALIGN_MANUAL"
    ALIGN_FAILED = "ALIGN_FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """Whether plan and measurement belong to the same time."""

    status: AlignmentStatus
    reason: str
    reason_en: str = ""  # empty in a review written before there was one


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One subject, one basis."""

    subject: str  # id of a place or system, or 矿井
    subject_name: str
    type: PlaceType
    basis: str  # plan_required | measured_planned | measured_required
    required: Decimal | None
    planned: Decimal | None
    measured: Decimal | None
    ratio: Decimal | None
    margin_m3_min: Decimal | None
    threshold: Decimal | None
    policy_source: str | None
    verdict: Verdict
    reason: str = ""
    reason_en: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRef:
    """The rule behind a finding."""

    id: str
    edition: str
    clause: str  # 待核对 where nobody has checked the official text


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, doubtful or worth a remark."""

    id: str
    kind: FindingKind
    severity: Severity
    subject: str  # id of a place, reading or system; 矿井 for all else
    subject_name: str
    stated: Decimal | str | None
    expected: Decimal | str | None
    unit: str | None
    rule: RuleRef | None
    message: str
    clears_when: str
    message_en: str = ""  # as `clears_when_en` empty in a review written before there was one
    clears_when_en: str = ""
    stated_en: str | None = None  # only where `stated` is no number and no quote
    expected_en: str | None = None
    cause: str | None = None  # id of the finding this one is a consequence of
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A person's correction (R-AIR-11)."""

    path: str
    old: str | None
    new: str
    who: str
    when: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts and the verdict in one word."""

    verdict: str  # manual | blocked | conclusive_with_errors | conclusive
    by_severity: Mapping[str, int]
    by_verdict: Mapping[str, int]  # of the comparisons of basis measured_required
    deficit_m3_min: Mapping[str, Decimal]  # place or system id → how much is missing
    surplus_m3_min: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Everything about one plan and, if there is one, its measurement report."""

    inputs: tuple[InputFile, ...]
    rules: RuleSource
    plan: Plan
    report: Report | None
    alignment: Alignment | None
    comparisons: tuple[Comparison, ...]
    findings: tuple[Finding, ...]
    summary: Summary
    settled: tuple[Settled, ...] = field(default=())
    schema: str = SCHEMA
