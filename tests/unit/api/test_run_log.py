"""The log of a run: gapless, stored before it is seen, and no reader slows it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from api.run_log import LogClosedError, RunLog
from api.sse_events import EventType
from db.records import RunEvent


class Store:
    """Keeps batches; waits at `gate` before each write."""

    def __init__(self) -> None:
        self.batches: list[list[RunEvent]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def append(self, run_id: str, events: Sequence[RunEvent]) -> None:
        assert run_id == "r"
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        self.batches.append(list(events))

    @property
    def events(self) -> list[RunEvent]:
        return [event for batch in self.batches for event in batch]


def make_log(store: Store, last_seq: int = 0) -> RunLog:
    return RunLog(store, run_id="r", session_id="s", last_seq=last_seq)


def say(log: RunLog, text: str = "x") -> int:
    return log.emit(EventType.TOKEN, content=text, message_id="m", offset=0)


async def settle() -> None:
    return None


async def test_frames_are_numbered_from_one_without_a_gap() -> None:
    store = Store()
    log = make_log(store)

    assert [say(log) for _ in range(5)] == [1, 2, 3, 4, 5]
    await log.flush()

    assert [event.seq for event in store.events] == [1, 2, 3, 4, 5]
    assert [json.loads(event.frame)["seq"] for event in store.events] == [1, 2, 3, 4, 5]


async def test_a_resumed_run_counts_on() -> None:
    assert say(make_log(Store(), last_seq=41)) == 42


async def test_an_idle_log_commits_at_once_and_gathers_what_comes_meanwhile() -> None:
    store = Store()
    log = make_log(store)
    store.gate.clear()
    say(log)
    await asyncio.sleep(0)
    for _ in range(3):
        say(log)

    store.gate.set()
    await log.flush()

    assert [len(batch) for batch in store.batches] == [1, 3]


async def test_nothing_is_seen_before_it_is_stored() -> None:
    store = Store()
    log = make_log(store)
    store.gate.clear()
    say(log)
    await asyncio.sleep(0.01)

    assert log.tail_after(0) == []
    assert not await log.wait_behind(0, timeout_s=0.01)

    store.gate.set()
    assert await log.wait_behind(0, timeout_s=1)
    assert [event.seq for event in log.tail_after(0) or ()] == [1]


async def test_a_reader_far_behind_is_sent_to_the_store() -> None:
    log = make_log(Store())
    for _ in range(1_500):
        say(log)
    await log.flush()

    assert log.tail_after(0) is None
    assert [event.seq for event in log.tail_after(1_498) or ()] == [1_499, 1_500]


async def test_done_is_stored_before_the_run_is_settled_and_settled_before_it_is_seen() -> None:
    store = Store()
    log = make_log(store)
    say(log)
    order: list[tuple[str, int, int]] = []

    async def look() -> None:
        order.append(("settled", len(store.events), len(log.tail_after(0) or ())))

    await log.finish(look, status="succeeded", final=True, outcome=None, stop_reason=None, usage={}, message_id=None)

    assert order == [("settled", 2, 1)]
    assert [event.type for event in log.tail_after(0) or ()] == ["token", "done"]
    assert log.is_closed


async def test_nothing_comes_behind_done() -> None:
    log = make_log(Store())
    await log.finish(settle, status="succeeded", final=True)

    with pytest.raises(LogClosedError):
        say(log)


async def test_a_store_that_refuses_ends_the_log_and_lets_readers_go() -> None:
    store = Store()
    store.error = OSError("disk full")
    log = make_log(store)
    say(log)

    with pytest.raises(LogClosedError):
        await log.flush()
    with pytest.raises(LogClosedError):
        say(log)
    assert await log.wait_behind(0, timeout_s=1)
    assert log.tail_after(0) == []


async def test_only_results_carry_the_id_that_makes_them_unique() -> None:
    store = Store()
    log = make_log(store)
    log.emit(EventType.TOOL_CALL, tool_call_id="c1", name="n", title="t", args={}, category="x")
    log.emit(EventType.TOOL_RESULT, tool_call_id="c1", name="n", status="ok", content="")
    await log.flush()

    assert [event.tool_call_id_result for event in store.events] == [None, "c1"]
