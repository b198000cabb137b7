"""Reads the quantities of a text: Arabic and Chinese numerals, English number words, with unit, precision and hedge."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from agents.guards.quantities.non_claims import Span, english_words, exempt_by_neighbours, is_own_count, masked_spans
from agents.guards.quantities.numerals import EN_WORD, ZH_SIGNS, Numeral, read_en, read_zh
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT, Unit, unit_table

_ZH: Final = f"[{ZH_SIGNS}]"
_ZH_NUMERAL: Final = rf"{_ZH}+(?:点{_ZH}+)?"
_UNIT_HEAD: Final = r"(?![瓦克米帕卡伏])"
_NUMBER: Final = re.compile(
    r"(?P<sign>(?<![\w)）\]%°³²/])[-+±])?"
    r"(?P<digits>\d{1,3}(?:,\u200b*\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<exp>[eE][+-]?\d{1,2}(?!\w))?"
    rf"(?:(?P<mult>\s?(?:万亿|千万|百万|亿|万|[千百]{_UNIT_HEAD}(?!分))|[ ]?(?:million|billion|thousand|bn|mln|mn)(?![A-Za-z])|[kKM](?![A-Za-z³²/]))"
    r"(?P<tail>\d千(?:\d百)?(?![\d.])|\d{4}(?![\d.]))?)?"
)
_ZH_QUANTITY: Final = re.compile(
    rf"(?P<sure>百分(?:之)?百(?!分))|(?P<per>百分之|千分之)(?P<part>\d+(?:\.\d+)?|{_ZH_NUMERAL})"
    rf"|(?P<below>\d+|{_ZH}+)分之(?P<above>\d+|{_ZH}+)"
    rf"|(?P<tenths>\d(?:\.\d)?|[一二三四五六七八九])(?P<sort>成|折)(?P<more>[一二三四五六七八九半])?(?![为功立本员果分都交型熟效绩了长就])"
    rf"|(?P<off>[一二三四五六七八九]{{2}}|\d{{2}})折"
    rf"|(?P<half>一半|过半)"
    rf"|(?P<numeral>{_ZH_NUMERAL}){_UNIT_HEAD}"
)
_EN_QUANTITY: Final = re.compile(
    rf"(?<![A-Za-z-])(?:(?P<one>one|two|three) in (?P<of>{EN_WORD})|(?P<above>one|two|three|four|five|a)[ -](?P<below>third|quarter|fifth|sixth|eighth|tenth)s?"
    rf"|(?P<twice>twice|double|doubled|half|triple|tripled)|(?P<numeral>(?:{EN_WORD})(?:[ -](?:and[ -])?(?:{EN_WORD}))*)(?P<plus> and a half)?)(?![A-Za-z])",
    re.IGNORECASE,
)
_EN_STARTS: Final = frozenset([*EN_WORD.split("|"), "a", "twice", "double", "doubled", "half", "triple", "tripled"])
_COMPOUND: Final = re.compile(
    r"(?=\d)(?<![\d.:])(?:(?P<e>\d+)\s*(?:天|日|days?)\s*(?:and\s*|零|又)?(?P<f>\d{1,2})\s*(?:个?小时|hours?|h)(?![A-Za-z])"
    r"|(?P<a>\d+)\s*(?P<big>个?小时|时|hours?|hrs?|h)\s*(?:and\s*|零)?(?P<b>\d{1,2})\s*(?P<small>分钟|分|minutes?|mins?|m)(?![A-Za-z³²/])"
    r"|(?P<c>\d+)\s*(?P<mid>分钟|分|minutes?|mins?|m)\s*(?:and\s*|零)?(?P<d>\d{1,2})\s*(?P<least>秒钟?|seconds?|secs?|s)(?![A-Za-z]))",
    re.IGNORECASE,
)
_COMPOUND_PARTS: Final = (("e", "f", 24, "h"), ("a", "b", 60, "min"), ("c", "d", 60, "s"))
_PLAIN_FRACTION: Final = re.compile(r"(?=[1-9]/)(?<![\d/.,])([1-9])/([2-9]|10)(?![\d/.,]|\s*[=≈])")
_OF_A: Final = re.compile(r"\s+of\s+an?\s+([a-z]+)")
_FRACTION_NAMES: Final = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_MULTIPLES: Final = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "half": 0.5, "triple": 3.0, "tripled": 3.0}
_HEDGE_BEFORE: Final = re.compile(
    r"(?:约|大约|近|接近|将近|大概|差不多|大致|≈|(?<![\d%℃元万])~|不到|不足|超过|逾|仅约|多达|\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.|just under|just over|under|over|close to|more than|less than|up to))"
    r"(?:\s|\*|为|是|有|于|[$¥€£]|a\b|:|：)*[-+]?$",
    re.IGNORECASE,
)
_HEDGE_AFTER: Final = re.compile(r"[\s*]*(?:左右|上下|出头|以上|有余|余(?!额|下|量|数)|多(?=[个条处台项人次件元天吨]))")
_APPROXIMATE: Final = re.compile(r"[几数多]")
_DATE_AFTER: Final = re.compile(r"年(?!假|薪|金)(?:代)?|月份?|[日号](?!常)|点(?:钟|半|整)?(?!\w)|时(?!候|间)")
_CARDINAL_BEFORE: Final = re.compile(r"(?:仅|只有|共|共有|总共|合计|只)$")
_RANGE: Final = re.compile(r"\s*(?:~|-|至|到|to|and)\s*", re.IGNORECASE)
_AND: Final = re.compile(r"\s*(?:、|和|与|及|/|,|，|and|or|&)\s*")
_LISTED: Final = frozenset({"id", "ordinal", "page", "version", "room"})
_LONGEST_NUMBER: Final = 40  # more digits are an id or nonsense, and leave the range of a float
_LOOK_BACK: Final = 18
_POWERS: Final = frozenset("十百千拾佰仟")
_COMPOUND_UNIT: Final = re.compile(r"\s?(?:/|·|每)\s?[A-Za-z\u4e00-\u9fff]")
_NO_UNIT: Final = frozenset("|，。；、（）()!！?？:：=×+-/~≈<>\n")
_MONEY_LAST: Final = frozenset("$¥￥€£PYBDFRQ币")
_HEDGE_LAST: Final = frozenset("约近概多致≈~到足过逾达是为有于$¥€£:：+-不")
_ZH_ULP_FRACTION: Final = 0.04
_DIGIT_STRING: Final = 3
_LONG_PREFIX: Final = 16


def read_quantities(folded: str) -> list[Quantity]:
    """Every numeral of a folded text, in order; those that state nothing carry the reason in `exempt`."""
    masks = sorted(masked_spans(folded))
    found = list(_arabic(folded))
    if any(sign in folded for sign in ZH_SIGNS) or "分之" in folded or "折" in folded or "半" in folded:
        found.extend(_chinese(folded))
    found.extend(_english(folded))
    found.extend(_fractions(folded))
    found.extend(_compound_times(folded))
    found.sort(key=lambda quantity: (quantity.start, -quantity.end))
    kept: list[Quantity] = []
    for quantity in found:
        if kept and quantity.start < kept[-1].end:
            continue
        kept.append(quantity)
    _apply_masks(kept, masks)
    for quantity in kept:
        if quantity.is_claim and not quantity.exempt:
            _judge(folded, quantity)
    _share_exemption(folded, kept)
    _share_units(folded, kept)
    return kept


def _apply_masks(quantities: list[Quantity], masks: list[Span]) -> None:
    """Exempt what lies inside a mask; hard masks win over soft ones."""
    starts = [mask.start for mask in masks]
    reach: list[int] = []
    for mask in masks:
        reach.append(max(mask.end, reach[-1] if reach else 0))
    for quantity in quantities:
        at = bisect_right(starts, quantity.end - 1) - 1
        while at >= 0 and reach[at] > quantity.start:
            mask = masks[at]
            inside = mask.start <= quantity.start and quantity.end <= mask.end
            touches = mask.start < quantity.end and mask.end > quantity.start
            if (inside or (touches and mask.kind != "idiom")) and (not quantity.exempt or quantity.soft):
                quantity.exempt, quantity.soft = mask.kind, mask.soft
            at -= 1


def _arabic(folded: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(folded):
        digits = match["digits"].replace(",", "").replace("\u200b", "")
        if len(digits) > _LONGEST_NUMBER:
            yield Quantity(*match.span(), match.end(), match.group(), 0.0, 1.0, exempt="id")
            continue
        whole, _, fraction = digits.partition(".")
        value, ulp = float(digits), 10.0 ** -len(fraction)
        if match["exp"]:
            scale = 10.0 ** int(match["exp"][1:])
            value, ulp = value * scale, ulp * scale
        end = match.end()
        if multiplier := (match["mult"] or "").strip():
            scale = unit_table().multipliers[multiplier]
            value, ulp = value * scale, ulp * scale
            if tail := match["tail"]:
                extra, ulp = _tail(tail)
                value += extra
        quantity = Quantity(match.start(), end, end, match.group(), value, ulp, signed=match["sign"] is not None)
        if match["sign"] == "-":
            quantity.value = -quantity.value
        _add_unit(folded, quantity)
        _add_hedge(folded, quantity)
        if quantity.hedged and not fraction and not multiplier and len(whole) > 1 and whole.endswith("0"):
            quantity.ulp = 10.0 ** (len(whole) - len(whole.rstrip("0")))
        if folded[match.start() - 1 : match.start()] == "." and folded[match.start() - 2 : match.start() - 1].isdigit():
            quantity.exempt = "version"
        yield quantity


def _tail(tail: str) -> tuple[float, float]:
    if tail.isdigit():
        return float(tail), 1.0
    number = read_zh("".join("零一二三四五六七八九"[int(sign)] if sign.isdigit() else sign for sign in tail))
    return (number.value, number.ulp) if number else (0.0, 1.0)


def _chinese(folded: str) -> Iterator[Quantity]:
    for match in _ZH_QUANTITY.finditer(folded):
        start, end = match.span()
        quantity = Quantity(start, end, end, match.group(), 0.0, 1.0)
        if match["sure"]:
            quantity.value, quantity.unit = 100.0, unit_table().units["%"]
            quantity.exempt, quantity.soft = "idiom", match["sure"] == "百分之百"
        elif match["numeral"]:
            _zh_numeral(folded, quantity)
        else:
            _zh_ratio(quantity, match)
        _add_hedge(folded, quantity)
        if match["numeral"] and not quantity.hedged and quantity.text[-1] in _POWERS:
            quantity.ulp = min(quantity.ulp, 1.0)  # 一百四十 states 140; only 约一百四十 is rounded
        yield quantity


def _number_of(text: str) -> Numeral | None:
    if len(text) > _LONGEST_NUMBER:
        return None
    if text[0].isdigit():
        return Numeral(float(text), 10.0 ** -len(text.partition(".")[2]))
    return read_zh(text)


def _zh_ratio(quantity: Quantity, match: re.Match[str]) -> None:
    """百分之X, X分之Y, X成, X折, 一半."""
    units = unit_table().units
    if match["per"]:
        number = _number_of(match["part"])
        quantity.unit = units["%" if match["per"].startswith("百") else "‰"]
        if number is None:
            quantity.exempt = "idiom"
        else:
            quantity.value, quantity.ulp = number.value, min(number.ulp, 1.0)
    elif match["below"]:
        below, above = _number_of(match["below"]), _number_of(match["above"])
        quantity.unit, quantity.ulp = units["fraction"], _ZH_ULP_FRACTION
        if below is None or above is None or not below.value:
            quantity.exempt = "idiom"
        else:
            quantity.value = above.value / below.value
    elif match["sort"]:
        number = _number_of(match["tenths"])
        more = match["more"]
        extra = 5.0 if more == "半" else (read_zh(more) or Numeral(0, 1)).value if more else 0.0
        quantity.unit = units[match["sort"]]
        quantity.value, quantity.ulp = (number.value if number else 0) + extra / 10, 0.1 if more else 1.0
        if number is not None and number.ulp < 1:
            quantity.ulp = number.ulp
    elif match["off"]:
        number = _number_of(match["off"])
        quantity.unit, quantity.value, quantity.ulp = units["折"], (number.value if number else 0) / 10, 0.1
    else:
        quantity.unit, quantity.value, quantity.ulp, quantity.hedged = units["fraction"], 0.5, 0.08, True
        quantity.exempt, quantity.soft = "idiom", True


def _zh_numeral(folded: str, quantity: Quantity) -> None:
    number = read_zh(quantity.text) if len(quantity.text) <= _LONGEST_NUMBER else None
    end = quantity.end
    if number is None:
        quantity.exempt = "idiom"
        return
    quantity.value, quantity.ulp = number.value, number.ulp
    before = folded[max(0, quantity.start - 2) : quantity.start]
    _add_unit(folded, quantity)
    if _APPROXIMATE.search(before[-1:]) or _APPROXIMATE.match(folded, end):
        quantity.exempt = "idiom"
    elif before.endswith("第"):
        quantity.exempt, quantity.soft = "ordinal", True
    elif (match := _DATE_AFTER.match(folded, end)) and not (
        quantity.unit and match.group() in "年日" and len(quantity.text) > 1
    ):
        quantity.exempt = "date"
    elif all(sign not in "十百千万亿点拾佰仟" for sign in quantity.text) and len(quantity.text) >= _DIGIT_STRING:
        quantity.exempt, quantity.soft = "id", True
    elif len(quantity.text) == 1 and not _is_count(folded, quantity):
        quantity.exempt = "idiom"


def _is_count(folded: str, quantity: Quantity) -> bool:
    """A lone Chinese digit is a claim only with a unit or classifier, and 一 only after a word of counting."""
    if quantity.unit is None or quantity.text in "十百千万亿":
        return quantity.text == "十" and quantity.unit is not None
    if quantity.text == "一":
        return _CARDINAL_BEFORE.search(folded[max(0, quantity.start - 3) : quantity.start]) is not None
    return True


def _english(folded: str) -> Iterator[Quantity]:
    units = unit_table().units
    reach = 0
    for at, word in english_words(folded):
        if word not in _EN_STARTS or at < reach or (match := _EN_QUANTITY.match(folded, at)) is None:
            continue
        start, reach = match.span()
        end = reach
        quantity = Quantity(start, end, end, match.group(), 0.0, 1.0)
        if match["one"] or match["above"]:
            if not _en_fraction(folded, quantity, match):
                continue
        elif match["twice"]:
            quantity.value, quantity.ulp, quantity.unit = _MULTIPLES[match["twice"].lower()], 0.1, units["倍"]
            quantity.exempt, quantity.soft, quantity.hedged = "idiom", True, True
        else:
            number = read_en(match["numeral"])
            if number is None:
                continue
            quantity.value, quantity.ulp = number.value, number.ulp
            if match["plus"]:
                quantity.value, quantity.ulp = number.value + 0.5, 0.5
            _add_unit(folded, quantity)
            if match["numeral"].lower() == "one" or match["numeral"].lower() in {
                "hundred",
                "thousand",
                "million",
                "billion",
                "dozen",
            }:
                quantity.exempt = "idiom"
        _add_hedge(folded, quantity)
        yield quantity


def _en_fraction(folded: str, quantity: Quantity, match: re.Match[str]) -> bool:
    """One in eight, two thirds, three quarters of a second; whether it is a fraction at all."""
    quantity.unit, quantity.ulp = unit_table().units["fraction"], _ZH_ULP_FRACTION
    if match["one"]:
        one, of = read_en(match["one"]), read_en(match["of"])
        if one is None or of is None or of.value <= one.value:
            return False
        quantity.value = one.value / of.value
        return True
    above = 1 if match["above"].lower() == "a" else (read_en(match["above"]) or Numeral(1, 1)).value
    quantity.value = above / _FRACTION_NAMES[match["below"].lower()]
    if (part := _OF_A.match(folded, quantity.end)) and (unit := unit_table().after.fullmatch(part[1])):
        quantity.unit, quantity.unit_end = unit_table().spellings[unit[1] or unit[2]], part.end()
    return True


def _fractions(folded: str) -> Iterator[Quantity]:
    for match in _PLAIN_FRACTION.finditer(folded):
        above, below = int(match[1]), int(match[2])
        if above < below:
            quantity = Quantity(*match.span(), match.end(), match.group(), above / below, _ZH_ULP_FRACTION)
            quantity.unit = unit_table().units["fraction"]
            _add_hedge(folded, quantity)
            yield quantity


def _compound_times(folded: str) -> Iterator[Quantity]:
    """6 分 24 秒 is one quantity, in its smaller unit."""
    for match in _COMPOUND.finditer(folded):
        for big, small, parts, name in _COMPOUND_PARTS:
            if match[big]:
                end = match.end(small)
                value = float(int(match[big]) * parts + int(match[small]))
                unit = unit_table().units[name]
                yield Quantity(match.start(), end, match.end(), folded[match.start() : end], value, 1.0, unit)


def _add_unit(folded: str, quantity: Quantity) -> None:
    table = unit_table()
    following = folded[quantity.end : quantity.end + 4].lstrip(" \t*`")[:1]
    if following not in _NO_UNIT and (match := table.after.match(folded, quantity.end)):
        quantity.unit = table.spellings[match[1] or match[2]]
        quantity.unit_end = match.end()
        if _COMPOUND_UNIT.match(folded, match.end()):
            quantity.unit = None  # 元/吨, m³/t: a unit that the table does not know
        if folded.startswith("半", match.end()) and quantity.ulp == 1 and quantity.unit is not None:
            quantity.value, quantity.ulp, quantity.unit_end = quantity.value + 0.5, 0.5, match.end() + 1  # 八天半
        if quantity.unit is not None and quantity.unit.dimension == "volume":
            before = folded[max(0, quantity.start - _LONG_PREFIX) : quantity.start]
            nearest = -1
            for pattern, flow in table.per_time:
                for said in pattern.finditer(before):
                    if said.end() > nearest:
                        nearest, quantity.unit = said.end(), flow
    before = folded[max(0, quantity.start - 4) : quantity.start].rstrip()
    if (
        before[-1:] in _MONEY_LAST
        and (sign := table.before_pattern.search(before))
        and (quantity.unit is None or quantity.unit.dimension == COUNT)
    ):
        quantity.unit = table.before[sign.group().strip()]


def _add_hedge(folded: str, quantity: Quantity) -> None:
    before = folded[max(0, quantity.start - _LOOK_BACK) : quantity.start]
    last = before.rstrip(" *")[-1:]
    said = (last in _HEDGE_LAST or (last.isascii() and last.isalpha()) or last == ".") and _HEDGE_BEFORE.search(before)
    if said or _HEDGE_AFTER.match(folded, quantity.unit_end):
        quantity.hedged = True


def _judge(folded: str, quantity: Quantity) -> None:
    """Look at the words beside a numeral."""
    whole = quantity.ulp == 1 and not quantity.signed and "," not in quantity.text
    quantity.exempt, quantity.soft = exempt_by_neighbours(folded, quantity.start, quantity.end, whole=whole)
    if not quantity.exempt and quantity.value <= 20 and not quantity.text[-1].isdigit():  # noqa: PLR2004 - small counts
        noun_at = quantity.unit_end if quantity.unit is not None else quantity.end
        if is_own_count(folded, quantity.end) or is_own_count(folded, noun_at):
            quantity.exempt, quantity.soft = "self_count", False


def _share_exemption(folded: str, quantities: list[Quantity]) -> None:
    """HTTP 500 和 502, 第3、5条: what exempts the first of a list exempts the next of its kind."""
    for left, right in pairwise(quantities):
        alike = left.exempt in _LISTED and left.soft and not right.exempt and right.unit is None and right.ulp == 1
        if alike and len(left.text) == len(right.text) and _AND.fullmatch(folded, left.unit_end, right.start):
            right.exempt, right.soft = left.exempt, True


def _share_units(folded: str, quantities: list[Quantity]) -> None:
    """The unit of a range's right end holds for its left: 16.4~17.2 ℃."""
    for left, right in pairwise(quantities):
        if left.unit is None and right.unit is not None and _RANGE.fullmatch(folded, left.end, right.start):
            left.unit = right.unit


@lru_cache(maxsize=1024)
def unit_written(text: str) -> Unit | None:
    """The unit in a heading such as 风量(m³/min) or `Temp (°C)`, if it names one."""
    for match in re.finditer(r"[(（/,，\s]\s*([^()（）]+?)\s*[)）]?\s*$", text):
        found = unit_table().after.fullmatch(match[1].strip())
        if found:
            return unit_table().spellings[found[1] or found[2]]
    return None
