"""A text as clauses: what is quoted, drafted or asked is known before any verb is looked at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from agents.guards.claims.word_patterns import one_of
from agents.guards.folding import Folded, fold
from agents.guards.sentences import sentences

CUES: Final[dict[str, dict[str, list[str]]]] = json.loads(
    Path(__file__).with_name("cues.json").read_text(encoding="utf-8")
)
CJK: Final = re.compile("[\u4e00-\u9fff]")
_QUOTED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』|(?<![a-z0-9])\"[^\"\n]{1,400}\"|(?<![a-z0-9])'[^'\n]{4,400}'(?![a-z])|^[ \t]*>.*$",
    re.DOTALL | re.MULTILINE,
)
_SPLIT: Final = re.compile(
    r"，|；|(?<![0-9]),(?=\s)|(?<=[\u4e00-\u9fff]),|(?<![0-9]),(?=[\u4e00-\u9fff])|;|——|\s[–—-]\s|—|……|\s(?:and then|and|but|so|then)\s(?!(?:be|was|were|been)\s)"
)
_LONGEST_CLAUSE: Final = 400
"""Characters; what is longer is no clause but a list or an attack, and is read in pieces, so that time stays linear."""
_DRAFT_ENDS: Final = re.compile(r"^\s*[（(]?(?:---+|\*\*\*+|以上|上面|the above|that's the draft|end of)", re.MULTILINE)
_DRAFT_CUE: Final = re.compile("|".join(map(re.escape, [*CUES["zh"]["draft"], *CUES["en"]["draft"]])))
_TEXT_FOLLOWS: Final = re.compile(
    r"(?:以下|如下|下面)[^。]{0,12}(?:邮件|回复|短信|通知|公告|函|信件?|文本|答复)|(?:邮件|回复|短信|通知|公告|函|文本|答复)[^。]{0,6}(?:如下|如后)|(?:below|following|here is|here's)[^.]{0,24}(?:email|e-mail|message|reply|letter|note|notice|announcement|wording)(?![a-z])"
)
_NAMES_STATE: Final = re.compile(
    r"(?:状态|变成|变为|改成|改为|置为|标为|标记为|标成|为|status|as|to|now)(?:已|是|为|:|：)?\s*$"
)
_Heading = Literal["done", "open"] | None
_HEAD: Final = re.compile(r"^[ \t#>*_-]*([^:：\n]{2,40})[:：]")
_ITEM: Final = re.compile(r"^[ \t>]*(?:[-*•·+]|\(?[0-9]{1,2}[.)、）]|[①-⑳]|[一二三四五六七八九十]、|✅|✔|☑|\[)")
_DONE: Final = re.compile("|".join(map(re.escape, [*CUES["zh"]["done_headings"], *CUES["en"]["done_headings"]])))
_OPEN: Final = re.compile("|".join(map(re.escape, [*CUES["zh"]["open_headings"], *CUES["en"]["open_headings"]])))


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence with one predicate, mostly.

    Attributes:
        text: Folded, as it stands in the sentence.
        start: Where it begins in the folded text.
        is_question: Asked, not told.
    """

    text: str
    start: int
    is_question: bool = False

    @property
    def is_chinese(self) -> bool:
        """Whether Chinese grammar rules it, English words within or not."""
        return CJK.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its clauses.

    Attributes:
        text: Folded.
        start: Where it begins in the folded text.
        clauses: Without the marks between them.
        is_shown: Part of a draft, or of a list of things still to do: shown, not told.
        is_listed_done: An item of a list of things done.
    """

    text: str
    start: int
    clauses: Sequence[Clause]
    is_shown: bool = False
    is_listed_done: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A folded text, its sentences, and which characters are quoted."""

    folded: Folded
    sentences: Sequence[Sentence]
    quoted: Sequence[tuple[int, int]]

    def is_quoted(self, start: int) -> bool:
        """Whether the character at `start` of the folded text stands in quotes or code."""
        return any(left <= start < right for left, right in self.quoted)


def read(text: str) -> Reading:
    """Fold a text and cut it into sentences and clauses."""
    folded = fold(text)
    quoted = [m.span() for m in _QUOTED.finditer(folded.text) if not _NAMES_STATE.search(folded.text[: m.start()][-8:])]
    found: list[Sentence] = []
    draft_until = -1
    heading: _Heading = None
    for start, end in sentences(folded.text):
        sentence = folded.text[start:end]
        is_item = _ITEM.match(sentence) is not None
        head = _heading(sentence)
        heading = head or (heading if is_item or not sentence.strip() else None)
        found.append(
            Sentence(
                sentence,
                start,
                list(_clauses(sentence, start)),
                is_shown=start < draft_until or (heading == "open" and is_item),
                is_listed_done=heading == "done",
            )
        )
        if start >= draft_until and _opens_draft(sentence, folded.text[end:]):
            closing = _DRAFT_ENDS.search(folded.text, end)
            draft_until = closing.start() if closing else len(folded.text)
    return Reading(folded, found, quoted)


def _heading(sentence: str) -> _Heading:
    found = _HEAD.match(sentence)
    if found is None:
        return None
    if _OPEN.search(found[1]):
        return "open"
    return "done" if _DONE.search(found[1]) else None


def _opens_draft(sentence: str, rest: str) -> bool:
    ends_with_colon = sentence.rstrip().rstrip("*").endswith((":", "："))
    return (
        ends_with_colon
        and (_DRAFT_CUE.search(sentence) is not None or _TEXT_FOLLOWS.search(sentence) is not None)
        and bool(rest.strip())
    )


def _clauses(sentence: str, start: int) -> Iterator[Clause]:
    spans: list[tuple[int, int]] = []
    last = 0
    if not sentence.lstrip().startswith("|"):
        for found in _SPLIT.finditer(sentence):
            spans.append((last, found.start()))
            last = found.end()
    spans.append((last, len(sentence)))
    spans = [
        (at, min(at + _LONGEST_CLAUSE, right))
        for left, right in spans
        if sentence[left:right].strip(" \t\n。.!！")
        for at in range(left, right, _LONGEST_CLAUSE)
    ]
    asked = sentence.rstrip("\n \"'”’)）*").endswith(("?", "？"))
    for index, (left, right) in enumerate(spans):
        text = sentence[left:right]
        yield Clause(
            text, start + left, is_question=_is_question(text, last=asked and index == len(spans) - 1, asked=asked)
        )


_ZH_ASKED: Final = re.compile(
    r"(?:吗|呢|么|否)[。.!！~～\s]*$|是否|有没有|是不是|要不要|能不能|可不可以|请问|能否|可否|需不需要"
)
_EN_ASKED: Final = re.compile(
    r"^\W*(?:so |and |but )?(?:is|are|was|were|has|have|had|do|does|did|can|could|would|will|shall|should|may|what|when|where|which|who|why|how)\s(?!i've|i )"
)


def _is_question(text: str, *, last: bool, asked: bool) -> bool:
    if _ZH_ASKED.search(text):
        return True
    return last or (asked and _EN_ASKED.search(text) is not None)


def cue(language: str, name: str) -> re.Pattern[str]:
    """The pattern of a list of cues."""
    return one_of(CUES[language][name])
