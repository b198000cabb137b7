"""Words for effects: from a name such as `refund.issued` to the nouns and verbs people use for it, in Chinese and English."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

from agents.guards.claims.word_patterns import APART, NEVER, one_of
from agents.guards.folding import fold

_WORDS: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))

_GENERIC: Final = frozenset(_WORDS["generic"])
_RESULTATIVE: Final = frozenset(_WORDS["resultative"])
_NO_WORDS: Final[Mapping[str, list[str]]] = MappingProxyType({"zh": [], "en": []})
_Tables = defaultdict[str, defaultdict[str, set[str]]]


class OwnWords(Protocol):
    """Nouns and verbs that a policy adds for one effect."""

    @property
    def nouns(self) -> Sequence[str]:
        """What it is done to."""
        ...

    @property
    def verbs(self) -> Sequence[str]:
        """What is done; an English verb as in `words.json`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the lexicon.

    Attributes:
        effects: Effects it may belong to.
        alone: Those of them it names without a noun beside it.
        by_action: Those it belongs to only beside a noun that names the action (closure, publication).
        with_fact: Those it names beside an amount or an address (credited 35.50).
        generic: It says of anything that it is done (processed, 处理), so only a noun tells of what.
        done: It says by itself that the thing is done (获批, 办结).
    """

    effects: frozenset[str]
    alone: frozenset[str] = frozenset()
    by_action: frozenset[str] = frozenset()
    with_fact: frozenset[str] = frozenset()
    generic: bool = False
    done: bool = False


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Words of a set of effects. Build with `build_lexicon`.

    `weak_nouns` name things that change without anybody's doing it here (a value, a row): they count beside `I` or a receipt.
    """

    effects: frozenset[str]
    nouns: Mapping[str, Word]
    weak_nouns: frozenset[str]
    zh_verbs: Mapping[str, Word]
    en_past: Mapping[str, Word]
    en_base: Mapping[str, Word]
    en_states: Mapping[str, Word]
    en_finished: Mapping[str, Word]
    actions: Mapping[str, frozenset[str]]
    denials: Mapping[str, Word]
    outcomes: Mapping[str, frozenset[str]]
    money: frozenset[str]
    addressed: frozenset[str]

    @cached_property
    def noun_pattern(self) -> re.Pattern[str]:
        """Finds nouns in folded text."""
        return one_of(self.nouns)

    @cached_property
    def zh_verb_pattern(self) -> re.Pattern[str]:
        """Finds Chinese verbs, and English ones as they stand in Chinese sentences."""
        return one_of(self.zh_verbs)

    @cached_property
    def verb_pattern(self) -> re.Pattern[str]:
        """Finds any word that may state an effect; a text without one claims nothing."""
        tables = (self.zh_verbs, self.en_past, self.en_base, self.en_states, self.en_finished, self.denials)
        return one_of(word for table in tables for word in table)

    @cached_property
    def en_past_pattern(self) -> re.Pattern[str]:
        """Finds past forms and participles."""
        return one_of(self.en_past)

    @cached_property
    def en_base_pattern(self) -> re.Pattern[str]:
        """Finds infinitives."""
        return one_of(self.en_base)

    @cached_property
    def en_state_pattern(self) -> re.Pattern[str]:
        """Finds states that follow `is`: live, in force."""
        return one_of(self.en_states)

    @cached_property
    def en_finished_pattern(self) -> re.Pattern[str]:
        """Finds words that end any work: done, taken care of."""
        return one_of(self.en_finished)

    @cached_property
    def denial_pattern(self) -> re.Pattern[str]:
        """Finds states that deny an effect without a negation: still open, bounced, 驳回."""
        return one_of(self.denials)

    @cached_property
    def action_pattern(self) -> re.Pattern[str]:
        """Finds nouns that name an action: closure, publication."""
        return one_of(self.actions)

    @cached_property
    def outcome_pattern(self) -> re.Pattern[str]:
        """Finds outcome names written as a head (`REFUND_PROPOSED:`)."""
        names = "|".join(re.escape(name).replace("_", "[ _-]?") for name in self.outcomes)
        return re.compile(rf"^[ \t>*#_`]*({names})[*_`]*[ \t]*[:：]", re.MULTILINE) if names else re.compile(NEVER)

    @cached_property
    def trigger_pattern(self) -> re.Pattern[str]:
        """Finds a word from which on a stream is held: any verb, state or outcome of the lexicon."""
        heads = [head for name in self.outcomes for head in (name, name.replace("_", " "), name.replace("_", "-"))]
        words = {verb for verb in self.zh_verbs if len(verb) > 1}
        words |= {*self.en_past, *self.en_states, *self.en_finished, *heads}
        singles = "".join(verb for verb in self.zh_verbs if len(verb) == 1)
        single = f"|[{singles}](?=[了好完掉成给到过出回上妥至往去来])" if singles else ""
        return re.compile(f"{one_of(words).pattern}{single}|已" if words else NEVER)


