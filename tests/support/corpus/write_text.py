"""Documents as plain text."""

from __future__ import annotations

from pathlib import Path
from unicodedata import east_asian_width

from tests.support.corpus.blocks import Document, Formula, Heading, PageBreak, Para, Table


def write_text(path: Path, document: Document, *, table: str) -> None:
    """Writes the document; tables with tabs, pipes or columns of spaces."""
    lines: list[str] = []
    for block in document:
        match block:
            case Heading(level=0, text=text):
                lines += ["", f"        {text}", ""]
            case Heading(text=text):
                lines += ["", text]
            case Para(text=text):
                lines.append(f"    {text}")
            case Formula(text=text):
                lines.append(f"      {text}")
            case PageBreak():
                lines.append("\f")
            case Table():
                lines += _table(block, table)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _width(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WFA" else 1 for char in text)


def _table(table: Table, form: str) -> list[str]:
    grid = [[cell.text if starts else "" for cell, starts in line] for line in table.grid()]
    lines = ["", table.caption] if table.caption else [""]
    if form == "tab":
        return [*lines, *("\t".join(row) for row in grid), ""]
    if form == "spaces":  # a cell over several rows is written on each of them
        grid = [
            [c.text if starts or (c.down > 1 and c.across == 1) else "" for c, starts in line] for line in table.grid()
        ]
    widths = [max(_width(row[x]) for row in grid) for x in range(table.columns())]
    if form == "pipes":
        rule = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
        rows = [
            "| " + " | ".join(t + " " * (w - _width(t)) for t, w in zip(row, widths, strict=True)) + " |"
            for row in grid
        ]
        return [*lines, rows[0], rule, *rows[1:], ""]
    rows = [_spaced(row, widths) for row in grid]
    return [*lines, *(row.rstrip() for row in rows), ""]


def _spaced(row: list[str], widths: list[int]) -> str:
    """A row between spaces; an empty place would vanish there, so it is a dash, but a title over the table stays alone."""
    if sum(bool(text) for text in row) == 1:
        return next(text for text in row if text)
    return "  ".join((t or "—") + " " * (w - _width(t or "—")) for t, w in zip(row, widths, strict=True))
