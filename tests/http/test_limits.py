"""R-POL-4 over HTTP: what a run may not spend is not spent, and the session goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.model_server import Reply, written_model
from tests.support.server import live_settings, of_type, running_server


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
