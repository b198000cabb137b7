"""Does a printed result follow from its printed expression (contract §3, printed results)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from algorithms.airflow_review.engine.formula import try_compute
from algorithms.airflow_review.engine.rounding import accepted, accepted_along, truncated
from algorithms.airflow_review.reading.numbers import parse_quantity
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome for one chain of equalities."""

    exact: Fraction | None  # of the first expression; None where it is no arithmetic
    rounding: str | None  # how the printed result follows; None where it does not
    truncated: bool = False  # the decimals were cut off: rounded below the need
    broken_step: str = ""  # the first printed step that does not follow, where the result itself does

    @property
    def follows(self) -> bool:
        """Whether the printed result is accepted."""
        return self.rounding is not None


def judge_chain(parts: Sequence[str], stated: Decimal, *, before: Fraction | None = None) -> Result:
    """Judge `parts[0] = parts[1] = … = stated`.

    `before` is the exact value of the expression with printed intermediates of earlier lines replaced by their own
    exact values; a result that follows from it is accepted as well.
    """
    values = [value for part in parts if (value := try_compute(part)) is not None]
    if not values or try_compute(parts[0]) is None:
        return Result(exact=None, rounding=None)
    exact, steps = values[0], values[1:-1]
    ways = [exact, *steps] if before is None else [exact, *steps, before]
    rounding = accepted_along(ways, stated)
    if rounding is None:
        return Result(exact=exact, rounding=None, truncated=truncated(exact, stated))
    return Result(exact=exact, rounding=rounding, broken_step=_broken_step(parts))


def _broken_step(parts: Sequence[str]) -> str:
    """A printed intermediate number that does not follow from the expression before it."""
    previous: Fraction | None = None
    first: Fraction | None = None
    for part in parts[:-1]:
        value = try_compute(part)
        if value is None:
            continue
        number = parse_quantity(part)
        if (
            previous is not None
            and first is not None
            and number is not None
            and _is_wrong(number.value, first, previous)
        ):
            return part
        first, previous = value if first is None else first, value
    return ""


def _is_wrong(printed: Decimal, first: Fraction, previous: Fraction) -> bool:
    return accepted(first, printed) is None and accepted(previous, printed) is None
