"""R-PIT-9, R-INV-3: every call reaches the ledger once, and says whose figures it carries."""

from __future__ import annotations

from typing import Any

import pytest

from billing.meter import UsageMeter
from billing.prices import PriceTable
from db.records import UsageRow, UsageTotals


class ListLedger:
    """A ledger in memory, with the promise of the real one: an id counts once."""

    def __init__(self) -> None:
        self.rows: dict[str, UsageRow] = {}

    async def add(self, row: UsageRow) -> bool:
        is_new = row.call_id not in self.rows
        self.rows.setdefault(row.call_id, row)
        return is_new

    async def totals_of_run(self, run_id: str) -> UsageTotals:
        rows = [row for row in self.rows.values() if row.run_id == run_id]
        return UsageTotals(
            calls=len(rows),
            input_tokens=sum(row.input_tokens for row in rows),
            output_tokens=sum(row.output_tokens for row in rows),
            cache_read_tokens=0,
            reasoning_tokens=0,
            cost_micro=None,
            currency="",
            sources=frozenset(row.usage_source for row in rows),
        )


def a_call(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "call_id": "c1",
        "run_id": "r1",
        "session_id": "s1",
        "user_name": "王工",
        "agent": "ventilation",
        "role": "main",
        "model": "gpt-5-mini",
        "input_tokens": 100,
        "output_tokens": 20,
        "usage_source": "provider",
    }
    return values | changes


async def test_r_pit_9_a_call_reported_twice_is_metered_once() -> None:
    ledger = ListLedger()
    meter = UsageMeter(ledger, PriceTable())

    first = await meter.record(**a_call())
    second = await meter.record(**a_call(input_tokens=900))

    assert first is not None
    assert first == ledger.rows["c1"]
    assert second is None
    assert (await meter.totals_of_run("r1")).input_tokens == 100


@pytest.mark.parametrize("source", ["provider", "estimate"])
async def test_r_inv_3_the_row_says_whose_figures_it_carries(source: str) -> None:
    row = await UsageMeter(ListLedger(), PriceTable()).record(
        **a_call(usage_source=source, reasoning_tokens=5, cache_read_tokens=64)
    )

    assert row is not None
    assert (row.usage_source, row.reasoning_tokens, row.cache_read_tokens) == (source, 5, 64)


async def test_r_inv_3_an_explicit_zero_of_the_provider_stays_zero() -> None:
    row = await UsageMeter(ListLedger(), PriceTable()).record(**a_call(input_tokens=0, output_tokens=0))

    assert row is not None
    assert (row.input_tokens, row.output_tokens, row.usage_source) == (0, 0, "provider")


async def test_a_call_without_a_price_is_unpriced_not_free() -> None:
    row = await UsageMeter(ListLedger(), PriceTable()).record(**a_call())

    assert row is not None
    assert row.cost_micro is None
    assert row.price_version is None


@pytest.mark.parametrize(
    "field", ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"]
)
async def test_negative_figures_are_refused(field: str) -> None:
    ledger = ListLedger()

    with pytest.raises(ValueError, match="negative"):
        await UsageMeter(ledger, PriceTable()).record(**a_call(**{field: -1}))
    assert ledger.rows == {}


async def test_figures_of_unknown_origin_are_refused() -> None:
    with pytest.raises(ValueError, match="provider or estimate"):
        await UsageMeter(ListLedger(), PriceTable()).record(**a_call(usage_source="guess"))
