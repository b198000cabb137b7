"""The records of the rule library, as they stand in `rules/*.json`.

Every record says where it comes from (`source`), which clause it rests on (`待核对` until a person has checked the
official text) and from when to when it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.model import RuleRef
from algorithms.airflow_review.value_class import dataclass

UNCHECKED = "待核对"


class Origin(StrEnum):
    """Whose record it is."""

    LIBRARY = "library"
    REPLACES = "replaces"  # a mine's, under an id of the library
    ADDS = "adds"  # a mine's, under an id of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What every record has."""

    id: str
    edition: str
    clause: str
    source: str
    effective_from: date | None = None
    effective_to: date | None = None
    file: str = ""  # name of the file it was read from
    origin: Origin = Origin.LIBRARY

    @property
    def ref(self) -> RuleRef:
        """The reference a finding carries."""
        return RuleRef(id=self.id, edition=self.edition, clause=self.clause)

    def holds_on(self, day: date | None) -> bool:
        """Whether the record is in force on `day`; without a day the newest record counts (open end)."""
        if day is None:
            return self.effective_to is None
        return (self.effective_from or day) <= day <= (self.effective_to or day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Record):
    """One number of the rules."""

    value: Decimal
    unit: str
    policy_source: str | None = None  # who set it, where it is policy and not a regulation
    at_least: Decimal | None = None  # what a mine may set in its place; always above 0
    at_most: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Record):
    """A check without a number of its own; `text` says what it demands."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One lawful writing of a formula; `when` names the marker values it belongs to, marker by marker."""

    id: str
    expression: str
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    factor: Decimal | None = None  # the constant a plan may declare in its own rules, see `Formula.declared_by`


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula(Record):
    """A method for some types of places, in all its variants."""

    method: Method
    place_types: tuple[PlaceType, ...]
    variants: tuple[Variant, ...]
    optional: frozenset[str] = frozenset()  # symbols an engineer may leave out (a factor of 1)
    additive: frozenset[str] = frozenset()  # symbols that may be printed as several addends
    minimum: str | None = None  # expression the result must reach, whatever variant is used
    minimum_constant: str | None = None  # id of the constant behind it
    input: str | None = None  # key of a place's basis whose presence asks for this method
    declared_by: str | None = None  # key of the plan's statement that names the factor and so the variant
    must_be_known: frozenset[str] = frozenset()  # symbols that never stand for a number of unknown meaning
    applies_when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # markers that must not contradict
    deviation: str = "wrong_constant"  # kind of finding when a variant is used that does not apply


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Record):
    """A bracket table of the library; `match_field` is the basis value looked up, `bounds` what it must cover."""

    family: str
    coefficient: str
    match_field: str
    place_types: tuple[PlaceType, ...]
    bounds: tuple[Decimal | None, Decimal | None]
    brackets: tuple[Bracket, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Record):
    """The interval a coefficient is chosen from, for places with the given markers."""

    coefficient: str
    place_types: tuple[PlaceType, ...]
    when: Mapping[str, tuple[str, ...]]
    low: Decimal | None
    high: Decimal | None
    deviation: str = "coefficient_out_of_bracket"  # kind of finding outside the interval


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedLimit(Record):
    """Least and greatest air speed of a kind of airway, m/s."""

    place_types: tuple[PlaceType, ...]
    when: Mapping[str, tuple[str, ...]]
    low_m_s: Decimal | None
    high_m_s: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor(Record):
    """The least airflow of a kind of place, m³/min."""

    place_types: tuple[PlaceType, ...]
    when: Mapping[str, tuple[str, ...]]
    flow_m3_min: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A fact about parameters that chooses variants: its values and the words that name them."""

    name: str
    text: str
    values: Mapping[str, tuple[str, ...]]
    words: tuple[tuple[str, str], ...]  # (word, value), longest word first


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A symbol of the formulas: unit, Chinese name, whether it is a coefficient, and what is plausible."""

    key: str
    text: str
    unit: str
    coefficient: bool
    low: Decimal | None  # plausible range; a value outside is `unit_suspect`
    high: Decimal | None
    slips: Mapping[str, Decimal] = field(default_factory=dict)  # name of the slip → factor that mends it

    def is_plausible(self, value: Decimal) -> bool:
        """Whether something real can have this value; both ends belong to the range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
