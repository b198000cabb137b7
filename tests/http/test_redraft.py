"""R-GRD-3: an answer that begins with a critical number without any basis is written anew, once, before anybody has read it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.profiles import PROFILES_FOLDER
from tests.support.model_server import Reply, WrittenServer, written_model
from tests.support.server import RunningServer, live_settings, of_type, running_server, text_of

Written = tuple[RunningServer, list[Reply], WrittenServer]
BASELESS = "需风量为 1313 m³/min。另有 2727 m³/min 的计划风量。"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    replies: list[Reply] = []

    def script(_body: dict[str, Any]) -> Reply:
        return replies.pop(0)

    folder = tmp_path_factory.mktemp("redraft")
    profiles = Path(shutil.copytree(PROFILES_FOLDER, folder / "profiles"))
    talker = (
        (profiles / "general.toml")
        .read_text(encoding="utf-8")
        .replace('name = "general"', 'name = "talker"\nreasoning = true')
    )
    (profiles / "talker.toml").write_text(talker, encoding="utf-8")
    with (
        written_model(script) as model,
        running_server(folder / "data", **live_settings(model.base_url), profiles_dir=profiles) as server,
    ):
        yield server, replies, model


def ask(written: Written, *texts: str, session_id: str = "") -> list[dict[str, Any]]:
    server, replies, _ = written
    replies[:] = [Reply(text=text) for text in texts]
    known = {"session_id": session_id} if session_id else {}
    return server.chat("需风量是多少", files=(), agent="ventilation", **known)


def test_r_grd_3_a_baseless_answer_is_written_anew_before_anybody_reads_it(written: Written) -> None:
    server, replies, model = written
    frames = ask(written, BASELESS, "还没有工具结果，请先上传配风计划。")

    assert replies == []
    assert "1313" not in str(frames)
    assert "2727" not in str(frames)
    assert text_of(frames).strip() == "还没有工具结果，请先上传配风计划。"
    guards = of_type(frames, "guard")
    assert [(one["guard"], one["verdict"], one["spans"]) for one in guards] == [("response", "regenerated", [])] * 2
    assert {one["message_id"] for one in guards}.isdisjoint({one["message_id"] for one in of_type(frames, "message")})
    assert of_type(frames, "correction") == []
    assert frames[-1]["status"] == "succeeded"
    assert frames[-1]["usage"]["calls"] == 2
    assert len(of_type(frames, "run")) == 1
    told = model.bodies[-1]["messages"]
    assert "1313" in str(told[-1])
    assert "2727" in str(told[-1])
    assert [one["role"] for one in told[1:]] == ["user", "user"], "the draft itself is forgotten"

    session_id = str(frames[0]["session_id"])
    ask(written, "好。", session_id=session_id)
    assert "1313" not in str(model.bodies[-1]["messages"]), "the note is for that one answer"
    assert "1313" not in str(server.messages(session_id))


def test_r_grd_3_the_second_draft_is_shown_with_its_mark(written: Written) -> None:
    frames = ask(written, BASELESS, BASELESS)

    assert text_of(frames).count("未核验") == 2
    assert [one["verdict"] for one in of_type(frames, "guard")] == ["regenerated"] * 2 + ["unverified"] * 2
    assert frames[-1]["status"] == "succeeded"


def test_r_grd_3_what_was_begun_in_sight_of_the_user_is_marked_and_not_written_anew(written: Written) -> None:
    frames = ask(written, "根据现有资料来看，该面的需风量为 1313 m³/min。")

    assert text_of(frames).strip().endswith("（未核验）")
    assert [one["verdict"] for one in of_type(frames, "guard")] == ["unverified"]


def test_r_grd_3_a_draft_that_goes_on_with_its_tools_stays(written: Written) -> None:
    server, replies, _ = written
    replies[:] = [Reply(text=BASELESS, calls=(("ls", {"path": "/workspace"}),)), Reply(text="没有文件。")]
    frames = server.chat("看看有什么", agent="ventilation")

    assert text_of(frames).count("未核验") == 2
    assert [one["verdict"] for one in of_type(frames, "guard")] == ["unverified"] * 2
    assert [one["status"] for one in of_type(frames, "tool_result")] == ["ok"]


def test_r_grd_3_the_new_draft_may_call_tools(written: Written) -> None:
    server, replies, model = written
    replies[:] = [
        Reply(text=BASELESS),
        Reply(calls=(("ls", {"path": "/workspace"}),)),
        Reply(text="没有文件，请上传。"),
    ]
    frames = server.chat("看看有什么", agent="ventilation")

    assert [one["status"] for one in of_type(frames, "tool_result")] == ["ok"]
    assert text_of(frames).strip() == "没有文件，请上传。"
    assert frames[-1]["usage"]["calls"] == 3
    assert "1313" not in str([one for one in model.bodies[-1]["messages"] if one["role"] == "assistant"])


def test_thinking_is_shown_only_where_no_answer_is_verified_or_the_profile_says_so(written: Written) -> None:
    server, replies, _ = written
    for agent, expected in (("ventilation", []), ("ticket_desk", []), ("general", []), ("talker", ["1313 大概够"])):
        replies[:] = [Reply(text="好。", reasoning="1313 大概够")]
        frames = server.chat("你好", agent=agent)

        assert [one["content"] for one in of_type(frames, "reasoning")] == expected, agent


def test_r_grd_3_where_no_other_draft_can_be_had_the_first_one_is_the_answer_with_its_mark(written: Written) -> None:
    server, replies, model = written
    replies[:] = [Reply(text=BASELESS), *[Reply(status=500)] * 3]
    frames = server.chat("需风量是多少", agent="ventilation")
    session_id = str(frames[0]["session_id"])

    assert frames[-1]["status"] == "succeeded"
    assert of_type(frames, "error") == []
    assert text_of(frames).count("未核验") == 2
    assert [one["verdict"] for one in of_type(frames, "guard")] == ["regenerated"] * 2 + ["unverified"] * 2
    assert server.messages(session_id)[-1]["content"].count("未核验") == 2
    ask(written, "好。", session_id=session_id)
    assert "未核验" in str(model.bodies[-1]["messages"])


def test_r_grd_3_a_run_without_a_further_model_call_gives_its_first_draft(
    written: Written, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, replies, model = written
    replies[:] = [Reply(text=BASELESS)]
    settings = live_settings(model.base_url) | {"MAX_MODEL_CALLS_PER_RUN": "1"}
    with running_server(tmp_path_factory.mktemp("bound"), **settings) as server:
        frames = server.chat("需风量是多少", agent="ventilation")

    assert frames[-1]["status"] == "succeeded"
    assert text_of(frames).count("未核验") == 2
