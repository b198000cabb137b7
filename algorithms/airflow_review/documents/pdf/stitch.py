"""Tables that run over page breaks become one table again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.documents.pdf.paging import Page, PageLine, PageRow, PageTable
from algorithms.airflow_review.documents.pdf.textline import NUMBER
from algorithms.airflow_review.messages.catalogue import say

_BORDER_PT: Final = 3.0
_MAX_HEADER_ROWS: Final = 3
_SAMPLE_ROWS: Final = 30
_CONTINUED = re.compile(r"续\s*表|表.{0,40}[（(]?\s*续\s*表?\s*[)）]?\s*$|接上(页|表)|^[（(]\s*续\s*[)）]$")
_TOTAL = re.compile(r"(小|合|总|共)\s*计|系数|总需风量")


def stitch(pages: Sequence[Page]) -> tuple[list[PageLine | PageTable], list[int], list[Doubt]]:
    """All blocks in reading order with the page of each, and what had to be repaired."""
    blocks: list[PageLine | PageTable] = []
    numbers: list[int] = []
    doubts: list[Doubt] = []
    for page in pages:
        rest = list(page.blocks)
        joined = _join(blocks, rest, doubts)
        blocks += rest[joined:]
        numbers += [page.number] * (len(rest) - joined)
    return blocks, numbers, doubts


def _join(blocks: Sequence[PageLine | PageTable], rest: Sequence[PageLine | PageTable], doubts: list[Doubt]) -> int:
    """Appends the page's first table to the last one so far if it goes on; returns how many blocks that used up."""
    at = next((n for n, block in enumerate(rest) if isinstance(block, PageTable)), None)
    if at is None or not blocks:
        return 0
    captions = [block.text for block in rest[:at] if isinstance(block, PageLine)]
    says_continued = any(_CONTINUED.search(text) for text in captions)
    upper, lower = blocks[-1], rest[at]
    if len(captions) > says_continued or not isinstance(upper, PageTable) or not isinstance(lower, PageTable):
        return 0
    if not _same_borders(upper, lower):
        return 0
    header = _repeated_header(upper, lower)
    if not says_continued and (_starts_anew(upper, lower, header) or _own_header(upper, lower, header)):
        return 0
    _append(upper, lower, header, doubts)
    return at + 1


def _same_borders(upper: PageTable, lower: PageTable) -> bool:
    if len(upper.borders) != len(lower.borders) or upper.ruled != lower.ruled:
        return False
    if not upper.ruled:
        return all(
            a1 > b0 and b1 > a0
            for (a0, a1), (b0, b1) in zip(_strips(upper.borders), _strips(lower.borders), strict=True)
        )
    shift = upper.borders[0] - lower.borders[0]  # facing pages may have different inner margins
    return all(abs(a - b - shift) <= _BORDER_PT for a, b in zip(upper.borders, lower.borders, strict=True))


def _strips(borders: Sequence[float]) -> list[tuple[float, float]]:
    return list(pairwise(borders))


def _texts(row: PageRow) -> list[str]:
    return [cell.text for cell in row.cells]


def _repeated_header(upper: PageTable, lower: PageTable) -> int:
    """How many rows at the top of the lower part repeat those of the upper part."""
    count = 0
    for one, other in zip(upper.rows[:_MAX_HEADER_ROWS], lower.rows, strict=False):
        if _texts(one) != _texts(other) or any(NUMBER.fullmatch(text) for text in _texts(one)):
            break
        count += 1
    return count


def _starts_anew(upper: PageTable, lower: PageTable, header: int) -> bool:
    """A second table of the same form: its serial numbers begin again, or the first one is closed by its sums."""
    if not header or len(lower.rows) <= header:
        return False
    first = lower.rows[header].cells[0].text
    serials = (row.cells[0].text for row in reversed(upper.rows) if NUMBER.fullmatch(row.cells[0].text))
    seen = next(serials, "")
    if seen:
        return first in {"1", "１", "01"} and seen != "0"
    return any(_TOTAL.search(cell.text) for cell in upper.rows[-1].cells)


def _own_header(upper: PageTable, lower: PageTable, header: int) -> bool:
    """The lower part begins with a header of its own: words only, where the upper part has numbers."""
    if header:
        return False
    first, sample = lower.rows[0], upper.rows[-_SAMPLE_ROWS:]
    numeric = [
        at
        for at in range(len(first.cells))
        if sum(bool(NUMBER.fullmatch(row.cells[at].text)) for row in sample) * 2 > len(sample)
    ]
    return bool(numeric) and all(
        first.cells[at].text and not re.search(r"\d", first.cells[at].text) and len(first.cells[at].text) > 1
        for at in numeric
    )


def _append(upper: PageTable, lower: PageTable, header: int, doubts: list[Doubt]) -> None:
    rows = lower.rows[header:]
    upper.has_loose_labels |= lower.has_loose_labels
    if not rows:
        return
    last = upper.rows[-1]
    if _is_remainder(last, rows[0]):
        for cell, rest in zip(last.cells, rows[0].cells, strict=True):
            cell.text += rest.text
        quote = "".join(dict.fromkeys(_texts(rows[0])))
        doubts.append(Doubt.of(say("doubt.split_row"), quote, page=rows[0].page))
        rows = rows[1:]
    _carry_merges(last, rows)
    upper.rows += rows


def _is_remainder(last: PageRow, first: PageRow) -> bool:
    """The rest of a row cut by the page break: words only, below words, without its first cell."""
    filled = [at for at, cell in enumerate(first.cells) if cell.text]
    return (
        bool(filled)
        and not first.cells[0].text
        and bool(last.cells[0].text)
        and all(first.cells[at].columns == 1 and last.cells[at].text for at in filled)
        and not any(re.search(r"\d", first.cells[at].text) or _TOTAL.search(first.cells[at].text) for at in filled)
        and 2 * len(filled) < len(first.cells)
    )


def _carry_merges(last: PageRow, rows: Sequence[PageRow]) -> None:
    """A word merged down to the page break goes on in the empty cell that continues it."""
    if not rows:
        return
    for column, above in enumerate(last.cells):
        below = rows[0].cells[column]
        carries = above.text and not NUMBER.fullmatch(above.text) and (above.rows > 1 or below.rows > 1)
        if not carries or below.text or _is_total(rows[0]):
            continue
        for row in rows:
            if row.cells[column] is not below:
                break
            row.cells[column] = above
            above.rows += 1


def _is_total(row: PageRow) -> bool:
    return any(_TOTAL.search(cell.text) for cell in row.cells)
