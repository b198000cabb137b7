"""R-POL-5: which actions are sampled, and when a confidence may decide anything."""

from __future__ import annotations

import random
import secrets

import pytest

from agents.guards.confidence import Case, Signals, calibrate, expected_calibration_error, score
from agents.guards.sampling import is_sampled

KEY = secrets.token_bytes(32)


@pytest.mark.parametrize("rate", [0.1, 0.15, 0.2])
def test_r_pol_5_the_sample_has_the_rate_of_the_policy_for_each_tool_by_itself(rate):
    runs = [f"run-{number}" for number in range(20_000)]
    for tool in ("issue_refund", "send_email"):
        share = sum(is_sampled(KEY, run_id=run, tool=tool, rate=rate) for run in runs) / len(runs)
        # four standard deviations of a binomial share of 20,000
        assert share == pytest.approx(rate, abs=4 * (rate * (1 - rate) / 20_000) ** 0.5)


def test_r_pol_5_the_same_run_is_drawn_again_and_another_key_draws_others():
    runs = [f"run-{number}" for number in range(2_000)]

    def drawn(key: bytes) -> set[str]:
        return {run for run in runs if is_sampled(key, run_id=run, tool="t", rate=0.2)}

    assert drawn(KEY) == drawn(KEY)
    assert drawn(KEY) != drawn(secrets.token_bytes(32))


def test_a_rate_of_nothing_draws_nothing_and_one_of_all_draws_all():
    runs = [f"run-{number}" for number in range(500)]

    assert not any(is_sampled(KEY, run_id=run, tool="t", rate=0) for run in runs)
    assert all(is_sampled(KEY, run_id=run, tool="t", rate=1) for run in runs)


def test_the_calibration_error_of_a_printed_example():
    """Four cases at 0.9 of which two are right, six at 0.3 of which three are: (4·|0.9−0.5| + 6·|0.3−0.5|)/10 = 0.28."""
    cases = [Case(0.9, is_right) for is_right in (True, True, False, False)]
    cases += [Case(0.3, is_right) for is_right in (True, True, True, False, False, False)]

    assert expected_calibration_error(cases) == pytest.approx(0.28)


def honest(count: int, seed: int) -> list[Case]:
    """Cases whose scores mean what they say: of those at 0.8, eight in ten are right."""
    draw = random.Random(seed)
    tenths = [0.55, 0.65, 0.75, 0.85, 0.95]
    cases = []
    for number in range(count):
        confidence = tenths[number % 5]
        cases.append(Case(confidence, draw.random() < confidence))
    return cases


def test_r_pol_5_routing_stays_off_until_enough_reviewed_cases_prove_the_scores():
    assert calibrate([]).reason == "too_few_cases"
    assert calibrate(honest(499, 1)).reason == "too_few_cases"
    assert calibrate(honest(2_000, 1)).is_proven


def test_r_pol_5_scores_that_promise_too_much_never_switch_it_on():
    boasting = [Case(0.95, number % 10 < 7) for number in range(1_000)]

    assert calibrate(boasting).reason == "not_calibrated"


def test_r_pol_5_routing_is_switched_off_again_when_the_newest_cases_drift():
    cases = honest(6_000, 2)
    worse = [Case(0.95, number % 10 < 5) for number in range(200)]

    assert calibrate(cases).is_proven
    assert calibrate([*cases, *worse]).reason == "drifted"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Signals(), Signals(corrections=1)),
        (Signals(numbers=4), Signals(numbers=4, derived=2)),
        (Signals(numbers=4, derived=4), Signals(numbers=4, unverified=4)),
        (Signals(tool_calls=3), Signals(tool_calls=3, failed_calls=1)),
    ],
)
def test_what_guards_object_to_lowers_the_score(better, worse):
    assert 0 <= score(worse) < score(better) <= 1
