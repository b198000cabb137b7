"""What the sentences of a measurement report say: rates, totals, fans, instruments, the time, the mine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.evidence import Evidence, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import Statement
from algorithms.airflow_review.reading.dates import is_bare_span, parse_day, parse_window
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, Quantity, parse_number, unit_at
from algorithms.airflow_review.reading.report_columns import WORDS
from algorithms.airflow_review.reading.report_values import UNITS, to_unit
from algorithms.airflow_review.reading.text import Folded, fold, fold_mapped, squeeze
from algorithms.airflow_review.value_class import dataclass

_RATE_UNITS: Final = {
    "effective_m3_min": "m3/min",
    "effective_rate": "%",
    "external_leakage": "%",
    "internal_leakage": "%",
    "equivalent_orifice_m2": "m2",
    "resistance": "",
    "total_intake": "m3/min",
    "total_return": "m3/min",
}
_JOIN: Final = r"\s*(?:为|是|约|=|:|≈)*\s*"
_FAN_NAME: Final = re.compile(
    r"\s*(?:[（(]?\d{1,2}[)）、]|[①-⑳◆●■])?\s*(?P<name>[^，,。；;：:、]{0,20}?(?:主扇|主要通风机|主通风机|主风机|通风机|扇风机|风机)"
    r"(?:[（(][^（()）]{1,12}[)）])?)"
)
_LOCAL_FAN: Final = re.compile(r"局部|局扇|局通|服务于|各|最大|备用")
_INSTRUMENT: Final = re.compile(
    rf"(?P<low>{NUMBER_PATTERN})\s*(?:m/s)?\s*(?:~|-+|至|到)\s*(?P<high>{NUMBER_PATTERN})\s*m/s"
)
_MINE: Final = re.compile(
    r"^\s*(?P<mine>[^\s:,;]{2,24}?(?:煤矿|矿井(?!下)|矿(?!井)|矿(?=井下)|[一二三四五六七八九十\d新老东西南北]号?井(?!下)))"
)
_MINE_LABEL: Final = re.compile(r"(?:矿井名称|煤矿名称|矿名|单位名称|矿井|单位)\s*:\s*(?P<mine>[^\s:,;]{2,24})")
_TITLE: Final = re.compile("测风|风量|通风|测定|旬报|月报")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A line outside the rows of values, with its place."""

    text: str
    evidence: Evidence


@lru_cache(maxsize=1)
def _rate_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word, _ in word_table("rates", WORDS).words)
    return re.compile(rf"(?P<word>{words})(?!率){_JOIN}(?P<number>[+-]?{NUMBER_PATTERN})")


@lru_cache(maxsize=1)
def _fact_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word, _ in word_table("facts", WORDS).words)
    return re.compile(rf"(?P<word>{words}){_JOIN}(?P<number>[+-]?{NUMBER_PATTERN})", re.IGNORECASE)


def _quantity(folded: Folded, match: re.Match[str]) -> tuple[Quantity, int] | None:
    number = parse_number(match["number"])
    if number is None:
        return None
    unit = unit_at(folded.text, match.end())
    return (Quantity(number, unit[0]), unit[1]) if unit else (Quantity(number, ""), match.end())


