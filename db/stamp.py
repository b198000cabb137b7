"""Moments and identities: UTC with microseconds, ids that sort by their making."""

from __future__ import annotations

import secrets
import threading
import time
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

_RANDOM_BITS: Final = 74
_LOW_BITS: Final = 62
_VERSION_7: Final = 0x7
_VARIANT: Final = 0b10
_NS_PER_MS: Final = 1_000_000


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def fmt_dt(moment: datetime) -> str:
    """Write a moment as `2024-12-01T00:00:00.000001Z`: UTC, always with microseconds, so text order is time order.

    Raises:
        ValueError: The moment has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"moment {moment.isoformat()} has no time zone")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_dt(text: str) -> datetime:
    """Read what `fmt_dt` wrote.

    Raises:
        ValueError: The text is no moment, or has no time zone.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"moment {text!r} has no time zone")
    return moment.astimezone(UTC)


class IdSequence:
    """Makes ids of the form of UUID version 7; each is greater than the one before, also when the clock steps back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last_ms = 0
        self._last_random = 0

    def next(self) -> str:
        """A new id: 36 characters, 48 bits of milliseconds first, then 74 bits of chance."""
        now_ms = time.time_ns() // _NS_PER_MS
        with self._lock:
            if now_ms > self._last_ms:
                self._last_ms = now_ms
                # The top bit stays free, so that counting on within a millisecond never overflows.
                self._last_random = secrets.randbits(_RANDOM_BITS - 1)
            else:
                self._last_random += 1 + secrets.randbits(32)
            milliseconds, chance = self._last_ms, self._last_random
        high, low = chance >> _LOW_BITS, chance & ((1 << _LOW_BITS) - 1)
        return str(UUID(int=milliseconds << 80 | _VERSION_7 << 76 | high << 64 | _VARIANT << 62 | low))


# The one process-wide state of this package: "monotonic in the process" has no smaller home.
_IDS: Final = IdSequence()


def new_id() -> str:
    """A new identity, greater than every one this process made before."""
    return _IDS.next()
