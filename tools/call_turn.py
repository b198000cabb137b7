"""The order in which parallel calls of one message take their places in the count of their run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class CallTurn:
    """A call's turn: `before` are the calls in front of it that are under way, `placed` is set once it has its place, or none."""

    before: tuple[asyncio.Event, ...] = ()
    placed: asyncio.Event = field(default_factory=asyncio.Event)


_OF_THIS_CALL: Final[ContextVar[CallTurn | None]] = ContextVar("call_turn", default=None)


@contextmanager
def taking_turn(turn: CallTurn) -> Iterator[None]:
    """Make the call inside the block wait for its turn; whatever happens, those behind it go on after."""
    token = _OF_THIS_CALL.set(turn)
    try:
        yield
    finally:
        _OF_THIS_CALL.reset(token)
        turn.placed.set()


@contextmanager
def taking_place() -> Iterator[tuple[asyncio.Event, ...]]:
    """The block gives the call its place: it waits for these first; behind it the next call may take one."""
    turn = _OF_THIS_CALL.get()
    if turn is None:
        yield ()
        return
    try:
        yield turn.before
    finally:
        turn.placed.set()