def wrapped(passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """Every passage with the text of the line below it, so that a value broken over two lines is found."""
    pairs = []
    for at, passage in enumerate(passages):
        below = passages[at + 1] if at + 1 < len(passages) else None
        joins = below is not None and passage.evidence.table is None and below.evidence.table is None
        pairs.append((passage, below.text.lstrip() if below is not None and joins else ""))
    return pairs


def rates_in(passage: Passage, below: str = "") -> list[tuple[str, Printed]]:
    """Rates and totals of sentences that begin in this line: (`effective_rate`, 90.9); `below` is the next line."""
    folded = fold_mapped(passage.text + below)
    found: list[tuple[str, Printed]] = []
    for match in _rate_pattern().finditer(folded.text):
        key = dict(word_table("rates", WORDS).words)[match["word"].casefold()]
        quantity = _quantity(folded, match)
        if quantity is None or folded.offsets[match.start()] >= len(passage.text):
            continue
        if _RATE_UNITS[key] == "m3/min" and not quantity[0].unit:
            continue  # a bare number behind 总进风 may be the number of a shaft
        value = to_unit(quantity[0], _RATE_UNITS[key]) if _RATE_UNITS[key] else quantity[0].value
        if value is None:
            continue
        if _RATE_UNITS[key] == "%" and not quantity[0].unit and abs(value) <= 1:
            value *= 100
        text = folded.printed(match.start(), quantity[1])[: len(passage.text) - folded.offsets[match.start()]]
        found.append(
            (
                key,
                Printed(
                    value=value,
                    text=folded.printed(match.start("number"), quantity[1]),
                    evidence=(_quoting(passage, text),),
                ),
            )
        )
    return found


def rate_key(label: str) -> str | None:
    """The rate a row of a key–value table states, or None."""
    text = squeeze(label)
    text = re.sub(r"\((?:m[³3]/min|%|m[²2])\)|/%$", "", text)
    return dict(word_table("rates", WORDS).words).get(text.casefold())


def _quoting(passage: Passage, quote: str) -> Evidence:
    where = passage.evidence
    return Evidence(
        file=where.file,
        page=where.page,
        sheet=where.sheet,
        line=where.line,
        table=where.table,
        row=where.row,
        column=where.column,
        bbox=where.bbox,
        quote=quote,
    )


def fan_facts(passage: Passage) -> dict[str, Printed]:
    """Pressure, angle, speed, power and efficiency in a remark: `负压2117Pa，叶片角度-2.5°`."""
    folded = fold_mapped(passage.text)
    facts: dict[str, Printed] = {}
    for match in _fact_pattern().finditer(folded.text):
        key = dict(word_table("facts", WORDS).words)[match["word"].casefold()]
        quantity = _quantity(folded, match)
        value = to_unit(quantity[0], UNITS[key]) if quantity else None
        if quantity is not None and value is not None and key not in facts:
            quote = _quoting(passage, folded.printed(match.start(), quantity[1]))
            facts[key] = Printed(
                value=value, text=folded.printed(match.start("number"), quantity[1]), evidence=(quote,)
            )
    return facts


def fan_sentences(passages: Sequence[Passage], names: Sequence[str]) -> Mapping[str, dict[str, Printed]]:
    """Facts of known fans in running text, by fan: each clause belongs to the fan it names.

    Lines are joined first: a sentence may break anywhere, also inside a name.
    """
    found: dict[str, dict[str, Printed]] = {}
    for at, passage in enumerate(passages):
        if not any(squeeze(name) in squeeze(passage.text) for name in names):
            continue
        rest = [p.text for p in passages[at + 1 : at + 3]]
        whole = squeeze("".join([passage.text, *rest]))
        for clause in re.split(r"[;。]", whole):
            named = sorted((name for name in names if squeeze(name) in clause), key=len, reverse=True)
            if not named:
                continue
            for key, printed in fan_facts(Passage(text=clause, evidence=passage.evidence)).items():
                proof = tuple(_verbatim(passages[at : at + 3], printed))
                found.setdefault(named[0], {}).setdefault(
                    key, Printed(value=printed.value, text=printed.text, evidence=proof)
                )
    return found


def fans_told(passages: Sequence[Passage]) -> Mapping[str, tuple[dict[str, Printed], Evidence]]:
    """Main fans that a sentence introduces with their flow: `南风井主扇排风量6000m³/min，负压1800Pa`."""
    found: dict[str, tuple[dict[str, Printed], Evidence]] = {}
    for passage, below in wrapped(passages):
        for clause in re.split(r"[;；。]", passage.text + below):
            name = _FAN_NAME.match(clause)
            if name is None or _LOCAL_FAN.search(name["name"]) or name["name"] not in passage.text:
                continue
            rest = _rate_pattern().sub("", fold(clause[name.end() :]))  # 有效风量 is no air of a fan
            facts = fan_facts(Passage(text=rest, evidence=passage.evidence))
            if "flow" in facts and ("m" in squeeze(facts["flow"].text) or len(facts) > 1):
                proven = {
                    key: Printed(value=fact.value, text=fact.text, evidence=tuple(_verbatim([passage], fact)))
                    for key, fact in facts.items()
                }
                found.setdefault(name["name"].strip(), (proven, _quoting(passage, name["name"].strip())))
    return found


def _verbatim(passages: Sequence[Passage], printed: Printed) -> list[Evidence]:
    """The line that holds the number word for word."""
    for passage in passages:
        folded = fold_mapped(passage.text)
        at = folded.text.find(fold(printed.text))
        if at >= 0:
            return [_quoting(passage, folded.printed(at, at + len(fold(printed.text))))]
    return []


def report_window(passages: Sequence[Passage], days: Sequence[tuple[str, Evidence]]) -> Window:
    """The span measured: a labelled date first, then the title, then the days of a date column."""
    unreadable: Window | None = None
    for passage, below in wrapped(passages):
        window = _labelled_window(passage, below)
        if window is not None and window.status is WindowStatus.OK:
            return window
        if window is not None and window.status is WindowStatus.UNPARSABLE:
            unreadable = unreadable or window
    column = _span_of_days(days)
    if column is not None:
        return column
    if unreadable is not None:
        return unreadable
    for says_time in (is_bare_span, _is_dated_title):
        for passage in passages:
            if says_time(passage.text):
                window = parse_window(passage.text, evidence=(passage.evidence,))
                if window.status is WindowStatus.OK:
                    return window
    return Window()


def _is_dated_title(text: str) -> bool:
    return re.search(r"\d", text) is not None and _TITLE.search(text) is not None


def _labelled_window(passage: Passage, below: str) -> Window | None:
    folded = fold_mapped(passage.text)
    for word, _ in word_table("window_labels", WORDS).words:
        match = re.search(rf"{re.escape(word)}\s*:?\s*(?P<rest>.*)$", folded.text)
        if match is None or "编制" in folded.text[: match.start()] or "打印" in folded.text[: match.start()]:
            continue
        rest = re.split(r"\s+(?=[^\s:\d]{2,8}:)|;|。|\s{2,}(?=[^\d至到~-])", match["rest"])[0].strip()
        if not rest:
            continue
        start = match.start("rest")
        quote = folded.printed(start, start + len(rest))
        evidence = (_quoting(passage, quote),)
        window = parse_window(rest, evidence=evidence)
        return window if window.status is WindowStatus.OK or not below else _better(window, rest + below, evidence)
    return None


def _better(window: Window, text: str, evidence: tuple[Evidence, ...]) -> Window:
    """The window of a date broken over two lines, else the one of the first line."""
    whole = parse_window(text, evidence=evidence)
    return whole if whole.status is WindowStatus.OK else window


def _span_of_days(days: Sequence[tuple[str, Evidence]]) -> Window | None:
    windows = [(parse_window(text), where) for text, where in days if text.strip()]
    good = [(w.start, w.end, where) for w, where in windows if w.start is not None and w.end is not None]
    if not good or len(good) < len(windows):
        return None
    first, last = min(good, key=lambda g: g[0]), max(good, key=lambda g: g[1])
    quotes = (first[2],) if first[2] == last[2] else (first[2], last[2])
    return Window(
        start=first[0], end=last[1], text="～".join(e.quote for e in quotes), status=WindowStatus.OK, evidence=quotes
    )


def report_mine(passages: Sequence[Passage]) -> str | None:
    """The mine's name, from its label or from the title."""
    for passage in passages:
        labelled = _MINE_LABEL.search(fold(passage.text))
        if labelled is not None:
            return labelled["mine"]
    for passage in passages:
        text = fold(passage.text)
        match = _MINE.search(text)
        if match is not None and _TITLE.search(text) and parse_day(text[: match.end()]) is None:
            return match["mine"]
    return None


def statements_in(passages: Sequence[Passage]) -> list[Statement]:
    """Instrument ranges and facts the report states about itself."""
    found: list[Statement] = []
    for passage, below in wrapped(passages):
        folded = fold_mapped(passage.text + below)
        if any(word in fold(passage.text) for word in ("风表", "仪器", "仪表", "风速计")):
            found.extend(_instruments(passage, folded))
        key = word_table("statements", WORDS).key_of(passage.text)
        if key is not None:
            found.append(Statement(key=key, text=passage.text, evidence=(passage.evidence,)))
    return found


def _instruments(passage: Passage, folded: Folded) -> list[Statement]:
    ranges = [
        Statement(
            key="instrument_range",
            text=folded.printed(match.start(), match.end()),
            low=_decimal(match["low"]),
            high=_decimal(match["high"]),
            evidence=(passage.evidence,),
        )
        for match in _INSTRUMENT.finditer(folded.text)
    ]
    if ranges:
        return ranges
    return [
        Statement(key="instrument_class", scope=key, text=word, evidence=(_quoting(passage, word),))
        for word, key in word_table("instruments", WORDS).words
        if word in passage.text
    ]


def _decimal(text: str) -> Decimal:
    return Decimal(re.sub(r"[, ]", "", text))
