"""What a report is made of, whatever file it ends up in.

The chapters under `sections/` build these; `markdown`, `docx`, `html` and `xlsx` write them. So one sentence stands
in one place and the four files cannot say different things.
"""

from __future__ import annotations

import re
from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from typing import Final

from algorithms.airflow_review.value_class import dataclass

# Signs that neither XML nor a screen can show; a damaged text layer brings them.
_UNSHOWABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


class Tone(StrEnum):
    """How a text is coloured; the text always says it too."""

    PLAIN = "plain"
    GOOD = "good"
    WATCH = "watch"
    BAD = "bad"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table."""

    text: str
    number: Decimal | None = None  # the exact value behind the text, for the spreadsheet
    formula: str | None = None  # the spreadsheet's own calculation of `number`, with its leading "="
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its title, its share of the width, and whether numbers stand in it."""

    title: str
    width: int = 10
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; every row has as many cells as there are columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One paragraph."""

    text: str
    tone: Tone = Tone.PLAIN
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """A list of short sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One finding: a title and labelled facts."""

    title: str
    facts: tuple[tuple[str, str], ...]
    tone: Tone = Tone.PLAIN
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading inside a section."""

    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing; only files that can show SVG have it, and each stands beside a table with the same numbers."""

    svg: str
    caption: str = ""  # how to read it; under the last of several parts


Block = Paragraph | Bullets | Table | Card | Heading | Chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A numbered chapter."""

    key: str  # conclusion, findings … : anchor in HTML, name of the sheet in Excel
    title: str
    blocks: tuple[Block, ...]
    is_wide: bool = False  # needs the landscape page


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A whole report."""

    title: str
    subtitle: str
    header: str  # repeated on each page
    sections: tuple[Section, ...] = field(default=())


def showable(text: str) -> str:
    """The text without signs that no file format of ours can hold."""
    return _UNSHOWABLE.sub("", text)
