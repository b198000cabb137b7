"""The real server as a process: on a free port, with a data folder of its own, offline or against a model address."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("main.py",)
_START_S = 110.0
_STOP_S = 20.0
Frame = dict[str, Any]
Files = Sequence[tuple[str, bytes]]


@dataclass(kw_only=True)
class RunningServer:
    """A server process and the questions tests ask it."""

    base_url: str
    data_dir: Path
    process: subprocess.Popen[bytes]
    log_file: Path
    user: str = "tester"
    _client: httpx.Client | None = field(default=None, repr=False)

    @property
    def client(self) -> httpx.Client:
        if self._client is None:
            self._client = httpx.Client(base_url=self.base_url, timeout=60, trust_env=False)
        return self._client

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    def get(self, path: str, **params: str) -> httpx.Response:
        return self.client.get(path, params={"user_name": self.user, **params})

    def json(self, path: str, **params: str) -> Any:
        answer = self.get(path, **params)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def post_chat(self, message: str = "", *, files: Files = (), **fields: str) -> httpx.Response:
        """Send a message and read the whole answer, whatever its status."""
        form = {"message": (None, message), "user_name": (None, self.user)}
        form |= {name: (None, value) for name, value in fields.items()}
        return self.client.post("/api/chat", files=[*form.items(), *(("files", file) for file in files)])

    def chat(self, message: str = "", *, files: Files = (), **fields: str) -> list[Frame]:
        """Send a message and read the stream to its end."""
        return read_frames(self.post_chat(message, files=files, **fields))

    def resume(self, session_id: str, *decisions: Mapping[str, Any]) -> httpx.Response:
        body = {"session_id": session_id, "user_name": self.user, "decisions": list(decisions)}
        return self.client.post("/api/chat/resume", json=body)

    def messages(self, session_id: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.json(f"/api/sessions/{session_id}/messages")["items"]
        return items

    def await_run(self, run_id: str, *statuses: str, timeout_s: float = 30.0) -> dict[str, Any]:
        """The run's state once it is one of `statuses`."""
        deadline = time.monotonic() + timeout_s
        while True:
            run: dict[str, Any] = self.json(f"/api/runs/{run_id}")
            if run["status"] in statuses:
                return run
            assert time.monotonic() < deadline, f"run is still {run['status']}\n{self.log}"
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process; its exit code."""
        if self._client is not None:
            self._client.close()
            self._client = None
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not stop\n{self.log}") from None


def start_server(data_dir: Path, **settings: object) -> RunningServer:
    """Start a server and wait until it is healthy; settings are names of `config.Settings` in any case."""
    data_dir.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    environment = {key: value for key, value in os.environ.items() if not key.upper().startswith("OPENAI_")}
    environment |= {
        "DEEP_AGENT_ENV_PRIORITY": "none",
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "PYTHONUNBUFFERED": "1",
        **{name.upper(): str(value) for name, value in settings.items()},
    }
    log_file = data_dir / "server.log"
    with log_file.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *COMMAND], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    server = RunningServer(base_url=f"http://127.0.0.1:{port}", data_dir=data_dir, process=process, log_file=log_file)
    deadline = time.monotonic() + _START_S
    while True:
        if process.poll() is not None:
            raise AssertionError(f"the server ended with {process.returncode}\n{server.log}")
        try:
            if httpx.get(f"{server.base_url}/health", timeout=2, trust_env=False).status_code == 200:
                return server
        except httpx.TransportError:
            if time.monotonic() > deadline:
                server.stop(signal.SIGKILL)
                raise AssertionError(f"the server did not start\n{server.log}") from None
        time.sleep(0.1)


@contextmanager
def running_server(data_dir: Path, **settings: object) -> Iterator[RunningServer]:
    """A server for the length of a block."""
    server = start_server(data_dir, **settings)
    try:
        yield server
    finally:
        server.stop(signal.SIGKILL if server.process.poll() is not None else signal.SIGTERM)


def live_settings(base_url: str) -> dict[str, object]:
    """Settings that make the server ask a scripted model."""
    return {
        "openai_api_key": "test",
        "openai_base_url": base_url,
        "model_name": "fake",
        "model_max_retries": 0,
    }


def read_frames(answer: httpx.Response) -> list[Frame]:
    """The frames of a finished stream."""
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    return [json.loads(line[6:]) for line in answer.text.split("\n") if line.startswith("data: ")]


def of_type(frames: Sequence[Frame], kind: str) -> list[Frame]:
    """The frames of one type."""
    return [frame for frame in frames if frame["type"] == kind]


def text_of(frames: Sequence[Frame]) -> str:
    """The text a user saw."""
    return "".join(frame["content"] for frame in of_type(frames, "token"))


def _free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
