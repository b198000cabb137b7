"""Where the running session's files are, and how `/workspace/…` maps to them.

The mapping is the one of the agents layer, which this layer may not import; a test holds the two equal (R-PIT-17).
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final

from langgraph.config import get_config

from config import get_settings
from tools.registry import ToolError

WORKSPACE: Final = "/workspace"
UPLOADS: Final = f"{WORKSPACE}/uploads"
USER_KEY: Final = "workspace_user"
SESSION_KEY: Final = "workspace_session"
_SESSION_FACTS: Final = frozenset({USER_KEY, SESSION_KEY, "thread_id", "session_id"})
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def session_workspace() -> Path:
    """The folder behind `/workspace` of the running session; outside a session one of the project's own data folder.

    Raises:
        RuntimeError: The run belongs to a session but names no workspace, or not in the form of a folder name: with a
            fallback one user's documents would land where the next one reads.
    """
    workspaces = get_settings().data_path / "workspaces"
    try:
        facts = get_config().get("configurable", {})
    except RuntimeError:
        facts = {}
    if not facts.keys() & _SESSION_FACTS:
        return workspaces / "local" / "workspace"
    keys = [facts.get(USER_KEY), facts.get(SESSION_KEY)]
    if not all(isinstance(key, str) and _KEY.fullmatch(key) for key in keys):
        raise RuntimeError("the run names no workspace")
    return workspaces.joinpath(*map(str, keys), "workspace")


def resolve_virtual(virtual_path: str) -> Path:
    """The file behind a virtual path: `/workspace/…`, or relative to `/workspace` or to its uploads.

    Raises:
        ToolError: The path leads out of the workspace or passes a link.
    """
    root = session_workspace()
    parts = _parts_below_workspace(virtual_path)
    target = root.joinpath(*parts)
    if parts[0] not in {"uploads", "outputs"} and not target.exists():
        # A model often gives the bare name of an uploaded file.
        target = root.joinpath("uploads", *parts)
    for folder in (target, *target.parents):
        if folder == root:
            break
        if folder.is_symlink():
            raise _outside(virtual_path)
    return target


def existing_file(virtual_path: str) -> Path:
    """The file behind a virtual path, which must be there.

    Raises:
        ToolError: There is no such file; the hint names those that were uploaded.
    """
    target = resolve_virtual(virtual_path)
    if target.is_file():
        return target
    uploads = session_workspace() / "uploads"
    names = sorted(path.name for path in uploads.iterdir() if path.is_file()) if uploads.is_dir() else []
    there = "已上传的文件：" + "、".join(f"{UPLOADS}/{name}" for name in names) if names else "本会话还没有上传文件。"
    raise ToolError(
        f"找不到文件 {virtual_path}",
        hint=f"{there}文件只能由用户上传到 {UPLOADS}/，缺少时请用户上传，不要到别处查找。",
        code="file_not_found",
    )


def to_virtual(path: Path) -> str:
    """The virtual path of a file below the session's workspace."""
    return f"{WORKSPACE}/{path.relative_to(session_workspace()).as_posix()}"


def _parts_below_workspace(virtual_path: str) -> tuple[str, ...]:
    text = virtual_path.strip()
    if not text or "\0" in text or "\\" in text:
        raise _outside(virtual_path)
    path = PurePosixPath(text)
    if path.is_absolute():
        if not path.is_relative_to(WORKSPACE):
            raise _outside(virtual_path)
        path = path.relative_to(WORKSPACE)
    elif path.parts[:1] == (WORKSPACE[1:],):
        path = path.relative_to(WORKSPACE[1:])
    if not path.parts or ".." in path.parts:
        raise _outside(virtual_path)
    return path.parts


def _outside(virtual_path: str) -> ToolError:
    shown = virtual_path.replace("\0", "␀")[:200]
    return ToolError(
        f"路径 {shown!r} 不在本会话的工作区内",
        hint=f"只能使用 {WORKSPACE}/ 下的路径；用户上传的文件在 {UPLOADS}/。",
        code="path_outside_workspace",
    )
