"""The words of the report, one table per language (`languages/*.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from algorithms.airflow_review.messages.catalogue import Text, rule_words
from algorithms.airflow_review.model import MINE_ID
from algorithms.airflow_review.value_class import dataclass

Lang = Literal["zh", "en"]
LANGS: Final[tuple[Lang, ...]] = ("zh", "en")
_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, slots=True)
class Words:
    """All texts of one language, by key."""

    lang: Lang
    texts: Mapping[str, str]

    def say(self, key: str, **values: object) -> str:
        """The text of a key with its `{places}` filled; an unknown key is a bug and raises KeyError."""
        return self.texts[key].format(**values)

    def name(self, group: str, value: str | None) -> str:
        """The word for a value of a closed vocabulary; values the table does not know are shown as they are."""
        if value is None:
            return self.texts["none"]
        return self.texts.get(f"{group}.{value}", value)

    def choose(self, zh: str, en: str | None) -> str:
        """What the review says in both languages, in this one; a review of old has the Chinese text only."""
        return Text(zh, en or zh).in_language(self.lang)

    def rule(self, text: str) -> str:
        """A clause, source or policy of the rule library."""
        return rule_words(text).in_language(self.lang)

    def subject(self, name: str) -> str:
        """The name of what a finding or comparison is about; the mine as a whole has no name of its own there."""
        return self.texts["subject.mine"] if name == MINE_ID else name


@cache
def load_words(lang: Lang) -> Words:
    """The table of a language."""
    return Words(lang=lang, texts=json.loads((_FOLDER / f"{lang}.json").read_text(encoding="utf-8")))
