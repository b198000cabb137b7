"""The sentences of the review by key, each in Chinese and in English (`*.json` of this folder).

A sentence is said in both languages at once: a review holds both, and whoever shows it chooses one. Names and quotes out
of the documents stay as printed in either language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_FILES: Final = ("plan", "places", "report", "documents", "refusals", "rules")
_RULE_WORDS: Final = "rule_words"


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages."""

    zh: str
    en: str

    def __bool__(self) -> bool:
        return bool(self.zh)

    def in_language(self, lang: str) -> str:
        """The text of `en`, for any other language the Chinese one."""
        return self.en if lang == "en" else self.zh

    def unended(self) -> Text:
        """Without the full stop: the beginning of a longer sentence."""
        return Text(self.zh.removesuffix("。"), self.en.removesuffix("."))


NOTHING: Final = Text("", "")


def say(key: str, **values: object) -> Text:
    """The sentence of a key with its `{places}` filled; a value that is a `Text` is put in language by language.

    Raises:
        KeyError: No such key, or a place without a value: a bug.
    """
    zh, en = sentences()[key]
    return Text(zh.format(**_of(values, "zh")), en.format(**_of(values, "en")))


def as_printed(text: str) -> Text:
    """A name or quote out of a document: the same in both languages."""
    return Text(text, text)


def listed(items: Iterable[Text | str]) -> Text:
    """The items one after the other, as each language separates them."""
    texts = [item if isinstance(item, Text) else as_printed(item) for item in items]
    return Text("、".join(text.zh for text in texts), ", ".join(text.en for text in texts))


def chained(items: Iterable[Text]) -> Text:
    """Parts of a sentence that may hold commas themselves."""
    texts = tuple(items)
    return Text("；".join(text.zh for text in texts), "; ".join(text.en for text in texts))


def rule_words(text: str) -> Text:
    """A text of the rule library; one that a mine has written itself stays as it is."""
    return Text(text, _rule_table().get(text, text))


@cache
def sentences() -> Mapping[str, tuple[str, str]]:
    """All sentences: key → Chinese, English."""
    found: dict[str, tuple[str, str]] = {}
    for name in _FILES:
        found |= {key: (entry["zh"], entry["en"]) for key, entry in _content(name).items()}
    return found


@cache
def _rule_table() -> Mapping[str, str]:
    table: dict[str, str] = json.loads((_FOLDER / f"{_RULE_WORDS}.json").read_text(encoding="utf-8"))
    return table


def _content(name: str) -> Mapping[str, Mapping[str, str]]:
    content: dict[str, dict[str, str]] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def _of(values: Mapping[str, object], lang: str) -> dict[str, object]:
    return {name: value.in_language(lang) if isinstance(value, Text) else value for name, value in values.items()}
