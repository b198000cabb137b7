"""Words of mining that recognition gets wrong, put right; what was recognised is kept beside."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("lexicon.json")


@cache
def _words() -> tuple[tuple[re.Pattern[str], str], ...]:
    entries = json.loads(_FILE.read_text(encoding="utf-8"))["words"]
    return tuple((re.compile(entry["recognized"]), entry["meant"]) for entry in entries)


def put_right(text: str) -> str:
    """The text with misread words of mining replaced; digits are never touched."""
    for pattern, meant in _words():
        text = pattern.sub(meant, text)
    return text
