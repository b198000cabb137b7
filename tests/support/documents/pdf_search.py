"""Where PDFium's own text search finds words on a page, in pixels of that page's picture: a second opinion on boxes."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pypdfium2
import pypdfium2_raw as pdfium

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def characters_of(path: Path, number: int, words: str, size: tuple[int, int], turns: int) -> list[list[Rectangle]]:
    """For each place of `words` on page `number` the rectangles of its characters.

    `size` is width and height of the picture in pixels, `turns` its clockwise quarter turns beyond the page's own.
    """
    with pypdfium2.PdfDocument(path) as document:
        page = document[number - 1]
        text = page.get_textpage()
        searcher = text.search(words, match_case=True)
        places = []
        while (hit := searcher.get_next()) is not None:
            start, count = hit
            visible = [at for at in range(start, start + count) if text.get_text_range(at, 1).strip()]
            places.append([_device(page, text.get_charbox(at), size, turns) for at in visible])
        searcher.close()
        text.close()
        page.close()
    return places


def _device(page: pypdfium2.PdfPage, box: Rectangle, size: tuple[int, int], turns: int) -> Rectangle:
    left, bottom, right, top = box
    xs, ys = zip(
        *(_point(page, x, y, size, turns) for x in (left, right) for y in (bottom, top)),
        strict=True,
    )
    return min(xs), min(ys), max(xs), max(ys)


def _point(page: pypdfium2.PdfPage, x: float, y: float, size: tuple[int, int], turns: int) -> tuple[int, int]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, *size, turns, x, y, across, down)
    return across.value, down.value
