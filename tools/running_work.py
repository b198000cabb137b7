"""Tools' own code while it runs: bounded in time, apart from everybody else's threads, counted where it does not stop."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Awaitable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

_GRACE_S: Final = 1.0
"""How long an async tool may tidy up after it was told to stop."""

_Ended = tuple[Any, BaseException | None]


class DeadlineError(Exception):
    """The work did not end in time; nobody waits for it any more."""


class RunningWork:
    """Runs sync tools in threads of their own and async ones in tasks of their own: whoever stops waiting is free at once.

    Neither a thread nor a task that swallows its cancellation can be stopped from outside; what goes on like that is counted.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="tool")
        self._abandoned: set[Future[_Ended] | asyncio.Task[_Ended]] = set()

    @property
    def abandoned(self) -> int:
        """Calls that still run although nobody waits for them."""
        return len(self._abandoned)

    def close(self) -> None:
        """Take no further calls; running ones are not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, function: functools.partial[Any], *, is_async: bool, timeout_s: float) -> Any:
        """The function's value; what it raises is raised, whatever it is.

        Raises:
            DeadlineError: It did not end in `timeout_s` seconds.
        """
        work: Future[_Ended] | asyncio.Task[_Ended]
        if is_async:
            work = waited = asyncio.create_task(_caught_async(function))
        else:
            work = self._pool.submit(contextvars.copy_context().run, _caught, function)
            waited = asyncio.ensure_future(asyncio.wrap_future(work))
        try:
            done, _ = await asyncio.wait({waited}, timeout=timeout_s)
        finally:
            if not waited.done():
                await self._leave(work, waited)
        if not done:
            raise DeadlineError
        value, error = waited.result()
        if error is not None:
            raise error
        return value

    async def _leave(self, work: Future[_Ended] | asyncio.Task[_Ended], waited: asyncio.Future[_Ended]) -> None:
        self._abandoned.add(work)
        work.add_done_callback(self._abandoned.discard)
        waited.cancel()
        await asyncio.wait({waited}, timeout=_GRACE_S)


def _caught(function: functools.partial[Any]) -> _Ended:
    """A call's value, or what it raised: futures do not carry every exception there is."""
    try:
        return function(), None
    except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
        return None, error


async def _caught_async(function: functools.partial[Awaitable[Any]]) -> _Ended:
    """The same for an async tool: a task hands `SystemExit` to the event loop and not to whoever waits."""
    try:
        return await function(), None
    except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
        return None, error
