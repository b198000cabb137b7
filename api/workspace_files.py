"""A session's files on disk: uploads stored, produced files noticed, paths confined. Blocking work has its own threads."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from agents.workspace import resolve_virtual, session_root
from api.session_documents import SessionDocument, documents_in
from api.uploads import StoredUpload, Upload, media_type_of, store_uploads

OUTPUTS: Final = "/workspace/outputs"
T = TypeVar("T")


class OutputWatch:
    """Notices files that appear or change under one session's outputs; symbolic links are not followed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, tuple[int, int]] = {}

    def scan(self) -> tuple[StoredUpload, ...]:
        """Files that are new or changed since the scan before, by name."""
        found = dict(self._states())
        changed = [path for path, state in found.items() if self._seen.get(path) != state]
        self._seen = found
        return tuple(
            StoredUpload(
                path=f"{OUTPUTS}/{path.relative_to(self._folder).as_posix()}",
                name=path.name,
                media_type=media_type_of(path.name),
                size=found[path][1],
            )
            for path in sorted(changed)
        )

    def _states(self) -> list[tuple[Path, tuple[int, int]]]:
        states = []
        for path in self._folder.rglob("*") if self._folder.is_dir() else ():
            if path.is_file() and not path.is_symlink():
                facts = path.stat()
                states.append((path, (facts.st_mtime_ns, facts.st_size)))
        return states


@dataclass(frozen=True, slots=True)
class WorkspaceFiles:
    """The workspaces of all sessions below one data folder."""

    data_path: Path
    threads: ThreadPoolExecutor

    async def store(self, user_name: str, session_id: str, uploads: Sequence[Upload]) -> tuple[StoredUpload, ...]:
        """Keep checked uploads under `/workspace/uploads`."""
        folder = self._root(user_name, session_id) / "workspace" / "uploads"
        return await self.run(lambda: store_uploads(uploads, folder))

    async def documents(self, user_name: str, session_id: str) -> tuple[SessionDocument, ...]:
        """The uploads of a session, known by their content."""
        folder = self._root(user_name, session_id) / "workspace" / "uploads"
        return await self.run(lambda: documents_in(folder))

    async def watch_outputs(self, user_name: str, session_id: str) -> OutputWatch:
        """A watch that knows what lies under `/workspace/outputs` now."""
        watch = OutputWatch(self._root(user_name, session_id) / "workspace" / "outputs")
        await self.run(watch.scan)
        return watch

    async def scan(self, watch: OutputWatch) -> tuple[StoredUpload, ...]:
        """What is new or changed since the last scan."""
        return await self.run(watch.scan)

    async def locate(self, user_name: str, session_id: str, path: str) -> Path | None:
        """The real path of a file below `/workspace`; None if there is none, or it lies outside the session's own."""

        def find() -> Path | None:
            try:
                real = resolve_virtual(self._root(user_name, session_id), path)
                return real if real.is_file() else None
            except (ValueError, OSError):
                return None

        return await self.run(find)

    async def delete(self, user_name: str, session_id: str) -> None:
        """Remove everything of a session from the disk."""
        await self.run(lambda: shutil.rmtree(self._root(user_name, session_id), ignore_errors=True))

    def _root(self, user_name: str, session_id: str) -> Path:
        return session_root(self.data_path, user_name, session_id)

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, from one of the threads for files."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)
