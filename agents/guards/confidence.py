"""Confidence routing: a score from what guards saw, and whether reviewed cases prove that it means anything.

The model's own word about its confidence is never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

MIN_CASES: Final = 500
MAX_ECE: Final = 0.05
DRIFT_CASES: Final = 200
"""The newest cases that have to be calibrated by themselves too."""
_BINS: Final = 10

Reason = Literal["calibrated", "too_few_cases", "not_calibrated", "drifted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What code saw of a run.

    Attributes:
        numbers: Numbers of the answer that guards judged.
        derived: Those of them that are a rounding, conversion or computation of a tool's figure.
        unverified: Those that nothing supports.
        tool_calls: Calls the run made.
        failed_calls: Those that failed or were refused.
        corrections: Times a guard corrected the answer.
    """

    numbers: int = 0
    derived: int = 0
    unverified: int = 0
    tool_calls: int = 0
    failed_calls: int = 0
    corrections: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """A reviewed run: the score it had, and whether the person found it right."""

    confidence: float
    is_right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Whether a model version's scores may decide anything.

    Attributes:
        cases: Reviewed cases there are.
        ece: Expected calibration error over all of them, None without cases.
        reason: Why the scores may, or may not, be used.
    """

    cases: int
    ece: float | None
    reason: Reason

    @property
    def is_proven(self) -> bool:
        """Whether routing may act on scores."""
        return self.reason == "calibrated"


def score(signals: Signals) -> float:
    """A score from 0 to 1; a run whose answer has no number and no call that failed scores 1."""
    unverified = signals.unverified / signals.numbers if signals.numbers else 0.0
    derived = signals.derived / signals.numbers if signals.numbers else 0.0
    failed = signals.failed_calls / signals.tool_calls if signals.tool_calls else 0.0
    return (1 - unverified) * (1 - 0.2 * derived) * (1 - 0.5 * failed) * float(0.5**signals.corrections)


def expected_calibration_error(cases: Sequence[Case]) -> float:
    """Mean distance between score and share of right cases over ten equal bins, weighted by their cases."""
    bins: dict[int, list[Case]] = {}
    for case in cases:
        bins.setdefault(min(int(case.confidence * _BINS), _BINS - 1), []).append(case)
    total = sum(
        abs(sum(case.confidence for case in held) - sum(case.is_right for case in held)) for held in bins.values()
    )
    return total / len(cases)


def calibrate(cases: Iterable[Case]) -> Calibration:
    """Judge one model version's reviewed cases, oldest first.

    Routing needs enough cases, calibrated over all of them and over the newest alone: when the latter fails, it has drifted.
    """
    known = list(cases)
    if not known:
        return Calibration(cases=0, ece=None, reason="too_few_cases")
    ece = expected_calibration_error(known)
    reason: Reason = "calibrated"
    if len(known) < MIN_CASES:
        reason = "too_few_cases"
    elif ece > MAX_ECE:
        reason = "not_calibrated"
    elif expected_calibration_error(known[-DRIFT_CASES:]) > 2 * MAX_ECE:
        # The newest cases are few, so chance alone moves their error: only a distance that chance does not make counts.
        reason = "drifted"
    return Calibration(cases=len(known), ece=ece, reason=reason)
