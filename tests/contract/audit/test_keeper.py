"""What happens to the record on the clock: anchors, retention, figures."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.audit_tables import TOOL_AUDIT
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.stamp import utc_now
from obs.metrics import AuditFigures, ToolMetrics
from scheduler.anchors import AnchorFile
from scheduler.audit_check import check_audit
from scheduler.audit_keeper import AuditKeeper, Rhythm
from scheduler.audit_relay import MAX_TRIES, AuditRelay
from scheduler.audit_sinks import build_sinks
from tests.contract.audit.conftest import Fill
from tests.contract.audit.test_relay import let_time_pass
from tests.contract.stores.test_call_ledger import end_of, entry
from tests.support.receivers import free_port

KEPT_DAYS = 184
OLD = timedelta(days=KEPT_DAYS + 1)


class Kept:
    """A keeper, and the figures it told."""

    def __init__(self, store: AuditStore, outbox: AuditOutbox, anchors: AnchorFile) -> None:
        self._parts = (store, outbox, anchors)
        self.told: list[AuditFigures] = []

    def keeper(self, *sinks: str, rows: int = 1000, seconds: float = 3600) -> AuditKeeper:
        rhythm = Rhythm(poll_s=0.01, anchor_rows=rows, anchor_s=seconds, retention_days=KEPT_DAYS)
        return AuditKeeper(*self._parts, sinks=sinks, rhythm=rhythm, on_figures=self.told.append)


@pytest.fixture
def kept(store: AuditStore, outbox: AuditOutbox, anchors: AnchorFile) -> Kept:
    return Kept(store, outbox, anchors)


async def old_call(database: Database, *sinks: str, age: timedelta = OLD) -> None:
    calls, then = CallLedgerStore(database, sinks=sinks), utc_now() - age
    made = entry(started_at=then)
    await calls.admit(made)
    await calls.close(end_of(made, ended_at=then))


async def count_rows(database: Database) -> int:
    return await database.read(lambda connection: connection.scalar(select(func.count()).select_from(TOOL_AUDIT)) or 0)


def block(path: Path) -> None:
    """A folder where a file should be: not even root writes to it."""
    path.mkdir(parents=True)


def read(path: Path) -> bytes:
    return path.read_bytes()


# -- anchors -------------------------------------------------------------------------------------------------------


async def test_heads_are_anchored_at_the_start_after_rows_and_at_the_end(
    kept: Kept, fill: Fill, anchors: AnchorFile
) -> None:
    keeper = kept.keeper(rows=4)
    await fill(1)
    seen = []
    for _ in range(4):
        await keeper.step()
        seen.append([anchor.seq for anchor in anchors.read().anchors])
        await fill(1)
    task = asyncio.create_task(keeper.run())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])

    assert seen == [[2], [2], [2, 6], [2, 6]]
    assert [anchor.seq for anchor in anchors.read().anchors][-1] == 10


async def test_heads_are_anchored_after_a_time_too(kept: Kept, fill: Fill, anchors: AnchorFile) -> None:
    keeper = kept.keeper(seconds=0.001)
    for _ in range(3):
        await fill(1)
        await keeper.step()
        await asyncio.sleep(0.01)

    assert [anchor.seq for anchor in anchors.read().anchors] == [2, 4, 6]


async def test_an_anchor_file_that_cannot_be_written_stops_retention_but_not_the_figures(
    database: Database, kept: Kept, fill: Fill, anchor_path: Path
) -> None:
    block(anchor_path)
    await old_call(database)
    await fill(1)

    await kept.keeper().step()

    assert (len(kept.told), await count_rows(database)) == (1, 4)
    assert kept.told[0].unanchored_rows == 4


# -- retention -----------------------------------------------------------------------------------------------------


async def test_retention_takes_old_rows_and_what_is_left_is_whole(
    database: Database, store: AuditStore, kept: Kept, fill: Fill, anchors: AnchorFile
) -> None:
    for _ in range(3):
        await old_call(database)
    await old_call(database, age=timedelta(days=KEPT_DAYS - 1))
    await fill(1)
    keeper = kept.keeper()

    await keeper.step()
    await fill(1)
    await keeper.anchor()

    checked = await check_audit(store, anchors)
    (report,) = checked.chains
    assert checked.is_whole, checked
    assert (report.first_seq, report.last_seq, report.unanchored) == (7, 12, None)


async def test_retention_happens_in_pieces_and_again_and_anchors_are_kept(
    database: Database,
    store: AuditStore,
    kept: Kept,
    fill: Fill,
    anchors: AnchorFile,
    anchor_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("db.audit_store._RETIRED_AT_ONCE", 4)
    for _ in range(5):
        await old_call(database)
    await fill(1)
    keeper = kept.keeper()
    await keeper.anchor()
    before = read(anchor_path)

    await keeper.retire()
    assert await count_rows(database) == 2
    assert (await check_audit(store, anchors)).is_whole
    assert read(anchor_path).startswith(before)
    retired = [json.loads(line)["seq"] for line in read(anchor_path).decode().splitlines() if "retired" in line]
    assert retired == [4, 8, 10]

    assert await keeper.retire() == 0
    assert (await check_audit(store, anchors)).is_whole


async def test_a_retirement_that_broke_off_before_its_rows_went_is_no_fault_and_is_finished_later(
    database: Database, store: AuditStore, kept: Kept, fill: Fill, anchors: AnchorFile
) -> None:
    await old_call(database)
    await fill(2)
    await kept.keeper().retire()
    assert await count_rows(database) == 4
    ends = await store.retirable(utc_now() + timedelta(days=1))
    anchors.add(ends, is_retired=True)  # and here the process dies

    assert (await check_audit(store, anchors)).is_whole
    await store.retire(ends)
    assert (await check_audit(store, anchors)).is_whole


@pytest.mark.parametrize("state", ["waiting", "dead letter"])
async def test_nothing_goes_that_a_configured_sink_does_not_have(
    database: Database, outbox: AuditOutbox, kept: Kept, fill: Fill, state: str
) -> None:
    (sink,) = build_sinks(f"http://127.0.0.1:{free_port()}/")
    await old_call(database)
    await old_call(database, sink.name)
    await old_call(database)
    await fill(1)
    if state == "dead letter":
        relay = AuditRelay(outbox, [sink], poll_s=1)
        for _ in range(MAX_TRIES + 1):
            await let_time_pass(database)
            await relay.relay(sink)
        assert await outbox.dead_letters() == {sink.name: 2}

    await kept.keeper(sink.name).retire()
    assert await count_rows(database) == 6

    # The sink was given up: nothing has to be kept for it, and nothing of it stays behind.
    await kept.keeper().retire()
    assert await count_rows(database) == 2
    assert (await outbox.waiting(), await outbox.dead_letters()) == ([], {})
    await sink.close()


async def test_a_chain_with_a_fault_keeps_its_rows_as_evidence(
    database: Database, store: AuditStore, kept: Kept, fill: Fill, anchors: AnchorFile
) -> None:
    for _ in range(2):
        await old_call(database)
    await fill(1)
    forged = update(TOOL_AUDIT).where(TOOL_AUDIT.c.seq == 2).values(user_id="nobody")
    await database.write(lambda connection: connection.execute(forged))

    await kept.keeper().retire()

    assert await count_rows(database) == 6
    assert not (await check_audit(store, anchors)).is_whole


# -- figures -------------------------------------------------------------------------------------------------------


async def test_open_calls_are_counted_from_the_record(database: Database, kept: Kept) -> None:
    calls = CallLedgerStore(database)
    first, second = entry(), entry(organization_id="other", run_id="r2")
    await calls.admit(first)
    keeper = kept.keeper()
    counted = [(await keeper.figures()).open_calls]
    for change in (calls.admit(second), calls.close(end_of(first)), calls.close_lost()):
        await change
        counted.append((await keeper.figures()).open_calls)

    assert counted == [1, 2, 1, 0]
    assert (await kept.keeper().figures()).open_calls == 0


async def test_metrics_show_how_the_audit_stands(
    database: Database, outbox: AuditOutbox, kept: Kept, fill: Fill
) -> None:
    (sink,) = build_sinks(f"http://127.0.0.1:{free_port()}/")
    metrics = ToolMetrics()
    await fill(2, sink.name)
    keeper = kept.keeper(sink.name)
    relay = AuditRelay(outbox, [sink], poll_s=1)

    def shown(name: str, label: str = f'{{sink="{sink.name}"}}') -> float:
        (line,) = [one for one in metrics.text().decode().splitlines() if one.startswith(f"{name}{label} ")]
        return float(line.rsplit(" ", 1)[1])

    metrics.audit(await keeper.figures())
    assert (shown("agent_audit_relay_waiting"), shown("agent_audit_dead_letters")) == (4, 0)
    assert 0 < shown("agent_audit_relay_lag_seconds") < 60
    assert (shown("agent_audit_open_calls", ""), shown("agent_audit_unanchored_rows", "")) == (0, 4)

    for _ in range(2 * MAX_TRIES + 2):
        await let_time_pass(database)
        await relay.relay(sink)
    await keeper.anchor()
    metrics.audit(await keeper.figures())
    assert (shown("agent_audit_relay_waiting"), shown("agent_audit_dead_letters")) == (0, 4)
    assert (shown("agent_audit_relay_lag_seconds"), shown("agent_audit_unanchored_rows", "")) == (0, 0)
    await sink.close()
