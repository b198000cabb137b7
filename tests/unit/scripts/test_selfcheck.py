"""`selfcheck.py` says what is in place, without key, server or network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from config import PROJECT_ROOT


def run_selfcheck(**environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/selfcheck.py"],
        cwd=PROJECT_ROOT,
        env={**os.environ, "DEEP_AGENT_ENV_PRIORITY": "none", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_r_run_2_everything_is_in_place(tmp_path: Path) -> None:
    done = run_selfcheck(DATA_DIR=str(tmp_path / "data"))

    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()[:-1]] == [
        "ok    imports",
        "ok    rules",
        "ok    tables, agents, tools",
        "ok    data folder",
        "ok    single process",
    ]
    assert "nested input in 5 tools (trigger met" in done.stdout


def test_a_failed_check_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")

    done = run_selfcheck(DATA_DIR=str(blocked / "data"), WEB_CONCURRENCY="3")

    assert done.returncode == 1
    assert "FAIL  data folder" in done.stdout
    assert "FAIL  single process" in done.stdout
    assert "ok    imports" in done.stdout
