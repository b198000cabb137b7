"""What RunEventStore promises on every database."""

from __future__ import annotations

import asyncio

import pytest

from db.errors import ConflictError, DuplicateError, NotFoundError
from db.records import RunEvent
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore
from tests.contract.stores.samples import a_run, a_session, an_event


@pytest.fixture(autouse=True)
async def _runs(sessions: SessionStore, runs: RunStore) -> None:
    await sessions.create(a_session())
    await runs.create(a_run("r1"))
    await runs.create(a_run("r2"))


async def test_frames_come_back_as_they_were_stored_and_in_order(events: RunEventStore) -> None:
    log = [an_event(seq, frame="风" * 100_000 if seq == 2 else f"{{{seq}}}") for seq in range(1, 6)]

    await events.append("r1", log[:1])
    await events.append("r1", log[1:])

    assert await events.read("r1") == log
    assert await events.read("r1", after=2, limit=2) == log[2:4]
    assert await events.read("r1", after=5) == []


async def test_the_last_number_is_kept_with_the_run(events: RunEventStore, runs: RunStore) -> None:
    assert await events.last_seq("r1") == 0

    await events.append("r1", [an_event(1), an_event(2)])

    assert await events.last_seq("r1") == (await runs.get("r1")).last_seq == 2
    assert await events.last_seq("r2") == 0
    with pytest.raises(NotFoundError):
        await events.last_seq("r9")


@pytest.mark.parametrize("seqs", [[2], [4], [1, 2, 3, 4], [0]])
async def test_a_log_has_no_hole_and_no_repeat(events: RunEventStore, seqs: list[int]) -> None:
    await events.append("r1", [an_event(1), an_event(2)])

    with pytest.raises(ConflictError):
        await events.append("r1", [an_event(seq) for seq in seqs])

    assert [one.seq for one in await events.read("r1")] == [1, 2]


@pytest.mark.parametrize("stretch", [[an_event(1), an_event(3)], [an_event(1, "r2")], [an_event(1), an_event(2, "r2")]])
async def test_events_that_are_no_stretch_of_the_run_are_refused(
    events: RunEventStore, stretch: list[RunEvent]
) -> None:
    with pytest.raises(ValueError, match=r"run 'r[12]'"):
        await events.append("r1", stretch)

    assert await events.read("r1") == []


async def test_a_tool_call_has_one_result_in_its_run(events: RunEventStore) -> None:
    await events.append("r1", [an_event(1), an_event(2, tool_call_id_result="call-1")])
    await events.append("r2", [an_event(1, "r2", tool_call_id_result="call-1")])

    with pytest.raises(DuplicateError):
        await events.append("r1", [an_event(3), an_event(4, tool_call_id_result="call-1")])

    assert [one.seq for one in await events.read("r1")] == [1, 2]
    assert await events.last_seq("r1") == 2
    await events.append("r1", [an_event(3, tool_call_id_result="call-2")])


async def test_the_logs_of_several_runs_are_written_together_or_not_at_all(events: RunEventStore) -> None:
    await events.append_many([[an_event(1), an_event(2)], [], [an_event(1, "r2")]])
    with pytest.raises(ConflictError):
        await events.append_many([[an_event(3)], [an_event(9, "r2")]])
    await events.append_many([])

    assert [await events.last_seq("r1"), await events.last_seq("r2")] == [2, 1]


async def test_two_writers_of_one_log_cannot_both_write_a_number(events: RunEventStore) -> None:
    results = await asyncio.gather(*(events.append("r1", [an_event(1)]) for _ in range(10)), return_exceptions=True)

    assert results.count(None) == 1
    assert all(isinstance(one, ConflictError) for one in results if one is not None)
    assert await events.read("r1") == [an_event(1)]


async def test_twenty_writers_at_once_meet_no_locked_database(
    events: RunEventStore, sessions: SessionStore, runs: RunStore
) -> None:
    names = [f"w{number:02}" for number in range(20)]

    async def write(name: str) -> None:
        await sessions.create(a_session(name))
        await runs.create(a_run(name, session_id=name))
        for seq in range(1, 11):
            await events.append(name, [an_event(seq, name)])
            assert await events.last_seq(name) == seq  # readers work between the writers

    await asyncio.gather(*map(write, names))

    for name in names:
        assert [one.seq for one in await events.read(name)] == list(range(1, 11))
