"""A document before it gets a file format: headings, paragraphs, formula lines, tables."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 0 (title) to 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph."""

    text: str
    is_centred: bool = False


@dataclass(frozen=True, slots=True)
class Formula:
    """A line with a substituted formula; the tail after the equation stays text."""

    text: str
    equation: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A new page."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that may reach over columns and rows."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; cells that a merged one covers are left out of their row."""

    caption: str = ""
    header: list[list[Cell]] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)  # of the column widths
    is_ruled: bool = True
    by_column: bool = False  # drawn column by column
    is_wide: bool = False  # wants a landscape page

    def columns(self) -> int:
        """How many columns the grid has."""
        return sum(cell.across for cell in (self.header or self.rows)[0])

    def grid(self) -> list[list[tuple[Cell, bool]]]:
        """Every grid place with its cell and whether the cell starts there."""
        lines = [*self.header, *self.rows]
        width = self.columns()
        taken: dict[tuple[int, int], tuple[Cell, bool]] = {}
        for y, line in enumerate(lines):
            x = 0
            for cell in line:
                while (y, x) in taken:
                    x += 1
                for dy in range(cell.down):
                    for dx in range(cell.across):
                        taken[y + dy, x + dx] = (cell, dy == 0 and dx == 0)
                x += cell.across
        empty = (Cell(""), True)
        return [[taken.get((y, x), empty) for x in range(width)] for y in range(len(lines))]


Block = Heading | Para | Formula | PageBreak | Table
Document = list[Block]


def cells(*texts: str) -> list[Cell]:
    """A row of plain cells."""
    return [Cell(text) for text in texts]
