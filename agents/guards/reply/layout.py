"""Where a number stands in a reply: its sentence, the words beside it, its table cell with header and row."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.reader import unit_written
from agents.guards.quantities.units import RATIO, unit_table

_SENTENCE_END: Final = re.compile(r"(?=[。！？；;!?.\n])(?:[。！？；]|[;!?](?=\s|$)|\.(?=\s|$|[A-Z][a-z])|\n)")
_CLAUSE_END: Final = re.compile(r"(?=[，：、（(,:\-])(?:[，：、（(]|[,:](?=\s|\*|$)|(?<=\s)-{1,2}(?=\s))")
_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_HEADING: Final = re.compile(r"^\s*(?:#+\s|\*\*[^*]+\*\*\s*[:：]?\s*$|.*[:：]\s*(?:\*\*)?\s*$)")
_NUMBER_MARK: Final = re.compile(r"^\s*[-*>]*\s*\d{1,2}$")
_ABBREVIATION: Final = re.compile(
    r"(?:^|[^a-z])(?:i\.e|e\.g|approx|vs|no|ca|fig|cf|st|etc|resp|incl|excl|avg|max|min|dr|mr|mrs|ms|prof|st)$"
)
_TOTAL: Final = re.compile(
    r"合计|总计|小计|共计|总和|汇总|全矿|全部|\b(?:total|sum|overall|all|subtotal)\b", re.IGNORECASE
)
_MEAN: Final = re.compile(r"平均|均值|\b(?:average|mean|avg)\b", re.IGNORECASE)
_INDEX_HEADER: Final = re.compile(r"^\W*(?:#|序号|编号|no\.?|index|rank|排名)\W*$", re.IGNORECASE)
_PERCENT_HEADER: Final = re.compile(r"[(（]\s*[%％]\s*[)）]")


@dataclass(slots=True)
class Cell:
    """A table cell: its table, its place, the spans of its column's header and of its row's first cell."""

    table: int
    row: int
    column: int
    header: tuple[int, int]
    label: tuple[int, int]
    is_total: bool = False
    is_mean: bool = False
    heads_column: bool = False


@dataclass(slots=True)
class Sentence:
    """A sentence or a table row, with the numbers of the quantities in it."""

    start: int
    end: int
    line: int
    quantities: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Spot:
    """Where one quantity stands.

    Attributes:
        sentence: Number of its sentence.
        left: Start of the words on its left: the end of the quantity before it, or the start of the sentence.
        right: End of the words on its right: the next quantity, or the end of the clause.
        cell: Its table cell, or None in prose.
        heading: Span of the heading or list head that it stands under, or None.
    """

    sentence: int
    left: int
    right: int
    cell: Cell | None = None
    heading: tuple[int, int] | None = None


class Layout:
    """The layout of one folded reply with its quantities; units of table headers are given to their columns."""

    def __init__(self, text: str, quantities: list[Quantity]) -> None:
        self.text = text
        self.lowered = text.lower()
        self.quantities = quantities
        self.sentences: list[Sentence] = []
        self.spots: list[Spot] = []
        self._headings: list[tuple[int, int] | None] = []
        self._split()
        self._place()
        self._tables()

    def words(self, start: int, end: int) -> str:
        """Lower-case words of a stretch."""
        return self.lowered[start:end]

    def _split(self) -> None:
        start, line = 0, 0
        heading: tuple[int, int] | None = None
        blank = False
        starts = [quantity.start for quantity in self.quantities]
        for match in [*_SENTENCE_END.finditer(self.text), None]:
            end = match.start() if match else len(self.text)
            if (
                match
                and match.group() == "."
                and (
                    self._is_inside(starts, end)
                    or _ABBREVIATION.search(self.lowered, max(0, end - 8), end)
                    or _NUMBER_MARK.match(self.text[self.text.rfind("\n", 0, end) + 1 : end])
                )
            ):
                continue
            if end > start:
                self.sentences.append(Sentence(start, end, line))
                self._headings.append(heading)
            if match and match.group() == "\n":
                begin = self.text.rfind("\n", 0, end) + 1
                row = self.text[begin:end]
                if not row.strip():
                    blank = True
                elif _HEADING.match(row):
                    heading, blank = (begin, end), False
                elif blank and not re.match(r"\s*(?:[-*•|>]|\d{1,2}[.、)])", row):
                    heading, blank = None, False
                line += 1
            start = match.end() if match else end
        if not self.sentences:
            self.sentences.append(Sentence(0, len(self.text), 0))
            self._headings.append(None)

    def _is_inside(self, starts: list[int], position: int) -> bool:
        at = bisect_right(starts, position) - 1
        return at >= 0 and position < self.quantities[at].end

    def _place(self) -> None:
        starts = [sentence.start for sentence in self.sentences]
        clauses = [match.start() for match in _CLAUSE_END.finditer(self.text)]
        for number, quantity in enumerate(self.quantities):
            at = max(0, bisect_right(starts, quantity.start) - 1)
            self.sentences[at].quantities.append(number)
            sentence = self.sentences[at]
            clause = bisect_right(clauses, quantity.unit_end - 1)
            clause_end = clauses[clause] if clause < len(clauses) else len(self.text)
            self.spots.append(Spot(at, sentence.start, min(sentence.end, clause_end), None, self._headings[at]))
        for sentence in self.sentences:
            previous: int | None = None
            for number in sentence.quantities:
                spot, quantity = self.spots[number], self.quantities[number]
                if previous is not None:
                    spot.left = max(spot.left, self.quantities[previous].unit_end)
                    if quantity.is_claim:
                        self.spots[previous].right = min(self.spots[previous].right, quantity.start)
                if quantity.is_claim:
                    previous = number

    def _tables(self) -> None:
        lines: list[tuple[int, int]] = []
        start = 0
        for row in self.text.split("\n"):
            lines.append((start, start + len(row)))
            start += len(row) + 1
        line_starts = [line[0] for line in lines]
        by_line: dict[int, list[int]] = {}
        for number, quantity in enumerate(self.quantities):
            by_line.setdefault(bisect_right(line_starts, quantity.start) - 1, []).append(number)
        header: list[tuple[int, int]] | None = None
        table = row_number = 0
        for index, (begin, end) in enumerate(lines):
            row = self.text[begin:end]
            if row.count("|") < 2:  # noqa: PLR2004 - a row has a bar on each side
                header = None
                continue
            cells = _cells(row, begin)
            if header is None and not self._heads(index, lines, by_line):
                header, table, row_number = [], table + 1, 0
            if header is None:
                header, table, row_number = cells, table + 1, 0
                for number in by_line.get(index, ()):
                    self.quantities[number].exempt = self.quantities[number].exempt or "name"
                    self.quantities[number].soft = True
                continue
            if _RULE.fullmatch(row):
                continue
            row_number += 1
            self._row(cells, header, by_line.get(index, []), table, row_number)

    def _heads(self, index: int, lines: list[tuple[int, int]], by_line: dict[int, list[int]]) -> bool:
        """Whether the first row of a table heads it: a rule follows, or it states nothing."""
        below = self.text[slice(*lines[index + 1])] if index + 1 < len(lines) else ""
        stated = [number for number in by_line.get(index, ()) if self.quantities[number].is_claim]
        return not stated or ("-" in below and _RULE.fullmatch(below) is not None)

    def _row(
        self,
        cells: list[tuple[int, int]],
        header: list[tuple[int, int]],
        numbers: list[int],
        table: int,
        row: int,
    ) -> None:
        label = cells[0]
        first = self.text[label[0] : label[1]]
        units = [unit_table().after.fullmatch(self.text[a:b].strip()) for a, b in cells[1:]]
        unit_cell = next((match for match in units if match), None)
        starts = [cell[0] for cell in cells]
        for number in numbers:
            quantity = self.quantities[number]
            column = bisect_right(starts, quantity.start) - 1
            if column < 0:
                continue
            head = header[column] if column < len(header) else (0, 0)
            head_text = self.text[head[0] : head[1]]
            cell = Cell(table, row, column, head, label, bool(_TOTAL.search(first)), bool(_MEAN.search(first)))
            cell.heads_column = column == 0
            self.spots[number].cell = cell
            self.spots[number].left = max(cells[column][0], self.spots[number].left)
            self.spots[number].right = min(cells[column][1], self.spots[number].right)
            if _INDEX_HEADER.match(head_text) and quantity.ulp == 1:
                quantity.exempt, quantity.soft = "ordinal", True
            if quantity.unit is None and not quantity.exempt:
                self._take_unit(quantity, head_text, first, unit_cell)

    @staticmethod
    def _take_unit(quantity: Quantity, head: str, first: str, unit_cell: re.Match[str] | None) -> None:
        if _PERCENT_HEADER.search(head) or _PERCENT_HEADER.search(first):
            quantity.unit = unit_table().units["%"]
        elif unit := unit_written(head) or unit_written(first):
            quantity.unit = unit if unit.dimension != RATIO or unit.name == "%" else None
        elif unit_cell is not None:
            quantity.unit = unit_table().spellings[unit_cell[1] or unit_cell[2]]


def _cells(row: str, begin: int) -> list[tuple[int, int]]:
    """Spans of a row's cells."""
    bars = [match.start() for match in re.finditer(r"\|", row)]
    edges = bars if row.lstrip().startswith("|") else [-1, *bars]
    if not row.rstrip().endswith("|"):
        edges = [*edges, len(row)]
    return [(begin + a + 1, begin + b) for a, b in pairwise(edges)]
