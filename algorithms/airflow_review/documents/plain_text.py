"""Reads txt files: runs of column-separated lines are tables, other lines are lines."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from algorithms.airflow_review.documents.cell_text import tidy
from algorithms.airflow_review.documents.continued import CONTINUED
from algorithms.airflow_review.documents.decoding import decode
from algorithms.airflow_review.documents.document import Block, Line
from algorithms.airflow_review.documents.layout import plain_table
from algorithms.airflow_review.value_class import dataclass

_OUTER: Final = " \u3000"
# Two blanks; or one ideographic blank, unless it spaces out single characters of a title.
_GAP = re.compile(r"(?<=\S)(?: {2,}| *\u3000[ \u3000]+)(?=\S)|(?<=\S\S) *\u3000(?=\S)|(?<=\S) *\u3000(?=\S\S)")
_BAR = re.compile(r"[|│┃｜║]")
_FRAME = re.compile(r"[\s|│┃｜║+\-=:─━┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬═]{4,}")
_TOTAL = re.compile(r"[小合总共]\s*计")
_MIN_SEGMENTS: Final = 3
_MIN_COMMAS: Final = 3
_MIN_PAIRS: Final = 3
_LONGEST_SECTION: Final = 24

Numbered = tuple[int, str]  # 1-based line number, raw line


@dataclass(slots=True)
class _Run:
    """Neighbouring lines that separate their columns the same way; `rows` is empty where they make no table."""

    lines: list[Numbered]
    rows: list[list[str]]
    style: str


def parse_text(data: bytes, file: str) -> tuple[Block, ...]:
    """Lines and tables in order; every row and line carries its 1-based line number.

    Raises:
        InputError: the encoding is unknown.
    """
    numbered = list(enumerate(decode(data, file).splitlines(), start=1))
    blocks: list[Block] = []
    tables = 0
    for run in _joined([_run(style, list(group)) for style, group in groupby(numbered, key=_Styles())]):
        if run.rows:
            tables += 1
            blocks.append(plain_table(tables, run.rows, lines=[at for at, _ in run.lines]))
        else:
            texts = ((at, tidy(raw.replace("\t", " "))) for at, raw in run.lines)
            blocks += [Line(text=text, line=at) for at, text in texts if text]
    return tuple(blocks)


class _Styles:
    """Tells how a line separates its columns: `tab`, `bar`, `gap`, `comma` or not; a drawn rule goes with its neighbours."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, line: Numbered) -> str:
        raw = line[1]
        if not (_FRAME.fullmatch(raw) and raw.strip() and self._last in {"gap", "bar"}):
            self._last = _style(raw)
        return self._last


def _style(raw: str) -> str:
    text = raw.strip(_OUTER)
    if "\t" in text.lstrip():
        return "tab"
    if len(_BAR.findall(raw)) > 1 or (text and _FRAME.fullmatch(raw)):
        return "bar"
    if _GAP.search(text):
        return "gap"
    return "comma" if text.count(",") >= _MIN_COMMAS else ""


def _run(style: str, lines: list[Numbered]) -> _Run:
    if style in {"bar", "gap"}:
        lines = [line for line in lines if not _FRAME.fullmatch(line[1])]
    raws = [raw for _, raw in lines]
    rows: list[list[str]] = []
    if style == "tab":
        rows = [[tidy(cell) for cell in raw.split("\t")] for raw in raws]
    elif style == "bar":
        rows = _bar_rows(raws)
    elif style == "gap":
        rows = _gap_rows(raws)
    elif style == "comma":
        rows = _comma_rows(raws)
    return _Run(lines, rows if max(map(len, rows), default=0) > 1 else [], style)


def _bar_rows(raws: list[str]) -> list[list[str]]:
    """Cells between bars; the first row tells whether bars frame the table, in others an outer cell may be empty."""
    frame = "|".join(
        edge for edge in (r"^\s*[|│┃｜║]", r"[|│┃｜║]\s*$") if raws and re.search(edge, raws[0]) is not None
    )
    return [[tidy(cell) for cell in _BAR.split(re.sub(frame, "", raw) if frame else raw)] for raw in raws]


def _joined(runs: Sequence[_Run]) -> list[_Run]:
    """Runs with tables put together again that a blank line, a section line or `续表` had cut."""
    result: list[_Run] = []
    for run in runs:
        if run.rows and len(result) > 1 and (whole := _under_header(result[-2], result[-1], run)) is not None:
            result[-2:] = [whole]
            continue
        if run.rows and len(result) > 1 and result[-2].rows and not result[-1].rows:
            upper, between = result[-2], [line for line in result[-1].lines if tidy(line[1])]
            if _goes_on(upper, between, run):
                is_repeated = run.rows[0] == upper.rows[0]
                if between and not CONTINUED.fullmatch(tidy(between[0][1])):
                    upper.lines.append(between[0])
                    upper.rows.append([tidy(between[0][1])])
                upper.lines += run.lines[is_repeated:]
                upper.rows += run.rows[is_repeated:]
                result.pop()
                continue
        result.append(run)
    return result


