"""A run that breaks where nothing may break: its readers are told, and the session is free again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from agents.session_agent import UserInput
from api.run_hub import RunHub
from api.run_records import RunRecords
from api.turn import TurnLimits
from api.turn_end import STOPS
from db.db_conn import Database, new_id, utc_now
from db.message_store import MessageStore
from db.records import RunStatus, Session
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore


class BrokenRunner:
    """A runner whose bill cannot be settled."""

    async def run(self, *_: Any, **__: Any) -> Any:
        raise OSError("the ledger is gone")

    async def look_after(self, *_: Any) -> None:
        raise OSError("the queue is gone")

    async def totals(self, _: str) -> dict[str, Any]:
        return {}


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[RunRecords]:
    database = Database(f"sqlite:///{tmp_path / 'test.sqlite3'}", 2)
    await database.start()
    yield RunRecords(
        sessions=SessionStore(database),
        messages=MessageStore(database),
        runs=RunStore(database),
        events=RunEventStore(database),
        owner="test",
    )
    await database.close()


async def test_a_run_that_breaks_ends_with_words_and_frees_the_session(records: RunRecords) -> None:
    limits = TurnLimits(window_tokens=8_000, run_timeout_s=5, approval_wait_s=60)
    hub = RunHub(runner=cast("Any", BrokenRunner()), records=records, limits=limits, rules={})
    now = utc_now()
    session = Session(
        session_id=new_id(),
        user_name="u",
        agent="general",
        title="试",
        permission_mode="default",
        plan_mode="off",
        created_at=now,
        updated_at=now,
    )
    await records.sessions.create(session)

    for _ in range(2):  # the second message would wait for ever, if the first one held the place
        async with hub.admit(session, "enqueue"):
            started = await hub.start(session, UserInput(text="试", message_id=new_id()))
        frames = [
            orjson.loads(event.frame)
            async for batch in hub.follow(started.run_id, after=0, heartbeat_s=5)
            for event in batch
        ]

        assert [frame["type"] for frame in frames] == ["session", "run", "error", "done"]
        assert (frames[2]["code"], frames[2]["message"]) == ("run_broke", STOPS["run_broke"].message)
        assert frames[3]["status"] == "failed"
        assert (await records.runs.get(started.run_id)).status is RunStatus.FAILED
