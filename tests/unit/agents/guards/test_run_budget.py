"""R-POL-4: a bound stops a run before it is exceeded, and the text names the bound that was hit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agents.errors import RunLimitError
from agents.guards.policy import RunLimits
from agents.guards.run_budget import Spent, require_within

MONEY = RunLimits(max_cost_per_run=Decimal("0.30"), currency="USD", max_model_calls_per_run=5)


@pytest.mark.parametrize(
    "spent",
    [
        Spent(model_calls=0, cost_micro=0),
        Spent(model_calls=4, cost_micro=299_999, currency="USD"),
        Spent(model_calls=2, cost_micro=0, currency="CNY"),
    ],
    ids=["nothing-yet", "one-below", "free-in-another-currency"],
)
def test_what_is_within_goes_on(spent):
    require_within(MONEY, spent, max_model_calls=60)


@pytest.mark.parametrize(
    ("spent", "code", "named"),
    [
        (Spent(model_calls=1, cost_micro=300_000, currency="USD"), "cost_limit", "0.30 USD"),
        (Spent(model_calls=1, cost_micro=None), "cost_unknown", "没有价格"),
        (Spent(model_calls=1, cost_micro=10, currency="CNY"), "cost_unknown", "没有价格"),
        (Spent(model_calls=0, is_priced=False), "cost_unknown", "没有价格"),
        (Spent(model_calls=5, cost_micro=1, currency="USD"), "model_call_limit", "5 次"),
        (Spent(model_calls=1, refused_by="max_tool_calls_per_run"), "tool_call_limit", "工具调用达到上限(80 次)"),
        (Spent(model_calls=1, refused_by="max_framework_calls_per_run"), "tool_call_limit", "(50 次)"),
    ],
    ids=["money", "unpriced", "other-currency", "no-price-before-the-first-call", "calls", "tools", "framework"],
)
def test_r_pol_4_what_would_exceed_a_bound_is_stopped(spent, code, named):
    with pytest.raises(RunLimitError) as caught:
        require_within(MONEY, spent, max_model_calls=60)

    assert caught.value.code == code
    assert named in caught.value.message


def test_the_tighter_of_policy_and_server_counts_and_no_bound_on_money_needs_no_price():
    unbound = RunLimits()

    require_within(unbound, Spent(model_calls=59, cost_micro=None, is_priced=False), max_model_calls=60)
    with pytest.raises(RunLimitError):
        require_within(unbound, Spent(model_calls=60), max_model_calls=60)
    with pytest.raises(RunLimitError):
        require_within(MONEY, Spent(model_calls=3), max_model_calls=3)
