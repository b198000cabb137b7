"""The habits of one ventilation department: which rules it works by and how it writes them down."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

FAMILY_A = {
    "t": (("＜20", "1.0", "1.0"), ("20～23", "1.0", "1.5"), ("23～26", "1.5", "1.8")),
    "h": (("＜2.0", "1.0", "1.0"), ("2.0～2.5", "1.1", "1.1"), ("＞2.5及放顶煤", "1.2", "1.2")),
    "l": (("80～120", "1.0", "1.0"), ("120～150", "1.1", "1.1"), ("150～180", "1.2", "1.2"), ("＞180", "1.30", "1.40")),
}
FAMILY_B = {
    "t": (("＜20", "1.0", "1.0"), ("20～23", "1.0", "1.5"), ("23～26", "1.5", "1.8"), ("26～28", "1.8", "2.5")),
    "h": (("＜2.0", "1.0", "1.0"), ("2.0～2.5", "1.1", "1.1"), ("2.5～5.0及放顶煤", "1.5", "1.5")),
    "l": (("80～150", "1.0", "1.0"), ("150～200", "1.0", "1.3"), ("＞200", "1.3", "1.5")),
}


@dataclass(frozen=True)
class House:
    """One choice for everything a department may do its own way."""

    op: str  # sign of multiplication
    over: str  # sign of division
    share: str  # 70% or 0.7
    area: str  # effective | net | basic | plain
    gas: str  # 100 | 125 | 133 | 143 at faces and headings
    family: str  # A | B
    rounding: str  # ceil | half | tenth | cent
    co2: bool
    reserve: str  # K of the mine
    fan_sum: bool  # the fan's air is multiplied by the number of fans
    planned_step: int
    quantity: str  # symbol of a required flow
    layout_work: str  # how faces and headings are calculated on the page
    layout_rest: str  # how chambers and roads are
    general: str  # formulas in chapter four: list | table | with each place
    coefficients: str  # down | across | sentence
    distribution: str  # one | per_system | sections | beside
    sums: str  # rows | sentence | summary
    numbering: int
    first_distribution: bool
    words: int  # which set of wordings
    continued: bool
    flow_s: bool  # a column of m³/s beside m³/min
    two_heads: bool
    kind_column: int  # 0 none, 1 every row, 2 joined, 3 〃
    period: int
    unit: int
    standby: bool
    series: bool
    vehicles: bool


def choose(rng: Random) -> House:
    """A department's habits, each drawn alone."""
    distribution = rng.choice(("one", "per_system", "sections", "beside", "per_system"))
    return House(
        op=rng.choice("×××*·"),
        over=rng.choice("÷/"),
        share=rng.choice(("70%", "0.7", "0.70")),
        area=rng.choice(("effective", "effective", "net", "net", "basic", "plain")),
        gas=rng.choice(("100", "100", "100", "125", "133", "143")),
        family=rng.choice("AB"),
        rounding=rng.choice(("ceil", "ceil", "half", "tenth", "cent")),
        co2=rng.random() < 0.5,
        reserve=rng.choice(("1.15", "1.18", "1.2", "1.20", "1.25")),
        fan_sum=rng.random() < 0.7,
        planned_step=rng.choice((1, 5, 10)),
        quantity=rng.choice(("Q", "Q需", "Q{k}", "Q{k}{i}", "Q{k}")),
        layout_work=rng.choice(("prose", "across", "down", "steps", "steps", "matrix", "inline", "results")),
        layout_rest=rng.choice(("prose", "steps", "matrix", "inline", "results", "rows")),
        general=rng.choice(("list", "list", "table")),
        coefficients=rng.choice(("down", "across", "sentence")),
        distribution=distribution,
        sums=rng.choice(("rows", "rows", "sentence", "summary")),
        numbering=rng.randrange(5),
        first_distribution=rng.random() < 0.3,
        words=rng.randrange(4),
        continued=rng.random() < 0.3,
        flow_s=rng.random() < 0.3,
        two_heads=rng.random() < 0.35,
        kind_column=rng.randrange(4),
        period=rng.randrange(7),
        unit=rng.randrange(3),
        standby=rng.random() < 0.5,
        series=rng.random() < 0.25,
        vehicles=rng.random() < 0.4 and distribution != "beside",  # their remark is a column
    )


def to_decimal(value: Fraction, places: int, rounding: str) -> Decimal:
    """The value at so many places, rounded once."""
    step = 10**places
    whole = value * step
    n = (
        -((-whole.numerator) // whole.denominator)
        if rounding == ROUND_CEILING
        else (2 * whole.numerator + whole.denominator) // (2 * whole.denominator)
    )
    return Decimal(n).scaleb(-places)


def printed(value: Fraction, habit: str) -> Decimal:
    """A result as the department prints it."""
    match habit:
        case "ceil":
            return to_decimal(value, 0, ROUND_CEILING)
        case "half":
            return to_decimal(value, 0, ROUND_HALF_UP)
        case "tenth":
            return to_decimal(value, 1, ROUND_HALF_UP)
        case _:
            return to_decimal(value, 2, ROUND_HALF_UP)
