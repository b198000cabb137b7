"""One spelling for text that documents print in many: full-width signs, dashes, operators, names.

NFKC alone would turn m³ into m3 and ① into 1, so units and circled digits are kept apart from it. The mapped
folding keeps the way back to the printed text, so that evidence quotes what the document says.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.value_class import dataclass

_DROPPED: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_DASHES: Final = frozenset("‐‑‒–—―−－﹣﹘─━")
_TILDES: Final = frozenset("～〜∼˜⁓")
_CIRCLED: Final = {chr(0x2460 + i): str(i + 1) for i in range(20)} | {chr(0x2776 + i): str(i + 1) for i in range(10)}
_CIRCLED_TABLE: Final = {ord(char): digits for char, digits in _CIRCLED.items()}
_KEPT: Final = frozenset("²³℃‰№") | frozenset(_CIRCLED)
_REPLACED: Final = {
    "㎡": "m²",
    "㎥": "m³",
    "∆": "Δ",
    "△": "Δ",
    "∑": "Σ",
    "【": "[",
    "】": "]",
    "〔": "(",
    "〕": ")",
    "≦": "≤",
    "≧": "≥",
    "⩽": "≤",
    "⩾": "≥",
    "∶": ":",
    "﹕": ":",
}
# CJK radicals supplement: look-alikes that some PDF fonts map to and that NFKC leaves alone.
_RADICALS: Final = {"⻅": "见", "⻆": "角", "⻋": "车", "⻓": "长", "⻔": "门", "⻚": "页", "⻛": "风", "⻩": "黄"}

_OPERATORS: Final = (
    dict.fromkeys(map(ord, "×✕✖⨯∗*·∙⋅•・"), "*")
    | dict.fromkeys(map(ord, "÷∕⁄/"), "/")
    | {ord("["): "(", ord("]"): ")", ord("{"): "(", ord("}"): ")"}
)
_X_AS_TIMES: Final = re.compile(r"(?:(?<=[\d%)²³人台辆])|(?<=/s)|(?<=min)|(?<=kW)|(?<=kg))\s*[xX]\s*(?=[\d(])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Folded text with the way back: `offsets[i]` is the index in `raw` that `text[i]` came from."""

    raw: str
    text: str
    offsets: tuple[int, ...]

    def printed(self, start: int, end: int) -> str:
        """The printed text behind `text[start:end]`."""
        if start >= end:
            return ""
        return self.raw[self.offsets[start] : self.offsets[end - 1] + 1]


class _FoldTable(dict[int, str]):
    """Translation table that folds a character when it is met for the first time."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_char(chr(code))
        return folded


_FOLDED: Final = _FoldTable()


def _fold_char(char: str) -> str:
    if char in _DROPPED:
        return ""
    if char.isspace():
        return " "
    if char in _DASHES:
        return "-"
    if char in _TILDES:
        return "~"
    if char in _KEPT:
        return char
    return _REPLACED.get(char) or _RADICALS.get(char) or unicodedata.normalize("NFKC", char)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """One spelling of signs: half-width, one dash, one tilde, ASCII brackets and commas; m³, ℃ and ① stay."""
    return text.translate(_FOLDED)


@lru_cache(maxsize=2048)
def fold_mapped(text: str) -> Folded:
    """Fold `text` and keep the way back to every printed character."""
    folded = fold(text)
    if all(len(_FOLDED[ord(char)]) == 1 for char in set(text)):
        return Folded(raw=text, text=folded, offsets=tuple(range(len(text))))
    offsets = [index for index, char in enumerate(text) for _ in _FOLDED[ord(char)]]
    return Folded(raw=text, text=folded, offsets=tuple(offsets))


@lru_cache(maxsize=8192)
def squeeze(text: str) -> str:
    """Folded text without any white space."""
    return "".join(fold(text).split())


def circled_to_digits(text: str) -> str:
    """Circled digits as plain ones: Q采① becomes Q采1."""
    return text.translate(_CIRCLED_TABLE)


@lru_cache(maxsize=8192)
def normal_name(text: str) -> str:
    """A name for comparing: folded, without white space, letters in one case, circled digits plain."""
    return circled_to_digits(squeeze(text)).casefold().strip(".,;:、。*")


@lru_cache(maxsize=8192)
def fold_operators(text: str) -> str:
    """A formula with ASCII operators: every multiplication sign is `*`, every division `/`, brackets are round.

    As long as `fold(text)`, character for character. `x` and `X` count as multiplication between numbers or
    brackets only; other letters stay as they are.
    """
    return _X_AS_TIMES.sub(lambda m: re.sub("[xX]", "*", m.group()), fold(text).translate(_OPERATORS))
