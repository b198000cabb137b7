"""The parts a document is made of, whatever file it becomes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Heading:
    """A title; level 0 is the title of the document."""

    text: str
    level: int = 1


@dataclass
class Para:
    """A sentence or two of running text."""

    text: str


@dataclass
class Line:
    """A line of a calculation, set without indentation of the first line."""

    text: str


LEFT, UP = "\0<", "\0^"
"""Texts of a cell that is joined to its neighbour on the left or above."""


@dataclass
class Table:
    """Rows of texts; the first `heads` rows are the header."""

    rows: list[list[str]]
    caption: str = ""
    heads: int = 1
    landscape: bool = False


@dataclass
class PageBreak:
    """The next part starts on a new page."""


Block = Heading | Para | Line | Table | PageBreak


@dataclass
class Span:
    """A cell with its extent; `row` and `column` are those of its upper left corner."""

    row: int
    column: int
    rows: int
    columns: int
    text: str


def spans(rows: list[list[str]]) -> list[Span]:
    """The cells of a table with their extents."""
    out: list[Span] = []
    owner: dict[tuple[int, int], Span] = {}
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text in {LEFT, UP}:
                cell = owner[(r, c - 1) if text == LEFT else (r - 1, c)]
                cell.rows = max(cell.rows, r - cell.row + 1)
                cell.columns = max(cell.columns, c - cell.column + 1)
            else:
                cell = Span(r, c, 1, 1, text)
                out.append(cell)
            owner[r, c] = cell
    return out
