"""Values of numerals written in words: 一千三百八十六, 两万一, 三百五, forty-two, two hundred and six."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_DIGITS: Final = {
    **{sign: value for value, sign in enumerate("零一二三四五六七八九")},
    **{sign: value for value, sign in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "〇": 0,
    "两": 2,
}
_POWERS: Final = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_SECTIONS: Final = {"万": 10_000, "亿": 100_000_000}
ZH_SIGNS: Final = "".join({*_DIGITS, *_POWERS, *_SECTIONS})
_TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_ONES: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
EN_WORD: Final = "|".join(sorted({*_TENS, *_ONES, *_SCALES}, key=len, reverse=True))
_TEN: Final = 10


class Numeral(NamedTuple):
    """A value and the weight of the last place that was written."""

    value: float
    ulp: float


def read_zh(text: str) -> Numeral | None:
    """Value of a Chinese numeral; None where the signs make no number (七八百, 万千)."""
    whole, _, fraction = text.partition("点")
    number = _read_zh_whole(whole)
    if number is None or not fraction:
        return number
    if any(sign not in _DIGITS for sign in fraction):
        scale = _SECTIONS.get(fraction[-1]) or _POWERS.get(fraction[-1])  # 一点二万
        fraction = fraction[:-1]
        if scale is None or not fraction or any(sign not in _DIGITS for sign in fraction):
            return None
    else:
        scale = 1
    digits = "".join(str(_DIGITS[sign]) for sign in fraction)
    return Numeral(scale * float(f"{number.value:.0f}.{digits}"), scale * _TEN ** -len(digits))


def _read_zh_whole(text: str) -> Numeral | None:
    if text and all(sign in _DIGITS for sign in text):
        return Numeral(float("".join(str(_DIGITS[sign]) for sign in text)), 1.0)
    total, section, digit, weight = 0, 0, None, 1
    last_power = 1
    for sign in text:
        if (value := _DIGITS.get(sign)) is not None:
            if digit:  # two digits beside each other inside a numeral with powers: an approximation
                return None
            digit, weight = value, 1
            last_power = 1 if value == 0 else last_power
        elif power := _POWERS.get(sign):
            section += (1 if digit is None else digit) * power
            digit, weight, last_power = None, power, power
        elif scale := _SECTIONS.get(sign):
            section += digit or 0
            total = (total + section) * scale if scale > total > 0 else total + section * scale
            if total == 0:
                return None
            section, digit, weight, last_power = 0, None, scale, scale
        else:
            return None
    if digit and last_power >= _TEN * _TEN:  # 三百五 is 350, 一万二 is 12000
        weight = last_power // _TEN
        return Numeral(float(total + section + digit * weight), float(weight))
    return Numeral(float(total + section + (digit or 0)), float(1 if digit else weight))


def read_en(text: str) -> Numeral | None:
    """Value of English number words; None where they make no number."""
    total, current, seen = 0, 0, False
    weight = 1
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in {"and", "a"}:
            continue
        seen = True
        if word in _ONES or word in _TENS:
            current += _ONES.get(word, 0) + _TENS.get(word, 0)
            weight = 1
        elif word in _SCALES:
            scale = _SCALES[word]
            current = max(current, 1) * scale
            if scale >= _SCALES["thousand"]:
                total, current = total + current, 0
            weight = scale
        else:
            return None
    return Numeral(float(total + current), float(weight)) if seen else None
