"""Uploads of a session as documents: each is known by the SHA-256 of its bytes, as a review's `inputs` name it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from api.uploads import UPLOADS, media_type_of

_KNOWN_DIGESTS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDocument:
    """One upload; `path` is virtual, `real_path` is for the server alone, `size` in bytes."""

    document_id: str
    name: str
    path: str
    media_type: str
    size: int
    real_path: Path


def documents_in(folder: Path) -> tuple[SessionDocument, ...]:
    """The files of an uploads folder by name; links are not followed. Reads each file once, until it changes."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_symlink() or not path.is_file():
            continue
        facts = path.stat()
        found.append(
            SessionDocument(
                document_id=_digest(path, facts.st_mtime_ns, facts.st_size),
                name=path.name,
                path=f"{UPLOADS}/{path.name}",
                media_type=media_type_of(path.name),
                size=facts.st_size,
                real_path=path,
            )
        )
    return tuple(found)


@lru_cache(_KNOWN_DIGESTS)
def _digest(path: Path, _changed_ns: int, _size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
