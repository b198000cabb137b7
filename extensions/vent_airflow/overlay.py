"""The session's corrections: one overlay file for each document, and one for each pair, beside the other results.

A file is named after the content of its documents. So a correction follows its document, and another document, even
under the same name, begins with none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from algorithms.airflow_review.model import InputFile, Settled
from algorithms.airflow_review.render.report_files import write_whole
from algorithms.airflow_review.settled_file import settled_from_json_text, settled_to_json_text
from extensions.vent_airflow.tool_support import OUTPUTS
from extensions.vent_airflow.workspace_paths import session_workspace, to_virtual

# One process serves all sessions, and a model may call a tool twice at once: an entry must not get lost between
# reading a file and writing it.
_WRITING: Final = Lock()
_ROLES_OF: Final = {
    "place": ("plan",),
    "plan": ("plan",),
    "reading": ("report",),
    "report": ("report",),
    "station": ("plan", "report"),
}


def session_settled(sources: Sequence[InputFile]) -> tuple[Settled, ...]:
    """All corrections of these documents: those of the plan, of the report, then of the two together.

    Raises:
        SettlingError: An overlay file has been damaged.
    """
    files = [_file(sources, roles) for roles in dict.fromkeys(_ROLES_OF.values())]
    return tuple(
        entry
        for path in files
        if path is not None and path.is_file()
        for entry in settled_from_json_text(path.read_text(encoding="utf-8"))
    )


def add_settled(entry: Settled, sources: Sequence[InputFile]) -> str:
    """Append a correction to the overlay of the document it is about; returns the overlay's virtual path.

    Raises:
        SettlingError: The overlay file has been damaged.
        ValueError: The entry is about a document that is not among the sources.
    """
    path = _file(sources, _ROLES_OF.get(entry.path.partition("/")[0], ()))
    if path is None:
        raise ValueError(f"{entry.path} is about none of the documents")
    with _WRITING:
        earlier = settled_from_json_text(path.read_text(encoding="utf-8")) if path.is_file() else ()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, settled_to_json_text((*earlier, entry)).encode())
    return to_virtual(path)


def _file(sources: Sequence[InputFile], roles: Sequence[str]) -> Path | None:
    """The overlay of the documents in these roles; None where one of them is missing."""
    hashes = [item.sha256 for role in roles for item in sources if item.role == role]
    if not roles or len(hashes) != len(roles):
        return None
    key = hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:16]
    return session_workspace() / OUTPUTS / f"settled-{'-'.join(roles)}-{key}.json"
