"""R-GRD-1, R-GRD-3: what an answer claims is checked against what code saw happen, before the user reads it."""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tests.support.model_server import Reply, WrittenServer, written_model
from tests.support.server import (
    Frame,
    RunningServer,
    live_settings,
    of_type,
    read_frames,
    running_server,
    start_server,
    text_of,
)

PLAN = ("plan_submit", {"title": "月度复测", "steps": "核对测点"})
FALSE_CLAIM = "好的。月度复测计划已提交，编号 P-7。还有别的问题吗？"

# Longer than what is held, so that its beginning is out before it is judged.
LONG_CLAIM = "月度复测计划已提交，内容是" + "、".join(f"第{number}个测点的风速与风量核对" for number in range(60))


class _Halting(tuple[str, ...]):
    """Pieces after which the model falls silent until the test lets it go."""

    __slots__ = ()
    silence = threading.Event()

    @override
    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        self.silence.wait(60)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[tuple[RunningServer, list[Reply], WrittenServer]]:
    """A server whose model says what the list holds, one after the other."""
    replies: list[Reply] = []

    def script(_body: dict[str, Any]) -> Reply:
        return replies.pop(0) if replies else Reply(text="好")

    with (
        written_model(script) as model,
        running_server(tmp_path, **live_settings(model.base_url), default_agent="general") as server,
    ):
        yield server, replies, model
    shutil.rmtree(tmp_path, ignore_errors=True)


def shown(frames: list[Frame]) -> str:
    return "".join(frame["content"] for frame in of_type(frames, "message"))


def test_r_grd_1_an_invented_claim_is_never_shown_and_the_run_goes_to_people(written) -> None:
    server, replies, model = written
    replies.append(Reply(text=FALSE_CLAIM))

    frames = server.chat("提交复测计划")

    assert "已提交" not in text_of(frames)
    assert "P-7" not in str(frames)
    assert shown(frames).startswith("好的。")
    assert "还有别的问题吗" in shown(frames)
    assert "更正" in shown(frames)
    assert text_of(frames) == shown(frames), "what streamed is what stays"
    (guard,) = of_type(frames, "guard")
    assert (guard["guard"], guard["verdict"], guard["code"]) == ("outcome", "blocked", "plan.submitted")
    assert (frames[-1]["status"], frames[-1]["outcome"]) == ("escalated", "escalated")

    session_id = frames[0]["session_id"]
    (item,) = [one for one in server.json("/api/reviews", kind="outcome")["items"] if one["session_id"] == session_id]
    assert "计划已提交" in item["subject"], "the original is kept for the person who looks"
    rows = server.json("/api/audit", session_id=session_id, tool="guard.outcome")["items"]
    assert {row["audit_id"] for row in rows} == {guard["audit_id"]}

    assert "已提交" not in server.messages(session_id)[1]["content"]
    server.chat("然后呢", session_id=session_id)
    assert "已提交" not in str(model.bodies[-1]["messages"][1:]), "the model reads back what was shown"


def test_r_grd_1_a_claim_that_a_receipt_supports_streams_and_names_the_outcome(written) -> None:
    server, replies, _ = written
    replies += [Reply(calls=(PLAN,)), Reply(text="月度复测计划已提交。")]

    first = server.chat("提交复测计划")
    (item,) = of_type(first, "interrupt")[0]["interrupts"]
    answer = {"interrupt_id": item["interrupt_id"], "decision": "approve"}
    frames = read_frames(server.resume(first[0]["session_id"], answer))

    assert text_of(frames).strip() == shown(frames).strip() == "月度复测计划已提交。"
    assert of_type(frames, "guard") == []
    assert (frames[-1]["status"], frames[-1]["outcome"]) == ("succeeded", "resolved")


def test_r_grd_1_a_rejected_call_supports_no_claim(written) -> None:
    server, replies, model = written
    replies += [Reply(calls=(PLAN,)), Reply(text="月度复测计划已提交。")]

    first = server.chat("提交复测计划")
    (item,) = of_type(first, "interrupt")[0]["interrupts"]
    answer = {"interrupt_id": item["interrupt_id"], "decision": "reject", "reason": "先别"}
    frames = read_frames(server.resume(first[0]["session_id"], answer))

    assert "已提交。" not in text_of(frames)
    assert "驳回" in shown(frames)
    assert frames[-1]["outcome"] == "escalated"
    system = str(model.bodies[-1]["messages"][0]["content"])
    assert "被人驳回" in system, "the model was told before it wrote"