def _under_header(header: _Run, between: _Run, lower: _Run) -> _Run | None:
    """The table whose header line a single line (`甲区通风系统`) parts from its rows, or None."""
    section = [line for line in between.lines if tidy(line[1])]
    if header.style != "gap" or lower.style != "gap" or header.rows or len(header.lines) != 1 or len(section) != 1:
        return None
    if len(tidy(section[0][1])) > _LONGEST_SECTION or len(between.lines) > 1:
        return None
    rows = _gap_rows([raw for _, raw in (*header.lines, *lower.lines)])
    if not rows or len(rows[0]) != len(_segments(header.lines[0][1], 1)) or len(rows[0]) < _MIN_SEGMENTS:
        return None
    return _Run([*header.lines, section[0], *lower.lines], [rows[0], [tidy(section[0][1])], *rows[1:]], style="gap")


def _goes_on(upper: _Run, between: Sequence[Numbered], lower: _Run) -> bool:
    if len(between) > 1 or max(map(len, upper.rows)) != max(map(len, lower.rows)):
        return False
    if between and CONTINUED.fullmatch(tidy(between[0][1])):
        return True
    is_header = (
        len(upper.rows) == 1 and len(upper.rows[0]) >= _MIN_SEGMENTS and not any(map(str.isdecimal, upper.rows[0]))
    )
    if is_header and len(between) == 1 and len(tidy(between[0][1])) <= _LONGEST_SECTION:
        return True
    serials = [int(row[0]) for row in upper.rows if row[0].isdecimal()]
    first = lower.rows[0]
    return bool(serials) and (first[0] == str(serials[-1] + 1) or any(map(_TOTAL.search, first)))


def _comma_rows(raws: Sequence[str]) -> list[list[str]]:
    rows = [[tidy(cell) for cell in row] for row in csv.reader(raws)]
    return rows if len(rows) >= _MIN_SEGMENTS and len(set(map(len, rows))) == 1 else []


def _gap_rows(raws: Sequence[str]) -> list[list[str]]:
    """Cells of lines aligned by spaces: a column border is where every line of the run is blank.

    A run that has no line of three segments, or a single line, is text that happens to hold wide spaces. Signs of
    ambiguous width (—, ①, ×) were aligned as one or as two columns: the reading that keeps segments apart is right.
    """
    widest = max(len(_segments(raw, 1)) for raw in raws)
    if len(raws) == 1 or (widest < _MIN_SEGMENTS and not _is_pair_table(raws)):
        return []
    readings = [_Reading.of(raws, ambiguous) for ambiguous in (1, 2)]
    return min(readings, key=lambda reading: (reading.merged, len(reading.rows[0]))).rows


def _is_pair_table(raws: Sequence[str]) -> bool:
    """Two columns with a number in every second cell below the header: brackets of a coefficient."""
    pairs = [[part for part in _GAP.split(raw.strip(_OUTER)) if part] for raw in raws]
    return (
        len(pairs) >= _MIN_PAIRS
        and all(len(pair) == 2 for pair in pairs)  # noqa: PLR2004 - two columns
        and all(re.search(r"\d", right) for _, right in pairs[1:])
        and not any(re.search(r"[：:。]", text) for pair in pairs for text in pair)
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """The cells under one width of ambiguous signs, and how many segments had to share a cell."""

    rows: list[list[str]]
    merged: int

    @classmethod
    def of(cls, raws: Sequence[str], ambiguous: int) -> _Reading:
        lines = [_segments(raw, ambiguous) for raw in raws]
        spans = sorted(span for line in lines for span in line)
        columns = [list(spans[0])]
        for start, end in spans[1:]:
            if start < columns[-1][1]:
                columns[-1][1] = max(columns[-1][1], end)
            else:
                columns.append([start, end])
        borders = [(left[1] + right[0]) / 2 for left, right in pairwise(columns)]
        rows = [_cut(raw, borders, ambiguous) for raw in raws]
        merged = sum(len(line) - sum(map(bool, row)) for line, row in zip(lines, rows, strict=True))
        return cls(rows, merged)


def _segments(raw: str, ambiguous: int) -> list[tuple[int, int]]:
    """Start and end of each segment in display columns, wide characters counting two."""
    edges = [0]
    for char in raw:
        edges.append(edges[-1] + _width(char, ambiguous))
    text = raw.rstrip(_OUTER)
    start = len(raw) - len(raw.lstrip(_OUTER))
    cuts = [start, *(at for gap in _GAP.finditer(text) for at in gap.span()), len(text)]
    return [(edges[first], edges[end]) for first, end in zip(cuts[::2], cuts[1::2], strict=True)]


def _cut(raw: str, borders: Sequence[float], ambiguous: int) -> list[str]:
    cells = [""] * (len(borders) + 1)
    at = 0
    for char in raw:
        cells[sum(at >= border for border in borders)] += char
        at += _width(char, ambiguous)
    return [tidy(cell) for cell in cells]


def _width(char: str, ambiguous: int) -> int:
    kind = unicodedata.east_asian_width(char)
    return 2 if kind in "WF" else ambiguous if kind == "A" else 1
