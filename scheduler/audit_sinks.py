"""Where audit events go besides the database: a file, a syslog server, an address of the web."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import SplitResult, unquote, urlsplit

import httpx

from db.stamp import fmt_dt, utc_now
from scheduler.line_file import append_lines

_SYSLOG_PORT: Final = 514
_LOG_AUDIT: Final = 13  # the facility "log audit" of RFC 5424
_NOTICE: Final = 5
_NAME_CHARS: Final = 40
_READ_BYTES: Final = 4096
# What JSON leaves as it is, and some readers take for the end of a line.
_ESCAPED: Final = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}


class NotTakenError(Exception):
    """A sink did not take an event; the text holds no address and no secret."""


class Sink(Protocol):
    """Takes events; the same one may come twice, its `event_id` tells.

    `name` is at most 64 characters and holds no secret; it stands in tables, logs and metrics.
    """

    name: str

    async def deliver(self, event: Mapping[str, Any]) -> None:
        """Hand over one event; returns when the other side has it, as far as its protocol can say. May be cancelled.

        Raises:
            Exception: It was not taken; it will be offered again.
        """
        ...

    async def close(self) -> None:
        """Let go of what is open."""
        ...


class FileSink:
    """Appends one JSON object a line; each is on disk when it counts as delivered. A renamed file is followed by a new one."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    async def deliver(self, event: Mapping[str, Any]) -> None:
        """Append the event."""
        await asyncio.to_thread(append_lines, self._path, [event_text(event)])

    async def close(self) -> None:
        """Nothing stays open between two events."""


class SyslogSink:
    """Sends each event by RFC 5424 as a datagram, which nobody confirms."""

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name = name
        self._host, self._port = host, port

    async def deliver(self, event: Mapping[str, Any]) -> None:
        """Send the event.

        Raises:
            OSError: There is no such host, or the event is longer than a datagram may be (about 64 KiB).
        """
        found = await asyncio.get_running_loop().getaddrinfo(self._host, self._port, type=socket.SOCK_DGRAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as sender:
            sender.setblocking(False)
            sender.sendto(syslog_message(event), address)

    async def close(self) -> None:
        """Nothing stays open between two events."""


class SyslogStreamSink:
    """Sends each event by RFC 5424 over TCP, its length before it (RFC 6587).

    Syslog has no answers. What comes nearest: our side says that it has ended, and the server, once it has read everything, closes in order.
    """

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name = name
        self._host, self._port = host, port

    async def deliver(self, event: Mapping[str, Any]) -> None:
        """Send the event and wait until the server has read it.

        Raises:
            OSError: No connection, or the server broke it off.
        """
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            message = syslog_message(event)
            writer.write(b"%d %b" % (len(message), message))
            await writer.drain()
            writer.write_eof()
            while await reader.read(_READ_BYTES):
                pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def close(self) -> None:
        """Nothing stays open between two events."""


class WebhookSink:
    """Posts each event as JSON; anything but a 2xx answer counts as not taken, a redirect too.

    User and password in the address become basic authentication.
    """

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self._url = url
        self._client: httpx.AsyncClient | None = None

    async def deliver(self, event: Mapping[str, Any]) -> None:
        """Post the event.

        Raises:
            NotTakenError: No connection, or an answer that is not 2xx. Messages of the library would quote the address.
        """
        if self._client is None:
            # Only now: making a client loads certificates. The relay bounds the whole exchange, so no timeouts of its parts.
            self._client = await asyncio.to_thread(httpx.AsyncClient, timeout=None, follow_redirects=False)
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(event["event_id"])}
        try:
            async with self._client.stream(
                "POST", self._url, content=event_text(event).encode(), headers=headers
            ) as answer:
                status = answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NotTakenError(f"no answer: {type(error).__name__}") from None
        if not httpx.codes.is_success(status):
            raise NotTakenError(f"the answer was {status}")

    async def close(self) -> None:
        """Close its connections."""
        if self._client is not None:
            await self._client.aclose()


def build_sinks(addresses: str) -> list[Sink]:
    """Sinks from a setting: addresses separated by blanks; the same address twice is one sink.

    `file:///path`, `syslog://host:port` (UDP), `syslog+tcp://host:port`, `https://…` or `http://…`.

    Raises:
        ValueError: An address is of no kind there is; it is named by its place, for it may hold secrets.
    """
    return [_build(place, address) for place, address in enumerate(dict.fromkeys(addresses.split()), start=1)]


def event_text(event: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """An event as one line of JSON, moments in UTC; no reader finds an end of line or an order to a terminal in it."""
    return json.dumps(event, ensure_ascii=ascii_only, default=_to_text).translate(_ESCAPED)


def syslog_message(event: Mapping[str, Any]) -> bytes:
    """An event as a message of RFC 5424: facility "log audit", the event's own moment, its id, the event as JSON.

    The JSON is ASCII: without a byte order mark RFC 5424 promises no encoding, and no character can pass for the end of a line.
    """
    moment = event.get("happened_at")
    stamp = fmt_dt(moment if isinstance(moment, datetime) else utc_now())
    host = socket.gethostname()[:255] or "-"
    head = f"<{_LOG_AUDIT * 8 + _NOTICE}>1 {stamp} {host} deep_agent {os.getpid()} audit -"
    return f"{head} {event_text(event, ascii_only=True)}".encode("ascii", "replace")


def _build(place: int, address: str) -> Sink:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"AUDIT_SINKS: address {place} cannot be read; is its port a number up to 65535?") from None
    match parts.scheme:
        case "file" if parts.netloc in {"", "localhost"} and parts.path.strip("/") and not parts.path.endswith("/"):
            path = Path(unquote(parts.path))
            return FileSink(_name("file", path.name, address), path)
        case "syslog" if host and _is_bare(parts):
            return SyslogSink(_name("syslog", host, address), host, port or _SYSLOG_PORT)
        case "syslog+tcp" if host and _is_bare(parts):
            return SyslogStreamSink(_name("syslog", host, address), host, port or _SYSLOG_PORT)
        case "http" | "https" if host:
            return WebhookSink(_name("webhook", host, address), address)
    raise ValueError(
        f"AUDIT_SINKS: address {place} is no sink; use file:///path (blanks as %20), syslog://host:port, "
        "syslog+tcp://host:port or https://…"
    )


def _is_bare(parts: SplitResult) -> bool:
    return parts.path in {"", "/"} and not (parts.query or parts.fragment or parts.username)


def _name(kind: str, shown: str, address: str) -> str:
    """Kind, a readable part, and what tells two addresses of one host apart without repeating their secrets."""
    return f"{kind}:{shown[:_NAME_CHARS]}:{hashlib.sha256(address.encode()).hexdigest()[:12]}"


def _to_text(value: object) -> str:
    return fmt_dt(value) if isinstance(value, datetime) else str(value)
