"""The three kinds of sinks against real receivers: what arrives, what counts as taken, what never leaks."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import stat
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from scheduler.audit_sinks import NotTakenError, Sink, build_sinks
from tests.support.receivers import free_port, status, stream_receiver, udp_receiver, web_receiver

EVENT: dict[str, Any] = {
    "organization_id": "local",
    "seq": 7,
    "event_id": "a1.end",
    "detail": "第一行\n第二行\u2028\x1b[31m",
    "happened_at": datetime(2026, 1, 31, 8, 0, 0, 42, tzinfo=UTC),
}
SAID = {**EVENT, "happened_at": "2026-01-31T08:00:00.000042Z"}
FRAME = re.compile(rb"<109>1 (\S+) (\S+) deep_agent (\d+) audit - (\{.*\})")


async def deliver(address: str, event: dict[str, Any] | None = None) -> None:
    (sink,) = build_sinks(address)
    try:
        async with asyncio.timeout(20):
            await sink.deliver(event or EVENT)
    finally:
        await sink.close()


# -- file ----------------------------------------------------------------------------------------------------------


async def test_a_file_gets_a_line_for_each_event_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "not there yet" / "审计.jsonl"
    address = f"file://{tmp_path}/not%20there%20yet/审计.jsonl"

    await deliver(address)
    await deliver(address)

    assert [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]] == [SAID, SAID]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_file_that_was_rotated_away_is_followed_by_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    (sink,) = build_sinks(f"file://{path}")
    await sink.deliver(EVENT)
    path.rename(tmp_path / "audit.jsonl.1")

    await sink.deliver(EVENT)

    assert [len(one.read_text().splitlines()) for one in (path, tmp_path / "audit.jsonl.1")] == [1, 1]


async def test_a_line_a_crash_cut_off_stays_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"event_id": "a0.e')

    await deliver(f"file://{path}")

    torn, whole = path.read_text("utf-8").split("\n")[:-1]
    assert torn == '{"event_id": "a0.e'
    assert json.loads(whole) == SAID


async def test_a_file_that_cannot_be_written_has_not_taken_the_event(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()

    with pytest.raises(OSError, match="directory"):
        await deliver(f"file://{tmp_path}/folder")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to try")
async def test_a_full_disk_has_not_taken_the_event() -> None:
    with pytest.raises(OSError, match=r"space|seek|Illegal"):
        await deliver("file:///dev/full")


# -- syslog --------------------------------------------------------------------------------------------------------


async def test_syslog_over_udp_is_framed_by_rfc_5424() -> None:
    with udp_receiver() as receiver:
        await deliver(f"syslog://127.0.0.1:{receiver.getsockname()[1]}")
        message = receiver.recv(65535)

    assert_is_rfc_5424(message)


async def test_syslog_over_tcp_counts_its_octets() -> None:
    with stream_receiver() as receiver:
        await deliver(f"syslog+tcp://127.0.0.1:{receiver.port}")

        (stream,) = receiver.streams
    length, _, message = stream.partition(b" ")
    assert int(length) == len(message)
    assert_is_rfc_5424(message)


async def test_syslog_over_tcp_takes_what_no_datagram_holds() -> None:
    long = {**EVENT, "detail": "x" * 200_000}
    with udp_receiver() as receiver, pytest.raises(OSError, match="too long"):
        await deliver(f"syslog://127.0.0.1:{receiver.getsockname()[1]}", long)
    with stream_receiver() as stream:
        await deliver(f"syslog+tcp://127.0.0.1:{stream.port}", long)

        assert len(stream.streams[0]) > 200_000


async def test_a_syslog_server_that_resets_or_is_not_there_has_not_taken_the_event() -> None:
    with stream_receiver(is_rude=True) as receiver, pytest.raises(ConnectionError):
        await deliver(f"syslog+tcp://127.0.0.1:{receiver.port}", {**EVENT, "detail": "x" * 5_000_000})
    with pytest.raises(OSError, match=r"refused|failed"):
        await deliver(f"syslog+tcp://127.0.0.1:{free_port()}")


def assert_is_rfc_5424(message: bytes) -> None:
    found = FRAME.fullmatch(message)
    assert found, message
    assert found[1] == b"2026-01-31T08:00:00.000042Z"
    assert json.loads(found[4]) == SAID
    # Nothing a collector could take for the end of a line or an order to a terminal.
    assert all(0x20 <= byte < 0x7F for byte in message)


# -- webhook -------------------------------------------------------------------------------------------------------


async def test_a_webhook_gets_the_event_with_an_id_to_know_it_again_by() -> None:
    with web_receiver() as receiver:
        await deliver(receiver.url("/hook?tenant=1", login="mine:p%40ss@"))

    assert receiver.bodies == [SAID]
    (headers,) = receiver.headers
    assert (headers["Idempotency-Key"], headers["Content-Type"]) == ("a1.end", "application/json")
    assert base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"mine:p@ss"
    assert receiver.paths == ["/hook?tenant=1"]


@pytest.mark.parametrize("code", [301, 302, 307, 308, 400, 401, 404, 413, 429, 500, 503])
async def test_any_other_answer_has_not_taken_it_and_no_redirect_is_followed(code: int) -> None:
    with (
        web_receiver() as elsewhere,
        web_receiver(status(code, Location=elsewhere.url())) as receiver,
        pytest.raises(NotTakenError, match=f"the answer was {code}"),
    ):
        await deliver(receiver.url())

    assert (len(receiver.bodies), elsewhere.bodies) == (1, [])


async def test_reasons_hold_nothing_of_the_address() -> None:
    secret = "-".join(["key", "x" * 24])
    path = f"/services/{secret}?token={secret}"
    with web_receiver(status(500)) as receiver, pytest.raises(NotTakenError) as answered:
        await deliver(receiver.url(path, login=f"u:{secret}@"))
    with pytest.raises(NotTakenError) as unreachable:
        await deliver(f"http://u:{secret}@127.0.0.1:{free_port()}{path}")
    with pytest.raises(NotTakenError) as unknown:
        await deliver(f"http://no-such-host.invalid{path}")

    for raised in (answered, unreachable, unknown):
        assert secret not in repr(raised.value)
        assert "127.0.0.1" not in repr(raised.value)


async def test_a_server_that_never_answers_can_be_left() -> None:
    """A drip of bytes resets timeouts of single reads for ever; the relay's bound is one of the whole exchange."""
    left = threading.Event()

    def drip(request: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        try:
            while not left.is_set():
                request.wfile.write(b"H")
                request.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass

    with web_receiver(drip) as receiver:
        (sink,) = build_sinks(receiver.url())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await sink.deliver(EVENT)
        left.set()
        await sink.close()


# -- the setting ---------------------------------------------------------------------------------------------------


def test_there_is_no_sink_by_default() -> None:
    assert build_sinks("") == []


def test_names_fit_their_column_differ_and_hold_no_secret() -> None:
    secret = "-".join(["key", "x" * 24])
    addresses = [
        f"https://u:{secret}@hooks.example.com/{secret}?a=1",
        f"https://u:{secret}@hooks.example.com/{secret}?a=2",
        f"https://{'long.' * 30}example.com/",
        f"file:///{'deep/' * 40}{'name' * 30}.jsonl",
        "syslog://log.example.com:514",
        "syslog://log.example.com:515",
        "syslog+tcp://log.example.com:515",
    ]
    sinks = build_sinks(" ".join([*addresses, addresses[0]]))

    names = [sink.name for sink in sinks]
    assert len(set(names)) == len(names) == len(addresses)
    assert all(len(name) <= 64 and secret not in name for name in names)
    assert names == [sink.name for sink in build_sinks(" ".join(addresses))]


@pytest.mark.parametrize(
    "address",
    [
        "hooks.example.com/{secret}",
        "ftp://u:{secret}@example.com",
        "file://{secret}/relative.jsonl",
        "file:///",
        "file:///folder/",
        "syslog://",
        "syslog://u:{secret}@example.com",
        "syslog://example.com/{secret}",
        "https:///{secret}",
        "https://example.com:99999/{secret}",
        "https://example.com:port/{secret}",
        "https://[::1/{secret}",
    ],
)
def test_an_address_that_is_none_is_named_by_its_place_only(address: str) -> None:
    secret = "-".join(["key", "x" * 24])

    with pytest.raises(ValueError, match=r"AUDIT_SINKS: address 2 ") as refused:
        build_sinks(f"file:///fine.jsonl {address.format(secret=secret)}")

    assert secret not in str(refused.value)


def test_every_sink_is_one() -> None:
    sinks: list[Sink] = build_sinks("file:///a.jsonl syslog://h syslog+tcp://h https://h")

    assert [type(sink).__name__ for sink in sinks] == ["FileSink", "SyslogSink", "SyslogStreamSink", "WebhookSink"]
