"""What a run has used, by the ledgers: read before each model call, with those calls that are under way on top."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents.guards.run_budget import Spent
from billing.meter import UsageMeter
from db.call_ledger import CallLedgerStore


class LedgerBudget:
    """A run's budget survives a restart, because its rows do."""

    def __init__(self, meter: UsageMeter, calls: CallLedgerStore) -> None:
        self._meter = meter
        self._calls = calls
        self._under_way: Counter[str] = Counter()

    async def spent(self, run_id: str, model: str) -> Spent:
        """What the run has used, with its calls that are under way."""
        return await self._spent(run_id, model, under_way=self._under_way[run_id])

    @asynccontextmanager
    async def model_call(self, run_id: str, model: str) -> AsyncIterator[Spent]:
        """Hold a place for one more call of a model while it lasts; gives what the run has used without it."""
        others = self._under_way[run_id]
        self._under_way[run_id] += 1
        try:
            yield await self._spent(run_id, model, under_way=others)
        finally:
            self._under_way[run_id] -= 1
            if not self._under_way[run_id]:
                del self._under_way[run_id]

    async def _spent(self, run_id: str, model: str, *, under_way: int) -> Spent:
        totals = await self._meter.totals_of_run(run_id)
        return Spent(
            model_calls=totals.calls + under_way,
            cost_micro=totals.cost_micro,
            currency=totals.currency,
            is_priced=self._meter.has_price(model),
            refused_by=await self._calls.limited_by(run_id),
        )
