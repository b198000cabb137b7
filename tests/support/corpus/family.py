"""Coefficient tables: two official-looking families and two that mines made for themselves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """From low up to high (both printed ends belong to it, an open side has none) the coefficient may be chosen between least and most."""

    low: str  # empty: open below
    high: str  # empty: open above
    least: str
    most: str

    def holds(self, value: Fraction) -> bool:
        """Whether the value falls into the bracket."""
        if not self.low:
            return value < Fraction(self.high)
        if not self.high:
            return value > Fraction(self.low)
        return Fraction(self.low) <= value <= Fraction(self.high)

    @property
    def span(self) -> str:
        """The bracket as words: 2.0～2.5, ＜20, ＞200."""
        if not self.low:
            return f"＜{self.high}"
        return f"{self.low}～{self.high}" if self.high else f"＞{self.low}"

    @property
    def choice(self) -> str:
        """The coefficient as printed: one number or a range."""
        return self.least if self.least == self.most else f"{self.least}～{self.most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Speed by temperature, height coefficient, length coefficient."""

    name: str
    speed: tuple[Bracket, ...]
    height: tuple[Bracket, ...]
    length: tuple[Bracket, ...]
    is_official: bool = False

    def choose(self, table: tuple[Bracket, ...], value: str, rng: Random, decimals: int) -> str:
        """A coefficient inside a bracket that holds the value."""
        exact = Fraction(value)
        bracket = rng.choice([row for row in table if row.holds(exact)])
        steps = [
            n
            for n in range(round(float(bracket.least) * 20), round(float(bracket.most) * 20) + 1)
            if Fraction(bracket.least) <= Fraction(n, 20) <= Fraction(bracket.most)
        ]
        pick = Fraction(rng.choice(steps), 20)
        need = 2 if (pick * 10).denominator != 1 else decimals
        return f"{float(pick):.{need}f}"

    def outside(self, table: tuple[Bracket, ...], value: str) -> str | None:
        """A coefficient of a neighbour that is below everything allowed for the value."""
        exact = Fraction(value)
        allowed = [row for row in table if row.holds(exact)]
        least = min(Fraction(row.least) for row in allowed)
        lower = [row.least for row in table if Fraction(row.most) < least]
        return lower[-1] if lower else None


def _rows(text: str) -> tuple[Bracket, ...]:
    rows = []
    for part in text.split():
        span, choice = part.split(":")
        low, high = span.split(",")
        least, _, most = choice.partition("~")
        rows.append(Bracket(low=low, high=high, least=least, most=most or least))
    return tuple(rows)


FAMILY_A = Family(
    name="A",
    speed=_rows(",20:1.0 20,23:1.0~1.5 23,26:1.5~1.8"),
    height=_rows(",2.0:1.0 2.0,2.5:1.1 2.5,:1.2"),
    length=_rows(",80:0.8~0.9 80,120:1.0 120,150:1.1 150,180:1.2 180,:1.3~1.4"),
    is_official=True,
)
FAMILY_B = Family(
    name="B",
    speed=_rows(",20:1.0 20,23:1.0~1.5 23,26:1.5~1.8 26,28:1.8~2.5"),
    height=_rows(",2.0:1.0 2.0,2.5:1.1 2.5,5.0:1.5"),
    length=_rows("80,150:1.0 150,200:1.0~1.3 200,:1.3~1.5"),
    is_official=True,
)
FAMILY_OWN = Family(
    name="own",
    speed=_rows(",18:1.0 18,22:1.1~1.4 22,26:1.4~1.7"),
    height=_rows(",1.8:1.0 1.8,3.2:1.15 3.2,:1.3"),
    length=_rows(",100:0.9 100,160:1.0 160,220:1.15~1.25 220,:1.3~1.45"),
)
FAMILY_MIXED = Family(
    name="mixed",
    speed=_rows(",20:1.0 20,24:1.2~1.5 24,26:1.6~1.8"),
    height=_rows(",2.5:1.1 2.5,4.0:1.2 4.0,:1.4"),
    length=_rows(",120:1.0 120,180:1.1~1.2 180,:1.3~1.5"),
)
FAMILIES = (FAMILY_A, FAMILY_B, FAMILY_OWN, FAMILY_MIXED)
