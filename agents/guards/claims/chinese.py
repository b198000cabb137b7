"""Chinese predicates: whether a verb says that a thing is done, is not done, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from agents.guards.claims.lexicon import Lexicon, Word, lookup
from agents.guards.claims.reading import CJK, CUES, cue
from agents.guards.claims.word_patterns import one_of

Polarity = Literal["done", "denied"]


class Predicate(NamedTuple):
    """A verb that was found: its place in the clause, its word, and what is said of it."""

    start: int
    end: int
    word: Word
    polarity: Polarity


_REACH: Final = 18
"""Characters between 已 and its verb."""
_NEAR: Final = 4
"""Characters before a verb in which a one-character modal rules it."""
_LE: Final = "了(?!解|断|结|如)"
_AFTER_TIME: Final = "(?:之后|以后|后(?!台|勤|续)|之前|以前|前(?!台|端)|时(?!间)|的时候|的话|期间|过程中)"
_CHECK_MARK: Final = re.compile(r"✅|✔|☑|√|\[x\]")
_MARKER: Final = cue("zh", "done_before")
_NOTHING: Final = re.compile(r"[。.!！~～\s]*")
_EARLIER_TODAY: Final = cue("zh", "earlier_today")
_STRONG: Final = frozenset(CUES["zh"]["done_before"]) - frozenset(CUES["zh"]["done_weakly"])
_COMPLEMENT: Final = "(?:给|到|往|至|回|出|上|入|进|成|为|去|来|掉|好|完|妥|过|起来|出来|过去|上去)"
_LE_AFTER: Final = re.compile(rf"^(?:您|你|给您|给你|{_COMPLEMENT})*(?:{_LE}|啦|喽)")
_RESULT_AFTER: Final = re.compile(rf"^(?:{'|'.join(map(re.escape, CUES['zh']['done_after']))})")
# A verb of one character is a verb only with what follows one; otherwise it is part of another word.
_SINGLE_AFTER: Final = re.compile(
    rf"^(?:{_LE}|啦|好(?!像|多|几)|完|掉|成(?!本|员|果)|给|到(?!底|时|岗|场)|过(?!程|期|高|低|大)|出|回|上(?!级|报|述|限|次|月|周)|妥|至|往|去(?!年)|来(?!自|源)|进(?!风|度|行)|入(?!口)|毕|为|您|你|下来|起来)"
)
_LE_LATER: Final = re.compile(rf"(?<![除为]){_LE}[哈哦啊呀的噢呢~～。.!！\s]*$|(?<![除为])啦[~～。.!！\s]*$")
_DONE_LATER: Final = re.compile(
    r"(?:已经?)?(?:完成|成功|完毕|搞定|办妥|办结)|✅|✔|√|(?<![a-z])(?:success(?:ful)?|done|completed?|ok)(?![a-z])"
)
_NOMINAL: Final = re.compile(
    r"(?:记录|状态|情况|流程|功能|权限|按钮|页面|时间|日期|日志|条件|资格|政策|规则|规定|说明|内容|期间|过程|原因|方式|渠道|通道|请求|规范|标准|意见|结果|列表|清单|目录|编号|单号|界面|菜单|接口|人|方|者|额|上限|总数|数量)"
)
_NOMINAL_AFTER: Final = re.compile(rf"^{_NOMINAL.pattern}|^[^，。|]{{0,6}}(?:列表|清单|目录|共有|总数|数量)")
_RELATIVE: Final = re.compile(
    rf"^(?:了|过|好|完|成功|完成|出去|出|掉|给您|给你|给)*的(?=[\u4e00-\u9fffa-z])(?!是)|^[^，。|]{{1,8}}的{_NOMINAL.pattern}"
)
_TIME_AFTER: Final = re.compile(rf"^(?:了|完成|成功|完毕|好|完|过)*{_AFTER_TIME}|^.{{0,10}}{_AFTER_TIME}[，,。:：\s]*$")
# 已核对邮件发送: what is done is the looking, not the sending, unless 并 goes on.
_LOOKING: Final = re.compile(
    f"(?:{'|'.join(CUES['zh']['looking'])})(?!结果|报告|结论|意见|记录|表|[好过出后完]的)[^并且后，]*$"
)
_IS_NOW: Final = re.compile(r"(?:是|为|处于|变成|变为|改为|改成|置为)[ “\"]?$")
_THING_BEFORE: Final = re.compile(r"(?:的|[0-9一二两三几多][ ]?[条笔份个次张封]|收到|这[条笔份个次]|关于)[ ]?$")
_THING_AFTER: Final = re.compile(r"^(?:申请|请求|诉求|需求|问题|事宜|进度|单据|订单|服务|操作手册)")
_COMPOUNDS: Final = frozenset(CUES["zh"]["compounds"])
_INNOCENT: Final = re.compile("|".join(sorted(map(re.escape, CUES["zh"]["innocent"]), key=len, reverse=True)))
_NEGATION: Final = cue("zh", "negation")
_FAILURE: Final = cue("zh", "failure_after")
_FAILURE_REACH: Final = 8
_MODAL_LONG: Final = one_of(word for word in CUES["zh"]["modal"] if len(word) > 1)
_MODAL_SHORT: Final = re.compile("[" + "".join(word for word in CUES["zh"]["modal"] if len(word) == 1) + "]")
_PASS_THROUGH: Final = cue("zh", "pass_through")


def predicates(
    clause: str, lexicon: Lexicon, nouns: list[tuple[int, int]], *, is_listed_done: bool
) -> Iterator[Predicate]:
    """The verbs of a clause that are said to be done or not done.

    Args:
        clause: Folded text.
        lexicon: The verbs.
        nouns: Spans of the lexicon's nouns in the clause.
        is_listed_done: The clause is an item of a list of things done, or has a check mark.
    """
    listed = is_listed_done or _CHECK_MARK.search(clause) is not None
    for found in lexicon.zh_verb_pattern.finditer(clause):
        start, end = found.span()
        word = lookup(lexicon.zh_verbs, found.group())
        if any(left <= start and end <= right and right - left > end - start for left, right in nouns):
            continue
        before, after = _plain(clause[:start]), clause[end:].lstrip(" ")
        if len(found.group()) == 1 and not _is_verb(found.group(), before, after):
            continue
        if _is_negated(before, after):
            yield Predicate(start, end, word, "denied")
            continue
        is_sure = _is_sure(before, after, found.group(), word, lexicon, listed=listed)
        if is_sure is not None and not _is_modal(before, is_sure=is_sure):
            yield Predicate(start, end, word, "done")
    for found in lexicon.denial_pattern.finditer(clause):
        if not _NEGATION.search(_plain(clause[: found.start()])):
            yield Predicate(*found.span(), lexicon.denials[found.group()], "denied")


def _plain(before: str) -> str:
    """The text before a verb without the words that only look like negations and modals."""
    return _INNOCENT.sub(lambda found: "〇" * len(found.group()), before)


def _is_verb(char: str, before: str, after: str) -> bool:
    if before[-1:] + char in _COMPOUNDS or char + after[:1] in _COMPOUNDS:
        return False
    if _SINGLE_AFTER.match(after):
        return True
    return before.rstrip().endswith(("已", "已经", "刚")) and not CJK.match(after)


def _is_sure(before: str, after: str, verb: str, word: Word, lexicon: Lexicon, *, listed: bool) -> bool | None:
    """True: said with 已 or 了; False: with 完成, 成功 and the like; None: not said to be done."""
    if _is_no_statement(before, after, is_thing=verb in lexicon.nouns):
        return None
    marks = [
        mark.group()
        for mark in _MARKER.finditer(before)
        if len(before) - mark.end() <= _REACH and not _LOOKING.search(before[mark.end() :])
    ]
    if marks:
        return not _STRONG.isdisjoint(marks)
    if verb.endswith("了") or _LE_AFTER.match(after) or _LE_LATER.search(after) or _is_state(before, after):
        return True
    is_dated = _EARLIER_TODAY.search(before) is not None and _NOTHING.fullmatch(after) is not None
    is_past = verb.isascii() and verb in lexicon.en_past and verb not in lexicon.en_base
    is_result = _RESULT_AFTER.match(after) is not None or (word.done and CJK.match(after) is None)
    if listed or is_dated or is_past or is_result:
        return False
    later = _DONE_LATER.search(after[:_REACH])
    if later and not _NEGATION.search(after[: later.start()]) and not _MODAL_LONG.search(after[: later.start()]):
        return "已" in later.group()
    return None


def _is_no_statement(before: str, after: str, *, is_thing: bool) -> bool:
    """Whether a verb stands within a phrase: 退款后, 已退款的订单, 退款记录, 一笔退款."""
    if _TIME_AFTER.match(after) or _RELATIVE.match(after):
        return True
    if is_thing and (_THING_BEFORE.search(before) or _THING_AFTER.match(after)):
        return True
    is_nominal = _NOMINAL_AFTER.match(after) is not None and not _is_state(before, after)
    return is_nominal and not _DONE_LATER.search(after[:_REACH])


def _is_state(before: str, after: str) -> bool:
    return after.startswith("状态") and _IS_NOW.search(before) is not None


def _is_negated(before: str, after: str) -> bool:
    return _NEGATION.search(_from_reset(before)) is not None or _FAILURE.search(after[:_FAILURE_REACH]) is not None


def _is_modal(before: str, *, is_sure: bool) -> bool:
    scope = _from_reset(before) if is_sure else before
    return (
        _MODAL_LONG.search(scope) is not None or _MODAL_SHORT.search(scope[-_NEAR:] if is_sure else scope) is not None
    )


def _from_reset(before: str) -> str:
    """What stands after a verb of perception: in 请放心看到退款已完成 the 请 rules the seeing, not the refund."""
    resets = list(_PASS_THROUGH.finditer(before))
    return before[resets[-1].end() :] if resets else before