def test_r_grd_1_an_honest_failure_and_a_plan_are_left_alone(written) -> None:
    server, replies, _ = written
    text = "计划还没有提交，需要您批准后才会提交。"
    replies.append(Reply(text=text))

    frames = server.chat("提交了吗")

    assert text_of(frames).strip() == text
    assert of_type(frames, "guard") == []
    assert frames[-1]["status"] == "succeeded"


def test_a_claim_about_an_earlier_turn_rests_on_its_receipt(written) -> None:
    server, replies, _ = written
    replies += [Reply(calls=(PLAN,)), Reply(text="好了。"), Reply(text="是的，上一轮的月度复测计划已提交。")]
    first = server.chat("提交复测计划")
    (item,) = of_type(first, "interrupt")[0]["interrupts"]
    server.resume(first[0]["session_id"], {"interrupt_id": item["interrupt_id"], "decision": "approve"}).read()

    frames = server.chat("刚才提交了吗", session_id=first[0]["session_id"])

    assert "已提交" in text_of(frames)
    assert frames[-1]["status"] == "succeeded"


def judged(server: RunningServer, frames: list[Frame]) -> tuple[list[str], str]:
    """Where guards found a claim that nothing supports, and what the history says of that turn."""
    session_id = frames[0]["session_id"]
    queue = server.json("/api/reviews", kind="outcome")["items"]
    assert [one["session_id"] for one in queue].count(session_id) == 1, "a person hears of it once"
    codes = [frame["code"] for frame in of_type(frames, "guard")]
    # What went out before it was judged said so first.
    return [code for code in codes if code != "held_too_long"], server.messages(session_id)[1]["content"]


def test_r_grd_1_a_claim_that_was_blocked_before_the_model_broke_off_is_told_and_recorded(written) -> None:
    server, replies, _ = written
    replies.append(Reply(pieces=("好的。", "月度复测计划已提交。", "接下来"), is_cut=True))

    frames = server.chat("提交复测计划")

    assert frames[-1]["status"] == "failed"
    codes, kept = judged(server, frames)
    assert codes == ["plan.submitted"]
    assert kept.startswith("好的。")
    assert "更正" in kept
    assert kept == text_of(frames).strip()


@pytest.mark.parametrize("ending", ["", "。接下来"])
def test_r_grd_1_a_claim_that_was_out_when_the_model_broke_off_does_not_stay(written, ending: str) -> None:
    server, replies, model = written
    replies.append(Reply(pieces=("好的。", *LONG_CLAIM, ending), is_cut=True))

    frames = server.chat("提交复测计划")

    assert "已提交" in text_of(frames), "too long to be held"
    codes, kept = judged(server, frames)
    assert codes == ["plan.submitted"]
    assert len(of_type(frames, "correction")) == 1
    assert "已提交" not in kept
    assert "更正" in kept
    server.chat("然后呢", session_id=frames[0]["session_id"])
    assert "已提交" not in str(model.bodies[-1]["messages"][1:]), "the model reads back what stayed"


def test_r_grd_1_a_claim_that_was_out_when_the_process_died_does_not_stay(tmp_path: Path) -> None:
    replies = [Reply(pieces=_Halting(("好的。", *LONG_CLAIM)))]
    with written_model(lambda _body: replies.pop() if replies else Reply(text="好")) as model:
        settings = {**live_settings(model.base_url), "default_agent": "general"}
        server = start_server(tmp_path, **settings)
        url, form = "/api/chat", {"message": (None, "提交复测计划"), "user_name": (None, server.user)}
        with server.client.stream("POST", url, files=form) as stream:
            read = ""
            for text in stream.iter_text():
                read += text
                if "已提交" in read:
                    break
            server.stop(signal.SIGKILL)
        _Halting.silence.set()
        with running_server(tmp_path, **settings) as server:
            (session,) = server.json("/api/sessions")["items"]
            run_id = server.messages(session["session_id"])[1]["run_id"]
            frames = read_frames(server.get(f"/api/runs/{run_id}/events", after="0"))

            assert (frames[-1]["type"], frames[-1]["status"]) == ("done", "failed")
            codes, kept = judged(server, frames)
            assert codes == ["plan.submitted"]
            assert "已提交" not in kept
            server.chat("然后呢", session_id=session["session_id"])
            assert "已提交" not in str(model.bodies[-1]["messages"][1:])
    shutil.rmtree(tmp_path, ignore_errors=True)
