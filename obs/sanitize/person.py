"""Data of people: e-mail, telephone, identity card, bank card, messenger names."""

from __future__ import annotations

import re
from typing import Final

from obs.sanitize.rule import AFTER, BEFORE, Rule, rule

_DIGIT_BEFORE: Final = r"(?<![A-Za-z0-9_.])"
_DIGIT_AFTER: Final = r"(?![A-Za-z0-9_]|\.\d)"
_DATE: Final = r"(?:18|19|20)\d{2}[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12]\d|3[01])"


_FEWEST_DIGITS: Final = 8
_MOST_DIGITS: Final = 15  # of an international number


def _passes_luhn(found: re.Match[str]) -> bool:
    digits = [int(sign) for sign in found.group() if sign.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _dialled(found: re.Match[str]) -> bool:
    return _FEWEST_DIGITS <= sum(sign.isdigit() for sign in found.group()) <= _MOST_DIGITS


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+'’-]{0,63}(?:@|\[at\]|\(at\)| at (?=[A-Za-z0-9-]{1,63} dot ))"
        r"(?:[A-Za-z0-9\u4e00-\u9fff-]{1,63}(?:\.|\[\.\]|\[dot\]|\(dot\)| dot )){1,8}(?:[A-Za-z]{2,24}|中国|公司|网络)",
        needs=("@", "[at]", "(at)", " at "),
    ),
    rule(
        r"(?<![A-Za-z0-9._%+-])[a-z_][a-z0-9_.-]{0,31}@[A-Za-z][A-Za-z0-9_-]{1,62}(?:#[A-Za-z0-9_-]{1,62}(?::[0-9]{1,12})?)?(?![A-Za-z0-9_.])",
        needs=("@",),
    ),
    rule(
        rf"{_DIGIT_BEFORE}(?:\+?(?:00)?86[ -]{{0,2}})?1[3-9]\d(?P<gap>[ -]?)\d{{4}}(?P=gap)\d{{4}}{_DIGIT_AFTER}",
        needs=("13", "14", "15", "16", "17", "18", "19"),
    ),
    rule(
        rf"{_DIGIT_BEFORE}(?:\+?(?:00)?86[ -]{{0,2}})?1[3-9]\d{{2}}[ -]\d{{3}}[ -]\d{{4}}{_DIGIT_AFTER}",
        needs=(" ", "-"),
    ),
    rule(
        r"(?<![A-Za-z0-9_.-])\(?0\d{2,3}\)?[ -]\d{7,8}(?:[ -]{0,2}(?:转|分机|ext\.?|x|#)[ ]{0,2}\d{1,6})?"
        + _DIGIT_AFTER,
        needs=("0",),
    ),
    rule(r"(?<![A-Za-z0-9_.-])[48]00[ -]\d{3,4}[ -]\d{3,4}" + _DIGIT_AFTER, needs=("400", "800")),
    rule(r"(?<![A-Za-z0-9_])\+[1-9]\d{0,3}(?:[ .()/-]{0,2}\d){6,13}" + _DIGIT_AFTER, _dialled, needs=("+",)),
    rule(r"(?<![A-Za-z0-9_])(?:1[ .-])?\(\d{3}\)[ ]?\d{3}[ .-]\d{4}" + _DIGIT_AFTER, needs=("(",)),
    rule(r"(?<![A-Za-z0-9_.-])\d{3}[.-]\d{3}[.-]\d{4}" + _DIGIT_AFTER, needs=("-", ".")),
    rule(
        r"(?:电话|手机号?码?|座机|传真|热线|联系方式|telephone|tel|phone|mobile|fax|msisdn|cell)[\"']?(?:[ ]?(?:number|no\.?|号码?))?[ ]{0,2}[:=：是为]?[ ]{0,2}[\"'“]?"
        r"(?P<secret>\+?\(?\d(?:[ ()-]{0,2}\d){6,15})" + _DIGIT_AFTER,
        needs=("电话", "手机", "座机", "传真", "热线", "联系", "tel", "phone", "mobile", "fax", "msisdn", "cell"),
    ),
    rule(rf"{_DIGIT_BEFORE}\d{{6}}[ -]?{_DATE}[ -]?\d{{3}}[\dX]{_DIGIT_AFTER}", needs=("18", "19", "20")),
    rule(
        r"(?:身份证|证件|护照|港澳通行证|社保|驾驶?证|id[ _-]?(?:card|no|number)|passport|idcard)[^\dA-Z\n]{0,12}(?P<secret>[A-Z]{0,2}\d{6,20}X?)"
        + AFTER,
        needs=("证", "护照", "社保", "id", "passport"),
    ),
    rule(
        rf"{_DIGIT_BEFORE}[3-6]\d{{3}}(?P<gap>[ -]?)\d{{4}}(?P=gap)\d{{4}}(?P=gap)\d{{2,4}}(?:(?P=gap)\d{{1,3}})?{_DIGIT_AFTER}",
        _passes_luhn,
    ),
    rule(
        r"(?:银行卡|卡号|账户|card(?: ?(?:no|number))?|iban|account(?: ?(?:no|number)))[^\dA-Z\n]{0,8}(?P<secret>(?:[A-Z]{2}\d{2}[ ]?)?\d(?:[ -]?[0-9]){11,29})"
        + AFTER,
        needs=("卡", "账户", "card", "iban", "account"),
    ),
    rule(
        r"(?:微信号?|wechat(?:[ _]?(?:id|no|号))?|qq号?|钉钉号|weixin|line id|telegram)[ ]{0,2}(?:[:=：是为]|号码?)[ ]{0,2}[\"'“]?(?P<secret>[A-Za-z0-9][A-Za-z0-9_-]{4,31})",
        needs=("微信", "we", "qq", "钉钉", "line", "telegram"),
    ),
    rule(r"微信号?[ ]?(?P<secret>[A-Za-z][A-Za-z0-9_-]{5,31})", needs=("微信",)),
    rule(BEFORE + r"wxid_[a-z0-9]{6,32}" + AFTER, needs=("wxid_",)),
    rule(
        BEFORE + r"o[A-Za-z0-9_-]{4}[A-Za-z0-9_-]{23}" + AFTER,
        lambda found: (
            re.search("[0-9]", found.group()) is not None
            and re.search("[A-Z]", found.group()) is not None
            and re.search("[a-z]", found.group()[1:]) is not None
        ),
        case=True,
        needs=("o",),
    ),
)
