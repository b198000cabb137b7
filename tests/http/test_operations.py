"""What an operator and the page ask: health, readiness, agents, tools, documentation, the page itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.documents.scans import needs_ocr
from tests.support.server import ROOT, RunningServer, running_server

CSP = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"


def test_r_api_5_health_says_versions_mode_and_checks(offline: RunningServer) -> None:
    health = offline.json("/health")

    assert health["status"] == "ok"
    assert health["model_mode"] == "offline"
    assert health["config_conflicts"] == []
    assert health["single_process"] == {"ok": True, "warnings": []}
    assert {"python", "deepagents", "langgraph"} <= health["versions"].keys()
    assert health["limits"] == {"upload_files": 8, "upload_mb": 2}
    assert health["reads_scans"] is False


@needs_ocr
def test_health_says_that_scans_are_read_where_that_is_switched_on_and_installed(tmp_path: Path) -> None:
    with running_server(tmp_path, airflow_ocr=1) as server:
        assert server.json("/health")["reads_scans"] is True


def test_r_api_5_ready_names_its_checks(offline: RunningServer) -> None:
    ready = offline.json("/ready")

    assert ready["status"] == "ready"
    assert set(ready["checks"].values()) == {"ok"}
    assert {"database", "checkpoints", "data_folder"} <= ready["checks"].keys()


def test_agents_are_listed_with_their_default(offline: RunningServer) -> None:
    agents = offline.json("/api/agents")

    assert {agent["name"] for agent in agents["items"]} >= {"ventilation", "general"}
    assert [agent["name"] for agent in agents["items"] if agent["default"]] == [agents["default"]] == ["ventilation"]
    assert all(agent["title"] and agent["examples"] for agent in agents["items"])


def test_tools_are_listed_with_their_arguments(offline: RunningServer) -> None:
    tools = {tool["name"]: tool for tool in offline.json("/api/tools")["items"]}

    assert tools["math_evaluate"]["title"]
    assert "expression" in tools["math_evaluate"]["schema"]["properties"]
    assert "airflow_plan_verify" in tools


@pytest.mark.parametrize("path", ["/", "/docs", "/health", "/api/nothing", "/api/chat"])
def test_every_answer_carries_the_safe_headers_and_an_id(offline: RunningServer, path: str) -> None:
    headers = offline.client.get(path).headers

    assert headers["content-security-policy"] == CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert re.fullmatch(r"[0-9a-f]{32}", headers["x-request-id"])
    assert "server" not in headers


def test_a_proxys_request_id_is_kept_if_it_is_harmless(offline: RunningServer) -> None:
    kept = offline.client.get("/health", headers={"X-Request-Id": "abc-123"}).headers["x-request-id"]
    replaced = offline.client.get("/health", headers={"X-Request-Id": "a b<c>"}).headers["x-request-id"]

    assert kept == "abc-123"
    assert re.fullmatch(r"[0-9a-f]{32}", replaced)


def test_the_page_is_served_fresh(offline: RunningServer) -> None:
    answer = offline.client.get("/")

    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text):
        assert offline.client.get(address).status_code == 200, address


def test_the_documentation_lists_every_route_and_asks_no_foreign_host(offline: RunningServer) -> None:
    page = offline.client.get("/docs").text

    for path in offline.client.get("/openapi.json").json()["paths"]:
        assert path in page
    assert not re.findall(r'(?:src|href)="(?!/)', page)
    assert "<script" not in page
    assert "session_id" in page


def test_no_route_was_dropped(offline: RunningServer) -> None:
    paths = offline.client.get("/openapi.json").json()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}

    assert routes >= {
        ("POST", "/api/chat"),
        ("POST", "/api/chat/resume"),
        ("GET", "/api/chat/interrupt"),
        ("POST", "/api/chat/interrupt"),
        ("GET", "/api/runs/{run_id}"),
        ("GET", "/api/runs/{run_id}/events"),
        ("POST", "/api/runs/{run_id}/cancel"),
        ("GET", "/api/sessions"),
        ("GET", "/api/sessions/{session_id}"),
        ("PATCH", "/api/sessions/{session_id}"),
        ("DELETE", "/api/sessions/{session_id}"),
        ("GET", "/api/sessions/{session_id}/messages"),
        ("GET", "/api/sessions/{session_id}/files"),
        ("GET", "/api/sessions/{session_id}/files/{path}"),
        ("GET", "/api/usage/today"),
        ("GET", "/api/agents"),
        ("GET", "/api/tools"),
        ("GET", "/health"),
        ("GET", "/ready"),
    }
    assert not any(path.startswith("/api/chat/only") for path in paths)


def test_r_inv_2_a_second_process_on_the_same_data_is_noticed(offline: RunningServer) -> None:
    with running_server(offline.data_dir, web_concurrency=2) as second:
        check = second.json("/health")["single_process"]

        assert check["ok"] is False
        assert any("WEB_CONCURRENCY=2" in warning for warning in check["warnings"])
        assert any("DATA_DIR" in warning for warning in check["warnings"])
        assert second.log.count("not_single_process") == 2
    assert offline.json("/health")["single_process"]["ok"] is True


def test_r_pit_1_conflicts_are_in_health_and_the_log_once_and_masked(tmp_path: Path) -> None:
    script = (
        "import asyncio, json, os\n"
        "from pathlib import Path\n"
        "import httpx\n"
        "import config, main\n"
        "environ = {'DEEP_AGENT_ENV_PRIORITY': 'dotenv', 'OPENAI_API_KEY': 'process-secret-value-1111'}\n"
        "app = main.build(config.load(environ, Path(os.environ['TEST_ENV_FILE'])))\n"
        "async def ask():\n"
        "    async with app.router.lifespan_context(app):\n"
        "        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url='http://t') as client:\n"
        "            print(json.dumps((await client.get('/health')).json()))\n"
        "asyncio.run(ask())\n"
    )
    env_file = tmp_path / "settings.env"
    env_file.write_text(f"OPENAI_API_KEY=dotenv-secret-value-2222\nDATA_DIR={tmp_path / 'data'}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "TEST_ENV_FILE": str(env_file)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    health = json.loads(done.stdout)

    assert health["config_conflicts"] == [
        {"key": "OPENAI_API_KEY", "effective_source": "dotenv", "effective": "***2222", "ignored": "***1111"}
    ]
    assert done.stderr.count("config_conflict") == 1
    assert "secret-value" not in done.stdout + done.stderr


def test_r_pit_11_importing_main_twice_starts_nothing(tmp_path: Path) -> None:
    script = (
        "import importlib, threading, sys\n"
        "before = threading.active_count()\n"
        "import main\n"
        "importlib.reload(main)\n"
        "app = main.build()\n"
        "assert threading.active_count() == before, threading.enumerate()\n"
        "assert not hasattr(app.state, 'services')\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", script],
        cwd=ROOT,
        env={**os.environ, "DEEP_AGENT_ENV_PRIORITY": "none", "DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "data").exists()


def test_the_server_says_once_where_it_listens(offline: RunningServer) -> None:
    assert offline.log.count(f"deep_agent: {offline.base_url}\n") == 1


def test_wrong_settings_are_said_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "main.py"],
        cwd=ROOT,
        env={**os.environ, "DEEP_AGENT_ENV_PRIORITY": "sometimes"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 2
    assert "DEEP_AGENT_ENV_PRIORITY" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_model_address_does_not_keep_the_server_from_being_ready(live: RunningServer) -> None:
    assert httpx.get(f"{live.base_url}/ready", trust_env=False).status_code == 200
