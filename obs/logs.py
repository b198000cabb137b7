"""Structured logs on standard error, of our own code and of libraries, without secrets."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, Final, Literal, TextIO, cast

import structlog
from structlog.typing import Processor

_HANDLER_NAME: Final = "deep_agent"
HIDDEN: Final = "***"
_SECRET_NAME: Final = re.compile(r"key|token|secret|password|passwd|authorization|cookie|credential", re.IGNORECASE)
# Secrets inside sentences: exceptions of HTTP and database clients quote them.
_SECRET_TEXT: Final = re.compile(
    r"(?P<scheme>\bBearer\s+)[\w.~+/=-]{8,}|(?P<user>://[^\s:/@]*:)[^\s/@]+(?=@)|\bsk-[\w*-]{8,}", re.IGNORECASE
)
_DEEPEST: Final = 8


def configure(level: str, log_format: Literal["console", "json"], stream: TextIO | None = None) -> None:
    """Send every log line of the process to `stream`, by default standard error; calling it again replaces, never adds.

    `level` is the name of the least level that is written. Lines are for people (`console`) or one JSON object each.
    """
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    last: Processor
    if log_format == "json":
        last = structlog.processors.JSONRenderer(ensure_ascii=False)
    else:
        last = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.set_name(_HANDLER_NAME)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.StackInfoRenderer(),
                structlog.processors.format_exc_info,
                redact,  # behind the traceback, which may quote a secret
                last,
            ],
        )
    )
    root = logging.getLogger()
    for old in [one for one in root.handlers if one.get_name() == _HANDLER_NAME]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of a module; making it does nothing yet."""
    return cast("structlog.stdlib.BoundLogger", structlog.get_logger(name))


@contextmanager
def log_context(**keys: object) -> Iterator[None]:
    """Put `keys` on every line that is logged inside the block, also by tasks that start there."""
    with structlog.contextvars.bound_contextvars(**keys):
        yield


def redact(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide what a secret's name stands before, at any depth, and credentials inside texts; counts and flags stay."""
    return {name: _clean(value, name, 0) for name, value in event.items()}


def _clean(value: Any, name: str, depth: int) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value  # `input_tokens=12` is a count
    if _SECRET_NAME.search(name) or depth > _DEEPEST:
        return HIDDEN
    if isinstance(value, str):
        return _SECRET_TEXT.sub(lambda found: (found["scheme"] or found["user"] or "") + HIDDEN, value)
    if isinstance(value, Mapping):
        return {key: _clean(item, str(key), depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_clean(item, "", depth + 1) for item in value]
    return _clean(repr(value), name, depth)
