"""Where a session's files are, and that no path leads out of them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.runnables.config import set_config_context
from langgraph.graph import END, START, StateGraph

from agents.errors import WorkspaceIdentityError, WorkspacePathError
from agents.workspace import (
    SessionFiles,
    build_backend,
    build_permissions,
    create_folders,
    resolve_virtual,
    root_of_keys,
    session_root,
    workspace_keys,
)
from config import Settings
from extensions.vent_airflow import workspace_paths
from tools.registry import PlaybookStep

ATTACKS = [
    "/workspace/../../../etc/passwd",
    "/workspace/a..b.txt",
    "/etc/passwd",
    "etc/passwd",
    "/workspace/link.txt",
    "/workspace/folder/secret.txt",
    "/workspace/loop",
    "/workspace/nul\0.txt",
    "~/secret.txt",
    "/workspace/~root/x",
    "C:\\Windows\\win.ini",
    "/skills/../agents/errors.py",
    "//etc/passwd",
    "/workspace/" + "x" * 5000,
]


def test_r_pit_17_a_sessions_folder_is_named_by_digests_of_user_and_session(tmp_path):
    root = session_root(tmp_path, "../张三", "s/1")

    user_key, session_key = workspace_keys("../张三", "s/1")
    assert root == tmp_path / "workspaces" / user_key / session_key
    assert all(len(key) == 32 and key.isalnum() for key in (user_key, session_key))
    assert session_root(tmp_path, "李四", "s/1") != root


@pytest.mark.parametrize("key", ["", "..", "a/b", "x" * 65, "a\0"])
def test_r_pit_17_keys_that_could_be_paths_are_refused(tmp_path, key):
    with pytest.raises(WorkspaceIdentityError):
        root_of_keys(tmp_path, "user", key)


@pytest.mark.parametrize("path", ["/workspace/uploads/计划.pdf", "/workspace/outputs/airflow/a b.json", "/workspace/x"])
def test_r_pit_17_extension_and_agent_map_a_virtual_path_to_the_same_file(tmp_path, monkeypatch, path):
    monkeypatch.setattr(workspace_paths, "get_settings", lambda: Settings(data_dir=tmp_path))
    user_key, session_key = workspace_keys("张三", "s/1")
    root = session_root(tmp_path, "张三", "s/1")
    create_folders(root)
    (root / "workspace" / "x").touch()

    with set_config_context({"configurable": {"workspace_user": user_key, "workspace_session": session_key}}) as ctx:
        workspace, theirs = ctx.run(workspace_paths.session_workspace), ctx.run(workspace_paths.resolve_virtual, path)

    assert workspace == root / "workspace"
    assert theirs == resolve_virtual(root, path)


def test_r_pit_18_no_folder_of_the_repository_is_named_workspace():
    project = Path(__file__).resolve().parents[3]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )

    assert not [line for line in listed.stdout.splitlines() if "workspace" in Path(line).parts[:-1]]


def test_r_pit_18_a_virtual_path_below_workspace_resolves_into_the_session(tmp_path):
    root = session_root(tmp_path, "u", "s")

    assert resolve_virtual(root, "/workspace/uploads/计划.pdf") == root / "workspace" / "uploads" / "计划.pdf"


@pytest.mark.parametrize("path", [*ATTACKS, "", "/", "/workspaces/x", "/conversation_history/x.md", "workspace/x"])
def test_r_pit_18_whatever_leads_out_of_the_workspace_is_refused(tmp_path, path):
    root = session_root(tmp_path, "u", "s")
    plant_traps(root, tmp_path)

    if path in {"/workspace/a..b.txt", "/workspace/~root/x"}:  # odd names, but inside
        assert resolve_virtual(root, path).is_relative_to(root / "workspace")
        return
    with pytest.raises(WorkspacePathError):
        resolve_virtual(root, path)


def plant_traps(root: Path, outside: Path) -> None:
    create_folders(root)
    (outside / "secret").mkdir()
    (outside / "secret" / "secret.txt").write_text("geheim", "utf-8")
    (root / "workspace" / "link.txt").symlink_to(outside / "secret" / "secret.txt")
    (root / "workspace" / "folder").symlink_to(outside / "secret")
    (root / "workspace" / "loop").symlink_to(root / "workspace" / "loop")


@pytest.mark.parametrize("tool", ["read_file", "ls", "write_file", "edit_file", "grep", "glob", "delete"])
async def test_r_lay_5_every_path_attack_is_a_tool_error_and_the_turn_goes_on(
    house, identity, say, hear, tmp_path, tool
):
    more = {
        "write_file": {"content": "x"},
        "edit_file": {"old_string": "geheim", "new_string": "x"},
        "grep": {"pattern": "geheim"},
        "glob": {"pattern": "*"},
    }.get(tool, {})
    key = "path" if tool in {"ls", "grep", "glob"} else "file_path"
    steps = tuple(PlaybookStep(tool=tool, args={key: path, **more}) for path in ATTACKS)
    house.overrides = {"max_model_calls_per_run": 100}
    agent = await house.agent(script=steps, framework=tuple({tool, "read_file"}))
    who = identity()
    root = session_root(house.data_path, who.user_name, who.session_id)
    plant_traps(root, tmp_path)

    heard = await hear(agent.stream(who, say("攻击")))

    assert heard.text.endswith("完成")
    answers = [str(message.content) for message in heard.tool_messages]
    assert len(answers) == len(ATTACKS)
    assert not [answer for answer in answers if "geheim" in answer or str(tmp_path) in answer]
    assert (tmp_path / "secret" / "secret.txt").read_text("utf-8") == "geheim"
    assert (tmp_path / "secret").is_dir()
    if tool == "read_file":
        assert {message.status for message in heard.tool_messages} == {"error"}


@pytest.mark.parametrize(
    ("tool", "args", "is_allowed"),
    [
        ("read_file", {"file_path": "/workspace/uploads/a.txt"}, True),
        ("write_file", {"file_path": "/workspace/outputs/b.txt", "content": "x"}, True),
        ("write_file", {"file_path": "/workspace/notes.md", "content": "x"}, True),
        ("ls", {"path": "/workspace/uploads"}, True),
        ("ls", {"path": "/"}, True),
        ("read_file", {"file_path": "/skills/demo/SKILL.md"}, True),
        ("read_file", {"file_path": "/conversation_history/h.md"}, True),
        ("read_file", {"file_path": "/large_tool_results/r"}, True),
        ("write_file", {"file_path": "/skills/demo/evil.md", "content": "x"}, False),
        ("edit_file", {"file_path": "/workspace/uploads/a.txt", "old_string": "a", "new_string": "b"}, False),
        ("write_file", {"file_path": "/workspace/uploads/new.txt", "content": "x"}, False),
        ("write_file", {"file_path": "/conversation_history/x.md", "content": "x"}, False),
        ("write_file", {"file_path": "/elsewhere/x.md", "content": "x"}, False),
        ("read_file", {"file_path": "/elsewhere/x.md"}, False),
    ],
)
async def test_r_pit_10_specific_rules_win_over_the_broad_denial(house, identity, say, hear, tool, args, is_allowed):
    agent = await house.agent(script=(PlaybookStep(tool=tool, args=args),))
    who = identity()
    root = session_root(house.data_path, who.user_name, who.session_id)
    create_folders(root)
    for name in ("workspace/uploads/a.txt", "conversation_history/h.md", "large_tool_results/r"):
        (root / name).write_text("aaa", "utf-8")

    heard = await hear(agent.stream(who, say("试")))

    content = str(heard.tool_messages[0].content)
    assert ("permission denied" not in content.lower()) == is_allowed, content
    assert (heard.tool_messages[0].status == "error") != is_allowed, content


def test_r_pit_10_the_broad_denial_is_the_last_rule():
    rules = build_permissions()

    broad = [index for index, rule in enumerate(rules) if "/**" in rule.paths]
    assert broad == [len(rules) - 1]
    assert rules[-1].mode == "deny"


async def test_r_pit_18_uploads_are_seen_by_the_agent_and_by_no_other_session(house, identity, say, hear):
    agent = await house.agent(script=(PlaybookStep(tool="ls", args={"path": "/workspace/uploads"}),))
    mine, other = identity("mine"), identity("other")
    target = resolve_virtual(session_root(house.data_path, "u1", "mine"), "/workspace/uploads/计划.pdf")
    target.parent.mkdir(parents=True)
    target.write_bytes(b"%PDF-")

    seen_mine = (await hear(agent.stream(mine, say("看")))).tool_messages[0].content
    seen_other = (await hear(agent.stream(other, say("看")))).tool_messages[0].content

    assert "/workspace/uploads/计划.pdf" in seen_mine
    assert "计划" not in seen_other


async def test_twenty_sessions_at_once_each_write_into_their_own_folder(house, identity, say, hear):
    step = PlaybookStep(tool="write_file", args={"file_path": "/workspace/outputs/a.txt", "content": "x"})
    agent = await house.agent(script=(step,))

    turns = [hear(agent.stream(identity(f"s{i}", user_name=f"u{i % 3}"), say("写"))) for i in range(20)]
    await asyncio.gather(*turns)

    written = list(house.data_path.glob("workspaces/*/*/workspace/outputs/a.txt"))
    assert len(written) == 20


class _State(TypedDict):
    found: str


class _Context(TypedDict, total=False):
    workspace_user: str
    workspace_session: str


def read_through_graph(data_path: Path, config: dict[str, Any], context: dict[str, str] | None) -> str:
    files = SessionFiles(data_path)
    graph = StateGraph(_State, context_schema=_Context)
    graph.add_node("read", lambda _: {"found": str(files.cwd)})
    graph.add_edge(START, "read")
    graph.add_edge("read", END)
    compiled: Any = graph.compile()
    return str(compiled.invoke({"found": ""}, config, context=context)["found"])


def test_r_pit_20_the_backend_finds_the_session_in_the_config_or_else_in_the_context(tmp_path):
    keys = {"workspace_user": "user", "workspace_session": "session"}
    expected = str(tmp_path / "workspaces" / "user" / "session")

    assert read_through_graph(tmp_path, {"configurable": keys}, None) == expected
    assert read_through_graph(tmp_path, {}, keys) == expected


@pytest.mark.parametrize("config", [{}, {"configurable": {"workspace_user": "user"}}])
def test_r_pit_20_a_run_without_identity_fails_loudly(tmp_path, config):
    with pytest.raises(WorkspaceIdentityError):
        read_through_graph(tmp_path, config, None)
    with pytest.raises(WorkspaceIdentityError):
        _ = SessionFiles(tmp_path).cwd


async def test_r_pit_20_a_run_whose_identity_got_lost_ends_instead_of_answering_politely(
    house, identity, say, hear, monkeypatch
):
    agent = await house.agent(script=(PlaybookStep(tool="ls", args={"path": "/workspace"}),))
    monkeypatch.setattr("agents.session_agent.USER_KEY", "somewhere_else")

    with pytest.raises(WorkspaceIdentityError):
        await hear(agent.stream(identity(), say("看")))


def test_r_pit_17_a_data_folder_behind_a_link_works(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "disk")
    (tmp_path / "disk" / "elsewhere").mkdir()
    (tmp_path / "data" / "workspaces").symlink_to(tmp_path / "disk" / "elsewhere")
    backend = build_backend(tmp_path / "data", tmp_path)

    with set_config_context({"configurable": {"workspace_user": "u", "workspace_session": "s"}}) as ctx:
        written = ctx.run(backend.write, "/workspace/a.txt", "x")

    assert written.error is None
    assert (tmp_path / "disk" / "elsewhere" / "u" / "s" / "workspace" / "a.txt").read_text("utf-8") == "x"


def test_a_hidden_folder_of_the_host_is_never_told(tmp_path):
    backend = build_backend(tmp_path, tmp_path)
    plant_traps(root_of_keys(tmp_path, "user", "session"), tmp_path)
    keys = {"workspace_user": "user", "workspace_session": "session"}

    with set_config_context({"configurable": keys}) as ctx:
        found = json.dumps([str(ctx.run(backend.read, f"/workspace/{name}")) for name in ("link.txt", "loop")])

    assert str(tmp_path) not in found
    assert "geheim" not in found
    assert os.fspath(tmp_path) not in found
