"""R-POL-2: a message that belongs to people reaches them, whatever is missing from the words its user is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from agents.guards.escalation import Hit
from agents.session_agent import SessionAgent, UserInput
from api.guard_record import GuardRecord
from api.review_desk import ReviewDesk
from api.screening import escalate
from api.sse_events import EventType
from db.call_ledger import CallLedgerStore
from db.db_conn import Database, new_id
from db.review_store import ReviewStore
from tests.unit.api.test_after_run import turn


class _Agent:
    async def note(self, *said: object) -> None:
        """Keep nothing."""


@pytest.mark.parametrize(
    ("reply", "shown"),
    [({"zh": "已转人工"}, "已转人工"), ({}, "Your message has been passed to a person."), ({"en": ""}, "passed to")],
)
async def test_r_pol_2_missing_words_do_not_keep_a_message_from_people(
    tmp_path: Path, reply: dict[str, str], shown: str
) -> None:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=2)
    await database.start()
    reviews = ReviewStore(database)
    frames: list[dict[str, Any]] = []

    def emit(_: EventType, /, **fields: Any) -> int:
        frames.append(fields)
        return len(frames)

    end = await escalate(
        turn(),
        UserInput(text="there is a bomb", message_id=new_id()),
        Hit(name="mine", pattern="bomb", reply=cast("Any", reply)),
        agent=cast("SessionAgent", _Agent()),
        emit=emit,
        record=GuardRecord(CallLedgerStore(database), ReviewDesk(reviews)),
    )

    (item,) = (await reviews.page(kind="escalation")).items
    await database.close()
    assert (item.subject, end.outcome) == ("there is a bomb", "escalated")
    assert shown in frames[-1]["content"]
