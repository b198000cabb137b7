"""The server's own log, as it is configured, into a text."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from obs.logs import configure


@contextmanager
def captured_log() -> Iterator[io.StringIO]:
    """Log into the yielded stream for the length of a block."""
    stream, root = io.StringIO(), logging.getLogger()
    before = list(root.handlers)
    configure("INFO", "json", stream)
    try:
        yield stream
    finally:
        structlog.reset_defaults()
        root.handlers[:] = before
