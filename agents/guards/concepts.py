"""Concepts: the words of field names and the words of texts that mean the same. The table is `data/concepts.json`."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_TABLE: Final = Path(__file__).with_name("data") / "concepts.json"
_LETTERS: Final = re.compile(r"[a-z]")


Concepts = tuple[tuple[str, ...], ...]
"""For each telling word of a field's name the words of a text that name it."""


class ConceptTable(NamedTuple):
    """Concepts of field words, and the words that name them in a text."""

    by_key: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    generic: frozenset[str]


@cache
def concept_table() -> ConceptTable:
    """The table, read once."""
    raw = json.loads(_TABLE.read_text(encoding="utf-8"))
    by_key: dict[str, tuple[str, ...]] = {}
    words: dict[str, tuple[str, ...]] = {}
    for name, keys, said in raw["concepts"]:
        words[name] = tuple(word.lower() for word in said)
        for key in keys:
            by_key[key] = (*by_key.get(key, ()), name)
    return ConceptTable(by_key, words, frozenset(raw["generic"]))


@cache
def concepts_of_words(words: tuple[str, ...]) -> Concepts:
    """For each telling word of a field's name, the words of a text that would name it."""
    table = concept_table()
    telling = tuple(word for word in words if word not in table.generic) or words
    return tuple(
        tuple(said for name in table.by_key.get(word, ()) for said in table.words[name]) or (word,) for word in telling
    )


def says(lowered: str, alternatives: tuple[str, ...]) -> bool:
    """Whether a lower-case text holds one of the words; an English one must begin a word."""
    for word in alternatives:
        at = lowered.find(word)
        while at >= 0:
            if not _LETTERS.match(word[0]) or at == 0 or not lowered[at - 1].isascii() or not lowered[at - 1].isalnum():
                return True
            at = lowered.find(word, at + 1)
    return False


def names_all(lowered: str, concepts: Concepts) -> bool:
    """Whether a lower-case text names every telling word of a field."""
    return bool(concepts) and all(says(lowered, alternatives) for alternatives in concepts)


def says_any(lowered: str, words: tuple[str, ...]) -> bool:
    """Whether a lower-case text names one of the telling words of a field."""
    return any(says(lowered, alternatives) for alternatives in concepts_of_words(words))


def first_said(lowered: str, alternatives: tuple[str, ...]) -> int:
    """Where the first of the words stands, or -1."""
    places = [at for word in alternatives if (at := lowered.find(word)) >= 0]
    return min(places, default=-1)
