"""R-POL-4 over HTTP: what a run may not spend is not spent, and the session goes on."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from tests.support.model_server import Reply, written_model
from tests.support.server import live_settings, of_type, read_frames, running_server

PROFILES = Path(__file__).resolve().parents[2] / "agents" / "profiles"


def profiles_with(folder: Path, limits: str) -> Path:
    """Profiles whose general agent has these limits too."""
    shutil.copytree(PROFILES, folder)
    general = folder / "general.toml"
    text, gate = general.read_text("utf-8"), 'approval = ["plan_submit"]'
    assert gate in text
    general.write_text(text.replace(gate, f"{gate}\n[policy.limits]\n{limits}\n"), "utf-8")
    return folder


def test_r_pol_4_a_bound_on_money_without_a_price_stops_the_run_before_its_first_model_call(tmp_path: Path) -> None:
    with (
        written_model(lambda _: Reply(text="好")) as model,
        running_server(tmp_path, **live_settings(model.base_url)) as server,
    ):
        frames = server.chat("look up order A-1001", agent="ticket_desk")
        asked = list(model.bodies)
        session = server.json(f"/api/sessions/{frames[0]['session_id']}")
        after = server.chat("你好", agent="general")

    assert asked == []
    assert (frames[-1]["status"], frames[-1]["outcome"], frames[-1]["usage"]["calls"]) == ("limited", "limited", 0)
    (error,) = of_type(frames, "error")
    assert (error["code"], "价格" in error["hint"]) == ("cost_unknown", True)
    assert session["active_run"] is None
    assert after[-1]["status"] == "succeeded"


def test_r_air_13_an_agent_whose_data_stays_says_so_in_its_stream_and_in_the_record(tmp_path: Path) -> None:
    profiles = tmp_path / "profiles"
    shutil.copytree(Path(__file__).resolve().parents[2] / "agents" / "profiles", profiles)
    general = profiles / "general.toml"
    general.write_text('model_egress = "none"\n' + general.read_text("utf-8"), "utf-8")
    with (
        written_model(lambda _: Reply(text="好")) as model,
        running_server(tmp_path / "data", **live_settings(model.base_url), profiles_dir=profiles) as server,
    ):
        frames = server.chat("算 60×11.3×1.2", agent="general")
        rows = server.json("/api/audit", session_id=frames[0]["session_id"])["items"]

    assert model.bodies == []
    assert frames[0]["model_mode"] == "offline"
    assert {row["model"] for row in rows} == {"offline"}


def test_r_pol_4_the_policys_bound_on_time_ends_a_run_limited_and_says_so(tmp_path: Path) -> None:
    def slow(_: Any) -> Reply:
        time.sleep(4)
        return Reply(text="晚了")

    with (
        written_model(slow) as model,
        running_server(
            tmp_path / "data",
            **live_settings(model.base_url),
            profiles_dir=profiles_with(tmp_path / "profiles", "max_run_s = 1"),
        ) as server,
    ):
        frames = server.chat("你好", agent="general")

    done = frames[-1]
    assert (done["status"], done["outcome"], done["stop_reason"]) == ("limited", "limited", "time_limit")
    (error,) = of_type(frames, "error")
    assert (error["code"], "max_run_s" in error["hint"], "RUN_TIMEOUT_S" in error["hint"]) == (
        "time_limit",
        True,
        False,
    )


def test_r_pol_4_time_of_earlier_segments_counts_and_waiting_for_a_person_does_not(tmp_path: Path) -> None:
    plan = ("plan_submit", {"title": "甲", "steps": "乙"})
    replies = [(1.5, Reply(calls=(plan,))), (0.0, Reply(calls=(plan,))), (2.5, Reply(text="好"))]

    def script(_: Any) -> Reply:
        seconds, reply = replies.pop(0)
        time.sleep(seconds)
        return reply

    with (
        written_model(script) as model,
        running_server(
            tmp_path / "data",
            **live_settings(model.base_url),
            profiles_dir=profiles_with(tmp_path / "profiles", "max_run_s = 3.5"),
        ) as server,
    ):

        def approve(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
            (item,) = of_type(frames, "interrupt")[-1]["interrupts"]
            body = {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": "approve"}
            return read_frames(server.resume(frames[0]["session_id"], body))

        first = server.chat("计划", agent="general")
        time.sleep(4)
        second = approve(first)
        last = approve(second)

    assert second[-1]["status"] == "interrupted", "a person may take their time"
    assert (last[-1]["status"], last[-1]["stop_reason"]) == ("limited", "time_limit")


def test_r_pol_4_a_run_without_a_place_for_the_answer_pays_for_no_summary(tmp_path: Path) -> None:
    """Two calls were made when the history has become too long: a summary needs a place, and the answer one more."""
    long = "\n".join(f"第{row}行 " + "测点风速核对说明" * 12 for row in range(90))
    read = ("read_file", {"file_path": "/workspace/uploads/a.txt"})
    full = {"prompt_tokens": 26_000, "completion_tokens": 50}
    twice = (read, ("read_file", {**read[1], "offset": 1}))
    seen: dict[int, tuple[str, int, int]] = {}
    for most in (2, 3, 4):
        written = [Reply(calls=(read,)), Reply(calls=twice, usage=full)]

        def script(body: dict[str, Any], written: list[Reply] = written) -> Reply:
            return written.pop(0) if body.get("tools") and written else Reply(text="要点")

        settings = {
            "max_model_calls_per_run": most,
            "model_context_window": 30_000,
            "ctx_compact_trigger": 0.5,
            "ctx_compact_keep": 0.05,
        }
        with (
            written_model(script) as model,
            running_server(tmp_path / str(most), **live_settings(model.base_url), **settings) as server,
        ):
            done = server.chat("读", agent="general", files=[("a.txt", long.encode())])[-1]
            summaries = sum(not body.get("tools") for body in model.bodies)
            assert done["usage"]["calls"] == len(model.bodies), "a summary is one of the run's calls"
            seen[most] = (done["status"], len(model.bodies), summaries)

    assert seen == {2: ("limited", 2, 0), 3: ("limited", 2, 0), 4: ("succeeded", 4, 1)}