def lacks_chinese(effect: str, own_words: Mapping[str, OwnWords] | None = None) -> bool:
    """Whether claims of an effect cannot be found in Chinese: no word for its object, or none for what is done."""
    thing, _, action = effect.partition(".")
    own = (own_words or {}).get(effect)
    nouns = [*_WORDS["objects"].get(thing, _NO_WORDS)["zh"], *(own.nouns if own else ())]
    verbs = [*_WORDS["actions"].get(action, _NO_WORDS)["zh"], *(own.verbs if own else ())]
    return all(word.isascii() for word in nouns) or all(word.isascii() for word in verbs)


def build_lexicon(
    effects: Iterable[str],
    outcomes: Mapping[str, Sequence[str]] | None = None,
    own_words: Mapping[str, OwnWords] | None = None,
) -> Lexicon:
    """The lexicon of the given effects.

    Args:
        effects: Names of registered effects, `<object>.<what was done>`. A part without an entry in `words.json` is taken as the English
            word it is.
        outcomes: The policy's outcomes, name → effects; a text that begins with such a name claims its effects.
        own_words: The policy's words, effect → nouns and verbs, beside those of `words.json`.
    """
    known = frozenset(effects)
    tables: _Tables = defaultdict(lambda: defaultdict(set))
    for effect in sorted(known):
        thing, _, action = effect.partition(".")
        _gather_nouns(tables, effect, _WORDS["objects"].get(thing) or {"zh": [], "en": _english_nouns(thing)})
        _gather_verbs(
            tables, effect, _WORDS["actions"].get(action) or {"zh": [], "en": [f"{action}:{action.replace('_', ' ')}"]}
        )
        if own := (own_words or {}).get(effect):
            _gather_nouns(tables, effect, _by_language(own.nouns))
            _gather_verbs(tables, effect, _by_language(own.verbs))
        _put(tables["actions"], _WORDS["nominal"].get(action, []), effect)
        denials = _WORDS["denies"].get(effect, _NO_WORDS)
        _put(tables["denials"], [*denials["zh"], *denials["en"]], effect)
    zh_verbs = _merged(tables["zh"], tables["past"], tables["base"])
    return Lexicon(
        effects=known,
        nouns=_words(tables["nouns"], tables),
        weak_nouns=frozenset(tables["weak"]),
        zh_verbs=_words(zh_verbs, tables),
        en_past=_words(tables["past"], tables),
        en_base=_words(tables["base"], tables),
        en_states=_words(tables["states"], tables),
        en_finished={
            word: Word(effects=known.intersection(_WORDS["finished_en_effects"]), by_action=known)
            for word in (_WORDS["finished_en"] if known else ())
        },
        actions={word: frozenset(names) for word, names in tables["actions"].items()},
        denials=_words(tables["denials"], tables),
        outcomes={name.lower(): frozenset(names) for name, names in (outcomes or {}).items()},
        money=frozenset(tables["kinds"].get("money", ())),
        addressed=frozenset(tables["kinds"].get("address", ())),
    )


