"""R-POL-5: samples of what a run did alone, and low scores only where reviewed cases prove that scores mean something."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.guards.confidence import Signals
from agents.guards.policy import AgentPolicy, ReviewRule
from api.after_run import AfterRun
from api.review_desk import ReviewDesk
from api.turn import TurnConfig, TurnEnd, TurnLimits
from db.db_conn import Database, new_id
from db.records import AloneCall, RunStatus
from db.review_store import ReviewStore

ALONE = AloneCall(audit_id="a1", tool_call_id="c1", tool="note_send", outcome="ok")
OTHER = AloneCall(audit_id="a2", tool_call_id="c2", tool="other_send", outcome=None)


class Record:
    """What a run did alone, as a test says."""

    def __init__(self, *calls: AloneCall) -> None:
        self.calls = list(calls)

    async def made_alone(self, _run_id: str) -> list[AloneCall]:
        return self.calls


async def frames(_run_id: str) -> list[dict[str, Any]]:
    return [{"type": "tool_call", "tool_call_id": "c1", "args": {"to": "甲"}}]


def ended(signals: Signals | None = None, status: RunStatus = RunStatus.SUCCEEDED) -> TurnEnd:
    return TurnEnd(status=status, signals=signals)


@pytest.fixture
async def reviews(tmp_path: Path) -> AsyncIterator[ReviewStore]:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=2)
    await database.start()
    yield ReviewStore(database)
    await database.close()


def turn(**rule: object) -> TurnConfig:
    return TurnConfig(
        run_id=new_id(),
        session_id="s",
        user_name="u",
        agent="a",
        title="t",
        permission_mode="default",
        plan_mode="off",
        limits=TurnLimits(window_tokens=8_000, run_timeout_s=5, approval_wait_s=60),
        model="m",
        policy=AgentPolicy(allow=("note_send", "other_send", "read_file"), review=ReviewRule.model_validate(rule)),
    )


def after(reviews: ReviewStore, *calls: AloneCall) -> AfterRun:
    return AfterRun(ReviewDesk(reviews), reviews, calls=Record(*calls), frames=frames, key=b"k" * 32)


@pytest.mark.parametrize("status", [RunStatus.SUCCEEDED, RunStatus.LIMITED, RunStatus.FAILED, RunStatus.CANCELLED])
async def test_r_pol_5_what_a_run_did_alone_is_sampled_however_it_ended(
    reviews: ReviewStore, status: RunStatus
) -> None:
    await after(reviews, ALONE, OTHER).look(turn(sampling_rate=1.0), ended(status=status))

    items = {item.tool: item for item in (await reviews.page(kind="sample")).items}
    assert set(items) == {"note_send", "other_send"}
    assert items["note_send"].signals["status"] == status.value
    assert "甲" in items["note_send"].subject
    assert "unknown" in items["other_send"].subject


async def test_r_pol_5_a_second_look_at_a_run_draws_nothing_twice(reviews: ReviewStore) -> None:
    once = turn(sampling_rate=1.0)

    await after(reviews, ALONE).look(once, ended())
    await after(reviews, ALONE, OTHER).look(once, ended())

    assert sorted(item.tool for item in (await reviews.page()).items) == ["note_send", "other_send"]


async def test_no_rate_no_sample_and_a_rate_of_one_tool_is_its_own(reviews: ReviewStore) -> None:
    await after(reviews, ALONE, OTHER).look(turn(), ended(Signals()))
    await after(reviews, ALONE, OTHER).look(turn(sampling_rates={"other_send": 1.0}), ended(Signals()))

    assert [item.tool for item in (await reviews.page()).items] == ["other_send"]


async def test_the_frameworks_own_tools_are_sampled_only_where_the_policy_names_them(reviews: ReviewStore) -> None:
    look = AloneCall(audit_id="a3", tool_call_id="c3", tool="read_file", outcome="ok")
    await after(reviews, look).look(turn(sampling_rate=1.0), ended())
    assert (await reviews.page()).items == []

    await after(reviews, look).look(turn(sampling_rates={"read_file": 1.0}), ended())
    assert [item.tool for item in (await reviews.page()).items] == ["read_file"]


async def test_r_pol_5_a_low_score_sends_nobody_to_look_before_scores_are_proven(reviews: ReviewStore) -> None:
    low = Signals(tool_calls=1, failed_calls=1)

    await after(reviews).look(turn(confidence_below=0.9), ended(low))
    assert (await reviews.page()).items == []

    judged = after(reviews, ALONE)
    for number in range(600):
        # Of the runs that scored 0.5 every second one was right.
        await judged.look(turn(sampling_rate=1.0), ended(low))
        (item,) = (await reviews.page(is_open=True, kind="sample")).items
        await reviews.decide(item.review_id, verdict="right" if number % 2 else "wrong", note="", decided_by="p")
    assert (await judged.calibration("m")).reason == "calibrated"

    await judged.look(turn(confidence_below=0.9), ended(low))
    await judged.look(turn(confidence_below=0.4), ended(low))
    (item,) = (await reviews.page(kind="confidence")).items
    assert item.signals["confidence"] == 0.5
