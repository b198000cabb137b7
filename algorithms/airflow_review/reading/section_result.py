"""The number a place's section ends with: 最大值…, 需风量定为…, 取Q=…."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from algorithms.airflow_review.evidence import Evidence, Method, Printed
from algorithms.airflow_review.extract import CalculationExtract
from algorithms.airflow_review.reading.chapter import ChapterOfPlace
from algorithms.airflow_review.reading.equations import Group
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.methods import methods_in
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, convert, parse_number
from algorithms.airflow_review.reading.text import fold

FLOW: Final = "m3/min"
_FLOW_LABEL: Final = re.compile(r"(?:^|[^A-Za-z])Q|风量|需风")
_FAN_LABEL: Final = re.compile(r"Q\s*[（(]?(?:扇|f|局|吸|基)|吸风量", re.IGNORECASE)
_ELSEWHERE: Final = re.compile(r"(?:回采|生产)(?:时|期间)?(?:计算)?需要?风量|吸风量")
_TAKEN: Final = re.compile(rf"(?:^|[,。;])\s*[^,。;\d]{{0,6}}?(?:取|配风|选)\s*{NUMBER_PATTERN}\s*(?:m[³3]|立方米)/")
_NUMBER: Final = re.compile(
    rf"(?:=|为|取|:|者|值|即|用|大|按|配风|风量|需风)\s*({NUMBER_PATTERN})\s*(m[³3]/min|立方米/分|m[³3]/分|m[³3]/s|(?=$|[,。;]))"
)


def take_equation(
    said: ChapterOfPlace, equation: Group, evidence: tuple[Evidence, ...], contexts: Iterable[str]
) -> None:
    """`Q硐4=77m³/min`: the section's result, or an empirical value."""
    printed = printed_flow(equation, evidence)
    if printed is not None:
        _take(said, printed, equation.label, contexts)


def take_sentence(said: ChapterOfPlace, text: str, evidence: tuple[Evidence, ...], contexts: Iterable[str]) -> None:
    """A sentence that names the result in words."""
    plain = fold(text)
    is_result = word_table("result_words", "plan_words").key_of(plain) is not None or _TAKEN.search(plain) is not None
    if not is_result or _ELSEWHERE.search(plain):
        return
    matches = list(_NUMBER.finditer(plain))
    number = parse_number(matches[-1][1]) if matches else None
    if number is None:
        return
    value = convert(number, "m3/s" if matches[-1][2].endswith("s") else FLOW, FLOW)
    if value is not None:
        _take(said, Printed(value=value, text=matches[-1][1], evidence=evidence), "", (*contexts, plain))


def printed_flow(equation: Group, evidence: tuple[Evidence, ...]) -> Printed | None:
    """The flow an equation without an expression states, in m³/min; None where it states something else."""
    result = equation.result
    if result is None or result.value is None or result.unit not in {"", FLOW, "m3/s", "m3/h"}:
        return None
    if not _FLOW_LABEL.search(equation.label) or _FAN_LABEL.search(equation.label):
        return None
    value = convert(result.value, result.unit or FLOW, FLOW)
    return None if value is None else Printed(value=value, text=result.text, evidence=evidence)


def _take(said: ChapterOfPlace, printed: Printed, label: str, contexts: Iterable[str]) -> None:
    said.required = printed
    if not said.calculations and Method.EMPIRICAL in methods_in(" ".join(contexts)):
        said.calculations.append(
            CalculationExtract(
                method=Method.EMPIRICAL,
                label=label,
                expression=str(printed.value),
                parts=(str(printed.value),),
                stated=printed.value,
                evidence=printed.evidence,
            )
        )
