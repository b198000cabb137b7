"""The dry run of a policy against what a real server recorded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.server import RunningServer

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

    assert same.returncode == 0, same.stdout + same.stderr
    assert json.loads(same.stdout)["flips"] == []
    assert any("max_run_s" in what for what in json.loads(same.stdout)["not_replayed"])
    flips = [flip for flip in json.loads(stricter.stdout)["flips"] if flip["run_id"] == run_id]
    assert stricter.returncode == 1
    assert [(flip["subject"], flip["before"], flip["after"]) for flip in flips] == [
        ("math_evaluate", "allowed", "refused: not_allowed")
    ]
    assert (missing.returncode, "none" in missing.stderr) == (2, True)
