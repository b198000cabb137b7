"""Runs belong to the server, not to the connection: they go on, wait their turn, stop when told, and are told again."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.server import (
    Frame,
    RunningServer,
    live_settings,
    of_type,
    read_frames,
    start_server,
    text_of,
)

SLOW = "[[tokens=60 delay_ms=30]]"


@contextmanager
def begun(server: RunningServer, message: str = SLOW, **fields: str) -> Iterator[tuple[str, str, Iterator[Frame]]]:
    """A turn whose stream is open: run id, session id, its frames."""
    form = {"message": message, "user_name": server.user, **fields}
    with (
        httpx.Client(base_url=server.base_url, timeout=60, trust_env=False) as client,
        client.stream("POST", "/api/chat", data=form) as answer,
    ):
        assert answer.status_code == 200
        frames = (json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: "))
        yield answer.headers["x-run-id"], answer.headers["x-session-id"], frames


def read_until(frames: Iterator[Frame], kind: str) -> Frame:
    return next(frame for frame in frames if frame["type"] == kind)


def cancel(server: RunningServer, run_id: str) -> httpx.Response:
    return server.client.post(f"/api/runs/{run_id}/cancel", params={"user_name": server.user})


def test_r_api_6_a_client_that_leaves_finds_the_finished_turn_in_the_history(live: RunningServer) -> None:
    with begun(live) as (run_id, session_id, frames):
        read_until(frames, "token")

    assert live.await_run(run_id, "succeeded")["stop_reason"] == "finished"
    _, assistant = live.messages(session_id)
    assert len(assistant["content"].split()) == 60
    assert assistant["status"] == "succeeded"


def test_r_api_6_the_stream_can_be_read_on_from_any_frame(live: RunningServer) -> None:
    seen = live.chat("[[tokens=10]]")
    run_id = seen[0]["run_id"]

    whole = live.get(f"/api/runs/{run_id}/events")
    rest = live.get(f"/api/runs/{run_id}/events", after="7")

    assert read_frames(whole) == seen
    assert read_frames(rest) == seen[7:]
    assert [line for line in whole.text.split("\n") if line.startswith("id: ")] == [f"id: {f['seq']}" for f in seen]
    at_end = live.get(f"/api/runs/{run_id}/events", after=str(seen[-1]["seq"]))
    assert (at_end.status_code, at_end.text) == (204, "")


def test_the_last_event_id_wins_over_after(live: RunningServer) -> None:
    seen = live.chat("[[tokens=3]]")

    answer = live.client.get(
        f"/api/runs/{seen[0]['run_id']}/events",
        params={"user_name": live.user, "after": "0"},
        headers={"Last-Event-ID": "5"},
    )

    assert read_frames(answer) == seen[5:]


@pytest.mark.parametrize("cursor", ["-1", "x", "99999", "1.5", "²"])
def test_a_cursor_that_is_none_of_this_run_is_400(live: RunningServer, cursor: str) -> None:
    run_id = live.chat("[[tokens=3]]")[0]["run_id"]

    answer = live.get(f"/api/runs/{run_id}/events", after=cursor)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_cursor")


def test_a_second_reader_follows_a_running_turn(live: RunningServer) -> None:
    with begun(live) as (run_id, _, frames):
        first = read_until(frames, "session")
        followed = read_frames(live.get(f"/api/runs/{run_id}/events"))
        rest = list(frames)

    assert followed == [first, *rest]
    assert followed[-1]["type"] == "done"


def test_the_history_of_a_running_turn_shows_what_was_said_so_far(live: RunningServer) -> None:
    with begun(live) as (_, session_id, frames):
        tokens = [read_until(frames, "token") for _ in range(5)]
        _, assistant = live.messages(session_id)

    assert assistant["status"] == "running"
    assert len(assistant["content"]) >= tokens[-1]["offset"]
    assert assistant["parts"][-1]["type"] == "message"


def test_r_api_6_a_turn_can_be_cancelled_and_keeps_what_was_said(live: RunningServer) -> None:
    with begun(live, "[[tokens=500 delay_ms=20]]") as (run_id, session_id, frames):
        said = [read_until(frames, "token") for _ in range(5)]
        answer = cancel(live, run_id)
        rest = list(frames)

    assert answer.status_code == 202
    assert [run["status"] for run in of_type(rest, "run")] == ["cancelling"]
    assert (rest[-1]["status"], rest[-1]["final"], rest[-1]["stop_reason"]) == ("cancelled", True, "user_cancelled")
    text = text_of([*said, *rest])
    assert of_type(rest, "message")[0]["content"] == text
    assert live.messages(session_id)[1]["content"] == text.strip()
    (usage,) = of_type(rest, "usage")
    assert usage["usage_source"] == "estimate"
    assert usage["output_tokens"] > 0
    assert live.json("/api/usage/today")["calls"] == 1
    assert cancel(live, run_id).status_code == 202
    assert live.json(f"/api/runs/{run_id}")["status"] == "cancelled"
    assert live.chat("[[tokens=3]]", session_id=session_id)[-1]["status"] == "succeeded"


def test_cancelling_stops_the_model_at_once(live: RunningServer) -> None:
    with begun(live, "[[tokens=2000 delay_ms=20]]") as (run_id, _, frames):
        read_until(frames, "token")
        started = time.monotonic()
        cancel(live, run_id)
        read_until(frames, "done")

    assert time.monotonic() - started < 5


def test_a_second_message_waits_its_turn(live: RunningServer) -> None:
    with begun(live) as (run_id, session_id, frames):
        read_until(frames, "token")
        second = live.chat("[[tokens=3]]", session_id=session_id)

    assert [run["status"] for run in of_type(second, "run")] == ["queued", "started"]
    assert of_type(second, "run")[0]["position"] == 1
    assert second[-1]["status"] == "succeeded"
    first_run, second_run = (live.json(f"/api/runs/{run}") for run in (run_id, second[0]["run_id"]))
    assert first_run["finished_at"] <= second_run["started_at"]
    assert [m["role"] for m in live.messages(session_id)] == ["user", "assistant"] * 2


def test_a_waiting_message_can_be_cancelled(live: RunningServer) -> None:
    with begun(live) as (_, session_id, frames):
        read_until(frames, "token")
        with begun(live, "[[tokens=3]]", session_id=session_id) as (waiting, _, queued):
            read_until(queued, "run")
            cancel(live, waiting)
            rest = list(queued)
        assert read_until(frames, "done")["status"] == "succeeded"

    assert rest[-1]["status"] == "cancelled"
    assert of_type(rest, "token") == []
    assert live.chat("[[tokens=3]]", session_id=session_id)[-1]["status"] == "succeeded"


def test_a_client_may_rather_be_told_that_the_session_is_busy(live: RunningServer) -> None:
    with begun(live) as (_, session_id, frames):
        read_until(frames, "token")
        refused = live.post_chat("[[tokens=3]]", session_id=session_id, on_conflict="reject")

    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "session_busy")
    assert int(refused.headers["retry-after"]) > 0


def test_a_message_may_interrupt_the_one_under_way(live: RunningServer) -> None:
    with begun(live, "[[tokens=2000 delay_ms=20]]") as (run_id, session_id, frames):
        read_until(frames, "token")
        second = live.chat("[[tokens=3]]", session_id=session_id, on_conflict="interrupt")
        assert read_until(frames, "done")["stop_reason"] == "superseded"

    assert second[-1]["status"] == "succeeded"
    assert live.json(f"/api/runs/{run_id}")["status"] == "cancelled"


GATED = '[[ttft_ms=1500 tool=plan_submit args={"title":"a","steps":"b"} tokens=3]]'


def await_approval(server: RunningServer, session_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + 20
    while not (found := server.json("/api/chat/interrupt", session_id=session_id)["interrupts"]):
        assert time.monotonic() < deadline, "the approval is not shown"
        time.sleep(0.05)
    pending: dict[str, Any] = found[0]
    return pending


def test_r_api_2_an_approval_can_be_decided_while_a_message_waits_behind_it(live: RunningServer) -> None:
    with begun(live, GATED) as (gated, session_id, _), begun(live, "[[tokens=3]]", session_id=session_id) as second:
        read_until(second[2], "run")
        pending = await_approval(live, session_id)
        assert live.json(f"/api/sessions/{session_id}/messages")["pending"] == [pending]
        assert live.json(f"/api/sessions/{session_id}")["active_run"]["run_id"] == gated

        resumed = read_frames(live.resume(session_id, {"interrupt_id": pending["interrupt_id"], "decision": "approve"}))

        assert resumed[-1]["status"] == "succeeded"
        assert read_until(second[2], "done")["status"] == "succeeded"


def test_a_message_that_supersedes_an_approval_supersedes_those_waiting_behind_it(live: RunningServer) -> None:
    with begun(live, GATED) as (gated, session_id, _), begun(live, SLOW, session_id=session_id) as second:
        await_approval(live, session_id)
        third = live.chat("[[tokens=3]]", session_id=session_id, on_conflict="interrupt")

        assert third[-1]["status"] == "succeeded"
        assert read_until(second[2], "done")["stop_reason"] == "superseded"
        assert live.json(f"/api/runs/{gated}")["stop_reason"] == "superseded"


def test_sessions_do_not_wait_for_each_other(live: RunningServer) -> None:
    with begun(live, "[[tokens=200 delay_ms=30]]") as (run_id, _, frames):
        read_until(frames, "token")
        other = live.chat("[[tokens=3]]")
        assert live.json(f"/api/runs/{run_id}")["status"] == "running"
        cancel(live, run_id)

    assert other[-1]["status"] == "succeeded"


def test_many_turns_at_once_mix_nothing_up(live: RunningServer) -> None:
    assert live.client is live.client  # made before the threads share it
    results: dict[int, list[Frame]] = {}

    def chat(number: int) -> None:
        results[number] = live.chat(f"[[tokens={number + 5} delay_ms=1]]")

    threads = [threading.Thread(target=chat, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for number, frames in results.items():
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        assert len(text_of(frames).split()) == number + 5
        assert {frame["run_id"] for frame in frames} == {frames[0]["run_id"]}


def test_a_run_of_a_dead_process_is_ended_at_the_next_start(tmp_path: Path, bench_url: str) -> None:
    server = start_server(tmp_path, **live_settings(bench_url))
    with begun(server, "[[tokens=2000 delay_ms=20]]") as (run_id, session_id, frames):
        seen: list[Any] = [next(frames) for _ in range(10)]
        server.stop(signal.SIGKILL)

    server = start_server(tmp_path, **live_settings(bench_url))
    try:
        run = server.json(f"/api/runs/{run_id}")
        assert (run["status"], run["stop_reason"]) == ("failed", "process_lost")
        log = read_frames(server.get(f"/api/runs/{run_id}/events"))
        assert log[: len(seen)] == seen
        assert [frame["seq"] for frame in log] == list(range(1, len(log) + 1))
        assert of_type(log, "error")[0]["retryable"] is True
        assert (log[-1]["status"], log[-1]["final"]) == ("failed", True)
        assert server.messages(session_id)[1]["content"] == text_of(log).strip()
        assert server.chat("[[tokens=3]]", session_id=session_id)[-1]["status"] == "succeeded"
    finally:
        server.stop()


def test_a_server_that_is_stopped_tells_its_readers(tmp_path: Path, bench_url: str) -> None:
    server = start_server(tmp_path, **live_settings(bench_url))
    with begun(server, "[[tokens=2000 delay_ms=20]]") as (_, _, frames):
        read_until(frames, "token")
        server.process.send_signal(signal.SIGTERM)
        rest = list(frames)

    assert of_type(rest, "error")[0]["code"] == "server_stopping"
    assert (rest[-1]["type"], rest[-1]["status"], rest[-1]["final"]) == ("done", "failed", True)
    assert server.stop() in {0, -signal.SIGTERM}
    assert "server_stopped" in server.log
    assert "Traceback" not in server.log
