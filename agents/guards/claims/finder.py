"""Claims in a text: which effects it says were had, which it says were not, with the facts it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from agents.guards.claims import chinese, english
from agents.guards.claims.chinese import Polarity, Predicate
from agents.guards.claims.facts import ADDRESS, AMOUNT, IDENTIFIER, Facts, id_kind, read_facts
from agents.guards.claims.lexicon import Lexicon, Word
from agents.guards.claims.reading import CUES, Clause, Reading, Sentence, read
from agents.guards.claims.silence import silenced_from, silences_more, speaks_itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One effect that a text states.

    Attributes:
        effect: Name of the effect.
        polarity: `done`, or `denied` where the text says it did not happen.
        start: Begin of the sentence in the text.
        end: End of the sentence.
        facts: What the sentence names.
    """

    effect: str
    polarity: Polarity
    start: int
    end: int
    facts: Facts = field(default_factory=Facts)


_Kind = Literal["noun", "action", "fact", "id"]


class _Place(NamedTuple):
    """Something in a clause that tells which effect a verb is about."""

    start: int
    end: int
    effects: frozenset[str]
    kind: _Kind = "noun"


_ALL_MEANT: Final = re.compile(r"^\W{0,3}(?:it|that|this|them|those|these|everything|both)(?![a-z])|^\W*$")
_CENTS: Final = re.compile(r"(?<![0-9.])[0-9]+\.[0-9]{2}(?![0-9.%])")
_OWN_DOING: Final = re.compile(
    r"我|把|好了|好啦|[为帮给替][您你]|已[将把]|按您|(?<![a-z])(?:i|we|for you|as requested|as you asked|your)(?![a-z])"
)
# A sentence that says one thing only is a report of what was done: 参数已调整。 The details have been amended.
_SHORT: Final = re.compile(r"[^a-z0-9，；|]{1,12}|\W*(?:[a-z']+ ){1,5}[a-z]+\W*")
_NO_HEAD: Final = re.compile(
    rf"[ ]?(?:{'|'.join((*CUES['zh']['no_head'], *(f'{word}(?![a-z])' for word in CUES['en']['no_head'])))})"
)
_BY_OTHERS: Final = re.compile(
    r"(?<![a-z])by (?:the |our |your |a |an )?(?!system|assistant|agent|bot|me|e-?mail|mail|post|phone|now|then|default|[0-9])[a-z]+"
)
_GOES_ON: Final = re.compile(r"^\W*(?:并|也|同时|且|and|also)|^[^，]{0,8}(?:也|一并|一起|同步|顺带|顺手|连带)")
_ADVERBS_ONLY: Final = re.compile(
    r"(?:[\s我您你给帮替为]|现在?|已经?|刚刚?|也|就|都|目前|顺手|now|already|i|i've|we|we've|it|it's|just|and|have|\W)*"
)
_MEMORY: Final = 3
_TOPIC_CHARS: Final = 8
"""Sentences after which a topic is forgotten."""
_AHEAD: Final = 200
"""Characters of the sentence in which a verb without a noun looks ahead for one (`Sent: the minutes`)."""
_MAX_SHORT: Final = 24
"""Characters of a sentence that is a shout (`Filed!`): its verb alone says what happened."""


def _outside(predicate: Predicate, places: Sequence[_Place]) -> list[_Place]:
    # A noun at an edge of the verb is part of it (邮件通知); one within it is its object (put the money back).
    return [
        p
        for p in places
        if not (predicate.start <= p.start and p.end <= predicate.end)
        or (predicate.start < p.start and p.end < predicate.end)
    ]


def _meant(word: Word, beside: _Kind) -> frozenset[str]:
    """The effects a word may mean beside a noun, a noun of an action, an amount or address."""
    if beside == "fact":  # handled beside an amount says nothing: of what the amount is has to be said
        return word.with_fact
    return word.effects | word.by_action if beside == "action" else word.effects


def find_claims(
    text: str,
    lexicon: Lexicon,
    mentions: Mapping[str, frozenset[str]] | None = None,
    attempted: frozenset[str] = frozenset(),
) -> list[Claim]:
    """Every claim of a text, in its order, one an effect and sentence.

    Args:
        text: As the user would see it.
        lexicon: Words of the effects that count.
        mentions: Ids of known objects (in lower case) → effects they belong to; they stand in for a noun.
        attempted: Effects the thread has receipts of, good or bad: of these, less has to be said.
    """
    return list(_Finder(lexicon, mentions or {}, attempted).claims(read(text)))


