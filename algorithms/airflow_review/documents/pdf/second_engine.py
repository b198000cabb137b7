"""A second engine reads the same pages, for comparison only, in a process of its own.

It may hang, die or take too long: then the pages it has not told about count as not compared, and nothing else is lost.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import select
import signal
import struct
import time
from importlib.machinery import PathFinder
from typing import Any, Final, NoReturn

import numpy as np

from algorithms.airflow_review.documents.pdf.glyphs import Floats

_ENGINE: Final = "pdf_oxide"
_CPU_S: Final = 10
_PATIENCE_S: Final = 15.0  # all waiting together; the parser's own work is no waiting
_COUNT: Final = struct.Struct("<q")
_FAILED: Final = -1
_COLUMNS: Final = 4
_MAX_GLYPHS: Final = 500_000


class SecondEngine:
    """The characters of a document's pages, page by page."""

    def __init__(self, data: bytes, pages: int) -> None:
        """Start reading the first `pages` pages of a pdf file."""
        self._patience_s = _PATIENCE_S
        self._pipe, theirs = os.pipe()
        self._process = os.fork()
        if not self._process:
            os.close(self._pipe)
            _tell_and_exit(data, pages, theirs)
        os.close(theirs)

    def next_page(self) -> Floats | None:
        """Code point, x and baseline y [pt, page space] and direction [degrees] of each character; shape `(n, 4)`.

        None where the engine could not read the page, or is gone.
        """
        head = self._bytes(_COUNT.size)
        count = _FAILED if head is None else _COUNT.unpack(head)[0]
        if not 0 <= count <= _MAX_GLYPHS:
            return None
        body = self._bytes(count * _COLUMNS * np.dtype(np.float64).itemsize)
        return None if body is None else np.frombuffer(body, np.float64).reshape(-1, _COLUMNS)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        os.close(self._pipe)
        os.kill(self._process, signal.SIGKILL)  # our child until it is waited for, so the number is its own
        os.waitpid(self._process, 0)

    def _bytes(self, size: int) -> bytes | None:
        parts: list[bytes] = []
        while size:
            start = time.monotonic()
            ready, _, _ = select.select([self._pipe], [], [], max(0.0, self._patience_s))
            self._patience_s -= time.monotonic() - start
            part = os.read(self._pipe, size) if ready else b""
            if not part:
                self._patience_s = 0.0  # what it says later would be taken for another page's
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _tell_and_exit(data: bytes, pages: int, pipe: int) -> NoReturn:
    code = 1
    try:
        # It speaks through the pipe alone: its log would stand between the parser's own words.
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S if hard == resource.RLIM_INFINITY else min(_CPU_S, hard), hard))
        with os.fdopen(pipe, "wb") as out:
            document = _load_engine().PdfDocument.from_bytes(data)
            for page in range(pages):
                out.write(_told(document, page))
                out.flush()
        code = 0
    finally:
        os._exit(code)  # a panic of the engine included: nothing here may go on as the parser's twin


def _told(document: Any, page: int) -> bytes:
    try:
        found = [
            (ord(char), glyph.origin_x, glyph.origin_y, glyph.rotation_degrees)
            for glyph in document.extract_chars(page)
            for char in glyph.char
        ]
    except Exception:  # noqa: BLE001 - whatever it stumbles over, the page is not compared
        return _COUNT.pack(_FAILED)
    return _COUNT.pack(len(found)) + np.array(found, np.float64).tobytes()


def _load_engine() -> Any:
    """The engine's compiled module alone: its package imports an event loop and TLS, which cost more than reading 60 pages."""
    package = importlib.util.find_spec(_ENGINE)
    places = None if package is None else package.submodule_search_locations
    spec = PathFinder.find_spec(f"{_ENGINE}.{_ENGINE}", places)
    if not places or spec is None or spec.loader is None:
        raise ImportError(_ENGINE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
