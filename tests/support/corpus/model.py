"""What a case consists of. The records are not frozen: a seeded mistake is a change of one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

FACE, STANDBY, HEADING, CHAMBER, ROADWAY = "coal_face", "standby_face", "heading", "chamber", "other_roadway"


@dataclass(slots=True, kw_only=True)
class Method:
    """One printed calculation of a place."""

    key: str  # climate, gas, co2, people, explosive, local_fan, heat, volume, hydrogen, speed_min, diesel, standby_half
    formula: str  # substituted numbers in canonical signs
    printed: str = ""  # printed result, m³/min
    variant: str | None = None
    label: dict[str, str] = field(default_factory=dict)  # coefficients named beside the formula
    lead: str = ""  # printed intermediate form before the result, for chains
    shown: bool = True
    division_as_plus: bool = False  # the text layer lost the division sign


@dataclass(slots=True, kw_only=True)
class Place:
    """One place of use."""

    name: str
    kind: str
    way: str  # how it is worked or what it serves: 综采, 炮掘, 变电 ...
    system: int
    stem: str = ""  # the name without 工作面 and the like
    facts: dict[str, str] = field(default_factory=dict)
    methods: list[Method] = field(default_factory=list)
    floor_m3_min: int = 0
    fixed_need: str = ""  # small chambers: taken by experience
    required: str = ""  # printed at the end of the calculation
    table_required: str = ""  # printed in the distribution
    planned: str = ""
    planned_before: str = ""  # what the author had added up before the cell went wrong
    table_area: str = ""
    remark: str = ""
    true_need: Fraction = Fraction(0)  # what it needs without any mistake, m³/min
    series_after: str = ""
    has_station: bool = True
    stopped: bool = False  # no air, no row that counts
    in_works: bool = True  # named in the working plan of the month
    in_calculation: bool = True
    in_distribution: bool = True
    takes: str = ""  # key of the method that is taken, if not the largest
    bound_m_s: str = "4"
    touched: bool = False
    cells_open: set[str] = field(default_factory=set)  # cells that carry the fault itself
    open_verdict: bool = False
    stations: list[str] = field(default_factory=list)

    def planned_in_sum(self) -> Fraction:
        """What the author adds up, m³/min."""
        return Fraction(self.planned_before or self.planned)

    def method(self, key: str) -> Method | None:
        """The calculation of that kind."""
        return next((method for method in self.methods if method.key == key), None)


@dataclass(slots=True, kw_only=True)
class System:
    """One return-air system."""

    name: str
    fan: str
    fan_limit_m3_min: int = 0
    pressure_pa: int = 0
    angle: str = ""
    subtotal: str = ""
    planned_subtotal: str = ""
    coefficient: str = ""
    required: str = ""
    true_required: Fraction = Fraction(0)
    open_cells: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Reading:
    """One row of the measurement report; numbers as printed."""

    station: str
    kind: str
    area: str | None = None
    speed: str | None = None
    flow: str = ""
    temperature: str | None = None
    ch4: str | None = None
    co2: str | None = None
    place: str = ""
    system: int | None = None
    side: str = ""  # 进风 or 回风 of a face
    counts: bool = True  # in the effective air; the second place of a series uses air that is counted already
    flow_is_open: bool = False

    @property
    def side_names(self) -> list[str]:
        """What a station is called where the head of the table says which side it is."""
        if not self.side:
            return []
        base = self.station.replace(f"（{self.side}）", "").split(self.side)[0]
        return [base, base + self.side, f"{base}{self.side}侧", f"{base}（{self.side}）", f"{base}（{self.side}侧）"]


@dataclass(slots=True, kw_only=True)
class Survey:
    """The measurement report."""

    title: str
    window_text: str
    window: tuple[str, str]
    readings: list[Reading] = field(default_factory=list)
    total_intake: str = ""
    total_return: str = ""
    effective: str = ""
    effective_rate: str = ""
    leakage: str = ""
    notes: list[str] = field(default_factory=list)
    totals_open: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Finding:
    """One row of truth about a seeded mistake or a consequence of it."""

    kind: str
    subject: str
    note: str
    severity_min: str = "warning"
    where: str = "plan"
    any_subject: list[str] = field(default_factory=list)
    other_kinds: list[str] = field(default_factory=list)
    optional: bool = False
    proof: str = ""  # text of the faulty line, to find its page

    def as_truth(self) -> dict[str, Any]:
        """The row in the form of the scorer."""
        row: dict[str, Any] = {"kind": self.kind, "subject": self.subject, "note": self.note}
        if self.any_subject:
            row["subjects_any"] = self.any_subject
        if self.other_kinds:
            row["acceptable_kinds"] = self.other_kinds
        if self.optional:
            row["optional"] = True
        else:
            row |= {"severity_min": self.severity_min, "where": self.where}
        return row


@dataclass(slots=True, kw_only=True)
class Mine:
    """The mine, its month and everything its plan says."""

    name: str
    year: int
    month: int
    period_text: str
    period: tuple[str, str] | None
    systems: list[System]
    places: list[Place] = field(default_factory=list)
    basis: str = "effective"  # of the section that is substituted at faces
    gas_factor: int = 100
    explosive_factor: int = 10
    reserve: str = "1.2"
    reserve_in_text: str = ""  # differs only by a mistake
    planned_step: int = 5
    reserve_percent: int = 0
    people: int = 0
    is_dated: bool = True  # the month stands in titles and captions
    total: str = ""
    total_open: bool = False
    allows_5_m_s: bool = False
    series_note: str = ""
    stopped_notes: list[str] = field(default_factory=list)
    extra_works: list[tuple[str, str, int]] = field(default_factory=list)  # named only in the working plan
    extra_notes: list[str] = field(default_factory=list)

    def of_system(self, index: int) -> list[Place]:
        """The places whose return air goes there."""
        return [place for place in self.places if place.system == index]
