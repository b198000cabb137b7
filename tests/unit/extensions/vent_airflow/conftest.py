"""A session's workspace with two uploaded documents, and the airflow tools as an agent calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from config import get_settings
from extensions.vent_airflow import tools, workspace_paths
from extensions.vent_airflow.extension import register
from tests.support.governed import governed_registry

FIXTURES = Path(__file__).resolve().parents[4] / "tests" / "fixtures" / "airflow"
PLAN, REPORT = FIXTURES / "faults" / "f14_plan.txt", FIXTURES / "faults" / "f14_report.docx"


@pytest.fixture
def max_inline_items():
    """How many rows a tool's answer holds."""
    return 50


@pytest.fixture
def empty_workspace(tmp_path, monkeypatch, max_inline_items):
    """The workspace of a session that has uploaded nothing."""
    settings = get_settings().model_copy(update={"data_dir": tmp_path, "airflow_max_inline_items": max_inline_items})
    for module in (workspace_paths, tools):
        monkeypatch.setattr(module, "get_settings", lambda: settings)
    folder = workspace_paths.session_workspace()
    (folder / "uploads").mkdir(parents=True)
    return folder


@pytest.fixture
def workspace(empty_workspace):
    """The workspace of a session with a plan and a report."""
    folder = empty_workspace
    shutil.copy(PLAN, folder / "uploads" / "计划.txt")
    shutil.copy(REPORT, folder / "uploads" / "报表.docx")
    return folder


@pytest.fixture
def registry():
    registry = governed_registry()
    register(registry)
    yield registry
    registry.close()


@pytest.fixture
def call(registry):
    """Call a tool as the graph does: the payload the model reads."""

    async def named(name, /, **args):
        message = await registry.get_tools_by_name([name])[0].ainvoke(
            {"type": "tool_call", "id": "c1", "name": name, "args": args}
        )
        return json.loads(message.content)

    return named


@pytest.fixture
async def papers(workspace, call):
    """Both documents read: paths of the extracts."""
    plan = await call("airflow_plan_preprocess", plan_path="计划.txt")
    report = await call("airflow_report_parse", report_path="报表.docx")
    return {"plan": plan["data"]["extract_path"], "report": report["data"]["extract_path"]}
