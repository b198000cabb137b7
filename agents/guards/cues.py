"""Cue words: which operation the words beside a number speak of. The table is `data/cues.json`."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("data") / "cues.json"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    raw = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {name: _pattern(words) for name, words in raw.items() if name != "about"}


def _pattern(words: list[str]) -> re.Pattern[str]:
    latin = [re.escape(word) for word in words if word[0].isascii() and word[0].isalpha()]
    other = [re.escape(word) for word in words if not (word[0].isascii() and word[0].isalpha())]
    parts = [f"(?<![a-z])(?:{'|'.join(latin)})"] if latin else []
    return re.compile("|".join([*parts, *other]))


def has_cue(operation: str, lowered: str) -> bool:
    """Whether lower-case words speak of the operation."""
    return _patterns()[operation].search(lowered) is not None
