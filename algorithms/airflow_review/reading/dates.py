"""Days and spans of days in all the shapes plans and reports print them (R-PIT-21, L26)."""

from __future__ import annotations

import calendar
import re
from datetime import date
from itertools import pairwise
from typing import Final

from algorithms.airflow_review.evidence import Evidence, Window, WindowStatus
from algorithms.airflow_review.reading.numbers import MissingMark, missing_mark
from algorithms.airflow_review.reading.text import fold, squeeze
from algorithms.airflow_review.value_class import dataclass

_CHINESE_DIGITS: Final = {
    "〇": "0",
    "零": "0",
    "○": "0",
    "一": "1",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
}
_CHINESE_YEAR: Final = re.compile(r"[〇零○一二三四五六七八九]{4}(?=年)")
_DAY_SIGN: Final = r"(?:日|号(?![\u4e00-\u9fff](?<![至到起止早中晚上下夜零前后])))"  # 二号井 is no day
_CHINESE_SMALL: Final = re.compile(
    rf"(?:[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=月|{_DAY_SIGN})"
)
_TIME: Final = re.compile(
    r"\s*(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}\s*[时点](?:\s*\d{1,2}\s*分?|整)?)"
)
_WEEKDAY: Final = re.compile(r"\((?:星期|周)[一二三四五六日天]\)")

