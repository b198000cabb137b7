"""Where audit events go besides the database: a file, the system's log, an address."""

from __future__ import annotations

import json
import logging.handlers
import socket
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import httpx

_TIMEOUT_S: Final = 10.0
_SYSLOG_PORT: Final = 514


class Sink(Protocol):
    """Takes events; the same one may come twice, its `event_id` tells."""

    name: str

    def deliver(self, event: Mapping[str, Any]) -> None:
        """Hand over one event; called in a thread.

        Raises:
            Exception: It was not taken; it will be offered again.
        """
        ...


class FileSink:
    """Appends one JSON object a line."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    def deliver(self, event: Mapping[str, Any]) -> None:
        """Append the event."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(event_text(event) + "\n")


class SyslogSink:
    """Sends each event as a datagram to a syslog server."""

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name = name
        self._address = (host, port)

    def deliver(self, event: Mapping[str, Any]) -> None:
        """Send the event; a datagram is not confirmed."""
        facility = logging.handlers.SysLogHandler.LOG_AUTH << 3 | logging.handlers.SysLogHandler.LOG_NOTICE
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(f"<{facility}>deep_agent: {event_text(event)}".encode(), self._address)


class WebhookSink:
    """Posts each event as JSON; anything but a 2xx answer counts as not taken."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self._url = url

    def deliver(self, event: Mapping[str, Any]) -> None:
        """Post the event."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(event["event_id"])}
        answer = httpx.post(self._url, content=event_text(event), headers=headers, timeout=_TIMEOUT_S)
        answer.raise_for_status()


def build_sinks(addresses: str) -> list[Sink]:
    """Sinks from a setting: addresses separated by blanks, `file:///path`, `syslog://host:port`, `https://…`.

    Raises:
        ValueError: An address is of no kind there is.
    """
    return [_build(address) for address in addresses.split()]


def event_text(event: Mapping[str, Any]) -> str:
    """An event as one line of JSON."""
    return json.dumps(event, ensure_ascii=False, default=_to_text)


def _build(address: str) -> Sink:
    parts = urlsplit(address)
    match parts.scheme:
        case "file" if parts.path:
            return FileSink(address, Path(parts.path))
        case "syslog" if parts.hostname:
            return SyslogSink(address, parts.hostname, parts.port or _SYSLOG_PORT)
        case "http" | "https" if parts.hostname:
            return WebhookSink(f"{parts.scheme}://{parts.hostname}{parts.path}", address)
    raise ValueError(
        f"AUDIT_SINKS: {parts.scheme or address!r} is no sink; use file:///path, syslog://host:port or https://…"
    )


def _to_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
