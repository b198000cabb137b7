"""A text with its disguises off: full-width forms, invisible characters, capitals and traditional characters read as plain ones."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

# Only the characters that occur in words we look for: a table of all would be a dictionary, and this is a spelling.
_TRADITIONAL: Final[dict[str, str]] = json.loads(
    Path(__file__).with_name("traditional.json").read_text(encoding="utf-8")
)
_SIMPLIFIED: Final = str.maketrans(_TRADITIONAL)
# Full-width punctuation ends Chinese sentences and clauses, so a folding that reads sentences keeps it.
_KEPT: Final = frozenset("，。；：！？（）①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text`, whose character `i` stands at `origin[i]` in the text it was made of."""

    text: str
    origin: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span in the first text that `start:end`, which is not empty, stands for."""
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Read every character plainly; sentence and clause marks stay, invisible characters go."""
    if text.isascii():
        return Folded(text.lower(), range(len(text)))
    out: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(text):
        plain = char if char in _KEPT else plain_character(char)
        out.append(plain)
        origin.extend([index] * len(plain))
    return Folded("".join(out), origin)


@lru_cache(maxsize=8192)
def plain_character(char: str) -> str:
    """One character by its compatibility form, in lower case and simplified; nothing for an invisible one."""
    if char.isascii():
        return char.lower()
    if unicodedata.category(char) in {"Cf", "Mn"} or char == "\ufe0f":
        return ""
    return unicodedata.normalize("NFKC", char).lower().translate(_SIMPLIFIED)
