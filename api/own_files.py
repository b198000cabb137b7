"""Which results of the framework's tools are evidence: a model that reads back what it wrote has found nothing out."""

from __future__ import annotations

from posixpath import normpath
from typing import Final

from agents.guards.evidence.seen_result import SeenResult
from agents.profiles import FRAMEWORK_TOOLS, SUBAGENT_TOOL

_WRITES: Final = frozenset({"write_file", "edit_file"})
_UPLOADS: Final = "/workspace/uploads/"


class OwnFiles:
    """Watches a thread's results in their order, for files whose text is the model's own."""

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._has_workers = False

    def is_evidence(self, result: SeenResult) -> bool:
        """Whether a result tells something that a model did not say; what it writes is remembered.

        A registered tool's answer always does. Of the framework's only files that are read do: not one the model wrote, and once a
        sub-agent was at work, whose calls an earlier turn does not show, only what the user uploaded.
        """
        if result.tool not in FRAMEWORK_TOOLS:
            return True
        path = normpath(str(result.arguments.get("file_path") or ""))
        if result.tool in _WRITES:
            self._written.add(path)
        self._has_workers |= result.tool == SUBAGENT_TOOL
        if result.tool == "read_file":
            return path.startswith(_UPLOADS) if self._has_workers else path not in self._written
        return result.tool == "grep" and not self._written and not self._has_workers
