"""The script that keeps a server in the background touches its own server only, and says what is wrong in words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from config import PROJECT_ROOT


def run(data_dir: Path, action: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEEP_AGENT_ENV_PRIORITY": "none", "DATA_DIR": str(data_dir), **settings}
    return subprocess.run(
        [PROJECT_ROOT / "scripts" / "start_server.sh", action], env=environment, capture_output=True, text=True
    )


def test_a_number_that_went_to_another_process_is_not_taken_for_the_server(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        (tmp_path / "server.pid").write_text(f"{other.pid}\n", encoding="utf-8")

        status, stop = run(tmp_path, "status"), run(tmp_path, "stop")

        assert (status.returncode, status.stdout) == (3, "not running\n")
        assert (stop.returncode, stop.stdout) == (0, "not running\n")
        assert other.poll() is None
        other.communicate(b"\n")


def test_wrong_settings_are_named_without_a_trace(tmp_path: Path) -> None:
    done = run(tmp_path, "start", PORT="99999")

    assert done.returncode == 2
    assert "port" in done.stderr
    assert "Traceback" not in done.stderr
