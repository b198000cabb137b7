"""What the guard says about one number of a reply."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Grounding(StrEnum):
    """How a number is borne out, or that it is not."""

    EXACT = "exact"
    ROUND = "round"
    UNIT = "unit"
    AGGREGATE = "agg"
    EQUATION = "equation"
    DERIVED = "derived"
    USER = "user"
    EXEMPT = "exempt"
    UNGROUNDED = "UNGROUNDED"
    CONTRADICTED = "CONTRADICTED"


FLAGGED = frozenset({Grounding.UNGROUNDED, Grounding.CONTRADICTED})


class Source(NamedTuple):
    """Where a number comes from: a field of a tool's result, or the user (`tool` is empty)."""

    tool: str
    call_id: str
    path: str
    value: float


class NumberVerdict(NamedTuple):
    """The verdict on one number.

    Attributes:
        start: Offset in the reply, half open with `end`; sign, 万 and % included, the unit excluded.
        text: The number as written.
        value: Its value as printed, multipliers resolved.
        unit: Its unit, or empty.
        grounding: The verdict.
        operation: What was done with the sources: `exact`, `round`, `unit`, `diff`, `sum` …; the kind of an exempt one.
        sources: The fields it comes from.
        critical: The critical field that it is stated for, or empty.
        expected: For a contradicted number, what the field holds; never put in its place.
    """

    start: int
    end: int
    text: str
    value: float
    unit: str
    grounding: Grounding
    operation: str = ""
    sources: tuple[Source, ...] = ()
    critical: str = ""
    expected: tuple[Source, ...] = ()

    @property
    def is_flagged(self) -> bool:
        """Whether nothing bears it out."""
        return self.grounding in FLAGGED
