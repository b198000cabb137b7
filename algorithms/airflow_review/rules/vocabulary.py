"""Finding marker values in the words of a document (R-PIT-16)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.rules.records import Marker

_SEPARATORS: Final = re.compile(r"[、,;/:()和及与或]")


def marker_values(marker: Marker, text: str) -> tuple[str, ...]:
    """All values of `marker` that `text` names, in the order of the vocabulary.

    Longer words are looked for first and used up, so 平均有效净断面积 does not also count as 净断面. A word of one sign
    (煤, 岩) counts only where it stands alone between separators. The value's own name counts as a word: a filled
    template carries it.
    """
    named = _named(marker.words, text)
    return tuple(value for value in marker.values if value in named)


@lru_cache(maxsize=4096)
def _named(words: tuple[tuple[str, str], ...], text: str) -> frozenset[str]:
    rest = squeeze(text)
    found = {value for _, value in words if value == rest}
    parts = _SEPARATORS.split(rest)
    for word, value in words if not found else ():
        if (len(word) > 1 and word in rest) or word in parts:
            found.add(value)
            rest = rest.replace(word, "\0") if len(word) > 1 else rest
    return frozenset(found)


def single_value(marker: Marker, text: str) -> str | None:
    """The one value that `text` names; None when it names none or several."""
    found = marker_values(marker, text)
    return found[0] if len(found) == 1 else None


def fits(when: Mapping[str, tuple[str, ...]], known: Mapping[str, str]) -> bool:
    """Whether no known marker contradicts `when`; what is not known contradicts nothing."""
    return all(name not in known or known[name] in values for name, values in when.items())


def asserts(when: Mapping[str, tuple[str, ...]], known: Mapping[str, str]) -> bool:
    """Whether every marker of `when` is known and agrees."""
    return all(known.get(name) in values for name, values in when.items())
