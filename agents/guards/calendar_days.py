"""Days that follow from dates: the length of a range, days gone by and days left of a month."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import cached_property
from typing import Final

from agents.guards.cues import has_cue
from agents.guards.evidence.book import EvidenceBook
from agents.guards.quantities.quantity import Quantity

_ISO: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/年](1[0-2]|0?[1-9])[-/月](3[01]|[12]\d|0?[1-9])(?!\d)")
_CHINESE: Final = re.compile(
    r"(?:((?:19|20)\d\d)\s?年)?(?<!\d)(1[0-2]|[1-9])\s?月\s?(3[01]|[12]\d|[1-9])\s?[日号]?"
    r"(?:\s?(?:至|到|~|-)\s?(3[01]|[12]\d|[1-9])(?=\s?[日号]))?"
)
_ENGLISH: Final = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (3[01]|[12]\d|[1-9])(?:st|nd|rd|th)?"
    r"(?: ?(?:-|to|through|until) ?(3[01]|[12]\d|[1-9]))?(?!\d)"
)
_ENGLISH_TURNED: Final = re.compile(
    r"(?<!\d)(?:(3[01]|[12]\d|[1-9]) ?(?:-|to) ?)?(3[01]|[12]\d|[1-9])(?:st|nd|rd|th)? "
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_APART: Final = re.compile(r"\s*(?:after|before|later|earlier|ahead of|之?后|之?前)")
_MOST_DATES: Final = 8
_LONGEST: Final = 400
_BACK: Final = 12
_RANGE: Final = 2


class CalendarDays:
    """The days that the dates of one reply, and of its evidence, make."""

    def __init__(self, book: EvidenceBook, lowered: str) -> None:
        self._book = book
        self._lowered = lowered

    def bears_out(self, quantity: Quantity) -> bool:
        """Whether a number of days follows from dates, and the words beside it say from what."""
        if quantity.ulp != 1 or not 0 < quantity.value < _LONGEST:
            return False
        is_days = quantity.unit is not None and quantity.unit.name == "day"
        before = self._lowered[max(0, quantity.start - _BACK) : quantity.start]
        behind = self._lowered[quantity.unit_end : quantity.unit_end + _BACK]
        days = int(quantity.value)
        evidence = self._dates_of_evidence
        if re.match(r"\s*of (?:the )?\d+ days", behind) or (is_days and has_cue("so_far", before + " | " + behind)):
            return any(days == day.day for day in evidence)
        if not is_days:
            return False
        if re.search(r"\bof (?:the )?$", before) and any(
            days == monthrange(day.year, day.month)[1] for day in evidence
        ):
            return True
        if has_cue("days_left", f"{before} | {behind}") and any(
            days == monthrange(day.year, day.month)[1] - day.day for day in evidence
        ):
            return True
        own = self._dates_of_reply
        told = evidence if len(evidence) == _RANGE else []  # of a whole series any number of days would be a span
        spans = [(a, b) for dates in (own, told) for a in dates for b in dates if a < b]
        between = {(b - a).days for a, b in spans}
        if _APART.match(behind):
            return days in between
        return days - 1 in between or (days in between and has_cue("days_apart", f"{before} | {behind}"))

    @cached_property
    def _dates_of_evidence(self) -> list[date]:
        return [found for year, month, day in self._book.dates if (found := _date(year, month, day)) is not None][
            :_MOST_DATES
        ]

    @cached_property
    def _dates_of_reply(self) -> list[date]:
        """Dates that the reply writes; a year that it leaves out is that of the evidence."""
        evidence = self._dates_of_evidence
        year = evidence[0].year if evidence else 2000
        written = [(int(m[1]), int(m[2]), (m[3], "")) for m in _ISO.finditer(self._lowered)]
        written += [(int(m[1] or year), int(m[2]), (m[3], m[4])) for m in _CHINESE.finditer(self._lowered)]
        written += [(year, _NAMES.index(m[1]) + 1, (m[2], m[3])) for m in _ENGLISH.finditer(self._lowered)]
        written += [(year, _NAMES.index(m[3]) + 1, (m[1], m[2])) for m in _ENGLISH_TURNED.finditer(self._lowered)]
        dates = (_date(of, month, int(day)) for of, month, days in written for day in days if day)
        return list(dict.fromkeys(one for one in dates if one is not None))[:_MOST_DATES]


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
