"""The key of the running call: the same when a graph enters a call again, so that an effect can be had once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from tools.context import AgentContext

_CALL_ID: Final[ContextVar[str]] = ContextVar("call_id_of_the_key", default="")


def call_key(ctx: AgentContext) -> str:
    """Key of the call that is being made, for a tool whose effect must not happen twice.

    Raises:
        LookupError: Called outside a tool call.
    """
    if not (call_id := _CALL_ID.get()):
        raise LookupError("a call has a key inside a tool call only")
    return f"{ctx.turn_id}/{call_id}"


@contextmanager
def holding_call(call_id: str) -> Iterator[None]:
    """Make this the running call inside the block; the wrapper does so."""
    token = _CALL_ID.set(call_id)
    try:
        yield
    finally:
        _CALL_ID.reset(token)
