"""Structured logs on standard error, of our own code and of libraries, without secrets."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TextIO, cast

import structlog
from structlog.typing import Processor

from obs.sanitize import redact_credentials, sanitize, sanitize_value

_HANDLER_NAME: Final = "deep_agent"
# Written by this module or by the logging library, never by data.
_OWN_FIELDS: Final = frozenset({"level", "logger", "timestamp"})
_TRACES: Final = frozenset({"exception", "stack"})
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FRAME: Final = re.compile(r'( *(?:\| )*)File "([^"\n]{1,1024})", line (\d{1,7}), in ([^\n]{1,256})')
_INSTALLED: Final = re.compile(r".*[/\\](?:site-packages|lib[/\\]python[0-9.]+)[/\\]")
_ROOT: Final = f"{Path(__file__).resolve().parent.parent}{os.sep}"


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
    """Hide secrets of every class in what a line says; ids that find a run again, and the frames of our own traceback, stay."""
    return {name: _clean(name, value) for name, value in event.items()}


def _clean(name: str, value: Any) -> Any:
    if name in _OWN_FIELDS:
        return value
    if isinstance(value, str):
        if name in _TRACES:
            return _traceback(value)
        if name.endswith("_id") and _ID.fullmatch(value):
            return redact_credentials({name: value})[name]
    shown = sanitize_value({name: value})
    return next(iter(shown.values()))


def _traceback(text: str) -> str:
    """A traceback whose frames name files as the repository or the package does, and whose messages are sanitized.

    The frames are ours and say nothing of the machine; without them nobody could find the fault behind an incident id.
    """
    lines: list[str] = []
    said: list[str] = []
    after_frame = False
    for line in text.splitlines():
        frame = _FRAME.fullmatch(line)
        if frame or (after_frame and line.startswith("    ")):
            lines += _said(said)
            lines.append(_frame(frame) if frame else redact_credentials(line))
        else:
            said.append(line)
        after_frame = frame is not None or (after_frame and line.startswith("    "))
    return "\n".join(lines + _said(said))


def _frame(found: re.Match[str]) -> str:
    indent, path, line, function = found.groups()
    inside = path.startswith(_ROOT) or _INSTALLED.match(path)
    shown = _INSTALLED.sub("", path) if _INSTALLED.match(path) else path.removeprefix(_ROOT)
    return f'{indent}File "{shown if inside else sanitize(path)}", line {line}, in {redact_credentials(function)}'


def _said(lines: list[str]) -> list[str]:
    shown = [sanitize("\n".join(lines))] if lines else []
    lines.clear()
    return shown
