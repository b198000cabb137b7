"""Where a session's files live, and how the agent's paths map to them.

Every path the agent knows is virtual: `/workspace/…` is the user's folder of this session, `/conversation_history/…`
and `/large_tool_results/…` are written by the framework beside it, `/skills/…` is shared and read-only. The backend is
one instance for all sessions; it finds out whose files are meant when it is called.
"""

from __future__ import annotations

import errno
import hashlib
import re
from pathlib import Path, PurePosixPath
from typing import Final

from deepagents import FilesystemPermission
from deepagents.backends import CompositeBackend, FilesystemBackend
from langgraph.config import get_config
from langgraph.runtime import get_runtime
from typing_extensions import override

from agents.errors import WorkspaceIdentityError, WorkspacePathError

WORKSPACE: Final = "/workspace"
USER_KEY: Final = "workspace_user"
SESSION_KEY: Final = "workspace_session"
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAX_NAME_BYTES: Final = 255
_FOLDERS: Final = ("workspace/uploads", "workspace/outputs", "conversation_history", "large_tool_results")


def workspace_keys(user_name: str, session_id: str) -> tuple[str, str]:
    """Folder names of user and session: digests, so no name can be a path."""
    return _digest(user_name), _digest(session_id)


def session_root(data_path: Path, user_name: str, session_id: str) -> Path:
    """The session's folder, with `workspace/`, `conversation_history/` and `large_tool_results/` in it; not created."""
    return root_of_keys(data_path, *workspace_keys(user_name, session_id))


def root_of_keys(data_path: Path, user_key: str, session_key: str) -> Path:
    """The same from the keys that stand in a run's config.

    Raises:
        WorkspaceIdentityError: A key is missing or could be a path.
    """
    if not (_KEY.fullmatch(user_key) and _KEY.fullmatch(session_key)):
        raise WorkspaceIdentityError("workspace identity is missing or malformed")
    return data_path / "workspaces" / user_key / session_key


def create_folders(root: Path) -> None:
    """Make the folders of a session that are not there yet."""
    for folder in _FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)


def resolve_virtual(root: Path, virtual_path: str) -> Path:
    """The file behind `/workspace/…` of the session with that root; it need not exist.

    Raises:
        WorkspacePathError: The path is not below `/workspace`, holds `..` or NUL, or a link leads out of it.
    """
    parts = PurePosixPath(virtual_path).parts if "\0" not in virtual_path else ()
    is_nameable = all(len(part.encode()) <= _MAX_NAME_BYTES for part in parts)
    if parts[:2] != ("/", WORKSPACE[1:]) or ".." in parts or "\\" in virtual_path or not is_nameable:
        raise WorkspacePathError(f"path {virtual_path!r} is not below {WORKSPACE}/")
    base = (root / WORKSPACE[1:]).resolve()
    try:
        target = base.joinpath(*parts[2:]).resolve()
    except (OSError, RuntimeError) as error:
        raise WorkspacePathError(f"path {virtual_path!r} cannot be followed") from error
    if not target.is_relative_to(base):
        raise WorkspacePathError(f"path {virtual_path!r} leads out of {WORKSPACE}/")
    return target


class ConfinedFiles(FilesystemBackend):
    """Files below one folder; what leads out is refused without telling where the folder is."""

    @override
    def _resolve_path(self, key: str) -> Path:
        try:
            return super()._resolve_path(key)
        except (ValueError, OSError, RuntimeError):
            # An OSError is what the file tools answer in words; the original one names real folders.
            raise PermissionError(errno.EACCES, "path leads out of the workspace or cannot be followed", key) from None


class SessionFiles(ConfinedFiles):
    """The files of whichever session the current run belongs to."""

    def __init__(self, data_path: Path) -> None:
        self._data_path = data_path.resolve()
        super().__init__(root_dir=self._data_path, virtual_mode=True)

    @property  # type: ignore[explicit-override] # mypy overlooks the mark on a property over an attribute
    @override
    def cwd(self) -> Path:
        """Root of the running session, resolved at every call.

        Raises:
            WorkspaceIdentityError: Neither the run's config nor its context names a session.
        """
        root = root_of_keys(self._data_path, *_running_keys())
        if not (root / _FOLDERS[-1]).is_dir():
            create_folders(root)
        # The data folder may reach its disk through links; what lies below is compared with this.
        return root.resolve()

    @cwd.setter
    @override
    def cwd(self, _: Path) -> None:
        """Ignored: the parent's constructor sets a folder, ours depends on the run."""


def build_backend(data_path: Path, skills_path: Path) -> CompositeBackend:
    """The agent's file system: the running session's folder, with the skills mounted at `/skills/`."""
    return CompositeBackend(
        default=SessionFiles(data_path), routes={"/skills/": ConfinedFiles(root_dir=skills_path, virtual_mode=True)}
    )


def build_permissions(*, keeps_uploads: bool = False) -> list[FilesystemPermission]:
    """What the file tools may touch. First match wins, no match allows: special rules first, the broad denial last.

    With `keeps_uploads` the text of uploaded files, and answers too long to be anything but such text, are not read either:
    what a file tool reads goes to the model.
    """
    kept = [_rule(["read"], ["/workspace/uploads/**", "/large_tool_results/**"], "deny")] if keeps_uploads else []
    return [
        *kept,
        # What the user uploaded is evidence; the framework's own records are history.
        _rule(["write"], ["/workspace/uploads/**", "/workspace/uploads"], "deny"),
        # What was published is handed over: nobody changes it afterwards.
        _rule(["write"], ["/workspace/outputs/*/published/**", "/workspace/outputs/*/published"], "deny"),
        _rule(["write"], ["/skills/**", "/skills"], "deny"),
        _rule(["write"], ["/conversation_history/**", "/large_tool_results/**"], "deny"),
        _rule(["read"], ["/skills/**", "/skills", "/conversation_history/**", "/large_tool_results/**"], "allow"),
        _rule(["read", "write"], ["/workspace/**", "/workspace"], "allow"),
        # So that a look around from the top works; entries below it are filtered by the rules above.
        _rule(["read"], ["/"], "allow"),
        _rule(["read", "write"], ["/**"], "deny"),
    ]


def _rule(operations: list[str], paths: list[str], mode: str) -> FilesystemPermission:
    return FilesystemPermission(operations=operations, paths=paths, mode=mode)  # type: ignore[arg-type]


def _running_keys() -> tuple[str, str]:
    """Where a run may carry its session: the config first, then the context."""
    try:
        facts: object = get_config().get("configurable", {})
    except RuntimeError as error:
        raise WorkspaceIdentityError("not inside a run") from error
    if (keys := _keys_in(facts)) is None:
        keys = _keys_in(_running_context())
    if keys is None:
        raise WorkspaceIdentityError("the run names no workspace, neither in its config nor in its context")
    return keys


def _running_context() -> object:
    try:
        return get_runtime().context
    except RuntimeError:
        return None


def _keys_in(facts: object) -> tuple[str, str] | None:
    found = facts if isinstance(facts, dict) else {key: getattr(facts, key, None) for key in (USER_KEY, SESSION_KEY)}
    user_key, session_key = found.get(USER_KEY), found.get(SESSION_KEY)
    return (user_key, session_key) if isinstance(user_key, str) and isinstance(session_key, str) else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
