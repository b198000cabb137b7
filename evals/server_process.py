"""The whole server as a process of its own, on a free port and a data folder that is thrown away."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from typing import Final

import httpx

from config import PRIORITY_KEY, PROJECT_ROOT

_START_S: Final = 120.0
_STOP_S: Final = 20.0
_SHOWN_LOG: Final = 2_000


class ServerStartError(Exception):
    """The server did not come up; the message holds the end of its log."""


@contextmanager
def server_process(data_dir: Path, settings: Mapping[str, str], environ: Mapping[str, str]) -> Iterator[str]:
    """Run a server and yield its address once it is healthy.

    Args:
        data_dir: Its data folder; the log is written there too.
        settings: Settings by name, in capitals; `.env` does not count.
        environ: What a process needs to run at all, such as PATH; no settings of the server.

    Raises:
        ServerStartError: It ended or did not answer in time.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    port, log_file = _free_port(), data_dir / "server.log"
    with log_file.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "main.py"],
            cwd=PROJECT_ROOT,
            env={**environ, **settings, "DATA_DIR": str(data_dir), "PORT": str(port), PRIORITY_KEY: "none"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    base_url = f"http://127.0.0.1:{port}"
    try:
        _await_health(process, base_url, log_file)
        yield base_url
    finally:
        _stop(process)


def _await_health(process: subprocess.Popen[bytes], base_url: str, log_file: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{base_url}/health", timeout=2, trust_env=False).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise ServerStartError(log_file.read_text(encoding="utf-8", errors="replace")[-_SHOWN_LOG:])


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
