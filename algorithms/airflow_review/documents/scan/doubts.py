"""Which recognised values a person must compare with the picture: too uncertain, or unlike their column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from algorithms.airflow_review.documents.document import BBox, Block, Doubt, Line, Table
from algorithms.airflow_review.documents.pdf.paging import Page, Recognition
from algorithms.airflow_review.documents.pdf.textline import NUMBER
from algorithms.airflow_review.messages.catalogue import NOTHING, Text, listed, say

SURE: Final = 0.95  # confidence of the least certain digit; measured, see docs/decisions/0009-ocr.md
_LEGIBLE, _MUCH, _FEW = 0.5, 0.1, 2  # more than this share, and number, of lines below this confidence: a poor picture
_ROUNDING_PT: Final = 0.2
_MOSTLY: Final = 0.7
_LEAST_NUMBERS: Final = 3
_PLACES_SHOWN: Final = 5
_WHOLE = re.compile(r"[+\-−]?(?:\d{1,3}(?:[,，]\d{3})+|\d+)(?:[.．]\d+)?[%％]?")
_PADDED = re.compile(r"[+\-−]?0\d")
_DIGIT = re.compile(r"\d")


def recognition_doubts(pages: Sequence[Page], blocks: Sequence[Block]) -> tuple[Doubt, ...]:
    """Doubts about values on recognised pages, then what the lexicon has changed."""
    recognized = {page.number: page.recognized for page in pages if page.recognized is not None}
    found = [
        Doubt.of(say("doubt.poor_scan"), "", page=number, needs_check=True)
        for number, items in recognized.items()
        if sum(item.confidence < _LEGIBLE for item in items) > max(_FEW, _MUCH * len(items))
    ]
    for block in blocks:
        if isinstance(block, Table):
            found += _table_doubts(block, recognized)
        elif block.page in recognized:
            found += _line_doubts(block, recognized[block.page])
    return (*found, *_corrections(recognized))


def _table_doubts(table: Table, recognized: dict[int, list[Recognition]]) -> Iterator[Doubt]:
    columns = [_NumberColumn.of(table, column) for column in range(len(table.rows[0].cells))]
    is_body = False
    for at, row in enumerate(table.rows):
        is_body = is_body or any(NUMBER.fullmatch(cell.text) for cell in row.cells)
        if row.page not in recognized:
            continue
        for column, cell in enumerate(row.cells):
            if not cell.origin or not _DIGIT.search(cell.text):
                continue
            reason = _uncertain(cell.bbox, recognized[row.page]) or (
                columns[column].oddity(cell.text) if is_body else NOTHING
            )
            if reason:
                yield Doubt.of(
                    say("doubt.recognized", text=cell.text, reason=reason),
                    cell.text,
                    page=row.page,
                    table=table.index,
                    row=at + 1,
                    needs_check=True,
                )


def _line_doubts(line: Line, recognized: Sequence[Recognition]) -> Iterator[Doubt]:
    reason = _uncertain(line.bbox, recognized)
    if reason and _DIGIT.search(line.text):
        message = say("doubt.recognized", text=line.text, reason=reason)
        yield Doubt.of(message, line.text, page=line.page, needs_check=True)


def _uncertain(bbox: BBox | None, recognized: Sequence[Recognition]) -> Text:
    """The reason to doubt the digits inside a box; empty for none."""
    if bbox is None:
        return NOTHING
    inside = [item for item in recognized if _DIGIT.search(item.text) and _is_inside(item.bbox, bbox)]
    least = min((item.confidence for item in inside), default=1.0)
    return say("doubt.recognized_unsure", confidence=f"{least:.2f}") if least < SURE else NOTHING


def _is_inside(inner: BBox, outer: BBox) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return (
        outer[0] - _ROUNDING_PT <= x <= outer[2] + _ROUNDING_PT
        and outer[1] - _ROUNDING_PT <= y <= outer[3] + _ROUNDING_PT
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _NumberColumn:
    """What the numbers of a column have in common."""

    is_numeric: bool  # False for a column of words
    decimals: int = 0  # 0 also where the counts differ
    is_padded: bool = False  # 01, 02 … are usual here

    @classmethod
    def of(cls, table: Table, column: int) -> _NumberColumn:
        cells = [row.cells[column] for row in table.rows]
        texts = [cell.text for cell in cells if cell.origin and _DIGIT.search(cell.text)]
        numbers = [text for text in texts if NUMBER.fullmatch(text)]
        if len(numbers) < _LEAST_NUMBERS or len(numbers) < _MOSTLY * len(texts):
            return cls(is_numeric=False)
        usual, count = Counter(_decimals(text) for text in numbers).most_common(1)[0]
        padded = sum(_PADDED.match(text) is not None for text in numbers)
        return cls(
            is_numeric=True,
            decimals=usual if count >= _MOSTLY * len(numbers) else 0,
            is_padded=2 * padded > len(numbers),
        )

    def oddity(self, text: str) -> Text:
        """Why a text with digits is no number like the others of the column; empty where it is one."""
        if not self.is_numeric:
            return NOTHING
        if not _WHOLE.fullmatch(text):
            return say("doubt.recognized_not_whole")
        if not self.is_padded and _PADDED.match(text):
            return say("doubt.recognized_padded")
        if self.decimals and not _decimals(text):
            return say("doubt.recognized_no_decimals")
        return NOTHING


def _decimals(number: str) -> int:
    return len(re.split(r"[.．]", number)[1]) if re.search(r"[.．]", number) else 0


def _corrections(recognized: dict[int, list[Recognition]]) -> Iterator[Doubt]:
    """One note a misread word: what was recognised, what it was read as, and where."""
    places: dict[tuple[str, str], list[int]] = {}
    for number, items in recognized.items():
        for item in items:
            if item.raw != item.text:
                places.setdefault((item.raw, item.text), []).append(number)
    for (raw, text), pages in places.items():
        where = listed(map(str, dict.fromkeys(pages[:_PLACES_SHOWN])))
        message = say("doubt.recognized_word", raw=raw, text=text, pages=where, count=len(pages))
        yield Doubt.of(message, text, page=pages[0])