def _by_language(words: Sequence[str]) -> Mapping[str, list[str]]:
    return {
        "zh": [word for word in words if not word.isascii()],
        "en": [word for word in words if word.isascii()],
    }


def _gather_nouns(tables: _Tables, effect: str, words: Mapping[str, Any]) -> None:
    weak = words.get("weak", _NO_WORDS)
    _put(tables["nouns"], [*words["zh"], *words["en"], *weak["zh"], *weak["en"]], effect)
    _put(tables["weak"], [*weak["zh"], *weak["en"]], effect)
    _put(tables["kinds"], [kind for kind in ("money", "address") if words.get(kind)], effect)


def _gather_verbs(tables: _Tables, effect: str, words: Mapping[str, Any]) -> None:
    alone = _WORDS["alone"].get(effect, _NO_WORDS)
    with_fact = _WORDS["with_fact"].get(effect, _NO_WORDS)
    finished = _WORDS["finished"].get(effect, [])
    _put(tables["zh"], [*words["zh"], *alone["zh"], *finished], effect)
    _put(tables["done"], finished, effect)
    _put(tables["alone"], alone["zh"], effect)
    _put(tables["with_fact"], with_fact["zh"], effect)
    _put(tables["states"], words.get("states", []), effect)
    for verb in (*words["en"], *alone["en"]):
        _put(tables["base"], [_base(verb)], effect)
        _put(tables["past"], _past(verb), effect)
    for verb in alone["en"]:
        _put(tables["alone"], [_base(verb), *_past(verb)], effect)
    for verb in with_fact["en"]:
        _put(tables["with_fact"], [_base(verb), *_past(verb)], effect)


def _words(table: Mapping[str, set[str]], tables: _Tables) -> dict[str, Word]:
    return {
        word: Word(
            effects=frozenset(names) | _of_beginnings(word, table),
            alone=frozenset(tables["alone"].get(word, ())) | _of_beginnings(word, tables["alone"]),
            with_fact=frozenset(tables["with_fact"].get(word, ())) | _of_beginnings(word, tables["with_fact"]),
            generic=word in _GENERIC,
            done=word in _RESULTATIVE or word in tables["done"],
        )
        for word, names in table.items()
    }


def _of_beginnings(word: str, table: Mapping[str, set[str]]) -> frozenset[str]:
    """Effects of the shorter verbs that a verb begins with: 发出去 is a way of 发出, and `went off to` of `went off`."""
    sizes = [at for at, char in enumerate(word) if char == " "] if word.isascii() else range(2, len(word))
    return frozenset(effect for size in sizes for effect in table.get(word[:size], ()))


def _merged(*tables: Mapping[str, set[str]]) -> dict[str, set[str]]:
    merged: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for word, effects in table.items():
            merged[word] |= effects
    return merged


def _put(table: defaultdict[str, set[str]], words: Iterable[str], effect: str) -> None:
    for word in words:
        table[fold(word).text].add(effect)


def _base(verb: str) -> str:
    return verb.partition(":")[0]


def _past(verb: str) -> list[str]:
    base, _, irregular = verb.partition(":")
    if irregular:
        return irregular.split(",")
    if base.endswith("y") and base[-2] not in "aeou":
        return [base[:-1] + "ied"]
    return [base + ("d" if base.endswith("e") else "ed")]


def _english_nouns(name: str) -> list[str]:
    word = name.replace("_", " ")
    return [word, word + "s"]


def lookup(table: Mapping[str, Word], found: str) -> Word:
    """The word that a pattern found, also where its object stands within it."""
    if found in table:
        return table[found]
    first, *_, last = found.split()
    return table[next(word for word in table if word.startswith(f"{first}{APART}") and word.endswith(last))]
