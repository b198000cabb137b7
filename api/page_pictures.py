"""Pages of uploaded documents as pictures: who draws them is handed in by `main`; here is how many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol

from api.errors import RefusedError

Box = tuple[float, float, float, float]
"""x0, top, x1, bottom in points of the page as it is read, origin upper left: a review's `evidence.bbox`."""
_MAX_WAITING: Final = 16
_RETRY_S: Final = 3


class DrawPage(Protocol):
    """The port behind which pages are drawn."""

    def __call__(self, path: Path, number: int, boxes: Sequence[Box], scale: float, /) -> tuple[bytes, float]:
        """The PNG of page `number` (1-based) at `scale` pixels for a point, and the scale it really has.

        Raises:
            RefusedError: There is no such picture.
        """
        ...


class PagePictures:
    """Draws in threads of its own, a few at a time; who comes when too many wait is told to come again."""

    def __init__(self, draw: DrawPage, threads: ThreadPoolExecutor) -> None:
        self._draw = draw
        self._threads = threads
        self._waiting = 0

    async def draw(self, path: Path, number: int, boxes: Sequence[Box], scale: float) -> tuple[bytes, float]:
        """The PNG of a page and its pixels for a point.

        Raises:
            RefusedError: There is no such picture, or `pictures_busy`.
        """
        if self._waiting >= _MAX_WAITING:
            raise RefusedError("pictures_busy", retry_after_s=_RETRY_S)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._draw, path, number, boxes, scale)
        finally:
            self._waiting -= 1
