"""One printed calculation as judged."""

from __future__ import annotations

from fractions import Fraction

from algorithms.airflow_review.engine.variants import Choice
from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.model import Calculation, Finding
from algorithms.airflow_review.value_class import dataclass

# Steps on the way; they are no airflow a place may need.
STEPS = frozenset(
    {Method.AREA, Method.MAXIMUM, Method.SUBTOTAL, Method.SYSTEM_TOTAL, Method.MINE_TOTAL, Method.SPEED_MAX}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One calculation with everything that follows from it."""

    extract: CalculationExtract
    calculation: Calculation
    findings: tuple[Finding, ...]
    exact: Fraction | None  # of the printed expression
    need: Fraction | None  # what the rules give; None where this is no airflow need
    is_step: bool  # an intermediate, or no airflow at all
    choice: Choice | None
    unrounded: Fraction | None = None  # exact value along the lines before, where this one starts from a rounded result

    @property
    def rounded_down(self) -> bool:
        """Whether the printed result is accepted, yet below the exact value."""
        return (
            self.exact is not None
            and self.calculation.rounding is not None
            and Fraction(self.extract.stated)
            < min(self.exact, self.exact if self.unrounded is None else self.unrounded)
        )
