"""What a column means, from its header words and never from its position.

The words are data (`header_words.json` for plans, `report_words.json` for reports): a new spelling is a new word
there. The longest word found in a header decides.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from algorithms.airflow_review.reading.numbers import parse_unit
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.value_class import dataclass

_FOLDER: Final = Path(__file__).parent
_BRACKETED: Final = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_AFTER_MARK: Final = re.compile(r"[/,]\(?([^/,()]*(?:/[^/,()]+)?)\)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header cell taken apart: its words, folded and without white space, and its unit ("" where none)."""

    label: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordTable:
    """Words for a set of keys: `words` is a list of (word, key), longest word first; `excluded` veto a key."""

    words: tuple[tuple[str, str], ...]
    excluded: Mapping[str, tuple[str, ...]]

    def key_of(self, text: str) -> str | None:
        """The key of the longest word contained in the text, or None."""
        return _key_of(self, squeeze(text).casefold())

    def contained(self, label: str) -> list[tuple[str, str]]:
        """The entries whose word stands in a label that is folded, squeezed and in one case; in the order of `words`."""
        return [self.words[rank] for rank in _contained(self, label)]

    def longest_in(self, label: str) -> str | None:
        """The key of the longest word in such a label."""
        rank = self.rank_in(label)
        return None if rank is None else self.words[rank][1]

    def rank_in(self, label: str) -> int | None:
        """Where in `words` the longest word of such a label stands; None where it holds none."""
        _, whole_words = _index_of(self)
        for rank in sorted([*_contained(self, label), *whole_words.get(label, [])]):
            word, key = self.words[rank]
            whole = word.removeprefix("=")
            found = label == whole if whole != word or (len(word) == 1 and word.isascii()) else True
            if found and not any(bad in label for bad in self.excluded.get(key, ())):
                return rank
        return None


_Index = tuple[dict[str, list[tuple[int, str]]], dict[str, list[int]]]


@lru_cache(maxsize=64)
def _index_of(table: WordTable) -> _Index:
    """Ranks of all words by their first character, and of the `=` words by their text: few words begin as a label does."""
    by_first: dict[str, list[tuple[int, str]]] = defaultdict(list)
    whole: dict[str, list[int]] = defaultdict(list)
    for rank, (word, _) in enumerate(table.words):
        by_first[word[:1]].append((rank, word))
        if word.startswith("="):
            whole[word[1:]].append(rank)
    return dict(by_first), dict(whole)


def _contained(table: WordTable, label: str) -> list[int]:
    by_first, _ = _index_of(table)
    return sorted(rank for char in set(label) for rank, word in by_first.get(char, ()) if word in label)


@lru_cache(maxsize=8192)
def _key_of(table: WordTable, label: str) -> str | None:
    return table.longest_in(label)


@lru_cache(maxsize=4096)
def split_header(text: str) -> Header:
    """Take the unit out of a header: `需风量（m³/min）`, `进风温度，℃`, `断面积/平方米`, `配风量/(立方米/分)`."""
    label = squeeze(text)
    for match in _BRACKETED.finditer(label):
        unit = parse_unit(match.group(1).split(",")[0])
        if unit is not None:
            return Header(label=(label[: match.start()] + label[match.end() :]).rstrip("/,:"), unit=unit)
    for mark in (label.find("/"), label.find(",")):
        unit = parse_unit(label[mark + 1 :].strip("()")) if mark > 0 else None
        if unit is not None:
            return Header(label=label[:mark], unit=unit)
    tail = re.search(r"(m[³3]/(?:min|s|h)|m/s|m[²2]|℃|kW|Pa|%)$", label)
    if tail is not None and tail.start() > 0:
        return Header(label=label[: tail.start()], unit=parse_unit(tail.group()) or "")
    return Header(label=label, unit="")


@lru_cache(maxsize=8)
def _read(name: str) -> dict[str, dict[str, object]]:
    data: dict[str, dict[str, object]] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data


@lru_cache(maxsize=64)
def word_table(section: str, name: str = "header_words") -> WordTable:
    """The words of one section of a word file.

    A word that begins with `=`, and a single letter or digit, must be the whole text. A section maps a key to a list of words, or to `{"words": [...], "not": [...]}` where a word of `not` vetoes it.
    """
    words: list[tuple[str, str]] = []
    excluded: dict[str, tuple[str, ...]] = {}
    for key, entry in _read(name)[section].items():
        listed = entry if isinstance(entry, list) else entry["words"]  # type: ignore[index]
        words.extend((squeeze(word).casefold(), key) for word in listed)
        if isinstance(entry, dict):
            excluded[key] = tuple(squeeze(word).casefold() for word in entry.get("not", ()))
    words.sort(key=lambda pair: -len(pair[0]))
    return WordTable(words=tuple(words), excluded=excluded)
