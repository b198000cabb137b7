"""One number that evidence holds."""

from __future__ import annotations

from dataclasses import dataclass

from agents.guards.quantities.units import Unit

VALUE = "value"
TEXT = "text"
COUNTED = "count"
SUMMED = "sum"
AVERAGED = "mean"
COMPARED = "compared"
EXCLUDED = "excluded"
WEIGHTED = "weighted"
USER = "user"


@dataclass(slots=True)
class Fact:
    """A number with its place and its names.

    Attributes:
        value: The number as it stands.
        unit: Unit of the field, or None where nothing tells it.
        path: Place in the result's data, `places[1].required_m3_min`; `sum:…` and the like for aggregates.
        result: Index of the tool result, -1 for the user's own words.
        words: Telling words of the field's name without its unit.
        scope: Telling words of the fields it lies under.
        names: Strings that stand in the same row: how the row may be called.
        kind: value, text (inside a string), count, sum, mean, compared, excluded, weighted, user.
        group: For an aggregate over a part of a list, the value that makes the part.
        stale: A later result holds the same field with another value.
        is_row: It belongs to one row of a list.
    """

    value: float
    unit: Unit | None
    path: str
    result: int
    words: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    kind: str = VALUE
    group: str = ""
    stale: bool = False
    is_row: bool = False

    @property
    def base(self) -> float:
        """The value in the base unit of its dimension."""
        return self.value * self.unit.factor if self.unit else self.value
