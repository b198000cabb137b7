"""Cover data of a plan: the mine, the period it is made for, the day it was issued."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from algorithms.airflow_review.documents.document import Document, Line
from algorithms.airflow_review.evidence import Window, WindowStatus
from algorithms.airflow_review.reading.dates import is_bare_span, parse_day, parse_window, year_and_month
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.place_in_source import of_line
from algorithms.airflow_review.reading.text import fold, squeeze
from algorithms.airflow_review.value_class import dataclass

_MINE: Final = re.compile(
    r"([\u4e00-\u9fff][\u4e00-\u9fffA-Za-z\d]{0,18}?(?:煤矿|矿井|煤业|矿业|矿|号井|井))(?=\d{4}年|20\d\d|[〇二]|月|年|第|通|配|风|供|用|需|本|的|\(|一通|[编制])"
)
_TITLE: Final = re.compile(r"计划|安排|计算书|方案|配风|供风")
_MAX_TITLE_LINES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanHead:
    """What the cover says."""

    mine: str | None
    period: Window
    issued_on: date | None


def read_head(document: Document) -> PlanHead:
    """The mine from the title, the period from its own line (else the title's month), the day of issue."""
    lines = document.lines
    title = next((line for line in lines[:_MAX_TITLE_LINES] if _TITLE.search(line.text)), None)
    issued = next((day for line in lines if _key(line) == "issued" and (day := parse_day(line.text)) is not None), None)
    return PlanHead(mine=_mine(lines, title), period=_period(document, title), issued_on=issued)


def _key(line: Line) -> str | None:
    return word_table("period", "plan_words").key_of(line.text)


def _mine(lines: tuple[Line, ...], title: Line | None) -> str | None:
    for line in ((title,) if title is not None else ()) + tuple(lines[:40]):
        found = _MINE.search(squeeze(line.text))
        if found is not None and found.group(1) not in {"矿井", "煤矿", "本矿", "全矿", "全矿井"}:
            return found.group(1)
    return None


def _period(document: Document, title: Line | None) -> Window:
    """Every line that names the period; the first readable one. Two that differ leave it to a person."""
    year, month = year_and_month(title.text) if title is not None else (None, None)
    windows = [
        _window(document.file, line, year, month)
        for line in document.lines
        if _key(line) == "period" and _names_period(line)
    ]
    readable = [window for window in windows if window.status is WindowStatus.OK]
    if readable:
        return readable[0]
    unreadable = next((window for window in windows if window.status is WindowStatus.UNPARSABLE), None)
    if unreadable is not None:
        return unreadable
    bare = (line for line in document.lines[:_MAX_TITLE_LINES] if is_bare_span(line.text))
    for line in (*bare, *((title,) if title is not None else ())):
        window = parse_window(line.text, year=year, month=month)
        if window.status is WindowStatus.OK:
            return replace(window, text=line.text.strip(), evidence=(of_line(document.file, line),))
    return Window()


def _names_period(line: Line) -> bool:
    """A line that states the period, not one that only mentions it (`计划执行期内现行有效版本`)."""
    return re.search(r"(?:期内|有效版本|规程)", squeeze(line.text)) is None


def _window(file: str, line: Line, year: int | None, month: int | None) -> Window:
    text = fold(line.text)
    words = sorted(
        (word for word, key in word_table("period", "plan_words").words if key == "period"), key=len, reverse=True
    )
    word = next(word for word in words if word in text.casefold())
    at = text.casefold().find(word) + len(word)
    value = re.sub(r"^\s*(?:[:为是自]|\s)*", "", re.split(r"[。;]|,(?!\s*(?:至|到))", text[at:])[0])
    window = parse_window(value, year=year, month=month)
    printed = line.text.strip()
    return replace(
        window, text=printed if window.status is WindowStatus.OK else value or printed, evidence=(of_line(file, line),)
    )
