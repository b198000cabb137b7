"""`report.md`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Card,
    Chart,
    Content,
    Heading,
    Paragraph,
    Table,
    showable,
)
from algorithms.airflow_review.render.content import numbered_title

# Signs Markdown would take for its own: without the backslash 60*11.3*1.2 loses its multiplication signs.
_SPECIAL: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#~"})


def markdown_text(content: Content) -> str:
    """The report as Markdown with pipe tables; drawings are left out, their numbers stand in the tables."""
    lines = [f"# {_inline(content.title)}", "", _inline(content.subtitle), ""]
    for number, section in enumerate(content.sections, start=1):
        lines += [f"## {_inline(numbered_title(number, section))}", ""]
        for block in section.blocks:
            lines += [*_block_lines(block), ""]
    return "\n".join(_without_double_blanks(lines)).rstrip() + "\n"


def _block_lines(block: Block) -> list[str]:
    match block:
        case Paragraph():
            text = _inline(block.text)
            return [f"**{text}**" if block.strong else text]
        case Bullets():
            return [f"- {_inline(item)}" for item in block.items]
        case Heading():
            return [f"### {_inline(block.text)}"]
        case Table():
            return _table_lines(block)
        case Card():
            return [f"#### {_inline(block.title)}", "", *(f"- {_inline(k)}：{_inline(v)}" for k, v in block.facts)]
        case Chart():
            return []
        case _:
            assert_never(block)


def _table_lines(table: Table) -> list[str]:
    lines = [_inline(table.caption), ""] if table.caption else []
    lines.append(_pipe_row(column.title for column in table.columns))
    lines.append("|" + "|".join(" ---: " if column.numeric else " --- " for column in table.columns) + "|")
    lines += [_pipe_row(cell.text for cell in row) for row in table.rows]
    return lines


def _pipe_row(texts: Iterator[str]) -> str:
    return "| " + " | ".join(_inline(text) for text in texts) + " |"


def _inline(text: str) -> str:
    return " ".join(showable(text).split()).translate(_SPECIAL)


def _without_double_blanks(lines: list[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line
