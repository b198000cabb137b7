"""Facts that a claim names and a receipt proves: amounts, ids, recipients, times of a schedule, new values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Final

_ZH_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
_ZH: Final = "零〇一二两三四五六七八九十百千万亿点"
_NUMBER: Final = rf"(?:[0-9]+(?:,[0-9]{{3}})*(?:\.[0-9]+)?[万千百亿k]?|[{_ZH}]+)"
AMOUNT: Final = re.compile(
    rf"(?:[¥￥$€£]|rmb|cny|usd|eur|hk\$)[ ]?({_NUMBER})|({_NUMBER})[ ]?(?:(?:人民币|[美港欧日加澳台])?元|美金|英镑|块|圆|yuan|dollars?|bucks|euros?|usd|cny|rmb|eur)"
)
# A bare number is an amount only where the words around it say so.
_BARE_AMOUNT: Final = re.compile(
    rf"(?:refund(?:ed)? (?:of |for )?|amount(?:ing)?(?: of| to|:| is)? ?|total(?:ling|ing)?(?: of|:)? ?|for |金额[为是:：]?|共计?|合计|退款?了?|退还了?)\$?({_NUMBER})(?![0-9]*[-./:]?[0-9]*[ ]?(?:个|天|日|月|笔|单|小时|分钟|工作日|business|working|days?|hours?|weeks?|orders?))"
)
ADDRESS: Final = re.compile(r"[a-z0-9][a-z0-9._%+-]*@[a-z0-9][a-z0-9.-]*[a-z0-9]")
IDENTIFIER: Final = re.compile(
    r"(?<![a-z0-9@.])(?!(?:m[23]|km[23]?|ch4|co2?|h2s|no2|so2|o2|n2|pm(?:2|10)|p9[0-9]|v[0-9])(?![0-9-]))(?:[a-z]{1,10}[-_]?[0-9][a-z0-9]*(?:[-_][a-z0-9]+)*|[a-z]+(?:[-_][a-z0-9]+)*[-_][0-9][a-z0-9]*(?:[-_][a-z0-9]+)*|#[0-9]+|(?<![0-9])[0-9]{4,}(?:-[0-9]+)*)(?![a-z0-9@])"
)
_NEW_VALUE: Final = re.compile(rf"(?:为|成|到|至|to|成了|为了)[ ]?({_NUMBER})(?![0-9])")
_MONEY_KEY: Final = re.compile(r"amount|money|sum|total|price|fee|refund|金额|value_cny|yuan")
_VALUE_KEY: Final = re.compile(r"^(?:new_?|to_?)?value|^new$|^to_value$|_to$")
_ANOTHER: Final = re.compile(r"另一|另外[一那]|(?<![a-z])(?:another|a second|the other)(?![a-z])")
_HOUR: Final = re.compile(
    rf"(凌晨|清晨|早上|早晨|早|上午|中午|下午|傍晚|晚上|晚|夜里)?([0-9]{{1,2}}|[{_ZH}]{{1,3}})(?:点钟?|时(?!间|候))(半|[0-9]{{1,2}}分)?"
    r"|(?<![0-9])([0-9]{1,2}):([0-9]{2})(?:[ ]?(am|pm))?|(?<![0-9.])([0-9]{1,2})[ ]?(am|pm|a\.m|p\.m)(?![a-z])"
)
_WEEKDAY: Final = re.compile(
    r"(?:每周|每星期|周|星期|礼拜)([一二三四五六日天])|(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?(?![a-z])"
)
_EN_DAYS: Final = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}
_CRON: Final = re.compile(r"^[ ]*(?:[0-9*/,-]+[ ]+){4}[0-9a-z*/,-]+[ ]*$")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a stretch of text names, or what a receipt proves; `is_another` if it says another one than before."""

    amounts: frozenset[Decimal] = frozenset()
    ids: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    hours: frozenset[tuple[int, int]] = frozenset()
    weekdays: frozenset[int] = frozenset()
    values: frozenset[Decimal] = frozenset()
    is_another: bool = False

    def or_else(self, wider: Facts) -> Facts:
        """These facts, and for every kind that is missing those of a wider stretch."""
        return Facts(*(getattr(self, kind.name) or getattr(wider, kind.name) for kind in fields(self)))


def read_facts(text: str) -> Facts:
    """The facts that a folded text names."""
    without_addresses = ADDRESS.sub(" ", text)
    amounts = {_decimal(next(filter(None, m.groups()))) for m in AMOUNT.finditer(without_addresses)}
    amounts |= {_decimal(m[1]) for m in _BARE_AMOUNT.finditer(without_addresses)}
    return Facts(
        amounts=frozenset(a for a in amounts if a is not None),
        ids=frozenset(m[0] for m in IDENTIFIER.finditer(without_addresses)),
        addresses=frozenset(m[0] for m in ADDRESS.finditer(text)),
        hours=frozenset(_hours(text)),
        weekdays=frozenset(_weekdays(text)),
        values=frozenset(v for m in _NEW_VALUE.finditer(text) if (v := _decimal(m[1])) is not None),
        is_another=_ANOTHER.search(text) is not None,
    )


def receipt_facts(args: Mapping[str, Any]) -> Facts:
    """The facts that the arguments of a receipt prove."""
    amounts: set[Decimal] = set()
    values: set[Decimal] = set()
    ids: set[str] = set()
    addresses: set[str] = set()
    hours: set[tuple[int, int]] = set()
    weekdays: set[int] = set()
    for key, value in _leaves(args):
        text = str(value).strip().lower()
        if "@" in text:
            addresses |= {m[0] for m in ADDRESS.finditer(text)}
        elif _CRON.match(text):
            hours |= _cron_hours(text)
            weekdays |= _cron_weekdays(text)
        elif _MONEY_KEY.search(key) and (number := _decimal(text)) is not None:
            amounts.add(number)
        elif _VALUE_KEY.search(key) and (number := _decimal(text)) is not None:
            values.add(number)
        elif any(char.isdigit() for char in text):
            ids.add(text.lstrip("#"))
    return Facts(
        frozenset(amounts),
        frozenset(ids),
        frozenset(addresses),
        frozenset(hours),
        frozenset(weekdays),
        frozenset(values),
    )


