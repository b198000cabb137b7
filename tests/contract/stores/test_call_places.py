"""Places in the count of a run: given once to a call, in whatever order they are asked for, and never more than there are."""

from __future__ import annotations

import asyncio

import pytest

from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.records import CallPlace
from tests.contract.stores.test_call_ledger import entry


@pytest.fixture
def calls(database: Database) -> CallLedgerStore:
    return CallLedgerStore(database)


def place(tool_call_id: str, *, counter: str = "tool", max_calls: int | None = 5) -> CallPlace:
    return CallPlace(run_id="r1", tool_call_id=tool_call_id, counter=counter, max_calls=max_calls)


async def test_r_pol_4_places_that_are_asked_for_at_once_are_given_up_to_the_bound_and_no_further(
    calls: CallLedgerStore,
) -> None:
    given = await asyncio.gather(*(calls.reserve(place(f"c{number}")) for number in range(12)))

    assert sum(given) == 5
    assert not await calls.reserve(place("c99"))
    assert await calls.reserve(place("c99", counter="framework")), "the framework's tools have a count of their own"
    assert await calls.reserve(place("c98", max_calls=None))


async def test_r_pol_4_one_call_that_is_entered_at_once_and_again_has_one_place(calls: CallLedgerStore) -> None:
    assert all(await asyncio.gather(*(calls.reserve(place("c1")) for _ in range(8))))

    assert (await calls.admit(entry(run_id="r1", tool_call_id="c1", max_calls=5))).code is None
    rest = await asyncio.gather(*(calls.reserve(place(f"d{number}")) for number in range(6)))
    assert sum(rest) == 4, "the first call took one place of five"
    refused = await calls.admit(entry(run_id="r1", tool_call_id="d-late", max_calls=5))
    assert (refused.code, refused.rule) == ("call_limit", "max_tool_calls_per_run")
    assert await calls.limited_by("r1") == "max_tool_calls_per_run"
    assert await calls.limited_by("r2") == ""
