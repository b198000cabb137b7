"""Tables without rules: runs of lines whose segments stand in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from algorithms.airflow_review.documents.cell_text import join_lines
from algorithms.airflow_review.documents.pdf.columns import Column, cut_at_rivers, find_columns, touched
from algorithms.airflow_review.documents.pdf.labels import spread_labels
from algorithms.airflow_review.documents.pdf.paging import PageCell, PageRow, PageTable
from algorithms.airflow_review.documents.pdf.row_bands import CLOSE
from algorithms.airflow_review.documents.pdf.row_groups import group_rows
from algorithms.airflow_review.documents.pdf.textline import TextLine, rounded

CAPTION: Final = re.compile(r"\s*[续附]?\s*表\s*[\d０-９一二三四五六七八九十A-Za-z（(续]")
_CORE_SEGMENTS: Final = 3
_MAX_BETWEEN: Final = 3  # lines of fewer segments between two rows: wrapped names, section rows
_WIDE_STEP: Final = 1.9  # of the usual distance of rows: the table has ended
_LARGER: Final = 1.15  # of the table's font size: a heading
_NEXT_STEP: Final = 1.25  # of the usual distance of rows: a row below the last full one
_LEADING: Final = 1.2  # of the font size: the least distance rows may be expected to have


def unruled_tables(lines: Sequence[TextLine], page: int) -> list[tuple[range, PageTable]]:
    """Runs of lines that form a table, as line ranges with the table they make."""
    found = []
    for run in _runs(lines):
        table = _table([lines[at] for at in run], page)
        if table is not None:
            found.append((run, table))
    return found


def _runs(lines: Sequence[TextLine]) -> list[range]:
    core = [at for at, line in enumerate(lines) if len(line.segments) >= _CORE_SEGMENTS]
    runs: list[list[int]] = []
    for at in core:
        if runs and _continues(lines, runs[-1], at):
            runs[-1].append(at)
        else:
            runs.append([at])
    return [_extent(lines, run) for run in runs if len(run) > 1]


def _continues(lines: Sequence[TextLine], run: Sequence[int], at: int) -> bool:
    """Whether the core line belongs to the run: only table-like lines between, no wide step."""
    between = lines[run[-1] + 1 : at]
    if any(CAPTION.match(line.text) for line in between):
        return False
    if len(between) > _MAX_BETWEEN and not _stand_in_columns(between, find_columns([lines[n] for n in run])):
        return False
    size = median(lines[n].size for n in run)
    if any(line.size > _LARGER * size for line in [*between, lines[at]]):
        return False
    steps = [lines[b].base - lines[a].base for a, b in pairwise(range(run[-1], at + 1))]
    return max(steps) <= _WIDE_STEP * _run_step(lines, run, steps)


def _stand_in_columns(lines: Sequence[TextLine], columns: Sequence[Column]) -> bool:
    return all(len(touched(columns, segment)) == 1 for line in lines for segment in line.segments)


def _run_step(lines: Sequence[TextLine], run: Sequence[int], steps: Sequence[float]) -> float:
    known = [lines[b].base - lines[a].base for a, b in pairwise(run) if b == a + 1]
    return max(median(known) if known else min(steps), _LEADING * lines[run[0]].size)


def _extent(lines: Sequence[TextLine], run: Sequence[int]) -> range:
    """The run with the lines around it that belong to it: of its header above, in its columns below."""
    core = [lines[at] for at in run]
    left, right = min(line.segments[0].x0 for line in core), max(line.segments[-1].x1 for line in core)
    size = median(line.size for line in core)
    step = _run_step(lines, run, [_LEADING * size])
    columns = find_columns(core)

    def is_inside(line: TextLine) -> bool:
        is_heading = CAPTION.match(line.text) is not None or line.size > _LARGER * size
        return not is_heading and line.segments[0].x0 > left - size and line.segments[-1].x1 < right + size

    start, end = run[0], run[-1] + 1
    while start and is_inside(lines[start - 1]) and lines[start].base - lines[start - 1].base < CLOSE * step:
        start -= 1
    while end < len(lines) and is_inside(lines[end]) and _stand_in_columns([lines[end]], columns):
        distance = lines[end].base - lines[end - 1].base
        is_row = len(lines[end].segments) > 1 or distance < CLOSE * step
        if not is_row or distance > _NEXT_STEP * step:
            break
        end += 1
    return range(start, end)


def _table(lines: Sequence[TextLine], page: int) -> PageTable | None:
    columns = find_columns(lines)
    if len(columns) < _CORE_SEGMENTS:
        return None
    lines = [cut_at_rivers(line, columns) for line in lines]
    borders = [columns[0].x0, *((a.x1 + b.x0) / 2 for a, b in pairwise(columns)), columns[-1].x1]
    rows = [_row(group, columns, borders, page) for group in group_rows(lines, columns)]
    table = PageTable(rows=rows, borders=tuple(round(x, 1) for x in borders), ruled=False)
    table.has_loose_labels = not spread_labels(table)
    return table


def _row(lines: Sequence[TextLine], columns: Sequence[Column], borders: Sequence[float], page: int) -> PageRow:
    top, bottom = min(line.bbox[1] for line in lines), max(line.bbox[3] for line in lines)
    places = [(touched(columns, segment), segment.text) for line in lines for segment in line.segments]
    alone = {met[0] for met, _ in places if len(met) == 1}
    texts: dict[tuple[int, ...], list[str]] = {}
    for met, text in places:
        # A heading over columns that have words of their own in this row is said of each of them.
        for part in [[at] for at in met] if alone.intersection(met) else [met]:
            texts.setdefault(tuple(part), []).append(text)
    cells = [PageCell(text="", bbox=rounded(a, top, b, bottom)) for a, b in pairwise(borders)]
    for covered, parts in texts.items():
        box = rounded(borders[covered[0]], top, borders[covered[-1] + 1], bottom)
        cell = PageCell(text=join_lines(parts), bbox=box, columns=len(covered))
        for at in covered:
            cells[at] = cell
    return PageRow(cells=cells, page=page, bbox=rounded(borders[0], top, borders[-1], bottom))
