"""R-POL-5: samples of what a run did alone, and low scores only where reviewed cases prove that scores mean something."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agents.guards.confidence import Signals
from agents.guards.policy import AgentPolicy, ReviewRule
from agents.guards.receipts import Receipt
from api.after_run import AfterRun
from api.review_desk import ReviewDesk
from api.turn import TurnConfig, TurnLimits
from db.db_conn import Database, new_id
from db.review_store import ReviewStore

ALONE = Receipt(receipt_id="r", effect="note.sent", tool="note_send", status="ok", args={"to": "甲"})


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
        policy=AgentPolicy(review=ReviewRule.model_validate(rule)),
    )


def after(reviews: ReviewStore) -> AfterRun:
    return AfterRun(ReviewDesk(reviews), reviews, key=b"k" * 32)


async def test_r_pol_5_what_a_run_did_alone_is_sampled_and_what_a_person_approved_is_not(reviews: ReviewStore) -> None:
    approved = replace(ALONE, tool="pay_out", approval_id="p1")
    failed = replace(ALONE, tool="mail_send", status="failed")
    earlier = replace(ALONE, tool="old_send", turn="earlier")

    await after(reviews).look(turn(sampling_rate=1.0), [ALONE, approved, failed, earlier], Signals())

    (item,) = (await reviews.page(kind="sample")).items
    assert (item.tool, item.rule, item.signals["confidence"]) == ("note_send", "note_send", 1.0)
    assert "甲" in item.subject


async def test_no_rate_no_sample_and_a_rate_of_one_tool_is_its_own(reviews: ReviewStore) -> None:
    other = replace(ALONE, tool="other_send")

    await after(reviews).look(turn(), [ALONE, other], Signals())
    await after(reviews).look(turn(sampling_rates={"other_send": 1.0}), [ALONE, other], Signals())

    assert [item.tool for item in (await reviews.page()).items] == ["other_send"]


async def test_r_pol_5_a_low_score_sends_nobody_to_look_before_scores_are_proven(reviews: ReviewStore) -> None:
    low = Signals(tool_calls=1, failed_calls=1)

    await after(reviews).look(turn(confidence_below=0.9), [], low)
    assert (await reviews.page()).items == []

    judged = after(reviews)
    for number in range(600):
        # Of the runs that scored 0.5 every second one was right.
        await judged.look(turn(sampling_rate=1.0), [ALONE], low)
        (item,) = (await reviews.page(is_open=True, kind="sample")).items
        await reviews.decide(item.review_id, verdict="right" if number % 2 else "wrong", note="", decided_by="p")
    assert (await judged.calibration("m")).reason == "calibrated"

    await judged.look(turn(confidence_below=0.9), [], low)
    await judged.look(turn(confidence_below=0.4), [], low)
    (item,) = (await reviews.page(kind="confidence")).items
    assert item.signals["confidence"] == 0.5
