"""Calculations and totals that belong to no place: people of the mine, totals of systems, the mine's total."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.evidence import Method, Printed
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.reading.chapter import Chapter
from algorithms.airflow_review.reading.equations import Group, Relation
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, convert, parse_number
from algorithms.airflow_review.reading.paragraphs import Paragraph
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import fold, squeeze

FLOW: Final = "m3/min"
_MINE_TOTAL: Final = re.compile(r"(?:全矿井?|矿井|本矿)(?:总)?(?:需要?风量|所需风量|计划需风量|总需风量|总风量)")
_IN_WORDS: Final = re.compile(rf"({NUMBER_PATTERN})(m[³3]/min|立方米/分|m[³3]/s)")


def is_mine_total(text: str) -> bool:
    """True for a phrase about the air the whole mine needs."""
    return _MINE_TOTAL.search(squeeze(text)) is not None


def take_calculation(chapter: Chapter, calculation: CalculationExtract, system: str, text: str) -> None:
    """File a calculation tied to no place, where it is one of a system or of the mine."""
    method = _method(calculation, system, text)
    if method is None:
        return
    chapter.loose.append(replace(calculation, method=method, subject=system))
    if method is Method.MINE_TOTAL:
        text = calculation.parts[-1] if calculation.parts else ""
        chapter.mine_totals.append(Printed(value=calculation.stated, text=text, evidence=calculation.evidence))


def take_stated(
    chapter: Chapter,
    equation: Group,
    printed: Printed,
    relation: Relation,
    system: str | None,
    *,
    in_mine_section: bool,
) -> None:
    """File `ΣQ=9228` of a system, or the mine's total."""
    if system is not None and in_mine_section:
        method = Method.SUBTOTAL if re.match(r"[Σ∑]", equation.label) else Method.SYSTEM_TOTAL
        chapter.loose.append(
            CalculationExtract(
                method=method,
                label=equation.label,
                expression="",
                parts=(),
                stated=printed.value,
                subject=system,
                evidence=printed.evidence,
            )
        )
    elif "矿" in relation.text and (in_mine_section or is_mine_total(relation.text)):
        chapter.mine_totals.append(printed)


def take_words(chapter: Chapter, paragraph: Paragraph) -> None:
    """A total told in words: `矿井总需风量折合10442.88m³/min`."""
    plain = squeeze(paragraph.text)
    start = _MINE_TOTAL.search(plain)
    found = _IN_WORDS.search(plain, start.end()) if start is not None else None
    number = parse_number(found[1]) if found is not None else None
    if found is None or number is None:
        return
    value = convert(number, "m3/s" if found[2].endswith("s") else FLOW, FLOW)
    if value is not None:
        evidence = paragraph.evidence(chapter.document.file, "")
        chapter.mine_totals.append(Printed(value=value, text=found.group(), evidence=evidence))


def system_of(systems: SystemNames, relation: Relation, paragraph: Paragraph) -> str | None:
    """The system a clause is about: named in it, else in its paragraph."""
    return systems.in_text_loosely(relation.text) or systems.in_text_loosely(paragraph.text)


def _method(calculation: CalculationExtract, system: str, text: str) -> Method | None:
    is_mine = "矿" in calculation.label or is_mine_total(text)
    is_sum = re.search(r"[+＋]", calculation.expression) is not None
    if is_sum and is_mine:
        return Method.MINE_TOTAL
    if re.findall(NUMBER_PATTERN, fold(calculation.expression))[:1] == ["4"]:
        return Method.PEOPLE
    if system:
        return Method.SUBTOTAL if is_sum else Method.SYSTEM_TOTAL
    return Method.MINE_TOTAL if is_mine else None
