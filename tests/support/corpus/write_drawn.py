"""Documents as pdf drawn text by text: no layout engine, a font that is named but not embedded, tables by rows or columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.support.corpus.blocks import Cell, Document, Formula, Heading, PageBreak, Para, Table
from tests.support.documents.pdf_writer import PdfPage, width_of, write_pdf

_MARGIN, _TOP, _BOTTOM = 56.0, 70.0, 780.0


def write_drawn_pdf(path: Path, document: Document, *, running_head: str, landscape: bool) -> None:
    """Draws the document on A4; landscape or portrait."""
    drawer = _Drawer(running_head=running_head, landscape=landscape)
    for block in document:
        drawer.add(block)
    write_pdf(path, drawer.pages)


@dataclass(slots=True, kw_only=True)
class _Drawer:
    running_head: str
    landscape: bool
    pages: list[PdfPage] = field(default_factory=list)
    y: float = 0.0

    @property
    def width(self) -> float:
        return 842.0 if self.landscape else 595.0

    @property
    def bottom(self) -> float:
        return 540.0 if self.landscape else _BOTTOM

    def page(self) -> PdfPage:
        if not self.pages:
            self.turn_over()
        return self.pages[-1]

    def turn_over(self) -> None:
        page = PdfPage(width=self.width, height=595.0 if self.landscape else 842.0)
        page.text(_MARGIN, 40, self.running_head, size=8)
        page.text(self.width / 2 - 10, self.bottom + 30, f"{len(self.pages) + 1}", size=8)
        self.pages.append(page)
        self.y = _TOP

    def room(self, height: float) -> PdfPage:
        page = self.page()
        if self.y + height > self.bottom:
            self.turn_over()
        return self.pages[-1] if self.pages else page

    def add(self, block: object) -> None:
        match block:
            case Heading(level=level, text=text):
                size = (16.0, 13.0, 11.5, 10.5)[level]
                self.room(40)
                self.y += 6
                self.lines(text, size, 0)
            case Para(text=text):
                self.lines(text, 10, 20)
            case Formula(text=text):
                self.lines(text, 10, 34)
            case PageBreak():
                self.turn_over()
            case Table():
                self.table(block)

    def lines(self, text: str, size: float, indent: float) -> None:
        left = self.width - 2 * _MARGIN - indent
        for n, line in enumerate(wrapped(text, left, size)):
            page = self.room(size * 1.6)
            page.text(_MARGIN + (indent if n == 0 else max(0.0, indent - 20)), self.y, line, size=size)
            self.y += size * 1.6

    def table(self, table: Table) -> None:
        weights = table.weights or [1.0] * table.columns()
        wide = self.width - 2 * _MARGIN
        edges = [_MARGIN + sum(weights[:x]) * wide / sum(weights) for x in range(len(weights) + 1)]
        grid = table.grid()
        if table.caption:
            self.room(60)
            self.lines(table.caption, 10, 120)
        head = len(table.header)
        lines = grid[:head]
        heights = [_height(line, edges) for line in grid]
        used = sum(heights[:head])
        for y in range(head, len(grid)):
            if self.y + used + heights[y] > self.bottom and len(lines) > head:
                self._draw(table, lines, edges)
                self.turn_over()
                lines, used = list(grid[:head]), sum(heights[:head])
            lines = [*lines, grid[y]]
            used += heights[y]
        if lines:
            self._draw(table, lines, edges)
        self.y += 14

    def _draw(self, table: Table, lines: list[list[tuple[Cell, bool]]], edges: list[float]) -> None:
        page = self.page()
        tops = [self.y - 10]
        for line in lines:
            tops.append(tops[-1] + _height(line, edges))
        places = [(y, x) for y in range(len(lines)) for x in range(table.columns())]
        if table.by_column:
            places.sort(key=lambda place: (place[1], place[0]))
        for y, x in places:
            cell, starts = lines[y][x]
            first_of_part = y == len(table.header) and cell.down > 1 and not _starts_above(lines, y, x)
            if not starts and not first_of_part:
                continue
            right = edges[min(x + cell.across, len(edges) - 1)]
            down = _reach(lines, y, x)
            if table.is_ruled:
                _frame(page, edges[x], tops[y], right, tops[y + down])
            for n, part in enumerate(wrapped(cell.text, right - edges[x] - 4, 8)):
                page.text(edges[x] + 2, tops[y] + 10 + 10 * n, part, size=8)
        self.y = tops[-1] + 14


def _starts_above(lines: list[list[tuple[Cell, bool]]], y: int, x: int) -> bool:
    cell = lines[y][x][0]
    return any(line[x][0] is cell for line in lines[:y])


def _reach(lines: list[list[tuple[Cell, bool]]], y: int, x: int) -> int:
    cell = lines[y][x][0]
    down = 1
    while y + down < len(lines) and lines[y + down][x][0] is cell:
        down += 1
    return down


def _frame(page: PdfPage, x0: float, y0: float, x1: float, y1: float) -> None:
    page.rule(x0, y0, x1, y0)
    page.rule(x0, y1, x1, y1)
    page.rule(x0, y0, x0, y1)
    page.rule(x1, y0, x1, y1)


def _height(line: list[tuple[Cell, bool]], edges: list[float]) -> float:
    most = 1
    for x, (cell, starts) in enumerate(line):
        if starts and cell.down == 1:
            right = edges[min(x + cell.across, len(edges) - 1)]
            most = max(most, len(wrapped(cell.text, right - edges[x] - 4, 8)))
    return 6.0 + 10.0 * most


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit; numbers and latin words stay whole where they can."""
    lines, line = [], ""
    for word in _words(text):
        if line and width_of(line + word, size) > width:
            lines.append(line)
            line = ""
        rest = word
        while width_of(rest, size) > width and len(rest) > 1:
            cut = max(1, int(width / size))
            lines.append(rest[:cut])
            rest = rest[cut:]
        line += rest
    return [*lines, line]


def _words(text: str) -> list[str]:
    words: list[str] = []
    for char in text:
        if words and char.isascii() and words[-1][-1].isascii() and not char.isspace():
            words[-1] += char
        else:
            words.append(char)
    return words
