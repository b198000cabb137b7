"""A turn can be stopped at any moment, and stays stopped."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from api.turn import StoppedError, StopSignal


async def sleep_long() -> None:
    await asyncio.sleep(60)


async def test_a_turn_runs_to_its_end() -> None:
    seen: list[str] = []

    async def work() -> None:
        seen.append("done")

    await StopSignal().run(work(), timeout_s=1)

    assert seen == ["done"]


async def test_a_turn_is_stopped_with_the_first_reason() -> None:
    stop = StopSignal()
    running = asyncio.create_task(stop.run(sleep_long(), timeout_s=60))
    await asyncio.sleep(0)

    stop.request("user_cancelled")
    stop.request("server_stopping")

    with pytest.raises(StoppedError, match="user_cancelled"):
        await running


async def test_a_turn_that_was_stopped_before_it_began_does_nothing() -> None:
    stop = StopSignal()
    stop.request("user_cancelled")

    with pytest.raises(StoppedError):
        await stop.run(sleep_long(), timeout_s=60)


async def test_a_turn_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(StoppedError, match="run_timeout"):
        await StopSignal().run(sleep_long(), timeout_s=0.01)


async def test_r_pol_4_a_turn_without_any_time_left_does_not_begin() -> None:
    begun: list[str] = []

    async def work() -> None:
        begun.append("yes")

    with pytest.raises(StoppedError, match="time_limit"):
        await StopSignal().run(work(), timeout_s=0.0, on_timeout="time_limit")
    assert begun == []


async def test_a_cancellation_that_was_lost_is_noticed_at_the_next_step() -> None:
    stop = StopSignal()

    async def work() -> None:
        # What `asyncio.wait_for` does in Python 3.11 when its value arrives together with the cancellation.
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        stop.check()
        await asyncio.sleep(60)

    running = asyncio.create_task(stop.run(work(), timeout_s=60))
    await asyncio.sleep(0.01)
    stop.request("user_cancelled")

    with pytest.raises(StoppedError, match="user_cancelled"):
        await asyncio.wait_for(running, 1)


async def test_an_error_of_the_work_comes_through() -> None:
    async def work() -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await StopSignal().run(work(), timeout_s=1)


async def test_the_end_of_the_server_is_no_stop_of_the_turn() -> None:
    running = asyncio.create_task(StopSignal().run(sleep_long(), timeout_s=60))
    await asyncio.sleep(0)

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
