"""Finds names in a reply: labels of critical fields, names of rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

_OTHER_NOUN: Final = frozenset("法率比差")  # 人数法 is a method and no 人数


class Hit(NamedTuple):
    """A term that stands in the text."""

    start: int
    end: int
    term: str


def _is_word(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


class TermHits:
    """Occurrences of terms in a lower-case text; a term inside a longer one does not count (风量 in 有效风量率)."""

    def __init__(self, lowered: str, terms: Iterable[str]) -> None:
        found: list[Hit] = []
        for term in terms:
            at = lowered.find(term) if term else -1
            while at >= 0:
                end = at + len(term)
                if _stands_alone(lowered, at, end, term):
                    found.append(Hit(at, end, term))
                at = lowered.find(term, at + 1)
        found.sort(key=lambda hit: (hit.start, -hit.end))
        self.hits: list[Hit] = []
        reach = -1
        for hit in found:
            if hit.end > reach:
                self.hits.append(hit)
                reach = hit.end
        self._starts = [hit.start for hit in self.hits]

    def only(self, terms: Collection[str]) -> TermHits:
        """The hits of some of the terms."""
        part = TermHits("", ())
        part.hits = [hit for hit in self.hits if hit.term in terms]
        part._starts = [hit.start for hit in part.hits]
        return part

    def between(self, start: int, end: int) -> list[Hit]:
        """Hits that lie wholly in a stretch, in order."""
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end, first)
        if first == last:
            return []
        found = self.hits[first:last]
        if found[-1].end > end:
            found.pop()
        return found


def _stands_alone(lowered: str, start: int, end: int, term: str) -> bool:
    """An English term ends and begins at the edge of a word; a plural s is let through."""
    if _is_word(term[0]) and start > 0 and _is_word(lowered[start - 1]):
        return False
    if not term[-1].isascii() and lowered[end : end + 1] in _OTHER_NOUN:
        return False
    if not _is_word(term[-1]) or end >= len(lowered) or not _is_word(lowered[end]):
        return True
    return lowered[end] == "s" and term[-1].isalpha() and not (end + 1 < len(lowered) and _is_word(lowered[end + 1]))
