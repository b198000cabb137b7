"""Airflow review of coal mines: every required airflow of a plan re-computed, and compared with what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algorithms.airflow_review.model import Review, Settled
    from algorithms.airflow_review.rules.library import RuleSet

__all__ = ["review"]


def review(
    plan_path: str | Path,
    report_path: str | Path | None = None,
    *,
    rules: RuleSet | None = None,
    settled: Sequence[Settled] = (),
    on_step: Callable[[str], None] | None = None,
) -> Review:
    """Review a plan, and a measurement report with it, from their files; see `pipeline.review`."""
    # Late: the process that parses a foreign file imports this package too, and needs no engine.
    from algorithms.airflow_review.pipeline import review as run

    return run(plan_path, report_path, rules=rules, settled=settled, on_step=on_step)
