"""Where a tool finds the session's files: the same place the agent's file tools use, and nowhere else."""

from pathlib import Path

import pytest
from langchain_core.runnables import RunnableLambda

from agents.errors import WorkspacePathError
from agents.workspace import SESSION_KEY, USER_KEY, resolve_virtual, session_root, workspace_keys
from config import get_settings
from extensions.vent_airflow import workspace_paths
from tools.registry import ToolError


@pytest.fixture
def data_path(tmp_path, monkeypatch):
    settings = get_settings().model_copy(update={"data_dir": tmp_path})
    monkeypatch.setattr(workspace_paths, "get_settings", lambda: settings)
    return tmp_path


def in_run(function, configurable):
    """Call a function the way the graph calls a tool: inside a runnable with this config."""
    return RunnableLambda(lambda _: function()).invoke(None, config={"configurable": configurable})


def keys_of(user, session):
    return dict(zip((USER_KEY, SESSION_KEY), workspace_keys(user, session), strict=True))


@pytest.mark.parametrize(("user", "session"), [("default", "s1"), ("张工", "../../x"), ("a/b", "会话 1")])
def test_r_pit_17_a_tool_finds_the_workspace_the_agent_uses(data_path, user, session):
    found = in_run(workspace_paths.session_workspace, keys_of(user, session))

    assert found == session_root(data_path, user, session) / "workspace"


@pytest.mark.parametrize(
    "path", ["/workspace/uploads/plan.pdf", "/workspace/outputs/airflow/x.json", "/workspace/uploads/子目录/表 1.xlsx"]
)
def test_r_pit_17_virtual_paths_map_as_the_agent_maps_them(data_path, path):
    root = session_root(data_path, "default", "s1")
    found = in_run(lambda: workspace_paths.resolve_virtual(path), keys_of("default", "s1"))

    assert found.resolve() == resolve_virtual(root, path)
    assert in_run(lambda: workspace_paths.to_virtual(found), keys_of("default", "s1")) == path


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/workspace/../x",
        "/workspace",
        "",
        "/workspace/a\0b",
        "/workspace\\..\\x",
        "../x",
        "uploads/../../x",
    ],
)
def test_r_pit_18_a_path_that_leads_out_is_refused_by_both(data_path, path):
    with pytest.raises(ToolError) as refusal:
        workspace_paths.resolve_virtual(path)

    assert str(data_path) not in refusal.value.message + refusal.value.hint
    if path != "/workspace":  # the agent's file tools may list the folder itself, a tool wants a file
        with pytest.raises(WorkspacePathError):
            resolve_virtual(session_root(data_path, "default", "s1"), path)


def test_a_link_is_not_followed(data_path):
    uploads = data_path / "workspaces" / "local" / "workspace" / "uploads"
    uploads.mkdir(parents=True)
    (data_path / "secret.txt").write_text("x")
    (uploads / "link.txt").symlink_to(data_path / "secret.txt")
    (uploads / "folder").symlink_to(data_path)

    for path in ("/workspace/uploads/link.txt", "/workspace/uploads/folder/secret.txt"):
        with pytest.raises(ToolError):
            workspace_paths.existing_file(path)


def test_r_pit_17_outside_a_run_the_projects_own_folder_serves(data_path):
    assert workspace_paths.session_workspace() == data_path / "workspaces" / "local" / "workspace"


@pytest.mark.parametrize(
    "configurable", [{}, {USER_KEY: "a"}, {USER_KEY: "../..", SESSION_KEY: "b"}, {USER_KEY: 1, SESSION_KEY: 2}]
)
def test_r_pit_20_a_run_without_a_session_fails_loudly(data_path, configurable):
    with pytest.raises(RuntimeError, match="names no workspace"):
        in_run(workspace_paths.session_workspace, {"thread_id": "t"} | configurable)


def test_a_bare_name_means_an_uploaded_file(data_path):
    uploads = data_path / "workspaces" / "local" / "workspace" / "uploads"
    uploads.mkdir(parents=True)
    (uploads / "计划.pdf").write_bytes(b"x")

    for path in ("计划.pdf", "uploads/计划.pdf", "workspace/uploads/计划.pdf", " /workspace/uploads/计划.pdf "):
        assert workspace_paths.existing_file(path) == uploads / "计划.pdf"


def test_r_pit_18_a_missing_file_is_asked_from_the_user(data_path):
    with pytest.raises(ToolError) as refusal:
        workspace_paths.existing_file("/workspace/uploads/计划.pdf")

    assert refusal.value.code == "file_not_found"
    assert "上传" in refusal.value.hint
    assert Path("计划.pdf").name in refusal.value.message
