"""Stretches of a reply whose numbers are no statements of its own: names of rows, and sentences of the tools repeated word for word."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Final

from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import Fact
from agents.guards.quantities.quantity import Quantity
from agents.guards.reply.terms import TermHits

_NO_NAME: Final = re.compile(r"[\d\W_]+")


@dataclass(frozen=True, slots=True)
class _Quotation:
    start: int
    end: int
    fact: Fact


class Quotations:
    """The quotations of one reply."""

    def __init__(self, book: EvidenceBook, text: str, objects: TermHits, rows: TermHits) -> None:
        named = [*objects.hits, *(hit for hit in rows.hits if hit.term in book.row_terms)]
        spans = {hit.start: hit.end for hit in named if not _NO_NAME.fullmatch(hit.term)}
        self._starts = sorted(spans)
        self._ends = [spans[start] for start in self._starts]
        self._found = [
            _Quotation(at, at + len(statement), fact)
            for statement, fact in book.statements.items()
            for at in _places(text, statement)
        ]

    def is_in_name(self, quantity: Quantity) -> bool:
        """Whether the digits belong to the name of a row, as in 12采区轨道上山."""
        at = bisect_right(self._starts, quantity.start) - 1
        return at >= 0 and quantity.end <= self._ends[at]

    def source_of(self, quantity: Quantity) -> Fact | None:
        """Where the number comes from if it stands in a tool's own sentence."""
        for found in self._found:
            if found.start <= quantity.start and quantity.end <= found.end:
                return replace(found.fact, value=quantity.value, unit=quantity.unit)
        return None


def _places(text: str, part: str) -> list[int]:
    places, at = [], text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places
