"""The words of the report, one table per language (`languages/*.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

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


@cache
def load_words(lang: Lang) -> Words:
    """The table of a language."""
    return Words(lang=lang, texts=json.loads((_FOLDER / f"{lang}.json").read_text(encoding="utf-8")))
