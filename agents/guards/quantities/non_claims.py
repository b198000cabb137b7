"""Numerals that state no quantity: dates, ids, versions, list markers, idioms. The words are `data/non_claims.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from agents.guards.quantities.numerals import ZH_SIGNS

_WORDS: Final = Path(__file__).with_name("data") / "non_claims.json"


class Span(NamedTuple):
    """A stretch of text whose numerals are exempt; a soft one is verified where it meets evidence."""

    start: int
    end: int
    kind: str
    soft: bool = False


_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_FENCE: Final = re.compile(r"```[ \t]*(?!text|txt|math|latex|markdown|md\b)\w+[ \t]*\n.*?(?:```|\Z)", re.DOTALL)
_CODE: Final = re.compile(r"`[^`\n]*[A-Za-z_/][^`\n]*`")
_LETTER_LED: Final = re.compile(
    rf"""(?=[A-Za-z_/\\])(?<![A-Za-z0-9_])(?:
      (?P<url>https?://[^\s\u4e00-\u9fff，。；）]+|www\.[^\s\u4e00-\u9fff]+)
    | (?P<path>(?:[A-Za-z]:)?[\\/][A-Za-z_.][\w.\-]*(?:[\\/][\w.\-]+)+)
    | (?P<uuid>[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f\-]{{10,}})
    | (?P<standard>(?:GB|AQ|MT|ISO|IEC|RFC|DB|JB|HJ|SY|EN|ANSI|IEEE)(?:/?[TZ])?[ ]?\d+(?:[.\-]+\d+)*)
    | (?P<date>{_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?(?:(?:[ ]?-[ ]?|[ ](?:to|through|and|until)[ ])\d{{1,2}}(?:st|nd|rd|th)?(?![ ]?[A-Za-z%]))?(?:,?[ ]\d{{4}})?(?!\d|[.,]\d|%)|{_MONTH}[ ]\d{{4}}(?!\d)|[QqHh][1-4](?![\d.])|FY\d{{2,4}})
    | (?P<id>(?!(?:CNY|RMB|USD|EUR|US)\d)[A-Za-z_]++(?:[-_./][A-Za-z_]++){{0,8}}+[-_.]?\d[A-Za-z0-9]*(?:[-_.][A-Za-z0-9]*\d[A-Za-z0-9]*)*)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT_LED: Final = re.compile(
    rf"""(?=\d+(?:[-/:年月点版*]|[ ]点|\.\d+\.|[ ]?[A-Za-z月]|\d{{9}}))(?<![A-Za-z0-9_.])(?:
      (?P<date>\d{{4}}-\d{{1,2}}-\d{{1,2}}|(?:19|20)\d\d版|\d{{4}}[/.]\d{{1,2}}[/.]\d{{1,2}}|(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\d-])|\d{{4}}年(?:度|[ ]?\d{{1,2}}月(?:[ ]?\d{{1,2}}[日号])?)?
        |\d{{1,2}}[ ]?月[ ]?\d{{1,2}}[ ]?[日号]?(?:[ ]?(?:至|到|~|-|、|和)[ ]?\d{{1,2}}[ ]?[日号]|(?<=[日号]))|\d{{1,2}}月(?:份|底|初|中旬|上旬|下旬)?|\d{{4}}[QqWwHh]\d{{1,2}}|\d{{4}}-[QqWw]\d{{1,2}}
        |\d{{1,2}}(?:st|nd|rd|th)?[ ]{_MONTH}(?:,?[ ]\d{{4}})?(?![A-Za-z]))
    | (?P<time>\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\d)|\d{{1,2}}[ ]?(?:am|pm|a\.m\.|p\.m\.)(?![A-Za-z])|\d{{1,2}}[ ]?点(?!建议|说明|原因|[：:])(?:半|钟|整|\d{{1,2}}分)?)
    | (?P<ip>\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?(?:/\d+)?)
    | (?P<version>\d+(?:\.\d+){{2,}})
    | (?P<phone>0\d{{2,3}}-\d{{3,8}}(?:[ -]\d{{3,4}})?(?!\d)|\d{{3}}\*{{2,}}\d{{2,4}}|[48]00-?\d{{3,4}}-?\d{{3,4}}|\d{{3}}-\d{{4}}-\d{{4}}|1[3-9]\d{{9}}(?!\d))
    | (?P<id>\d+(?:-\d+){{2,8}}|(?=[0-9]*[a-z])(?!\d+(?:e[+-]?\d|k|m|g|b|h|s|d|t|w|x|l|v|a|c|f|kg|ms|km|cm|mm|kw|mw|gb|mb|kb|tb|pa|kpa|mpa|hpa|kwh|mwh|rpm|ppm|min|hr|hrs|day|days|bn|mn|th|st|nd|rd|am|pm|mib|gib|tib|kib|usd|cny|eur|rmb|mg|ml|hz|khz|mhz|ghz|deg|pct|pp|px|yr|yrs|sec|secs|mins|hours|fold|million|billion|thousand|m3|m2|db)(?![a-z0-9]))\d+[a-z]+\d[a-z0-9]*|\d{{10,}}(?![\d.]))
    | (?P<ordinal>\d+(?:st|nd|rd|th)(?![A-Za-z]))
    | (?P<room>\d{{1,2}}-\d{{3}}(?!\d))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_MARKER: Final = re.compile(
    r"^[ \t>*\-]*(?:#+[ \t]*)?(?:\**[（(]?\d{1,2}[)）]|\**\d{1,2}(?:\.\d{1,2})*[.、](?!\d)|#+[ \t]*\d{1,2}(?:\.\d+)*(?=[ \t])"
    r"|\**[（(]?[一二三四五六七八九十]{1,3}[、.)）])|[①-⑳]",
    re.MULTILINE,
)
_BEFORE: Final = re.compile(
    r"(?:(?P<ordinal>第\s*|(?<![目之以当提])前\s?|步骤\s*|附[表图件录]\s*[A-Z]?\s*|(?:(?<![\u4e00-\u9fff])|(?<=[见如下上]))[表图]\s*[A-Z]?\s*|章节\s*|(?<!this )(?<!last )(?<!next )(?<!past )(?<!each )(?:step|section|chapter|fig(?:ure|\.)|table|appendix|option|item|clause|rule|phase|stage|week|day|level|tier|grade|zone|shift|gate|module|slide|question|top)\s+|§\s*)"
    r"|(?P<page>\b(?:page|row|line|pp?\.)\s+)"
    r"|(?P<id>编号\W{0,3}|单号\W{0,3}|工号\W{0,3}|代码\W{0,3}|[误态回出]码\W{0,3}|\b(?:code|http|status)\s+|\b(?:pr|mr|issue|bug|ticket|case)\s+#?|尾号\W{0,3}|端口\W{0,3}|端口号\W{0,3}|\bport\s+|\bno\.\s*|#|№\s*|\bid\s+)"
    r"|(?P<version>版本\W{0,3}|\bversion\s+|\bv|\brev(?:\.|ision)?\s+|python\s+)"
    r"|(?P<phone>电话\W{0,3}|内线\W{0,3}|分机\W{0,3}|拨打\W{0,3}|致电\W{0,3}|\bdial\s+|\bext(?:ension|\.)?\s+|转\s+|热线\W{0,3})"
    r"|(?P<room>\b(?:room|building|floor)\s+)"
    r"|(?P<choice>\breply\s+(?:with\s+)?|回复\s*|按\s*(?=\d键)|选择?\s*(?=\d))"
    r"|(?P<priority>优先级\W{0,2}P?))$",
    re.IGNORECASE,
)
_BEFORE_LAST: Final = frozenset(
    "第前每骤表图录件章节§号码误态口№#本线机打电话转复按择选级：:.，。\"'“”（(_-PpNnRrEeXxMmKkYyLlGgWwVvDdTtSsHhAaBbCcFfOo"
)
_WORD: Final = re.compile(r"[A-Za-z]+|24(?=[/x]7)|365(?= days)")
_AFTER_ZH: Final = re.compile(
    r"\s?(?:(?P<name>[#号](?!文)|[楼栋幢期班](?!均)|[A-Za-z]?\s?会议?室|办公室|机房|教室|号房|病房|室)|(?P<phone>开头|键)|(?P<ordinal>年级|级(?!别)|等奖))"
)
_PER: Final = re.compile(r"(?:\bper\s+|每\s?)$", re.IGNORECASE)
_ROUND: Final = re.compile(r"(?:10{1,5}|1,0{3}|10,0{3}|百|千|万)(?!\d|[.,]\d)")
_CHOICE_ON: Final = re.compile(r"(?i)\b(?:reply|回复)\b.{0,60}\bor\s+$")
_CRON: Final = re.compile(r"(?<![\d*])(?=[\d*])(?:[\d*][\d*/,\-]*[ ]){4}[\d*][\d*/,\-]*")
_CITATION: Final = re.compile(r"[\[【]\^?\d{1,2}[\]】]")
_SOFT: Final = re.compile(
    r"(?i)(?<![a-z])(?:adding|add|sum|combin\w+|compar\w+|between|of) the two(?= up| together|[.,;:)]|$)|(?<![a-z])(?=[atbo])(?:the|all|these|those|both|other) (?:two|three|four|five|six)(?=[.,;:)\s]*(?:$|\n|[.,;:)]|were|are|have|had|was))"
    r"|(?<![\d.])9\s?(?:-|to)\s?5(?!\d|\.\d)|提前[一二三四五六七八九十\d]+(?:分钟|天|日|个?小时)|7\s?[×x*]\s?24|(?:^|(?<=[；。：:;\s]))[（(][1-9][)）](?=\S)|[楼栋幢]\s?\d{1,2}层"
)
_MAX_LOOK_BACK: Final = 14
_NAME_DIGITS: Final = (3, 6)


class _Words(NamedTuple):
    by_first: dict[str, tuple[str, ...]]
    firsts: re.Pattern[str]
    english: re.Pattern[str]
    english_firsts: frozenset[str]
    nouns: tuple[str, ...]
    english_nouns: tuple[str, ...]
    places: tuple[str, ...]


@cache
def _words() -> _Words:
    raw = json.loads(_WORDS.read_text(encoding="utf-8"))
    english = sorted(raw["english"], key=len, reverse=True)
    by_first: dict[str, tuple[str, ...]] = {}
    for word in sorted(raw["words"], key=len, reverse=True):
        by_first[word[0]] = (*by_first.get(word[0], ()), word)
    return _Words(
        by_first=by_first,
        firsts=re.compile(f"[{''.join(by_first)}]"),
        english_firsts=frozenset(re.split(r"[^a-z0-9]", word)[0] for word in english),
        english=re.compile(rf"(?:{'|'.join(map(re.escape, english))})(?![a-z])", re.IGNORECASE),
        nouns=tuple(raw["nouns"]),
        english_nouns=tuple(raw["english_nouns"]),
        places=tuple(raw["places"]),
    )


def masked_spans(folded: str) -> list[Span]:
    """Stretches of `folded` text that hold numerals and state nothing, in no order."""
    ticks = (_FENCE, _CODE) if "`" in folded else ()
    spans = [Span(*match.span(), "code") for pattern in ticks for match in pattern.finditer(folded)]
    for pattern in (_LETTER_LED, _DIGIT_LED):
        for match in pattern.finditer(folded):
            kind = match.lastgroup or "id"
            soft = kind in {"version", "room"} or (kind == "id" and match.group().isdigit())
            spans.append(Span(match.start(), match.end(), kind, soft))
    spans.extend(Span(*match.span(), "code") for match in _CRON.finditer(folded) if "*" in match.group())
    spans.extend(Span(*match.span(), "citation") for match in _CITATION.finditer(folded))
    spans.extend(Span(*match.span(), "list_marker") for match in _MARKER.finditer(folded))
    words = _words()
    for start, word in english_words(folded):
        if word in words.english_firsts and (idiom := words.english.match(folded, start)):
            spans.append(Span(*idiom.span(), "idiom"))
    spans.extend(Span(*match.span(), "idiom", soft=True) for match in _SOFT.finditer(folded))
    spans.extend(_idioms(folded))
    return spans


def english_words(folded: str) -> Iterator[tuple[int, str]]:
    """Words of Latin letters in lower case, with their offsets; 24 of 24/7 counts as one."""
    for match in _WORD.finditer(folded):
        yield match.start(), match.group().lower()


def _idioms(folded: str) -> Iterator[Span]:
    """Chinese words with a numeral inside, unless the numeral goes on beyond the word (十一致, 二十三方)."""
    by_first = _words().by_first
    reach = 0
    for first in _words().firsts.finditer(folded):
        start = first.start()
        if start < reach:
            continue
        for word in by_first[first.group()]:
            if not folded.startswith(word, start):
                continue
            end = start + len(word)
            before, after = folded[start - 1 : start], folded[end : end + 1]
            inside = (word[0] in ZH_SIGNS and before and before in ZH_SIGNS) or (
                word[-1] in ZH_SIGNS and after and after in ZH_SIGNS
            )
            longer = (word == "十分" and after == "钟") or (word == "万分" and after == "之") or before == "第"
            if not inside and not longer and after != "点":
                yield Span(start, end, "idiom")
                reach = end
                break


def exempt_by_neighbours(folded: str, start: int, end: int, *, whole: bool) -> tuple[str, bool]:
    """Whether the words beside a numeral make it no quantity: the kind or empty, and whether softly."""
    if _PER.search(folded, max(0, start - 5), start) and _ROUND.match(folded, start):
        return "constant", False
    last = folded[max(0, start - 4) : start].rstrip()[-1:]
    if last in _BEFORE_LAST and (match := _BEFORE.search(folded, max(0, start - _MAX_LOOK_BACK), start)):
        return match.lastgroup or "ordinal", True
    if not whole:
        return "", False
    if match := _AFTER_ZH.match(folded, end):
        return match.lastgroup or "name", True
    length = end - start
    if _NAME_DIGITS[0] <= length <= _NAME_DIGITS[1] and folded[end : end + 6].lstrip().startswith(_words().places):
        return "name", True
    if length == len("2026") and folded[start:end].startswith(("19", "20")) and _is_year(folded, start, end):
        return "date", True
    if folded[start:end].isdigit() and _CHOICE_ON.search(folded, max(0, start - 80), start):
        return "choice", True
    return "", False


def _is_year(folded: str, start: int, end: int) -> bool:
    before, after = folded[max(0, start - 8) : start].lower(), folded[end : end + 8].lower()
    return bool(re.search(r"(?:\bin|\bsince|\bthe|\bof|\byear|\bby|\bfrom|\bfor)\s+$", before)) and not re.match(
        r"\s*(?:m|%|k|pa|calls|tokens|places)", after
    )


def is_own_count(folded: str, end: int) -> bool:
    """Whether a small count is the reply's own (三步, 两点建议, two options), judged by the noun behind it."""
    words = _words()
    behind = folded[end : end + 6].lstrip()
    if behind.startswith(words.nouns):
        return True
    near = re.match(r"[\s\-]+((?:[a-z]+\s+){0,1}[a-z]+)", folded[end : end + 40].lower())
    return near is not None and any(word in words.english_nouns for word in near.group(1).split())
