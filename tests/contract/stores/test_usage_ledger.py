"""What UsageLedger promises on every database."""

from __future__ import annotations

import asyncio

from db.records import UsageTotals
from db.usage_ledger import UsageLedger
from tests.contract.stores.samples import NOON, a_call, at

NOTHING = UsageTotals(
    calls=0,
    input_tokens=0,
    output_tokens=0,
    cache_read_tokens=0,
    reasoning_tokens=0,
    cost_micro=0,
    currency="",
    sources=frozenset(),
)


async def test_r_pit_9_a_call_counts_once_however_often_it_is_reported(ledger: UsageLedger) -> None:
    added = await asyncio.gather(*(ledger.add(a_call(input_tokens=number)) for number in range(1, 11)))

    totals = await ledger.totals_of_run("r1")

    assert added.count(True) == 1
    assert (totals.calls, totals.input_tokens) == (1, added.index(True) + 1)


async def test_sums_add_up_over_calls(ledger: UsageLedger) -> None:
    await ledger.add(a_call("c1"))
    await ledger.add(a_call("c2", input_tokens=3_000_000_000, reasoning_tokens=0, usage_source="estimate"))
    await ledger.add(a_call("c3", run_id="r2"))
    await ledger.add(a_call("c4", run_id="r3", session_id="s2"))

    assert await ledger.totals_of_run("r1") == UsageTotals(
        calls=2,
        input_tokens=3_000_000_100,
        output_tokens=40,
        cache_read_tokens=128,
        reasoning_tokens=7,
        cost_micro=300,
        currency="CNY",
        sources=frozenset({"provider", "estimate"}),
    )
    assert (await ledger.totals_of_session("s1")).calls == 3


async def test_no_calls_are_no_usage(ledger: UsageLedger) -> None:
    assert await ledger.totals_of_run("r1") == NOTHING
    assert await ledger.by_model_between("王工", NOON, at(1)) == {}


async def test_a_call_without_a_price_makes_the_sum_unknown_not_smaller(ledger: UsageLedger) -> None:
    await ledger.add(a_call("c1"))
    await ledger.add(a_call("c2", cost_micro=None, currency="", price_version=None))

    totals = await ledger.totals_of_run("r1")

    assert (totals.calls, totals.cost_micro, totals.currency) == (2, None, "CNY")


async def test_different_money_is_not_added(ledger: UsageLedger) -> None:
    await ledger.add(a_call("c1"))
    await ledger.add(a_call("c2", currency="USD"))

    totals = await ledger.totals_of_run("r1")

    assert (totals.cost_micro, totals.currency) == (None, "")


async def test_a_free_call_costs_zero(ledger: UsageLedger) -> None:
    await ledger.add(a_call(cost_micro=0))

    assert (await ledger.totals_of_run("r1")).cost_micro == 0


async def test_a_span_of_time_holds_its_start_and_not_its_end(ledger: UsageLedger) -> None:
    for seconds in (-0.000_001, 0, 59.999_999, 60):
        await ledger.add(a_call(f"c{seconds}", created_at=at(seconds)))
    await ledger.add(a_call("other", user_name="李工"))

    assert (await ledger.totals_between("王工", at(0), at(60))).calls == 2
    assert await ledger.totals_between("nobody", at(0), at(60)) == NOTHING


async def test_usage_is_told_for_each_model(ledger: UsageLedger) -> None:
    await ledger.add(a_call("c1", model="b"))
    await ledger.add(a_call("c2", model="b", usage_source="estimate"))
    await ledger.add(a_call("c3", model="a", cost_micro=None, currency=""))

    by_model = await ledger.by_model_between("王工", NOON, at(1))

    assert [(name, totals.calls, totals.cost_micro) for name, totals in by_model.items()] == [
        ("a", 1, None),
        ("b", 2, 300),
    ]
