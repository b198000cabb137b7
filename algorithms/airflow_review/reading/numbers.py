"""Numbers, quantities, ranges and missing marks as Chinese mine documents print them.

Values are exact `Decimal`s. Nothing is guessed: what is not wholly a number gives None.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from algorithms.airflow_review.reading.text import fold, squeeze

# One number, sign not included: 1221, 11073.6, 1,221, 1 221, .5
NUMBER_PATTERN: Final = r"(?:\d{1,3}(?:[, ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_NUMBER: Final = re.compile(NUMBER_PATTERN)
_WHOLE: Final = re.compile(rf"[+-]?\s*{NUMBER_PATTERN}")
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d+,\d{1,2}")
_UNITS: Final = (
    # canonical unit, spellings after folding and removing white space (regular expressions, longest first)
    ("m3/(min·kW)", r"m[³3]/\(?min[·*.]kW\)?|m[³3]/\(?kW[·*.]min\)?|立方米/\(?分[·*.]千瓦\)?"),
    ("m3/min", r"m[³3][/·]?(?:每)?min(?:-1|⁻¹)?|m[³3][·.]min-1|(?:立方米|方)(?:/|每)分钟?|m[³3]/分钟?|cmm"),
    ("m3/h", r"m[³3]/(?:h|小时|时)|立方米(?:/|每)小?时"),
    ("m3/s", r"m[³3]/(?:s|秒)|m[³3][·.]s-1|立方米(?:/|每)秒"),
    ("m/min", r"m/(?:min|分)|米(?:/|每)分钟?"),
    ("m/s", r"m/(?:s|秒)|m[·.]s-?[19]|米(?:/|每)秒"),
    ("m3", r"m[³3]|立方米|方"),
    ("m2", r"m[²2]|平方米|平米"),
    ("kg", r"kg|公斤|千克"),
    ("kPa", r"kPa|千帕"),
    ("Pa", r"Pa|帕"),
    ("mmH2O", r"mmH2O|毫米水柱"),
    ("MW", r"MW"),
    ("kW", r"kW|KW|kw|千瓦"),
    ("W", r"W|瓦"),
    ("C", r"℃|°C|摄氏度|度C"),
    ("%", r"%|百分之"),
    ("permille", r"‰"),
    ("ppm", r"ppm|PPM"),
    ("r/min", r"r/min|rpm|转/分钟?"),
    ("deg", r"°|度"),
    ("1", r"人|名|台|辆|次"),
    ("mm", r"mm|毫米"),
    ("cm", r"cm|厘米"),
    ("m", r"m|米"),
)
_UNIT: Final = re.compile("|".join(f"(?P<u{i}>{pattern})" for i, (_, pattern) in enumerate(_UNITS)))
_FACTORS: Final = {
    # (from, to): exact factor as (numerator, denominator)
    ("m3/s", "m3/min"): (60, 1),
    ("m3/h", "m3/min"): (1, 60),
    ("m/min", "m/s"): (1, 60),
    ("kPa", "Pa"): (1000, 1),
    ("MW", "kW"): (1000, 1),
    ("W", "kW"): (1, 1000),
    ("ppm", "%"): (1, 10000),
    ("permille", "%"): (1, 10),
    ("deg", "C"): (1, 1),  # 21度
    ("mm", "m"): (1, 1000),
    ("cm", "m"): (1, 100),
}


class Quantity(NamedTuple):
    """A number and its unit in canonical spelling (m3/min, m2, m/s, C, %, Pa, kW, 1 …); "" where none is known."""

    value: Decimal
    unit: str


class Range(NamedTuple):
    """A span; None is an open end. `20` alone gives equal ends."""

    low: Decimal | None
    high: Decimal | None


class MissingMark(StrEnum):
    """Why a cell holds no number (L16): four meanings that must not be mixed."""

    EMPTY = "empty"
    NOT_APPLICABLE = "not_applicable"  # —  /  无
    NOT_MEASURED = "not_measured"  # 未测
    STOPPED = "stopped"  # 停


_NOT_MEASURED_WORDS: Final = ("未测", "未检测", "缺测", "没测", "待测", "漏测")
_STOPPED_WORDS: Final = ("停", "封闭", "撤", "已采完", "采完", "结束")
_NOT_APPLICABLE: Final = re.compile(r"(?:-|/|\\|_|\.|~|…)+|无|不适用|n/?a|nil|〃", re.IGNORECASE)


def parse_number(text: str) -> Decimal | None:
    """The number that the whole text is, or None: `１，２２１` and `1 221` are 1221, `1，5` is 1.5."""
    folded = fold(text).strip()
    if _WHOLE.fullmatch(folded):
        return Decimal(re.sub(r"[, ]", "", folded))
    if _DECIMAL_COMMA.fullmatch(folded):
        return Decimal(folded.replace(",", "."))
    return None


@lru_cache(maxsize=8192)
def missing_mark(text: str) -> MissingMark | None:
    """The meaning of a cell that holds no value; None when it holds one (or any other text)."""
    folded = squeeze(text)
    if folded in {"", "空", "空白"}:
        return MissingMark.EMPTY
    if any(word in folded for word in _NOT_MEASURED_WORDS):
        return MissingMark.NOT_MEASURED
    if not re.search(r"\d", folded) and any(word in folded for word in _STOPPED_WORDS):
        return MissingMark.STOPPED
    return MissingMark.NOT_APPLICABLE if _NOT_APPLICABLE.fullmatch(folded) else None


def parse_unit(text: str) -> str | None:
    """The canonical unit the whole text is (`立方米/分` is m3/min), or None."""
    return _canonical(_UNIT.fullmatch(squeeze(text)))


def unit_at(text: str, start: int) -> tuple[str, int] | None:
    """The unit that begins at `start` of folded text, white space skipped, and where it ends."""
    begin = start
    while begin < len(text) and text[begin] == " ":
        begin += 1
    match = _UNIT.match(text, begin)
    unit = _canonical(match)
    return (unit, match.end()) if match and unit else None


def _canonical(match: re.Match[str] | None) -> str | None:
    if match is None or match.lastgroup is None:
        return None
    return _UNITS[int(match.lastgroup[1:])][0]


def parse_quantity(text: str, unit_hint: str = "") -> Quantity | None:
    """A number with a glued unit, or with the unit the header gave; None when the text is anything else.

    The value stays as printed; `convert` brings it to another unit. Leading words like 约 are accepted.
    """
    folded = re.sub(r"^(?:约|≈|=|~)\s*", "", fold(text).strip())
    match = re.match(rf"[+-]?\s*{NUMBER_PATTERN}", folded)
    if match is None:
        number = parse_number(folded)
        return None if number is None else Quantity(number, unit_hint)
    number = parse_number(match.group())
    rest = folded[match.end() :].strip()
    if number is None:
        return None
    if not rest:
        return Quantity(number, unit_hint)
    if parse_number(folded) is not None:
        return Quantity(parse_number(folded) or number, unit_hint)
    unit = parse_unit(rest.rstrip("*※#。;,"))
    if unit is not None:
        return Quantity(number, unit)
    return Quantity(number, unit_hint) if re.fullmatch(r"[*※#①-⑳。;,]+", rest) else None


def convert(value: Decimal, unit: str, target: str) -> Decimal | None:
    """`value` in `target` units, exact where a finite decimal exists; None when the units do not fit."""
    if unit in {target, ""}:
        return value
    factor = _FACTORS.get((unit, target))
    if factor is not None:
        return value * factor[0] / factor[1]
    back = _FACTORS.get((target, unit))
    return None if back is None else value * back[1] / back[0]


_RANGE: Final = re.compile(
    rf"(?P<low>[+-]?{NUMBER_PATTERN})(?P<u1>[^\d~至到-]*)(?:~|-+|至|到)(?P<high>{NUMBER_PATTERN})(?P<u2>\D*)"
)
_BOUND_WORDS: Final = (
    # spelling before or after the number, and whether it bounds the value from above
    ("不大于", True),
    ("不超过", True),
    ("不高于", True),
    ("不小于", False),
    ("不低于", False),
    ("不少于", False),
    ("小于等于", True),
    ("大于等于", False),
    ("小于", True),
    ("低于", True),
    ("少于", True),
    ("大于", False),
    ("高于", False),
    ("超过", False),
    ("≤", True),
    ("≥", False),
    ("<", True),
    (">", False),
    ("以下", True),
    ("以内", True),
    ("及以下", True),
    ("以上", False),
    ("及以上", False),
)


def parse_range(text: str) -> Range | None:
    """A span, a bound or a single number: `20～23`, `＜20`, `2.0以下`, `1.15至1.25`, `1.2`. Units may stand beside."""
    folded = re.sub(r"^[A-Za-z\u4e00-\u9fff]*[取为:]", "", squeeze(text))
    both = re.fullmatch(rf"({NUMBER_PATTERN})(?P<low><|≤)[^\d<≤]*(?:<|≤)({NUMBER_PATTERN})\D*", folded)
    if both is not None:
        return Range(parse_number(both.group(1)), parse_number(both.group(3)))
    span = _RANGE.fullmatch(folded)
    if span is not None:
        return Range(parse_number(span["low"]), parse_number(span["high"]))
    numbers = _NUMBER.findall(folded)
    if len(numbers) != 1:
        return None
    value = parse_number(numbers[0])
    for word, above in _BOUND_WORDS:
        if word in folded:
            return Range(None, value) if above else Range(value, None)
    quantity = parse_quantity(folded)
    return None if quantity is None else Range(quantity.value, quantity.value)
