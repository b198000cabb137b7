"""From the outbox to real receivers: at least once, in order, each sink for itself; tries, dead letters, redrive."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from db.approval_store import ApprovalStore
from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.audit_tables import AUDIT_OUTBOX, TOOL_AUDIT
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.stamp import utc_now
from scheduler.audit_relay import MAX_TRIES, AuditRelay
from scheduler.audit_sinks import Sink, build_sinks
from tests.contract.audit.conftest import Fill
from tests.contract.stores.test_call_ledger import approval, entry
from tests.support.receivers import free_port, status, web_receiver


def only(sinks: list[Sink]) -> Sink:
    (sink,) = sinks
    return sink


async def drain(relay: AuditRelay, sink: Sink) -> None:
    while await relay.relay(sink):
        pass


async def let_time_pass(database: Database) -> None:
    """What was postponed is due."""
    await database.write(lambda connection: connection.execute(update(AUDIT_OUTBOX).values(next_try_at=utc_now())))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - what is waited for happens in another thread or process
            await asyncio.sleep(0.01)


@contextmanager
def file_of(path: Path) -> Iterator[Sink]:
    yield only(build_sinks(f"file://{path}"))


def events_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_every_event_arrives_once_and_in_the_order_of_its_chain(
    outbox: AuditOutbox, fill: Fill, tmp_path: Path
) -> None:
    with file_of(tmp_path / "a.jsonl") as sink:
        for _ in range(30):
            for organization in ("one", "two"):
                await fill(1, sink.name, organization_id=organization, run_id=f"r-{organization}")
        relay = AuditRelay(outbox, [sink], poll_s=1)

        await drain(relay, sink)
        await drain(relay, sink)

    events = events_in(tmp_path / "a.jsonl")
    for organization in ("one", "two"):
        numbers = [event["seq"] for event in events if event["organization_id"] == organization]
        assert numbers == list(range(1, 61))
    assert await outbox.waiting() == []


async def test_order_is_that_of_the_chain_not_of_clocks(
    database: Database, outbox: AuditOutbox, fill: Fill, tmp_path: Path
) -> None:
    with file_of(tmp_path / "a.jsonl") as sink:
        await fill(1, sink.name, started_at=utc_now())
        await fill(1, sink.name, started_at=utc_now() - timedelta(seconds=5))  # began earlier, was admitted later

        await drain(AuditRelay(outbox, [sink], poll_s=1), sink)

    assert [event["seq"] for event in events_in(tmp_path / "a.jsonl")] == [1, 2, 3, 4]


async def test_an_event_has_four_tries_then_it_is_a_dead_letter_and_redrive_sends_it(
    database: Database, outbox: AuditOutbox, fill: Fill
) -> None:
    with web_receiver(status(500)) as receiver:
        sink = only(build_sinks(receiver.url()))
        await fill(1, sink.name)
        relay = AuditRelay(outbox, [sink], poll_s=1)
        waits = []
        for _ in range(MAX_TRIES + 1):
            await let_time_pass(database)
            before = utc_now()
            await drain(relay, sink)
            waits.append([(one.due_since - before).total_seconds() for one in await outbox.waiting()])
        assert len(receiver.bodies) == 2 * (MAX_TRIES + 1)
        letters = await outbox.letters(10)
        assert [(x["attempts"], x["reason"]) for x in letters] == [(4, "NotTakenError: the answer was 500")] * 2
        # 2, 8 and 32 seconds, more or less a fifth; then nothing waits.
        for found, wanted_s in zip(waits, (2, 8, 32), strict=False):
            assert 0.8 * wanted_s <= found[0] <= 1.2 * wanted_s + 5
        assert (waits[-1], await outbox.dead_letters()) == ([], {sink.name: 2})

        receiver.answer = status(204)
        receiver.bodies.clear()
        assert await outbox.redrive([sink.name]) == 2
        await drain(relay, sink)

        assert [body["seq"] for body in receiver.bodies] == [1, 2]
        assert (await outbox.waiting(), await outbox.dead_letters()) == ([], {})
        await sink.close()


async def test_tries_are_not_made_at_the_same_moment(database: Database, outbox: AuditOutbox, fill: Fill) -> None:
    sink = only(build_sinks(f"http://127.0.0.1:{free_port()}/"))
    await fill(20, sink.name)
    relay = AuditRelay(outbox, [sink], poll_s=1)
    for _ in range(20):
        await relay.relay(sink)

    moments = await database.read(
        lambda connection: connection.execute(
            select(AUDIT_OUTBOX.c.next_try_at).where(AUDIT_OUTBOX.c.attempts > 0)
        ).all()
    )
    assert len(set(moments)) == 40
    await sink.close()


async def test_a_poisoned_event_does_not_stop_the_rest(outbox: AuditOutbox, fill: Fill) -> None:
    def answer(request: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        status(422 if body["seq"] in {2, 4, 6} else 204)(request, body)

    with web_receiver(answer) as receiver:
        sink = only(build_sinks(receiver.url()))
        await fill(4, sink.name)

        await drain(AuditRelay(outbox, [sink], poll_s=1), sink)

        assert [body["seq"] for body in receiver.bodies] == [1, 2, 3, 4, 5, 6, 7, 8]
        assert [one.events for one in await outbox.waiting()] == [3]
        await sink.close()


async def test_a_sink_that_is_down_costs_few_events_a_try(database: Database, outbox: AuditOutbox, fill: Fill) -> None:
    with web_receiver(status(503)) as receiver:
        sink = only(build_sinks(receiver.url()))
        await fill(50, sink.name)
        relay = AuditRelay(outbox, [sink], poll_s=1)

        await drain(relay, sink)

        assert len(receiver.bodies) == 3
        receiver.answer = status(204)
        await let_time_pass(database)
        await drain(relay, sink)
        assert len(set(receiver.event_ids)) == 100
        assert await outbox.waiting() == []
        await sink.close()


async def test_a_sink_that_hangs_or_fails_delays_no_other_and_not_the_loop(
    outbox: AuditOutbox, fill: Fill, tmp_path: Path
) -> None:
    left = threading.Event()

    def hang(_request: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        left.wait(30)

    path = tmp_path / "a.jsonl"
    with web_receiver(hang) as hanging, web_receiver(status(500)) as broken:
        sinks = build_sinks(f"{hanging.url()} {broken.url()} http://127.0.0.1:{free_port()}/ file://{path}")
        await fill(60, *(sink.name for sink in sinks))
        relay = AuditRelay(outbox, sinks, poll_s=0.02, timeout_s=60)
        task = asyncio.create_task(relay.run())
        await until(lambda: path.exists() and len(events_in(path)) == 120)
        # The loop that saw them arrive is the one the hanging delivery runs on.
        await until(lambda: len(hanging.bodies) == 1)
        task.cancel()
        await asyncio.wait([task])
        left.set()


async def test_an_answer_that_takes_too_long_is_a_failed_try(outbox: AuditOutbox, fill: Fill) -> None:
    left = threading.Event()

    def hang(_request: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        left.wait(30)

    with web_receiver(hang) as receiver:
        sink = only(build_sinks(receiver.url()))
        await fill(1, sink.name)

        assert not await AuditRelay(outbox, [sink], poll_s=1, timeout_s=0.2).relay(sink)

        left.set()
        (waiting,) = await outbox.waiting()
        assert (waiting.events, waiting.due_since > utc_now()) == (2, True)
        await sink.close()


async def test_a_relay_that_is_stopped_in_the_middle_goes_on_and_loses_nothing(outbox: AuditOutbox, fill: Fill) -> None:
    held, go_on = threading.Event(), threading.Event()

    def answer(request: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        if body["seq"] == 6 and not go_on.is_set():
            held.set()
            go_on.wait(30)
        status(204)(request, body)

    with web_receiver(answer) as receiver:
        sinks = build_sinks(receiver.url())
        await fill(5, sinks[0].name)
        first = asyncio.create_task(AuditRelay(outbox, sinks, poll_s=0.02).run())
        await until(held.is_set)
        first.cancel()
        await asyncio.wait([first])
        go_on.set()
        assert [one.events for one in await outbox.waiting()] == [5]  # what was taken before is not sent again

        again = build_sinks(receiver.url())
        second = asyncio.create_task(AuditRelay(outbox, again, poll_s=0.02).run())
        await until(lambda: len(set(receiver.event_ids)) == 10)
        second.cancel()
        await asyncio.wait([second])

    numbers = [body["seq"] for body in receiver.bodies]
    assert numbers == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10]  # the one that was under way comes twice, with its event_id


async def test_an_event_whose_row_was_taken_away_does_not_clog_the_outbox(
    database: Database, outbox: AuditOutbox, fill: Fill, tmp_path: Path
) -> None:
    with file_of(tmp_path / "a.jsonl") as sink:
        await fill(60, sink.name)
        await database.write(lambda connection: connection.execute(delete(TOOL_AUDIT).where(TOOL_AUDIT.c.seq <= 110)))

        await drain(AuditRelay(outbox, [sink], poll_s=1), sink)

    assert [event["seq"] for event in events_in(tmp_path / "a.jsonl")] == list(range(111, 121))
    assert await outbox.dead_letters() == {sink.name: 110}


async def test_events_of_a_sink_that_is_configured_no_more_wait_for_it(
    outbox: AuditOutbox, fill: Fill, tmp_path: Path
) -> None:
    with file_of(tmp_path / "a.jsonl") as sink, file_of(tmp_path / "b.jsonl") as other:
        await fill(2, sink.name)
        relay = AuditRelay(outbox, [other], poll_s=1)

        await drain(relay, other)
        assert [(one.sink, one.events) for one in await outbox.waiting()] == [(sink.name, 4)]

        await drain(AuditRelay(outbox, [sink], poll_s=1), sink)
    assert len(events_in(tmp_path / "a.jsonl")) == 4


async def test_redrive_leaves_alone_what_nobody_would_send(database: Database, outbox: AuditOutbox, fill: Fill) -> None:
    sinks = build_sinks(f"http://127.0.0.1:{free_port()}/ http://127.0.0.1:{free_port()}/")
    await fill(1, *(sink.name for sink in sinks))
    relay = AuditRelay(outbox, sinks, poll_s=1)
    for _ in range(MAX_TRIES + 1):
        await let_time_pass(database)
        for sink in sinks:
            await relay.relay(sink)
    assert await outbox.dead_letters() == {sink.name: 2 for sink in sinks}

    assert await outbox.redrive([sinks[0].name]) == 2

    assert await outbox.dead_letters() == {sinks[1].name: 2}
    for sink in sinks:
        await sink.close()


@pytest.mark.skipif(not Path("/proc").exists(), reason="no path here that root cannot write either")
async def test_reasons_of_dead_letters_hold_no_paths(database: Database, outbox: AuditOutbox, fill: Fill) -> None:
    sink = only(build_sinks("file:///proc/secret-plans/audit.jsonl"))
    await fill(1, sink.name)
    relay = AuditRelay(outbox, [sink], poll_s=1)
    for _ in range(MAX_TRIES + 1):
        await let_time_pass(database)
        await drain(relay, sink)

    letters = await outbox.letters(10)
    assert len(letters) == 2
    assert all("secret-plans" not in letter["reason"] and letter["reason"] for letter in letters)


async def test_what_a_person_typed_as_a_reason_is_cleaned_before_it_goes_on_record(
    database: Database, store: AuditStore, outbox: AuditOutbox, tmp_path: Path
) -> None:
    secret = "-".join(["sk", "4f9aK2" * 5])
    with file_of(tmp_path / "a.jsonl") as sink:
        approvals = ApprovalStore(database, CallLedgerStore(database, sinks=[sink.name]))
        no = approval(entry(), state="rejected", reason=f"不行：密钥 {secret} 泄露")
        await approvals.decide([no], trace_id="t", agent="a")

        await drain(AuditRelay(outbox, [sink], poll_s=1), sink)

    before, end = events_in(tmp_path / "a.jsonl")
    assert (before["phase"], end["outcome"]) == ("before", "rejected")
    assert "不行" in end["detail"]
    assert secret not in (tmp_path / "a.jsonl").read_text("utf-8")
    assert [report.faults for report in await store.verify([], {})] == [()]
