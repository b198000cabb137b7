"""Main fans of a plan that a sentence, not a table, sets against the need of their system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.evidence import Evidence, Printed
from algorithms.airflow_review.extract import FanCapacityExtract
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, convert, parse_number, unit_at
from algorithms.airflow_review.reading.paragraphs import Paragraph, read_paragraphs
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import Folded, fold_mapped

_UNITS: Final = {
    "need": "m3/min",
    "capacity": "m3/min",
    "pressure": "Pa",
    "pressure_max": "Pa",
    "blade_angle": "deg",
    "efficiency": "%",
}
_FAN: Final = re.compile(
    r"\s*(?:[（(]?\d{1,2}[)）、]|[①-⑳◆●■])?\s*(?P<name>[^，,。；;：:、]{0,20}?(?:主扇|主要通风机|主通风机|主风机|通风机|扇风机|风机))"
)
_LONGEST_LEAD: Final = 14
_LOCAL: Final = re.compile(r"局部|局扇|局通|各|最大|能力")


@lru_cache(maxsize=1)
def _facts() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word, _ in word_table("fan_facts", "plan_words").words)
    link = r"(?:[^\d,，。；;]{0,6}?(?:为|是|达|取|约|=|:))?"
    return re.compile(rf"(?P<word>{words}){link}\s*(?P<number>[+-]?{NUMBER_PATTERN})", re.IGNORECASE)


def fans_in_sentences(document: Document, names: SystemNames) -> Iterator[FanCapacityExtract]:
    """Fans of sentences like `南风井主通风机服务于南回风系统，系统需风量5033m³/min，风机最大供风能力6450m³/min`."""
    for item in read_paragraphs(document.blocks):
        if isinstance(item, Table):
            continue
        for sentence in re.split(r"[。；;]", item.text):
            fan = _fan(document.file, item, sentence, names)
            if fan is not None:
                yield fan


def _fan(file: str, paragraph: Paragraph, sentence: str, names: SystemNames) -> FanCapacityExtract | None:
    lead, _, rest = sentence.replace("：", ":").partition(":")
    if len(lead) <= _LONGEST_LEAD and not re.search(r"\d{3}", lead) and _FAN.match(rest):
        sentence = rest  # 主扇校核：南风井主扇…
    name = _FAN.match(sentence)
    if name is None or _LOCAL.search(name["name"]):
        return None
    evidence = paragraph.evidence(file, sentence.strip())
    facts = _facts_in(fold_mapped(sentence[name.end() :]), evidence)
    if "capacity" not in facts:
        return None
    return FanCapacityExtract(
        name=name["name"].strip(),
        system=names.in_text(sentence[name.end() :]) or names.in_text(name["name"]),
        evidence=evidence,
        **facts,
    )


def _facts_in(text: Folded, evidence: tuple[Evidence, ...]) -> dict[str, Printed]:
    facts: dict[str, Printed] = {}
    keys = dict(word_table("fan_facts", "plan_words").words)
    for match in _facts().finditer(text.text):
        key, number = keys[match["word"].casefold()], parse_number(match["number"])
        found = unit_at(text.text, match.end())
        unit, end = found or ("", match.end())
        value = convert(number, unit, _UNITS[key]) if number is not None else None
        if value is not None and key not in facts:
            printed = text.printed(match.start("number"), end)
            facts[key] = Printed(value=value, text=printed, evidence=evidence)
    return facts
