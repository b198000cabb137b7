"""A file that only grows by whole lines: the anchors, and the sink that is a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_PRIVATE: Final = 0o600


def append_lines(path: Path, lines: Sequence[str]) -> None:
    """Append lines to a file that only its owner reads, made where it is missing; they are on disk when this returns.

    A line that a crash cut off keeps its place: what is appended never becomes part of it.

    Raises:
        OSError: The file cannot be written, or not wholly.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(f"{line}\n" for line in lines).encode()
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size and os.pread(file.fileno(), 1, size - 1) != b"\n":
            data = b"\n" + data
        written = file.write(data)
        if written != len(data):
            raise OSError(f"only {written} of {len(data)} bytes could be written")
        os.fsync(file.fileno())
    if is_new:  # the name too has to survive a loss of power
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
