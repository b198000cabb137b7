"""The ledger of model calls: rows are added, never changed, and each call counts once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select

from db.db_conn import Database
from db.errors import DuplicateError
from db.records import UsageRow, UsageTotals
from db.rows import columns_of, insert_records, to_record
from db.schema import USAGE_LEDGER as LEDGER


class UsageLedger:
    """Keeps usage, and sums it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, row: UsageRow) -> bool:
        """Add a call; False, and nothing changes, when its id is known."""
        try:
            await self._db.write(lambda connection: insert_records(connection, LEDGER, [row], row.call_id))
        except DuplicateError:
            return False
        return True

    async def calls_of_run(self, run_id: str) -> list[UsageRow]:
        """The calls of a run, oldest first."""
        query = select(*columns_of(LEDGER, UsageRow)).where(LEDGER.c.run_id == run_id)
        ordered = query.order_by(LEDGER.c.created_at, LEDGER.c.call_id)
        rows = await self._db.read(lambda connection: connection.execute(ordered).all())
        return [to_record(UsageRow, row) for row in rows]

    async def totals_of_run(self, run_id: str) -> UsageTotals:
        """Sums over the calls of a run."""
        return await self._totals(LEDGER.c.run_id == run_id)

    async def totals_of_session(self, session_id: str) -> UsageTotals:
        """Sums over the calls of a session, also of one that was deleted."""
        return await self._totals(LEDGER.c.session_id == session_id)

    async def totals_between(self, user_name: str, start: datetime, end: datetime) -> UsageTotals:
        """Sums over the user's calls from `start` on and before `end`."""
        return await self._totals(*_between(user_name, start, end))

    async def by_model_between(self, user_name: str, start: datetime, end: datetime) -> dict[str, UsageTotals]:
        """The same sums for each model, by its name."""
        query = _sums(*_between(user_name, start, end)).add_columns(LEDGER.c.model).group_by(LEDGER.c.model)
        rows = await self._db.read(lambda connection: connection.execute(query.order_by(LEDGER.c.model)).all())
        models = dict.fromkeys(row.model for row in rows)
        return {model: _fold(row for row in rows if row.model == model) for model in models}

    async def _totals(self, *conditions: ColumnElement[bool]) -> UsageTotals:
        query = _sums(*conditions)
        return _fold(await self._db.read(lambda connection: connection.execute(query).all()))


def _between(user_name: str, start: datetime, end: datetime) -> tuple[ColumnElement[bool], ...]:
    return LEDGER.c.user_name == user_name, LEDGER.c.created_at >= start, LEDGER.c.created_at < end


def _sums(*conditions: ColumnElement[bool]) -> Select[Any]:
    tokens = (LEDGER.c.input_tokens, LEDGER.c.output_tokens, LEDGER.c.cache_read_tokens, LEDGER.c.reasoning_tokens)
    return (
        select(
            LEDGER.c.usage_source,
            LEDGER.c.currency,
            func.count().label("calls"),
            func.count(LEDGER.c.cost_micro).label("priced_calls"),
            func.coalesce(func.sum(LEDGER.c.cost_micro), 0).label("cost_micro"),
            *(func.sum(column).label(column.name) for column in tokens),
        )
        .where(*conditions)
        .group_by(LEDGER.c.usage_source, LEDGER.c.currency)
    )


def _fold(groups: Iterable[Row[Any]]) -> UsageTotals:
    rows: Sequence[Row[Any]] = [*groups]
    calls = sum(row.calls for row in rows)
    currencies = {row.currency for row in rows if row.priced_calls}
    # A sum that leaves calls out, or adds different money, would be a wrong bill.
    is_complete = calls == sum(row.priced_calls for row in rows) and len(currencies) <= 1
    return UsageTotals(
        calls=calls,
        input_tokens=_sum(rows, "input_tokens"),
        output_tokens=_sum(rows, "output_tokens"),
        cache_read_tokens=_sum(rows, "cache_read_tokens"),
        reasoning_tokens=_sum(rows, "reasoning_tokens"),
        cost_micro=_sum(rows, "cost_micro") if is_complete else None,
        currency=currencies.pop() if len(currencies) == 1 else "",
        sources=frozenset(row.usage_source for row in rows),
    )


def _sum(rows: Iterable[Row[Any]], name: str) -> int:
    return sum(int(getattr(row, name)) for row in rows)  # MySQL sums integers to decimals
