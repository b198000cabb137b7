"""Chat without a model key: the embedded model works through the same graph, tools and stream."""

from __future__ import annotations

import re
from datetime import datetime

from tests.support.server import RunningServer, of_type, read_frames, text_of

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def test_r_run_1_a_chat_without_a_key_streams_from_session_to_done(offline: RunningServer) -> None:
    answer = offline.post_chat("算 60*11.3*1.2")
    frames = read_frames(answer)

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-cache, no-transform"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.text.startswith(": hb\n\n")
    assert (frames[0]["type"], frames[0]["model_mode"]) == ("session", "offline")
    assert answer.headers["x-run-id"] == frames[0]["run_id"]
    assert answer.headers["x-session-id"] == frames[0]["session_id"] == frames[0]["thread_id"]
    assert (frames[-1]["type"], frames[-1]["status"], frames[-1]["final"]) == ("done", "succeeded", True)
    assert "813.6" in text_of(frames)


def test_frames_are_gapless_and_each_call_precedes_its_one_result(offline: RunningServer) -> None:
    frames = offline.chat("算 60*11.3*1.2")

    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    (call,), (result,) = of_type(frames, "tool_call"), of_type(frames, "tool_result")
    assert call["tool_call_id"] == result["tool_call_id"]
    assert call["seq"] < result["seq"]
    assert call["args"] == {"expression": "60*11.3*1.2"}
    assert result["status"] == "ok"


def test_tokens_of_a_message_join_without_a_hole(offline: RunningServer) -> None:
    frames = offline.chat("算 1+1")

    for message in of_type(frames, "message"):
        tokens = [token for token in of_type(frames, "token") if token["message_id"] == message["message_id"]]
        said = ""
        for token in tokens:
            assert token["offset"] == len(said)
            said += token["content"]
        assert said == message["content"]
        assert message["covers"] == [tokens[0]["seq"], tokens[-1]["seq"]]


def test_r_pit_8_every_frame_and_message_carries_microseconds(offline: RunningServer) -> None:
    frames = offline.chat("现在几点")
    messages = offline.messages(frames[0]["session_id"])

    assert all(STAMP.fullmatch(frame["ts"]) for frame in frames)
    assert all(STAMP.fullmatch(message["created_at"]) for message in messages)


def test_r_pit_8_the_history_is_in_the_order_it_was_said(offline: RunningServer) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]
    for number in range(2, 5):
        offline.chat(f"算 {number}+1", session_id=session_id)

    messages = offline.messages(session_id)

    assert [message["role"] for message in messages] == ["user", "assistant"] * 4
    assert [message["content"] for message in messages[::2]] == [f"算 {number}+1" for number in range(1, 5)]
    stamps = [datetime.fromisoformat(message["created_at"]) for message in messages]
    assert stamps == sorted(stamps)


def test_r_inv_4_sources_come_from_tools_just_before_done(offline: RunningServer) -> None:
    frames = offline.chat("算 60*11.3*1.2")

    assert [frame["type"] for frame in frames[-2:]] == ["sources", "done"]
    assert [item["title"] for item in frames[-2]["items"]] == ["十进制计算器"]
    assert frames[-2]["message_id"] == frames[-1]["message_id"]


def test_the_history_shows_the_turn_in_time_order(offline: RunningServer) -> None:
    frames = offline.chat("算 60*11.3*1.2")

    user, assistant = offline.messages(frames[0]["session_id"])

    assert (user["role"], user["content"]) == ("user", "算 60*11.3*1.2")
    assert assistant["run_id"] == frames[0]["run_id"]
    assert assistant["status"] == "succeeded"
    kinds = [part["type"] for part in assistant["parts"] if part["type"] in {"message", "tool_call", "tool_result"}]
    assert kinds == ["message", "tool_call", "tool_result", "message"]
    assert assistant["content"] == "\n\n".join(m["content"] for m in of_type(frames, "message"))


def test_r_inv_3_figures_of_the_embedded_model_are_marked_as_estimates(offline: RunningServer) -> None:
    frames = offline.chat("现在几点")

    assert {usage["usage_source"] for usage in of_type(frames, "usage")} == {"estimate"}
    assert frames[-1]["usage"]["usage_source"] == "estimate"


def test_r_pit_9_usage_of_today_is_not_zero_after_one_chat(offline: RunningServer) -> None:
    assert offline.json("/api/usage/today")["calls"] == 0
    frames = offline.chat("算 1+2")

    today = offline.json("/api/usage/today")

    assert today["calls"] == len(of_type(frames, "usage")) == frames[-1]["usage"]["calls"] > 0
    for figure in ("input_tokens", "output_tokens"):
        assert today[figure] == sum(usage[figure] for usage in of_type(frames, "usage")) == frames[-1]["usage"][figure]
        assert today[figure] > 0
    assert [row["model"] for row in today["by_model"]] == ["offline"]


def test_the_context_says_how_full_it_is(offline: RunningServer) -> None:
    context = of_type(offline.chat("现在几点"), "context")[-1]

    assert context["window_tokens"] == 128_000
    assert context["used_tokens"] > 0
    assert context["ratio"] == round(context["used_tokens"] / 128_000, 4)
    assert context["compacted"] is False


def test_r_lay_5_a_failing_tool_gives_a_reason_and_the_turn_goes_on(offline: RunningServer) -> None:
    frames = offline.chat("算 1/0")

    (result,) = of_type(frames, "tool_result")
    assert result["status"] == "error"
    assert frames[-1]["status"] == "succeeded"
    assert text_of(frames)


def test_what_no_playbook_knows_is_answered_honestly(offline: RunningServer) -> None:
    frames = offline.chat("写一首诗")

    assert frames[-1]["status"] == "succeeded"
    assert "模型" in text_of(frames)


def test_a_client_that_asks_for_ids_gets_them(offline: RunningServer) -> None:
    answer = offline.post_chat("现在几点", stream_ids="1")

    ids = [int(line[4:]) for line in answer.text.split("\n") if line.startswith("id: ")]
    assert ids == [frame["seq"] for frame in read_frames(answer)]
