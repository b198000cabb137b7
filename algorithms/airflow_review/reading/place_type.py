"""What kind of object a name or a category word means; the words are data."""

from __future__ import annotations

import re
from typing import Final

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.text import squeeze

_BRACKETED: Final = re.compile(r"\([^()]*\)")


def type_of_category(text: str) -> PlaceType | None:
    """The kind a category word means (`开掘`, `机电及其他硐室`), or None."""
    key = word_table("place_types", "plan_words").key_of(text)
    return None if key is None else PlaceType(key)


def type_of_name(name: str) -> PlaceType | None:
    """The kind a place's own name tells.

    The words nearest to the end of the name decide (`42煤主运机头硐室`, `11304运输巷掘进工作面`); among words that
    end at the same character the longest one.
    """
    label = _BRACKETED.sub("", squeeze(name)).casefold() or squeeze(name).casefold()
    found = word_table("place_types", "plan_words").contained(label)
    best = max(((label.rfind(word) + len(word), len(word), key) for word, key in found), default=None)
    if best is None:
        ending = word_table("name_endings", "plan_words").key_of(label[-1:])
        return None if ending is None else PlaceType(ending)
    if best[2] == PlaceType.COAL_FACE and word_table("standby", "plan_words").key_of(name) is not None:
        return PlaceType.STANDBY_FACE
    is_driven = "掘" in label or re.search(r"\([^()]*掘[^()]*\)", squeeze(name)) is not None
    if is_driven and best[2] in {PlaceType.COAL_FACE, PlaceType.OTHER_ROADWAY}:
        return PlaceType.HEADING
    return PlaceType(best[2])
