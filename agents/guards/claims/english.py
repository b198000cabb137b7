"""English predicates: whether a past form says that a thing is done, is not done, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agents.guards.claims.chinese import Predicate
from agents.guards.claims.lexicon import Lexicon, Word, lookup
from agents.guards.claims.reading import cue

_NEGATION: Final = cue("en", "negation")
_FAILURE: Final = cue("en", "failure_after")
_MODAL: Final = cue("en", "modal")
_INNOCENT: Final = re.compile(
    r"without (?:any |a )?(?:problem|issue|error|trouble|hitch|delay|fail|incident)s?|no (?:problem|worries|later than|longer than)|not only|not just|for (?:you|your|the|order|\$|[a-z]*[0-9])"
)
_WORD: Final = r"(?<![a-z'])(?:{})(?![a-z])"
_ARTICLE: Final = re.compile(
    _WORD.format(
        "the|a|an|any|your|this|that|each|of|with|my|our|his|her|their|its|for|recently|some|these|those|every|all|no|two|three|several|many|newly"
    )
    + r"\s+$"
)
_ARTICLE_AFTER: Final = re.compile(
    r"^\s+(?:the|a|an|your|this|that|it|them|both|all|our|to|for|by|in|on|as|at|with|again|over|out|off|through)\b|^\W*$|^\W"
)
_FILLER: Final = (
    r"(?:\s+(?:just|already|also|then|now|both|all|been|not|never|only|still|since|again|even|personally|\w+ly))*\s*$"
)
_AUX: Final = re.compile(
    "(?:" + _WORD.format("has|have|had|having|was|were|is|are|been|got|gets|now") + "|'(?:ve|s|re)(?![a-z]))" + _FILLER
)
_SUBJECT: Final = re.compile(
    "(?:" + _WORD.format("i|we|system|assistant|it") + r"|(?<![a-z])(?:i|we)'(?:ve|d)(?![a-z]))" + _FILLER
)
_RELATIVE: Final = re.compile(r"(?<![a-z'])(?:that|which|who) (?:has|have|had|was|were|is|are)" + _FILLER)
_ENDS: Final = re.compile(r"\W*")
_NOUN_PHRASE: Final = re.compile(r"\W*(?:the|a|an|your|our)(?: \w+){1,2} ")
_SET_TO: Final = re.compile(
    r"(?<![a-z])(?:set|marked|moved|changed|switched|flagged|updated|turned)(?: \w+){0,3} (?:to|as)\s+[\"'“]?$"
)
_DETERMINED: Final = re.compile(
    r"^\W*(?:the|a|an|any|your|its|his|her|their|our|this|that|those|these|each|every|all|no)\s|^\W*(?:\S+\s+){6}|(?<![a-z])(?:i|we|you|he|she|they|there|which|who|that)(?:'ve)?\s"
)
_FINITE: Final = cue("en", "intransitive")
_LATER_VERB: Final = re.compile(
    _WORD.format("is|are|was|were|can|will|have|has|may|must|should|do|does|appear|appears|stay|remain|show")
)
_GENERIC: Final = re.compile(
    _WORD.format(
        r"every time|usually|normally|always|typically|generally|by default|policy|within \w+|only|automatically (?:when|once|if)|to the original|as a rule"
    )
)
_PRESENT: Final = re.compile(_WORD.format(r"is|are|gets?") + r"\s+(?:\w+ly\s+)?$")
_BARE_PLURAL: Final = re.compile(
    r"^\W*(?!(?:both|all|the|your|these|those|my|our|two|three|four) )(?:\w+ )?[a-z]+s\s+(?:are|get)\s"
)
_PURPOSE: Final = re.compile(r"^\W*(?:in order )?to\s+[a-z]")
_GET_DONE: Final = re.compile(_WORD.format(r"to get|get|getting|have to"))
_AFTER_COLON: Final = re.compile(r"[:|]\s*\W*$")
_HEADED: Final = re.compile(
    r"[:|–—-]\s*\W*$|^\W*$|(?:is|are|was|were|now|has been|have been|all|'s|been)\s+(?:\w+ly\s+)?$|\w\s+$"
)


def predicates(
    clause: str, lexicon: Lexicon, nouns: list[tuple[int, int]], *, is_listed_done: bool
) -> Iterator[Predicate]:
    """The verbs of a clause that are said to be done or not done; arguments as for Chinese."""
    if _PURPOSE.search(clause):
        return
    yield from _past_forms(clause, lexicon, nouns)
    yield from _base_forms(clause, lexicon, is_listed_done=is_listed_done)
    yield from _states(clause, lexicon)
    for found in lexicon.denial_pattern.finditer(clause):
        if not _NEGATION.search(clause, 0, found.start()) and not _MODAL.search(clause, 0, found.start()):
            yield Predicate(*found.span(), lexicon.denials[found.group()], "denied")


def _past_forms(clause: str, lexicon: Lexicon, nouns: list[tuple[int, int]]) -> Iterator[Predicate]:
    for found in lexicon.en_past_pattern.finditer(clause):
        start, end = found.span()
        before, after = _plain(clause[:start]), clause[end:]
        word = lookup(lexicon.en_past, found.group())
        if any(left <= start and end <= right for left, right in nouns) and not word.alone:
            continue
        if _NEGATION.search(before) or _FAILURE.search(after):
            yield Predicate(start, end, word, "denied")
        elif _is_told(found.group(), before, after) and _is_fact(clause, before):
            yield Predicate(start, end, word, "done")


def _base_forms(clause: str, lexicon: Lexicon, *, is_listed_done: bool) -> Iterator[Predicate]:
    for found in lexicon.en_base_pattern.finditer(clause):
        before = _plain(clause[: found.start()])
        word = lookup(lexicon.en_base, found.group())
        if _NEGATION.search(before):
            yield Predicate(*found.span(), word, "denied")
        elif is_listed_done and not _MODAL.search(before):
            yield Predicate(*found.span(), word, "done")


def _states(clause: str, lexicon: Lexicon) -> Iterator[Predicate]:
    for found in lexicon.en_state_pattern.finditer(clause):
        before = _plain(clause[: found.start()])
        is_said = _AUX.search(before) or _AFTER_COLON.search(before)
        if is_said and not clause.startswith(" of ", found.end()):
            yield from _weighed(clause, found, before, lexicon.en_states[found.group()])
    for found in lexicon.en_finished_pattern.finditer(clause):
        before = _plain(clause[: found.start()])
        if not _ARTICLE.search(before) and (_HEADED.search(before) or _FAILURE.search(clause, found.end())):
            yield from _weighed(clause, found, before, lexicon.en_finished[found.group()])


def _weighed(clause: str, found: re.Match[str], before: str, word: Word) -> Iterator[Predicate]:
    if _NEGATION.search(before) or _FAILURE.search(clause, found.end()):
        yield Predicate(*found.span(), word, "denied")
    elif _is_fact(clause, before):
        yield Predicate(*found.span(), word, "done")


def _plain(before: str) -> str:
    return _INNOCENT.sub(lambda found: " " * len(found.group()), before)


def _is_fact(clause: str, before: str) -> bool:
    if _MODAL.search(before) or _GET_DONE.search(before):
        return False
    if _PRESENT.search(before) is None:
        return True
    return _GENERIC.search(clause) is None and _BARE_PLURAL.search(clause) is None


def _is_told(verb: str, before: str, after: str) -> bool:
    """Whether a past form is the predicate of its clause, not an adjective or a shortened relative clause."""
    if not before.strip(" \t*-•>✅✔|#_1234567890.)"):
        return _LATER_VERB.search(after) is None or after.lstrip().startswith((":", "-", "–", "—"))
    if _ARTICLE.search(before):
        return False
    if _RELATIVE.search(before):
        return False
    if _AUX.search(before) or _SET_TO.search(before):
        return True
    if _SUBJECT.search(before) or _FINITE.search(verb):
        return True
    if _ENDS.fullmatch(after) and _NOUN_PHRASE.fullmatch(before):
        return True  # `…, and the refund issued.`
    # A head without an article, as in a list: `Email sent to …`, `Refund issued`.
    return _DETERMINED.search(before) is None and _LATER_VERB.search(after) is None
