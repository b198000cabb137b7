"""Meters model calls: each reaches the ledger exactly once, however the turn ends."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Protocol

from billing.prices import PriceTable
from db.records import UsageRow, UsageTotals
from db.stamp import utc_now

UsageSource = Literal["provider", "estimate"]


class Ledger(Protocol):
    """Where metered calls are kept."""

    async def add(self, row: UsageRow) -> bool:
        """Keep the call; False when its id is known, and then nothing changes."""

    async def totals_of_run(self, run_id: str) -> UsageTotals:
        """Sums over the calls of a run."""


class UsageMeter:
    """Turns the figures of a model call into a row of the ledger."""

    def __init__(self, ledger: Ledger, prices: PriceTable) -> None:
        self._ledger = ledger
        self._prices = prices

    async def record(
        self,
        *,
        call_id: str,
        run_id: str,
        session_id: str,
        user_name: str,
        agent: str,
        role: str,
        model: str,
        input_tokens: int,
        output_tokens: int,
        usage_source: UsageSource,
        cache_read_tokens: int = 0,
        cache_write_tokens: int = 0,
        reasoning_tokens: int = 0,
        created_at: datetime | None = None,
    ) -> UsageRow | None:
        """Keep one call under its unique id; None when it was kept before.

        `usage_source` says whose figures they are: the provider's, zero included, or our estimate because it sent none.
        A model without a price leaves the call unpriced (`cost_micro` None), which is not the same as free.

        Raises:
            ValueError: A figure is negative, or the source is neither of the two.
        """
        tokens = (input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens)
        if min(tokens) < 0:
            raise ValueError(f"call {call_id!r} has negative tokens: {tokens}")
        if usage_source not in {"provider", "estimate"}:
            raise ValueError(f"call {call_id!r} has usage source {usage_source!r}, write provider or estimate")
        created_at = created_at or utc_now()
        price = self._prices.price_of(model, created_at)
        cost = None
        if price is not None:
            cost = price.cost_micro(
                input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cache_read_tokens
            )
        row = UsageRow(
            call_id=call_id,
            run_id=run_id,
            session_id=session_id,
            user_name=user_name,
            agent=agent,
            role=role,
            model=model,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cache_read_tokens=cache_read_tokens,
            cache_write_tokens=cache_write_tokens,
            reasoning_tokens=reasoning_tokens,
            usage_source=usage_source,
            cost_micro=cost,
            currency="" if price is None else price.currency,
            price_version=None if price is None else price.from_day.isoformat(),
            created_at=created_at,
        )
        return row if await self._ledger.add(row) else None

    def has_price(self, model: str) -> bool:
        """Whether a call of the model has a price now; without one a bound on money cannot be kept."""
        return self._prices.price_of(model, utc_now()) is not None

    async def totals_of_run(self, run_id: str) -> UsageTotals:
        """What the run has used so far, read from the ledger."""
        return await self._ledger.totals_of_run(run_id)