_YEAR: Final = r"(?P<y>(?:19|20)\d{2})\s*"
_DAY: Final = re.compile(
    # with its year: 2024年12月1日, 2024-12-01, 2024.12.1, 2024/12/01
    rf"{_YEAR}(?:年|[-./])\s*(?P<m>\d{{1,2}})\s*(?:月|[-./])\s*(?P<d>\d{{1,2}})(?:\s*[日号]|(?!\d))"
    # eight digits: 20241201
    r"|(?<!\d)(?P<cy>(?:19|20)\d{2})(?P<cm>0[1-9]|1[0-2])(?P<cd>0[1-9]|[12]\d|3[01])(?!\d)"
    # month and day: 12月1日, 12.1, 12/1
    r"|(?P<next>次年|下年|翌年)?(?P<mm>\d{1,2})\s*月\s*(?P<md>\d{1,2})\s*[日号]?"
    r"|(?<![\d./])(?P<sm>\d{1,2})[./](?P<sd>\d{1,2})(?![\d./])"
    # day alone: 31日
    rf"|(?<!\d)(?P<od>\d{{1,2}})\s*{_DAY_SIGN}"
)
_MONTH: Final = re.compile(
    rf"{_YEAR}(?:年|[-./])\s*第?(?P<m>\d{{1,2}})\s*(?:月份?|(?![\d./-]))\s*(?P<part>[上中下]旬|[上下]半月)?"
    r"|(?<!\d)(?P<om>\d{1,2})\s*月份?\s*(?P<opart>[上中下]旬|[上下]半月)?"
)
_YEAR_ALONE: Final = re.compile(r"((?:19|20)\d{2})\s*年")
_LINK: Final = re.compile(r"\s*(?:起|零时起|开始)?(?:执行|实施|施行|生效|实行)?\s*[,;]?\s*(?:至|到|~|-+)\s*")
_SHORT_END: Final = re.compile(r"\s*(?:至|到|~|-+)\s*(\d{1,2})(?![\d./年月-])")
_PARTS_OF_SPAN: Final = re.compile(r"\d+|[年月日号份第旬上中下半至到起止自从~()\[\]./:,-]")
_PARTS: Final = {"上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "上半月": (1, 15), "下半月": (16, 31)}


@dataclass(frozen=True, slots=True)
class _PartialDay:
    year: int | None
    month: int | None
    day: int
    next_year: bool = False


def parse_window(
    text: str, *, year: int | None = None, month: int | None = None, evidence: tuple[Evidence, ...] = ()
) -> Window:
    """The span of days a text names; both ends included.

    A month (2024年12月) is all its days, 上旬 / 中旬 / 下旬 are days 1-10, 11-20, 21-end. `year` and `month` are what
    the document says elsewhere, for spellings like 12.1-12.31. A text without readable days is `unparsable`, an empty
    one `missing`; an impossible day (11月31日) or an end before the start is `unparsable` too, never mended.
    """
    if missing_mark(text) in {MissingMark.EMPTY, MissingMark.NOT_APPLICABLE}:
        return Window(text=text, status=WindowStatus.MISSING, evidence=evidence)
    clean = _plain(text)
    span = _day_span(clean, year, month) or _month_span(clean, year)
    if span is None or span[1] < span[0]:
        return Window(text=text, status=WindowStatus.UNPARSABLE, evidence=evidence)
    return Window(start=span[0], end=span[1], text=text, status=WindowStatus.OK, evidence=evidence)


def is_bare_span(text: str) -> bool:
    """Whether a line says nothing but a span of days: `（2025.2.1-2025.2.10）` under a title, `2025年2月上旬`."""
    rest = _PARTS_OF_SPAN.sub("", squeeze(_plain(text)))
    return not rest and re.search(r"(?:19|20)\d{2}", _plain(text)) is not None


def parse_day(text: str) -> date | None:
    """The first full day (with a year) in a text, or None."""
    for match in _DAY.finditer(_plain(text)):
        partial = _partial(match)
        if partial is not None and partial.year is not None:
            return _resolve(partial, None, None)
    return None


def year_and_month(text: str) -> tuple[int | None, int | None]:
    """The first year, with its month where one stands beside, for completing spellings like 12.1-12.31."""
    clean = _plain(text)
    for match in _MONTH.finditer(clean):
        if match["y"] and 1 <= int(match["m"]) <= 12:  # noqa: PLR2004 - months of a year
            return int(match["y"]), int(match["m"])
    found = _YEAR_ALONE.search(clean)
    return (int(found[1]) if found else None), None


def _plain(text: str) -> str:
    clean = fold(text)
    clean = _CHINESE_YEAR.sub(lambda m: "".join(_CHINESE_DIGITS[c] for c in m.group()), clean)
    clean = _CHINESE_SMALL.sub(lambda m: str(_small_number(m.group())), clean)
    return _TIME.sub("", _WEEKDAY.sub("", clean))


def _small_number(text: str) -> int:
    if "十" not in text:
        return int(_CHINESE_DIGITS[text])
    tens, _, ones = text.partition("十")
    return 10 * int(_CHINESE_DIGITS.get(tens, "1")) + int(_CHINESE_DIGITS.get(ones, "0"))


def _partial(match: re.Match[str]) -> _PartialDay | None:
    if match["y"]:
        return _PartialDay(int(match["y"]), int(match["m"]), int(match["d"]))
    if match["cy"]:
        return _PartialDay(int(match["cy"]), int(match["cm"]), int(match["cd"]))
    if match["mm"]:
        return _PartialDay(None, int(match["mm"]), int(match["md"]), next_year=bool(match["next"]))
    if match["sm"]:
        return _PartialDay(None, int(match["sm"]), int(match["sd"]))
    return _PartialDay(None, None, int(match["od"])) if match["od"] else None


def _resolve(partial: _PartialDay, year: int | None, month: int | None) -> date | None:
    year = partial.year if partial.year is not None else year
    month = partial.month if partial.month is not None else month
    if year is None or month is None:
        return None
    try:
        return date(year + partial.next_year, month, partial.day)
    except ValueError:
        return None


def _day_span(text: str, year: int | None, month: int | None) -> tuple[date, date] | None:
    known_year, known_month = year_and_month(text)
    year, month = known_year or year, known_month or month
    matches = [m for m in _DAY.finditer(text) if _partial(m) is not None]
    bare = _bare_day_before(text, matches)
    if bare is not None:
        return _pair(_PartialDay(None, None, bare[0]), bare[1], year, month)
    for first, second in pairwise(matches):
        if _LINK.fullmatch(text[first.end() : second.start()]):
            return _pair(_partial(first), _partial(second), year, month)
    days = [day for m in matches if (day := _resolve(_partial(m) or _PartialDay(None, None, 0), year, month))]
    if len(matches) == 2 and len(days) == 2 and all((_partial(m) or _PartialDay(None, None, 0)).year for m in matches):  # noqa: PLR2004 - 开始日期 … 结束日期 …
        return min(days), max(days)
    if len(matches) != 1 or not days:
        return None
    rest = text[matches[0].end() :]
    short_end = _SHORT_END.match(rest)
    if short_end is not None:  # 2024-12-11~20
        return _pair(_partial(matches[0]), _PartialDay(None, None, int(short_end[1])), year, month)
    is_open = _LINK.match(rest) is not None or re.search(r"起(?!止)", text) is not None
    return None if is_open else (days[0], days[0])


def _bare_day_before(text: str, matches: list[re.Match[str]]) -> tuple[int, _PartialDay] | None:
    """`11~20日`: the first day carries no 日 of its own."""
    for match in matches:
        before = re.search(r"(?:^|[^\d./-])(\d{1,2})\s*(?:至|到|~|-+)\s*$", text[: match.start()])
        partial = _partial(match)
        if before is not None and partial is not None and partial.month is None:
            return int(before.group(1)), partial
    return None


def _pair(
    first: _PartialDay | None, second: _PartialDay | None, year: int | None, month: int | None
) -> tuple[date, date] | None:
    if first is None or second is None:
        return None
    start = _resolve(first, year if first.year is None else first.year, month)
    if start is None:
        return None
    end_year = start.year
    if second.year is None and second.month is not None and second.month < start.month and not second.next_year:
        end_year += 1  # 12月26日至1月25日
    end = _resolve(second, end_year, start.month)
    return None if end is None else (start, end)


def _month_span(text: str, year: int | None) -> tuple[date, date] | None:
    if _DAY.search(text) and re.search(rf"\d\s*{_DAY_SIGN}", text):
        return None  # days are named but could not be read
    year = year_and_month(text)[0] or year
    spans = [span for m in _MONTH.finditer(text) if (span := _one_month(m, year)) is not None]
    if not spans:
        return None
    linked = len(spans) > 1 and re.search(r"至|到|~|月份?\s*-", text) is not None
    return (spans[0][0], spans[-1][1]) if linked else spans[0]


def _one_month(match: re.Match[str], year: int | None) -> tuple[date, date] | None:
    number = int(match["m"] or match["om"])
    if match["y"]:
        year = int(match["y"])
    if year is None or not 1 <= number <= 12:  # noqa: PLR2004 - months of a year
        return None
    first, last = _PARTS.get(match["part"] or match["opart"] or "", (1, 31))
    return date(year, number, first), date(year, number, min(last, calendar.monthrange(year, number)[1]))
