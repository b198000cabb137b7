"""Draws tables on test pages in the many ways office programs draw them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from tests.support.documents.pdf_writer import PdfPage, width_of

Rules = Literal["all", "none", "horizontal", "frame", "vertical", "bars"]
Order = Literal["rows", "columns", "names_first", "glyphs"]
Texts = Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Look:
    """How a table is drawn."""

    rules: Rules = "all"
    order: Order = "rows"
    size: float = 9.0
    row_height: float = 18.0
    jitter: float = 0.0  # of the baselines [pt]
    leading: float = 1.25  # between the lines of one cell, in font sizes
    centered: bool = True
    merges: Sequence[tuple[int, int, int, int]] = ()  # row, column, rows, columns


def draw_table(page: PdfPage, x: float, y: float, widths: Sequence[float], texts: Texts, look: Look = Look()) -> float:
    """Draws the table with its upper left corner at x, y and returns the y of its lower edge.

    A line break in a text starts a new line in the cell. Covered places of a merge hold empty texts.
    """
    xs = [x]
    for width in widths:
        xs.append(xs[-1] + width)
    ys = [y]
    for row in texts:
        lines = max(text.count("\n") + 1 for text in row)
        ys.append(ys[-1] + max(look.row_height, (lines - 1) * look.leading * look.size + look.row_height))
    _rules(page, xs, ys, look)
    calls = _calls(page, xs, ys, texts, look)
    for call in _ordered(calls, texts, look):
        call()
    return ys[-1]


def _calls(
    page: PdfPage, xs: Sequence[float], ys: Sequence[float], texts: Texts, look: Look
) -> dict[tuple[int, int], Callable[[], None]]:
    shake = random.Random(7)
    spans = {(row, column): (rows, columns) for row, column, rows, columns in look.merges}
    calls: dict[tuple[int, int], Callable[[], None]] = {}
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            rows, columns = spans.get((row, column), (1, 1))
            left, right = xs[column], xs[column + columns]
            middle = (ys[row] + ys[row + rows]) / 2 + shake.uniform(-look.jitter, look.jitter)
            parts = text.split("\n")
            first = middle - (len(parts) - 1) * look.leading * look.size / 2 + 0.35 * look.size
            calls[row, column] = partial(_cell, page, parts, left, right, first, look)
    return calls


def _cell(page: PdfPage, parts: Sequence[str], left: float, right: float, first: float, look: Look) -> None:
    for at, part in enumerate(parts):
        width = width_of(part, look.size)
        x = (left + right - width) / 2 if look.centered else left + 3
        y = first + at * look.leading * look.size
        if look.order == "glyphs":
            for char in part:
                page.text(x, y, char, look.size)
                x += width_of(char, look.size)
        elif part:
            page.text(x, y, part, look.size)


def _ordered(calls: dict[tuple[int, int], Callable[[], None]], texts: Texts, look: Look) -> list[Callable[[], None]]:
    places = list(calls)
    if look.order == "columns":
        places.sort(key=lambda place: (place[1], place[0]))
    elif look.order == "names_first":
        places.sort(key=lambda place: (place[1] != 1, place[1], place[0]))
    elif look.order == "glyphs":
        random.Random(3).shuffle(places)
    return [calls[place] for place in places]


def _rules(page: PdfPage, xs: Sequence[float], ys: Sequence[float], look: Look) -> None:
    draw = _draw_bar if look.rules == "bars" else PdfPage.rule
    covered_h, covered_v = _covered(look.merges)
    last_row, last_column = len(ys) - 1, len(xs) - 1
    for at, y in enumerate(ys):
        if look.rules in {"all", "horizontal", "bars"} or (look.rules in {"frame", "vertical"} and at in {0, last_row}):
            for column in range(last_column):
                if (at, column) not in covered_h:
                    draw(page, xs[column], y, xs[column + 1], y)
    for at, x in enumerate(xs):
        if look.rules in {"all", "bars", "vertical"} or (look.rules == "frame" and at in {0, last_column}):
            for row in range(last_row):
                if (row, at) not in covered_v:
                    draw(page, x, ys[row], x, ys[row + 1])


def _draw_bar(page: PdfPage, x0: float, y0: float, x1: float, y1: float) -> None:
    page.bar(x0 - 0.25, y0 - 0.25, x1 + 0.25, y1 + 0.25)


def _covered(
    merges: Sequence[tuple[int, int, int, int]],
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Border pieces inside merged cells: (border below row, column) and (row, border right of column)."""
    flat = {
        (r, c)
        for row, column, rows, columns in merges
        for r in range(row + 1, row + rows)
        for c in range(column, column + columns)
    }
    upright = {
        (r, c)
        for row, column, rows, columns in merges
        for r in range(row, row + rows)
        for c in range(column + 1, column + columns)
    }
    return flat, upright
