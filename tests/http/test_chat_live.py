"""Chat against a scripted OpenAI-compatible model: real usage, real tool calls, and every way a model can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.server import Frame, RunningServer, live_settings, of_type, running_server, text_of

CALCULATE = '[[tokens=5 tool=math_evaluate args={"expression":"60*11.3*1.2"}]]'


def test_a_models_answer_is_streamed_word_by_word(live: RunningServer) -> None:
    frames = live.chat("[[tokens=20]]")

    assert frames[0]["model_mode"] == "live"
    # A guarded agent keeps back the last few characters, so the pieces are not the model's own.
    assert len(of_type(frames, "token")) >= 20
    assert text_of(frames).split()[:3] == ["lorem", "ipsum", "dolor"]
    assert frames[-1]["status"] == "succeeded"


def test_r_inv_3_the_providers_figures_reach_the_bill(live: RunningServer) -> None:
    frames = live.chat("[[tokens=20]]")

    (usage,) = of_type(frames, "usage")
    assert (usage["output_tokens"], usage["usage_source"], usage["model"]) == (20, "provider", "fake")
    today = live.json("/api/usage/today")
    assert (today["calls"], today["output_tokens"], today["usage_source"]) == (1, 20, "provider")
    assert today["cost"] is None


def test_a_models_tool_call_runs_the_tool(live: RunningServer) -> None:
    frames = live.chat(CALCULATE)

    kinds = [f["type"] for f in frames if f["type"] in {"tool_call", "tool_result", "message", "done"}]
    assert kinds == ["tool_call", "tool_result", "message", "done"]
    assert "813.6" in of_type(frames, "tool_result")[0]["content"]
    assert frames[-1]["usage"]["calls"] == 2


def test_r_pit_12_two_calls_of_one_tool_are_two_cards(live: RunningServer) -> None:
    frames = live.chat('[[tokens=3 calls=2 tool=math_evaluate args={"expression":"1+1"}]]')

    calls, results = of_type(frames, "tool_call"), of_type(frames, "tool_result")
    assert len({call["tool_call_id"] for call in calls}) == 2
    assert [call["tool_call_id"] for call in calls] == [result["tool_call_id"] for result in results]


def test_r_pit_5_a_tools_raw_answer_never_stands_in_the_text(live: RunningServer) -> None:
    frames = live.chat(CALCULATE)

    assert "813.6" not in text_of(frames)
    assert "{" not in text_of(frames)


def test_r_lay_5_a_tool_called_with_nonsense_answers_readably(live: RunningServer) -> None:
    frames = live.chat('[[tokens=3 tool=math_evaluate args={"wrong":1}]]')

    (result,) = of_type(frames, "tool_result")
    assert result["status"] == "error"
    assert "expression" in result["content"]
    assert frames[-1]["status"] == "succeeded"


def assert_failed(server: RunningServer, frames: list[Frame], code: str) -> Frame:
    """The turn failed readably, is in the history, is billed, and the session can go on."""
    (error,) = of_type(frames, "error")
    assert error["code"] == code
    assert error["message"]
    assert error["hint"]
    assert frames[-2]["type"] in {"error", "usage", "context", "sources"}
    assert (frames[-1]["status"], frames[-1]["final"], frames[-1]["stop_reason"]) == ("failed", True, code)
    assert len(of_type(frames, "usage")) == frames[-1]["usage"]["calls"]
    session_id = frames[0]["session_id"]
    assert [message["status"] for message in server.messages(session_id)] == ["done", "failed"]
    return error


def test_a_wrong_key_is_said_and_the_session_goes_on(live: RunningServer) -> None:
    frames = live.chat("[[fail=401]]")

    error = assert_failed(live, frames, "model_auth_failed")
    assert "OPENAI_API_KEY" in error["hint"]
    assert frames[-1]["usage"]["output_tokens"] == 0
    assert live.chat("[[tokens=3]]", session_id=frames[0]["session_id"])[-1]["status"] == "succeeded"


@pytest.mark.parametrize(("status", "code"), [(500, "model_unavailable"), (429, "model_rate_limited")])
def test_a_server_error_can_be_tried_again(live: RunningServer, status: int, code: str) -> None:
    error = assert_failed(live, live.chat(f"[[fail={status}]]"), code)

    assert error["retryable"] is True


def test_a_stream_that_is_cut_keeps_what_was_said(live: RunningServer) -> None:
    frames = live.chat("[[tokens=20 drop=5 burst=5]]")
    session_id = frames[0]["session_id"]

    assert_failed(live, frames, "model_stream_cut")
    assert len(of_type(frames, "token")) == 5
    (message,) = of_type(frames, "message")
    assert message["content"] == text_of(frames)
    assert live.messages(session_id)[1]["content"] == text_of(frames).strip()
    (usage,) = of_type(frames, "usage")
    assert usage["usage_source"] == "estimate"
    assert usage["output_tokens"] > 0

    again = live.chat("[[tokens=3]]", session_id=session_id)
    # The scripted model counts a quarter of the characters it was sent: what was cut is part of the conversation.
    assert of_type(again, "usage")[0]["input_tokens"] > 0
    assert again[-1]["status"] == "succeeded"


def test_an_unreachable_model_is_said(tmp_path: Path) -> None:
    with running_server(tmp_path, **live_settings("http://127.0.0.1:9/v1")) as server:
        frames = server.chat("你好")
        error = assert_failed(server, frames, "model_unreachable")

        assert "OPENAI_BASE_URL" in error["hint"]
        assert frames[-1]["usage"]["input_tokens"] == 0


def test_a_run_that_takes_too_long_is_stopped(tmp_path: Path, bench_url: str) -> None:
    with running_server(tmp_path, run_timeout_s=1, **live_settings(bench_url)) as server:
        frames = server.chat("[[tokens=1000 delay_ms=50]]")

        assert_failed(server, frames, "run_timeout")
        assert 1 <= len(of_type(frames, "token")) < 40
