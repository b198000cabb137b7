"""A process that is really killed at each step of the wrapper: after the next start every call has one before-row and one end."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from db.approval_store import ApprovalStore
from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.records import Approval
from db.stamp import utc_now
from tests.contract.crash.child import CALL_ID, CALLS, SESSIONS
from tests.support.databases import KINDS

ROOT = Path(__file__).resolve().parents[3]
# What the tool did, and which outcomes are on record once somebody cleaned up.
STEPS = {
    "before admit": (0, []),
    "admit not committed": (0, []),
    "admitted": (0, [None, "unknown"]),
    "in the tool": (1, [None, "unknown"]),
    "tool done": (1, [None, "unknown"]),
    "close not committed": (1, [None, "unknown"]),
    "closed": (1, [None, "ok"]),
}
# A server has to undo by itself what a dead client left; the other steps are the same for every database.
ON_A_SERVER = ("admit not committed", "close not committed")
SERVERS = [kind for kind in KINDS if kind != "sqlite"]
KILLED_CALLS = [("sqlite", step) for step in STEPS] + [(kind, step) for kind in SERVERS for step in ON_A_SERVER]
# Writers of a file share commits: a hundred calls are a dozen of them.
KILLED_CROWDS = [("sqlite", 1), ("sqlite", 4), ("sqlite", 8), *((kind, 60) for kind in SERVERS)]


@dataclass
class World:
    url: str
    effects: Path

    def run(self, mode: str, fatal: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.contract.crash.child", self.url, str(self.effects), mode, fatal]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90)

    def done(self) -> list[str]:
        return self.effects.read_text(encoding="utf-8").split() if self.effects.exists() else []

    @asynccontextmanager
    async def started(self) -> AsyncIterator[Database]:
        database = Database(self.url, threads=2)
        await database.start()
        yield database
        await database.close()

    async def cleaned_up(self) -> tuple[int, list[dict[str, Any]]]:
        """What a start of the server closes, and the record behind it, whose chain is whole."""
        async with self.started() as database:
            closed, audit = await CallLedgerStore(database, sinks=["file"]).close_lost(), AuditStore(database)
            rows: list[dict[str, Any]] = []
            await audit.export(rows.append)
            assert [report.faults for report in await audit.verify([], {})] in ([], [()])
            relayed = [one.event_id for one in await AuditOutbox(database).due("file", utc_now(), 10_000)]
        assert sorted(relayed) == sorted(row["event_id"] for row in rows), "a row that no sink will hear of, or twice"
        return closed, rows

    async def approval(self) -> Approval:
        async with self.started() as database:
            (kept,) = await ApprovalStore(database, CallLedgerStore(database)).of_session("s1")
        return kept


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> World:
    return World(database_url, tmp_path / "effects")


@pytest.mark.slow
@pytest.mark.parametrize(("database_url", "step"), KILLED_CALLS, indirect=["database_url"])
async def test_a_call_whose_process_was_killed_has_one_before_row_and_one_end(world: World, step: str) -> None:
    effects, outcomes = STEPS[step]

    killed = world.run("one", step)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    closed, rows = await world.cleaned_up()

    assert [row["outcome"] for row in rows] == outcomes
    assert [row["phase"] for row in rows] == ["before", "end"][: len(rows)]
    assert closed == ("unknown" in outcomes)
    assert len(world.done()) == effects
    approval = await world.approval()
    assert (approval.state == "consumed") == bool(rows)

    assert await world.cleaned_up() == (0, rows), "a second start changes nothing"

    again = world.run("one", "")
    _, rows_now = await world.cleaned_up()
    assert again.returncode == 0, again.stderr
    assert [row["phase"] for row in rows_now] == ["before", "end"]
    approval_now = await world.approval()
    assert approval_now.state == "consumed"
    if rows:  # the call is over: it does not happen again, and its approval was used once
        assert "call_closed" in again.stdout
        assert (rows_now, approval_now) == (rows, approval)
        assert len(world.done()) == effects
    else:  # it never began: now it happens
        assert [row["outcome"] for row in rows_now] == [None, "ok"]
        assert len(world.done()) == 1
    assert {row["tool_call_id"] for row in rows_now} == {CALL_ID}


@pytest.mark.slow
@pytest.mark.parametrize(("database_url", "commit"), KILLED_CROWDS, indirect=["database_url"])
async def test_of_a_crowd_whose_process_was_killed_nothing_happened_off_the_record(world: World, commit: int) -> None:
    killed = world.run("crowd", str(commit))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    closed, rows = await world.cleaned_up()

    phases = Counter((row["session_id"], row["tool_call_id"], row["phase"]) for row in rows)
    begun = {(session, call) for session, call, phase in phases if phase == "before"}
    assert set(phases.values()) <= {1}
    assert {(session, call) for session, call, phase in phases if phase == "end"} == begun
    assert closed == sum(row["outcome"] == "unknown" for row in rows)
    assert {(*name.split("/"),) for name in world.done()} <= begun
    assert len(world.done()) == len(set(world.done())) < SESSIONS * CALLS
    ended_well = {(row["session_id"], row["tool_call_id"]) for row in rows if row["outcome"] == "ok"}
    assert ended_well <= {(*name.split("/"),) for name in world.done()}

    assert await world.cleaned_up() == (0, rows), "a second start changes nothing"
