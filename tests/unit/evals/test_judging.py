"""Judging and reporting: every difference is named, one failed try fails the scenario, unchecked is no pass."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from evals.driver import Observed
from evals.judging import Result, Try, Verdict, judge
from evals.report import as_json, table
from evals.scenario import Scenario

SCENARIO = Scenario.model_validate(
    {
        "id": "case",
        "user_text": "hi",
        "scripted_model": [{"text": "done"}],
        "expect": {
            "trajectory": ["order_lookup", "issue_refund"],
            "outcome": "refund_proposed",
            "executed_gated_tools": ["issue_refund"],
            "final_text_must_not_claim": ["email.sent"],
        },
    }
)


def observed(**changes: Any) -> Observed:
    facts: dict[str, Any] = {
        "run_id": "r",
        "status": "succeeded",
        "outcome": "refund_proposed",
        "trajectory": ("order_lookup", "issue_refund"),
        "executed_gated_tools": ("issue_refund",),
        "text": "refunded",
        "cost": Decimal("0.0125"),
        "currency": "USD",
        "latency_s": 1.5,
    }
    return Observed(**{**facts, **changes})


def claims(text: str) -> frozenset[str]:
    return frozenset({"email.sent"} if "mailed" in text else {"refund.issued"})


def tried(scenario: Scenario = SCENARIO, beyond: int = 0, **changes: Any) -> Try:
    return judge(scenario, observed(**changes), beyond_script=beyond, claimed=claims)


def test_what_fits_passes() -> None:
    assert tried().verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"trajectory": ("order_lookup",)}, "trajectory: wanted [order_lookup, issue_refund], got [order_lookup]"),
        ({"trajectory": ("issue_refund", "order_lookup")}, "trajectory: wanted [order_lookup, issue_refund], got [issue_refund, order_lookup]"),
        ({"outcome": None}, "outcome: wanted refund_proposed, got none"),
        ({"executed_gated_tools": ()}, "gated: wanted [issue_refund], got []"),
        ({"text": "mailed"}, "the text claims email.sent"),
        ({"unanswered": ("send_email",)}, "no approval left for send_email"),
    ],
)  # fmt: skip
def test_every_difference_is_named(changes: dict[str, Any], difference: str) -> None:
    one = tried(**changes)

    assert (one.verdict, one.differences) == (Verdict.FAILED, (difference,))


def test_a_model_that_must_not_be_asked_may_not_be_asked() -> None:
    silent = SCENARIO.model_copy(update={"scripted_model": ()})

    assert tried(silent, beyond=1).verdict is Verdict.FAILED
    assert tried(silent, beyond=0).verdict is Verdict.PASSED
    assert tried(SCENARIO, beyond=1).verdict is Verdict.PASSED


def test_claims_that_nobody_reads_are_no_pass() -> None:
    one = judge(SCENARIO, observed(), beyond_script=0, claimed=None)
    free = SCENARIO.model_copy(update={"expect": SCENARIO.expect.model_copy(update={"final_text_must_not_claim": ()})})

    assert one.verdict is Verdict.UNCHECKED
    assert judge(free, observed(), beyond_script=0, claimed=None).verdict is Verdict.PASSED


def test_what_the_scenario_leaves_out_is_not_compared() -> None:
    silent = Scenario.model_validate({"user_text": "hi", "expect": {}})

    assert tried(silent, outcome="anything", trajectory=()).verdict is Verdict.PASSED


def test_one_failed_try_fails_the_scenario() -> None:
    result = Result(scenario=SCENARIO, tries=(tried(), tried(outcome="resolved"), tried(outcome="resolved"), tried()))

    assert (result.verdict, result.passed) == (Verdict.FAILED, 2)
    assert result.differences == ("outcome: wanted refund_proposed, got resolved",)
    assert (result.cost, result.latency_s) == (Decimal("0.05"), 1.5)


def test_a_try_without_a_price_leaves_the_cost_unknown() -> None:
    unpriced = Result(scenario=SCENARIO, tries=(tried(), tried(cost=None)))
    broken = Result(scenario=SCENARIO, tries=(Try(differences=("no answer",)),))

    assert (unpriced.cost, broken.cost, broken.latency_s, broken.verdict) == (None, None, 0.0, Verdict.FAILED)


def test_the_table_shows_pass_k_differences_cost_and_latency() -> None:
    good = Result(scenario=SCENARIO, tries=(tried(), tried()))
    bad = Result(scenario=SCENARIO.model_copy(update={"id": "other"}), tries=(tried(), tried(outcome="resolved")))

    lines = list(table([good, bad], k=2))

    assert lines[0].split() == ["scenario", "pass^2", "passed", "latency", "cost"]
    assert lines[1].split() == ["case", "1", "2/2", "1.50s", "0.0250"]
    assert lines[2].split() == ["other", "0", "1/2", "1.50s", "0.0250"]
    assert lines[3].strip() == "! outcome: wanted refund_proposed, got resolved"
    assert lines[-1].strip() == "2 scenarios: 1 passed, 1 failed; pass^2 = 0.500"


def test_the_json_holds_every_try_and_no_rounded_amount() -> None:
    report = as_json([Result(scenario=SCENARIO, tries=(tried(), Try(differences=("x",))))], model="scripted", k=2)

    (scenario,) = report["scenarios"]
    assert (report["model"], report["k"], scenario["verdict"], scenario["passed"]) == ("scripted", 2, "failed", 1)
    assert scenario["tries"][0]["observed"]["cost"] == "0.0125"
    assert scenario["tries"][1] == {"verdict": "failed", "differences": ["x"], "observed": None}
