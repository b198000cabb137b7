"""A quantity as printed in a text."""

from __future__ import annotations

from dataclasses import dataclass

from agents.guards.quantities.units import RATIO, Unit


@dataclass(slots=True)
class Quantity:
    """A number with its unit and its printed precision.

    Attributes:
        start: Offset of the first character, sign included.
        end: Offset behind the number with 万, %, 分之 and the like, the unit excluded.
        unit_end: Offset behind the unit, or `end`.
        value: As printed with its multiplier: 2.84万 is 28400, 43.3% is 43.3 with the unit %.
        ulp: Weight of the last printed place, in the same terms.
        unit: The unit, or None where none is printed.
        hedged: 约, 近, about: one whole `ulp` of distance is allowed.
        exempt: Why this states no quantity, or empty.
        soft: An exempt one that is verified all the same if it meets evidence or stands under a critical label.
        signed: A sign is printed.
    """

    start: int
    end: int
    unit_end: int
    text: str
    value: float
    ulp: float
    unit: Unit | None = None
    hedged: bool = False
    exempt: str = ""
    soft: bool = False
    signed: bool = False

    @property
    def is_claim(self) -> bool:
        """Whether something is stated that evidence can bear out."""
        return not self.exempt or self.soft

    @property
    def base(self) -> float:
        """The value in the base unit of its dimension."""
        return self.value * self.unit.factor if self.unit else self.value

    @property
    def tolerance(self) -> float:
        """How far the truth may lie off, in printed terms: half the last place, the whole where hedged."""
        return self.ulp if self.hedged else self.ulp / 2

    @property
    def is_ratio(self) -> bool:
        """Whether it is a percentage, a fraction or a multiple."""
        return self.unit is not None and self.unit.dimension == RATIO

    @property
    def digits(self) -> int:
        """Significant digits as printed."""
        if not self.value or not self.ulp:
            return 1
        return len(str(round(abs(self.value) / self.ulp)))
