"""What RunStore promises on every database."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from db.errors import DuplicateError, NotFoundError
from db.records import ACTIVE_STATUSES, RunStatus
from db.run_store import RunStore
from db.session_store import SessionStore
from tests.contract.stores.samples import a_run, a_session, at


@pytest.fixture(autouse=True)
async def _sessions(sessions: SessionStore) -> None:
    await sessions.create(a_session("s1"))
    await sessions.create(a_session("s2"))


async def test_a_run_comes_back_as_it_was_stored(runs: RunStore) -> None:
    run = a_run(owner="host-1", lease_until=at(30), epoch=2, policy_hash="ab", started_at=at(0.5))

    await runs.create(run)

    assert await runs.get("r1") == run
    assert await runs.get_owned("r1", "王工") == run


async def test_unknown_foreign_and_repeated_runs_are_refused(runs: RunStore) -> None:
    await runs.create(a_run())

    with pytest.raises(NotFoundError):
        await runs.get("r2")
    with pytest.raises(NotFoundError):
        await runs.get_owned("r1", "李工")
    with pytest.raises(DuplicateError):
        await runs.create(a_run())


async def test_a_status_changes_only_from_an_expected_one(runs: RunStore) -> None:
    await runs.create(a_run())

    started = await runs.set_status(
        "r1", expect={RunStatus.QUEUED}, status=RunStatus.RUNNING, started_at=at(1), owner="host-1"
    )
    again = await runs.set_status("r1", expect={RunStatus.QUEUED}, status=RunStatus.FAILED, error_code="late")

    assert (started, again) == (True, False)
    assert await runs.get("r1") == a_run(status=RunStatus.RUNNING, started_at=at(1), owner="host-1")


async def test_changing_the_status_of_an_unknown_run_says_no(runs: RunStore) -> None:
    assert not await runs.set_status("r1", expect=set(RunStatus), status=RunStatus.FAILED)
    assert not await runs.set_status("r1", expect=set(), status=RunStatus.FAILED)


async def test_of_many_changes_at_once_exactly_one_wins(runs: RunStore) -> None:
    await runs.create(a_run(status=RunStatus.RUNNING))
    ends = [RunStatus.SUCCEEDED, RunStatus.CANCELLED, RunStatus.FAILED, RunStatus.LIMITED] * 5

    won = await asyncio.gather(
        *(
            runs.set_status("r1", expect={RunStatus.RUNNING}, status=end, stop_reason=str(number))
            for number, end in enumerate(ends)
        )
    )

    assert won.count(True) == 1
    run = await runs.get("r1")
    assert (run.status, run.stop_reason) == (ends[won.index(True)], str(won.index(True)))


@pytest.mark.parametrize("status", list(RunStatus))
async def test_a_run_is_active_until_its_status_is_final(runs: RunStore, status: RunStatus) -> None:
    await runs.create(a_run(status=status))

    is_active = status in {"queued", "running", "interrupted", "cancelling"}

    assert (status in ACTIVE_STATUSES) == is_active
    assert await runs.active_of("s1") == (a_run(status=status) if is_active else None)
    assert await runs.unfinished() == ([a_run(status=status)] if is_active else [])


async def test_the_run_under_way_comes_before_waiting_ones_then_the_oldest(runs: RunStore) -> None:
    waiting = [a_run("r1", created_at=at(1)), a_run("r2", created_at=at(2))]
    under_way = a_run("r3", created_at=at(3), status=RunStatus.INTERRUPTED)
    for run in [*waiting, under_way, a_run("r4", session_id="s2", status=RunStatus.RUNNING)]:
        await runs.create(run)

    before = await runs.active_of("s1")
    await runs.set_status("r3", expect={RunStatus.INTERRUPTED}, status=RunStatus.CANCELLED)
    after = await runs.active_of("s1")

    assert (before, after) == (under_way, waiting[0])


async def test_the_latest_run_is_the_one_made_last(runs: RunStore) -> None:
    assert await runs.latest_of("s1") is None
    for name, seconds in (("r1", 5), ("r2", 5), ("r3", 1)):
        await runs.create(a_run(name, created_at=at(seconds), status=RunStatus.SUCCEEDED))

    assert await runs.latest_of("s1") == a_run("r2", created_at=at(5), status=RunStatus.SUCCEEDED)


async def test_what_a_dead_process_left_is_listed_oldest_first(runs: RunStore) -> None:
    left = [a_run("r1", created_at=at(2), status=RunStatus.RUNNING), a_run("r2", created_at=at(1), session_id="s2")]
    for run in [*left, a_run("r3", status=RunStatus.FAILED)]:
        await runs.create(run)

    assert await runs.unfinished() == [replace(left[1]), replace(left[0])]


async def test_runs_that_waited_too_long_for_a_person_are_found(runs: RunStore) -> None:
    waiting = {"status": RunStatus.INTERRUPTED, "waits_until": at(5)}
    await runs.create(a_run("late", **waiting))
    await runs.create(a_run("later", **waiting | {"waits_until": at(4)}))
    await runs.create(a_run("waits", **waiting | {"waits_until": at(6)}))
    await runs.create(a_run("always", status=RunStatus.INTERRUPTED))
    await runs.create(a_run("goes_on", **waiting | {"status": RunStatus.RUNNING}))

    assert [run.run_id for run in await runs.expired(at(5))] == ["later", "late"]
