"""OpenAI-compatible servers for tests: the bench's scripted one as a process, and one whose answers a test writes."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

from evals.model_server import Reply, Script, WrittenServer, written_model

__all__ = ["Reply", "Script", "WrittenServer", "bench_model", "written_model"]

_BENCH = Path(__file__).resolve().parents[1] / "fixtures" / "bench" / "fake_openai.py"
_START_S = 20.0


@contextmanager
def bench_model() -> Iterator[str]:
    """Run the bench's scripted server as a process; yields its base address."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(_BENCH), "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _await_health(f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _await_health(url: str) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
