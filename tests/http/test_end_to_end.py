"""`http_e2e.py` against a server started by `start_server.sh`: with the embedded model and with the scripted model server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

import pytest

from config import PROJECT_ROOT
from tests.support.model_server import bench_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def shell(*command: str, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False, timeout=180
    )


@contextmanager
def background_server(data: Path, **settings: str) -> Iterator[tuple[str, dict[str, str]]]:
    port = free_port()
    environ = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI_")}
    environ |= {"DEEP_AGENT_ENV_PRIORITY": "none", "DATA_DIR": str(data), "PORT": str(port), **settings}
    started = shell("scripts/start_server.sh", "start", environ=environ)
    try:
        assert started.returncode == 0, started.stdout + started.stderr
        yield f"http://127.0.0.1:{port}", environ
    finally:
        stopped = shell("scripts/start_server.sh", "stop", environ=environ)
        assert stopped.stdout.strip() == "stopped"


def test_r_run_2_the_whole_job_offline(tmp_path: Path) -> None:
    with background_server(tmp_path / "data") as (base, environ):
        status = shell("scripts/start_server.sh", "status", environ=environ)
        again = shell("scripts/start_server.sh", "start", environ=environ)
        done = shell(sys.executable, "scripts/http_e2e.py", "--base", base, environ=environ)

    assert status.returncode == 0
    assert "already running" in again.stdout
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all steps passed\n")
    assert shell("scripts/start_server.sh", "status", environ=environ).returncode == 3


def test_r_run_2_the_whole_job_with_a_model_server(tmp_path: Path) -> None:
    with bench_model() as model:
        settings = {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": model, "MODEL_NAME": "fake"}
        with background_server(tmp_path / "data", **settings) as (base, environ):
            done = shell(sys.executable, "scripts/http_e2e.py", "--base", base, "--scripted", environ=environ)

    assert done.returncode == 0, done.stdout + done.stderr