def agrees(claimed: Facts, proven: Facts) -> bool:
    """Whether every fact the claim names is the receipt's; a kind of fact the receipt does not have proves nothing either way."""
    return (
        _covers(claimed.amounts, proven.amounts)
        and _covers(claimed.addresses, proven.addresses)
        and _covers(claimed.values, proven.values)
        and _covers(claimed.weekdays, proven.weekdays)
        and _covers(claimed.hours, proven.hours)
        and not any(is_other_id(one, proven.ids) for one in claimed.ids)
    )


def is_other_id(claimed: str, proven: Iterable[str]) -> bool:
    """Whether an id is of the same kind as a proven one, and another: `so-2` beside `so-1`, never `so-2` beside `tk-1`."""
    kinds = [(id_kind(one), one) for one in proven]
    plain = claimed.lstrip("#")
    if any(
        plain == one or plain in re.split(r"[-_ ]", one) or _digits(plain) == _digits(one) != "" for _, one in kinds
    ):
        return False
    return any(kind == id_kind(plain) for kind, _ in kinds)


def _covers(claimed: frozenset[Any], proven: frozenset[Any]) -> bool:
    return not proven or claimed <= proven


def id_kind(identifier: str) -> str:
    """What ids of one kind begin with: `so` of `so-31`; empty for bare digits."""
    return re.split(r"[-_0-9]", identifier, maxsplit=1)[0]


def _digits(identifier: str) -> str:
    return re.sub(r"[^0-9]", "", identifier)


def _leaves(value: Any, key: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, str(name).lower())
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _leaves(inner, key)
    elif value is not None:
        yield key, value


def _decimal(text: str) -> Decimal | None:
    plain = text.strip().replace(",", "")
    scale = {"万": 10_000, "千": 1000, "百": 100, "亿": 100_000_000, "k": 1000}.get(plain[-1:], 1)
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?[万千百亿k]?", plain):
        return Decimal(plain.rstrip("万千百亿k")) * scale
    return _chinese(plain)


def _chinese(text: str) -> Decimal | None:
    """一千五百二十 → 1520, 三百五 → 350, 一万二 → 12000, 二点五 → 2.5."""
    whole, _, fraction = text.partition("点")
    if not whole or any(char not in _ZH for char in whole) or any(char not in _ZH_DIGITS for char in fraction):
        return None
    total = section = 0
    digit: int | None = None
    last_unit = 1
    if len(whole) > 1 and all(char in _ZH_DIGITS for char in whole):
        total = int("".join(str(_ZH_DIGITS[char]) for char in whole))
        whole = ""
    for char in whole:
        if char in _ZH_DIGITS:
            digit = _ZH_DIGITS[char]
            last_unit = 1 if char in "零〇" else last_unit
        elif char in _ZH_UNITS:
            section += (1 if digit is None else digit) * _ZH_UNITS[char]
            digit, last_unit = None, _ZH_UNITS[char]
        else:
            big = 10_000 if char == "万" else 100_000_000
            total = (total + section + (digit or 0)) * big
            section, digit, last_unit = 0, None, big
    tail = digit or 0
    number = total + section + (tail * last_unit // 10 if last_unit >= 100 else tail)  # noqa: PLR2004 - 三百五 is 350
    return Decimal(f"{number}.{''.join(str(_ZH_DIGITS[char]) for char in fraction)}" if fraction else number)


def _hours(text: str) -> Iterable[tuple[int, int]]:
    for found in _HOUR.finditer(text):
        part, hour, rest, clock, minutes, half, bare, half_bare = found.groups()
        number = _decimal(hour or clock or bare or "")
        if number is None:
            continue
        value = int(number)
        minute = 30 if rest == "半" else int((rest or "0").rstrip("分")) if rest else int(minutes or 0)
        afternoon = part in {"下午", "傍晚", "晚上", "晚", "夜里"} or (half or half_bare or "").startswith("p")
        if afternoon and value < 12:  # noqa: PLR2004
            value += 12
        elif (half or half_bare or "").startswith("a") and value == 12:  # noqa: PLR2004
            value = 0
        yield value % 24, minute


def _weekdays(text: str) -> Iterable[int]:
    for found in _WEEKDAY.finditer(text):
        if found[1]:
            yield 0 if found[1] in "日天" else "一二三四五六".index(found[1]) + 1
        else:
            yield _EN_DAYS[found[2][:3]]


def _cron_hours(cron: str) -> set[tuple[int, int]]:
    minute, hour = cron.split()[:2]
    if not minute.isdigit() or not re.fullmatch(r"[0-9]+(?:,[0-9]+)*", hour):
        return set()
    return {(int(one), int(minute)) for one in hour.split(",")}


def _cron_weekdays(cron: str) -> set[int]:
    days = cron.split()[4]
    if re.fullmatch(r"[0-7](?:,[0-7])*", days):
        return {int(day) % 7 for day in days.split(",")}
    if found := re.fullmatch(r"([0-7])-([0-7])", days):
        return {day % 7 for day in range(int(found[1]), int(found[2]) + 1)}
    return {_EN_DAYS[days]} if days in _EN_DAYS else set()
