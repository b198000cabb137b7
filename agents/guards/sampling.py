"""Sampling review: which autonomous actions a person looks at, the same ones however often it is asked."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

_STEPS: Final = 1 << 32


def is_sampled(key: bytes, *, run_id: str, tool: str, rate: float) -> bool:
    """Whether the actions of one tool in one run belong to the sample.

    The draw hangs on the server's key, so nobody who picks a run's words can avoid it, and on the tool, so that each tool is
    sampled by itself: a rare one is not drowned by a frequent one.

    Args:
        key: The server's sampling key.
        run_id: The run.
        tool: The tool that acted.
        rate: Share of runs to draw, 0 to 1.
    """
    drawn = hmac.new(key, f"{run_id}\x00{tool}".encode(), hashlib.sha256).digest()
    return int.from_bytes(drawn[:4]) < rate * _STEPS
