"""Where a clause stops to be the assistant's own statement of fact: reported, conditional, somebody else's doing, policy."""

from __future__ import annotations

import re
from typing import Final

from agents.guards.claims.reading import CUES, Clause, cue

_REPORTED_ZH: Final = re.compile(cue("zh", "attribution").pattern.join(("(?:", ")(?!的)")))
_SAYS_ZH: Final = re.compile(
    r"据(?!此|悉)[^，。]{1,8}(?:说|称|讲|反映|透露|反馈|介绍)|(?:报告|文件|计划|资料|说明|规程|制度|通知|合同|附件|日志|截图)(?:里|中|上|书)*(?:写明|写着|写道|提到|载明|注明|显示|指出|记载|规定)"
)
_OTHER_ZH: Final = re.compile(f"(?:{cue('zh', 'other_agent').pattern})(?![^，。]{{0,4}}的)")
_EXAMPLE_ZH: Final = cue("zh", "example")
_CONDITION_ZH: Final = re.compile(
    cue("zh", "condition").pattern
    + r"|(?:^|[，,])\W*(?:等(?!于|级|待审)|待(?!遇|办)|当(?!时|前|天|日|场|地|然|中|事|月|年|班|初))|怎么|多久|谁(?!知)|哪(?!怕)"
)
_POLICY_ZH: Final = cue("zh", "policy")
_LONG_AGO_ZH: Final = cue("zh", "long_ago")
_LONG_AGO_EN: Final = cue("en", "long_ago")
_MEANING_ZH: Final = re.compile("表示|意味着|是指|指的是|代表")
_BY_OTHERS_ZH: Final = re.compile(
    "由(?!我|系统|本|于|此|衷|[^，]{0,8}[改换变调升降])[^，已了]{1,10}$|^[^，已]*由(?!我|系统|本|于|此|衷|[^，]{0,8}[改换变调升降])[^，已了]+$"
)
_OWN_DOING_ZH: Final = re.compile("[为帮给替][您你]|我(?!的|国|矿|司)")
_REPORTED_EN: Final = cue("en", "attribution")
_SAYS_EN: Final = re.compile(
    r"(?<![a-z])(?:report|plan|document|log|file|history|table|note|message|policy|contract|appendix|page|section|minutes)s? (?:mention|state|note|say|show|list|indicate|record|contain|describe)s?(?![a-z])"
)
_DATED_EN: Final = re.compile(r"(?<![a-z])in (?:19|20)[0-9]{2}(?![0-9])")
_EXAMPLE_EN: Final = cue("en", "example")
_CONDITION_EN: Final = cue("en", "condition")
_OTHER_EN: Final = re.compile(
    r"^\W*(?:(?:and|but|that|since|because|as|now that|so) )?(?:you|you've|they|they've|he|he's|she|she's|someone|somebody|your (?:colleague|manager|supervisor|team|boss|bank|wife|husband)|the (?:customer|user|client|previous \w+|other \w+|dispatcher)|a colleague|another \w+|customers|users|people)(?![a-z]| order| number| refund| request| account| record|(?:'ve| have| has)?(?: \w+)? been| was| were| is| are|'re)"
)
_MEANING_EN: Final = re.compile(r"(?<![a-z])(?:means|refers to|may read|stands for|wish)(?![a-z])")
_OWN_VOICE: Final = re.compile(
    r"^\W*(?:"
    + "|".join(map(re.escape, CUES["zh"]["contrast"]))
    + r"|我(?!的|想|要|会|将)|我们|现已|目前|系统已|已[为帮给替]|已经[为帮给替]|however|(?:but )?(?:i|we)(?: |'ve))"
)


def speaks_itself(clause: Clause) -> bool:
    """Whether a clause ends the silence of those before it: it turns against them or begins with `I`."""
    return _OWN_VOICE.search(clause.text) is not None


def silences_more(clause: Clause) -> bool:
    """Whether the silence of a clause holds for those after it: what is reported goes on, and so does a Chinese condition."""
    text = clause.text
    if clause.is_chinese:
        return not _POLICY_ZH.search(text) or _CONDITION_ZH.search(text) is not None
    return _REPORTED_EN.search(text) is not None or _EXAMPLE_EN.search(text) is not None


def silenced_from(clause: Clause) -> int | None:
    """From where on in a clause a verb is not the assistant's own statement of fact; None if nowhere."""
    return min(_chinese(clause.text) if clause.is_chinese else _english(clause.text), default=None)


def _chinese(text: str) -> list[int]:
    patterns = [_REPORTED_ZH, _SAYS_ZH, _OTHER_ZH, _EXAMPLE_ZH, _CONDITION_ZH, _BY_OTHERS_ZH]
    found = [m.start() for pattern in patterns if (m := pattern.search(text))]
    is_rule = _POLICY_ZH.search(text) is not None and _OWN_DOING_ZH.search(text) is None
    return [*found, *([0] if is_rule or _MEANING_ZH.search(text) or _LONG_AGO_ZH.search(text) else [])]


def _english(text: str) -> list[int]:
    patterns = (_REPORTED_EN, _SAYS_EN, _EXAMPLE_EN, _CONDITION_EN, _OTHER_EN)
    found = [m.start() for pattern in patterns if (m := pattern.search(text))]
    if _DATED_EN.search(text):
        found.append(0)
    return [*found, *([0] if _MEANING_EN.search(text) or _LONG_AGO_EN.search(text) else [])]
