"""Compares what happened with what had to; every difference is a sentence, and what nobody could check is no pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from evals.driver import Observed
from evals.scenario import Scenario

ClaimReader = Callable[[str], frozenset[str]]
"""Names the effects that a text asserts as done in the assistant's own voice; quotations, questions and denials are none."""


class Verdict(StrEnum):
    """`unchecked`: everything else fits, but there is nobody to read the claims of the text."""

    PASSED = "passed"
    UNCHECKED = "unchecked"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Try:
    """One try of a scenario; `observed` is None if the server did not answer."""

    differences: tuple[str, ...]
    is_claim_checked: bool = True
    observed: Observed | None = None

    @property
    def verdict(self) -> Verdict:
        """How the try ended."""
        if self.differences:
            return Verdict.FAILED
        return Verdict.PASSED if self.is_claim_checked else Verdict.UNCHECKED


@dataclass(frozen=True, kw_only=True)
class Result:
    """All tries of a scenario."""

    scenario: Scenario
    tries: tuple[Try, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """The worst of the tries: a scenario that fails once is not reliable."""
        verdicts = {one.verdict for one in self.tries}
        return next(v for v in (Verdict.FAILED, Verdict.UNCHECKED, Verdict.PASSED) if v in verdicts)

    @property
    def passed(self) -> int:
        """Tries that passed."""
        return sum(one.verdict is Verdict.PASSED for one in self.tries)

    @property
    def differences(self) -> tuple[str, ...]:
        """Everything that differed in any try, once each."""
        return tuple(dict.fromkeys(difference for one in self.tries for difference in one.differences))

    @property
    def cost(self) -> Decimal | None:
        """Cost of all tries; None if one has no price."""
        costs = [one.observed.cost if one.observed else None for one in self.tries]
        return None if None in costs else sum((cost for cost in costs if cost is not None), Decimal())

    @property
    def latency_s(self) -> float:
        """Median of the tries that were answered; 0 if none was."""
        times = sorted(one.observed.latency_s for one in self.tries if one.observed)
        return times[len(times) // 2] if times else 0.0


def judge(scenario: Scenario, observed: Observed, *, beyond_script: int, claimed: ClaimReader | None) -> Try:
    """Judge one try.

    Args:
        scenario: What must come out.
        observed: What did.
        beyond_script: Model calls for which the script had no turn; none is allowed where the model must not be asked at all.
        claimed: Reads the claims of a text; None: nobody can.
    """
    expect = scenario.expect
    found = [
        _differs("trajectory", expect.trajectory, observed.trajectory),
        _differs("outcome", expect.outcome, observed.outcome),
        _differs("gated", expect.executed_gated_tools, observed.executed_gated_tools),
    ]
    if observed.unanswered:
        found.append(f"no approval left for {', '.join(observed.unanswered)}")
    if beyond_script and not scenario.scripted_model:
        found.append("the model was asked, though the script has no turn")
    if claimed is not None:
        strays = sorted(set(expect.final_text_must_not_claim) & claimed(observed.text))
        found += [f"the text claims {effect}" for effect in strays]
    is_checked = claimed is not None or not expect.final_text_must_not_claim
    return Try(differences=tuple(filter(None, found)), is_claim_checked=is_checked, observed=observed)


def _differs(what: str, wanted: object, got: object) -> str:
    if wanted is None or wanted == got:
        return ""
    return f"{what}: wanted {_shown(wanted)}, got {_shown(got)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return "none" if value is None else str(value)