class _Finder:
    def __init__(self, lexicon: Lexicon, mentions: Mapping[str, frozenset[str]], attempted: frozenset[str]) -> None:
        self._lexicon = lexicon
        self._mentions = mentions
        self._kinds: dict[str, frozenset[str]] = {}
        for name, effects in mentions.items():
            if kind := id_kind(name):
                self._kinds[kind] = self._kinds.get(kind, frozenset()) | effects
        self._attempted = attempted
        self._said: list[str] = []
        self._is_short = False
        self._known: dict[tuple[str, bool], list[_Place]] = {}

    def claims(self, reading: Reading) -> Iterator[Claim]:
        for sentence in reading.sentences:
            whole = Clause(sentence.text, sentence.start)
            told = dict.fromkeys(self._outcome_heads(sentence), whole)
            if not sentence.is_shown and self._lexicon.verb_pattern.search(sentence.text):
                for effect, polarity, clause in self._sentence(sentence, reading):
                    told.setdefault((effect, polarity), clause)
            start, end = reading.folded.span(sentence.start, sentence.start + len(sentence.text))
            for (effect, polarity), clause in told.items():
                facts = read_facts(clause.text).or_else(read_facts(sentence.text)).or_else(self._topic())
                yield Claim(effect=effect, polarity=polarity, start=start, end=end, facts=facts)
            self._said.append(sentence.text)

    def _outcome_heads(self, sentence: Sentence) -> Iterator[tuple[str, Polarity]]:
        for head in self._lexicon.outcome_pattern.finditer(sentence.text):
            name = re.sub("[ _-]", "", head[1])
            for outcome, effects in self._lexicon.outcomes.items():
                if outcome.replace("_", "") == name:
                    yield from ((effect, "done") for effect in sorted(effects))

    def _last_named(self, texts: Sequence[str]) -> list[_Place]:
        """What was named last: it stays the talk's topic until something else is named."""
        for text in reversed(texts[-_MEMORY:]):
            if places := self._places(text):
                return places
        return []

    def _topic(self) -> Facts:
        """The ids of the line above that names what is spoken of and nothing more, as `Order A-1002:` does."""
        for text in reversed(self._said[-_MEMORY:]):
            if ids := [found.group() for found in IDENTIFIER.finditer(text)]:
                line = text.strip()
                is_heading = line.endswith((":", "：")) or line.startswith("#")
                is_bare = len(line) - sum(map(len, ids)) <= _TOPIC_CHARS
                return Facts(ids=frozenset(ids)) if is_heading or is_bare else Facts()
        return Facts()

    def _places(self, text: str) -> list[_Place]:
        key = (text, self._is_short)
        if key not in self._known:
            self._known[key] = self._find_places(text)
        return self._known[key]

    def _find_places(self, text: str) -> list[_Place]:
        lexicon = self._lexicon
        places = []
        for found in lexicon.noun_pattern.finditer(text):
            if _NO_HEAD.match(text, found.end()):  # 报告模板 is no report, and nothing else in its clause is one
                places.append(_Place(*found.span(), frozenset()))
                continue
            effects = lexicon.nouns[found.group()].effects
            if found.group() in lexicon.weak_nouns and not self._is_short and not _OWN_DOING.search(text):
                effects &= self._attempted
            places.append(_Place(*found.span(), effects))
        places += [
            _Place(*m.span(), lexicon.actions[m.group()], "action") for m in lexicon.action_pattern.finditer(text)
        ]
        places += [_Place(*m.span(), lexicon.addressed, "fact") for m in ADDRESS.finditer(text)]
        places += [_Place(*m.span(), lexicon.money, "fact") for m in (*AMOUNT.finditer(text), *_CENTS.finditer(text))]
        for found in IDENTIFIER.finditer(text):
            effects = self._mentions.get(found.group()) or self._kinds.get(id_kind(found.group()), frozenset())
            places.append(_Place(*found.span(), effects & lexicon.effects, "id"))
        for name, effects in self._mentions.items():
            at = -1 if IDENTIFIER.fullmatch(name) else text.find(name)
            if at >= 0:
                places.append(_Place(at, at + len(name), effects & lexicon.effects, "id"))
        return places

    def _sentence(self, sentence: Sentence, reading: Reading) -> Iterator[tuple[str, Polarity, Clause]]:
        self._is_short = _SHORT.fullmatch(sentence.text) is not None
        is_silent = was_done = False
        earlier: list[str] = []
        for clause in sentence.clauses:
            is_silent = is_silent and not speaks_itself(clause)
            listed = sentence.is_listed_done or (was_done and _GOES_ON.search(clause.text) is not None)
            was_done = False
            silence = silenced_from(clause)
            if not is_silent and not clause.is_question and self._lexicon.verb_pattern.search(clause.text):
                later = sentence.text[clause.start - sentence.start + len(clause.text) :][:_AHEAD]
                for predicate, effects in self._stated(clause, reading, silence, earlier, later, listed=listed):
                    was_done = was_done or predicate.polarity == "done"
                    yield from ((effect, predicate.polarity, clause) for effect in effects)
            is_silent = is_silent or (silence is not None and silences_more(clause))
            earlier.append(clause.text)

    def _stated(
        self, clause: Clause, reading: Reading, silence: int | None, earlier: Sequence[str], later: str, *, listed: bool
    ) -> list[tuple[Predicate, frozenset[str]]]:
        """The predicates of a clause that are told as facts, each with its effects."""
        places = self._places(clause.text)
        found: list[tuple[Predicate, frozenset[str]]] = []
        for predicate in self._predicates(clause, places, is_listed_done=listed):
            is_told = silence is None or predicate.start < silence
            if is_told and not reading.is_quoted(clause.start + predicate.start):
                found.append((predicate, self._named(predicate, places, clause)))
        # 已经落库生效 of a plan: what one verb says plainly, the verb beside it does not say of something else.
        if any(effects for _, effects in found):
            return found
        return [(one, self._understood(one, places, earlier, later, clause)) for one, _ in found]

    def _predicates(self, clause: Clause, places: Sequence[_Place], *, is_listed_done: bool) -> Iterator[Predicate]:
        reader = chinese.predicates if clause.is_chinese else english.predicates
        nouns = [(place.start, place.end) for place in places if place.kind != "action"]
        return reader(clause.text, self._lexicon, nouns, is_listed_done=is_listed_done)

    def _named(self, predicate: Predicate, places: Sequence[_Place], clause: Clause) -> frozenset[str]:
        """The effects a predicate speaks of by the nearest noun that fits, or by itself."""
        named = self._nearest(predicate, places)
        if predicate.polarity == "done" and _BY_OTHERS.search(clause.text, predicate.end):
            return frozenset(effect for effect in named if effect.endswith(".approved"))
        return named

    @staticmethod
    def _nearest(predicate: Predicate, places: Sequence[_Place]) -> frozenset[str]:
        near = sorted(
            _outside(predicate, places), key=lambda p: min(abs(p.start - predicate.end), abs(predicate.start - p.end))
        )
        for place in near:
            if fitting := place.effects & _meant(predicate.word, place.kind):
                return fitting
        return predicate.word.alone

    def _understood(
        self, predicate: Predicate, places: Sequence[_Place], earlier: Sequence[str], later: str, clause: Clause
    ) -> frozenset[str]:
        """The effects it speaks of by an id, a pronoun or what the talk is about."""
        word = predicate.word
        outside = _outside(predicate, places)
        if any(place.kind == "noun" for place in outside):
            return frozenset()
        before = self._last_named(earlier)
        after = [] if outside or word.done or word.generic else self._places(later)
        topic = self._last_named(self._said)
        if len(word.effects) == 1 and not word.generic:
            known = outside or [*before, *after] or (topic if _has_no_subject(predicate, clause) else [])
            if _is_enough(predicate, known, clause):
                return word.effects
        for place in [*reversed(before), *after, *reversed(topic)]:
            if fitting := place.effects & _meant(word, place.kind):
                return fitting
        return frozenset()


def _has_no_subject(predicate: Predicate, clause: Clause) -> bool:
    return _ADVERBS_ONLY.fullmatch(clause.text[: predicate.start]) is not None


def _is_enough(predicate: Predicate, outside: Sequence[_Place], clause: Clause) -> bool:
    """Whether a verb of one effect needs no noun: an id stands for it, a pronoun, or nothing else is said."""
    if any(place.kind == "id" for place in outside):
        return True
    rest = clause.text[predicate.end :]
    is_shout = _ALL_MEANT.search(rest) is not None and len(clause.text) <= _MAX_SHORT
    return is_shout and _has_no_subject(predicate, clause)
