"""The dry run of a policy against what a real server recorded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, of_type, read_frames, running_server

ROOT = Path(__file__).resolve().parents[2]


def dry_run(server: RunningServer, *more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA_DIR": str(server.data_dir), "DEEP_AGENT_ENV_PRIORITY": "none"}
    command = [sys.executable, "scripts/policy.py", "dry-run", *more]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_the_policy_in_force_flips_nothing_and_a_stricter_one_lists_what(
    offline: RunningServer, tmp_path: Path
) -> None:
    session_id = offline.chat("算 60×11.3×1.2")[0]["session_id"]
    (run_id,) = {row["run_id"] for row in offline.json("/api/audit", session_id=session_id)["items"]}
    profiles = tmp_path / "agents" / "profiles"
    shutil.copytree(ROOT / "agents" / "profiles", profiles)
    for file in profiles.glob("*.toml"):
        file.write_text(
            file.read_text("utf-8").replace('"math_evaluate",', "").replace(', "math_evaluate"', ""), "utf-8"
        )

    same = dry_run(offline, "--json")
    stricter = dry_run(offline, "--profiles", str(profiles), "--json")
    missing = dry_run(offline, "--profiles", str(tmp_path / "none"))
    desk = profiles / "ticket_desk.toml"
    desk.write_text(desk.read_text("utf-8").replace('["refund.issued"]', '["refund.isued"]'), "utf-8")
    misspelt = dry_run(offline, "--profiles", str(profiles))

    assert same.returncode == 0, same.stdout + same.stderr
    assert json.loads(same.stdout)["flips"] == []
    assert any("max_run_s" in what for what in json.loads(same.stdout)["not_replayed"])
    flips = [flip for flip in json.loads(stricter.stdout)["flips"] if flip["run_id"] == run_id]
    assert stricter.returncode == 1
    assert [(flip["subject"], flip["before"], flip["after"]) for flip in flips] == [
        ("math_evaluate", "allowed", "refused: not_allowed")
    ]
    assert (missing.returncode, "none" in missing.stderr) == (2, True)
    assert (misspelt.returncode, "'refund.isued'" in misspelt.stderr) == (2, True)


def test_calls_that_waited_and_answers_that_were_escalated_flip_nothing_under_the_policy_in_force(
    tmp_path: Path,
) -> None:
    profiles = tmp_path / "profiles"
    shutil.copytree(ROOT / "agents" / "profiles", profiles)
    desk = profiles / "ticket_desk.toml"
    said = desk.read_text("utf-8").replace("max_tool_calls_per_run = 8", "max_tool_calls_per_run = 2")
    desk.write_text(said.replace('max_cost_per_run = "0.30"', "max_model_calls_per_run = 9"), "utf-8")
    refund = ("issue_refund", {"order_id": "A-1001", "amount": 10})
    looked = ("order_lookup", {"order_id": "A-1001"})
    replies = [Reply(text="Refund of 10.00 USD for A-1001 has been issued."), Reply(calls=(refund, looked, looked))]

    with (
        written_model(lambda _: replies.pop(0) if replies else Reply(text="ok")) as model,
        running_server(
            tmp_path / "data", **live_settings(model.base_url), profiles_dir=profiles, default_agent="ticket_desk"
        ) as server,
    ):
        assert server.chat("status of A-1001")[-1]["status"] == "escalated"
        frames = server.chat("refund A-1001")
        (waiting,) = of_type(frames, "interrupt")[0]["interrupts"]
        decided = {"interrupt_id": waiting["interrupt_id"], "decision": "reject", "reason": "no"}
        ended = read_frames(server.resume(frames[0]["session_id"], decided))
        codes = [row["code"] for row in server.json("/api/audit", session_id=frames[0]["session_id"])["items"]]
        same = dry_run(server, "--profiles", str(profiles), "--json")
        desk.write_text(
            desk.read_text("utf-8").replace("max_tool_calls_per_run = 2", "max_tool_calls_per_run = 1"), "utf-8"
        )
        fewer = dry_run(server, "--profiles", str(profiles))

    assert ended[-1]["status"] == "limited"
    assert {"call_limit", "rejected_by_human_approval"} <= set(codes)
    assert (same.returncode, json.loads(same.stdout)["flips"]) == (0, []), same.stdout
    assert fewer.returncode == 1
    assert "order_lookup: allowed -> refused: call_limit" in fewer.stdout
    assert "issue_refund:" not in fewer.stdout
    assert "not replayed: wall time" in fewer.stdout
