"""Whether a sentence speaks of an aggregate: a sum, a mean, the length of a list, a count of comparisons."""

from __future__ import annotations

from typing import Final

from agents.guards.concepts import concept_table, concepts_of_words, first_said, names_all, says_any
from agents.guards.cues import has_cue
from agents.guards.evidence.fact import AVERAGED, COMPARED, COUNTED, EXCLUDED, WEIGHTED, Fact
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT, unit_of_key

_SMALL: Final = 20
_LARGE: Final = 50


def speaks_of(fact: Fact, quantity: Quantity, words: str, around: str) -> bool:
    """Whether the sentence speaks of the aggregate: a small count could meet any list by chance."""
    if fact.group and not _names_group(fact, around):
        return False
    if fact.kind == COMPARED:
        return has_cue("compared", words) and _compares(fact, words)
    if fact.kind == COUNTED:
        countable = quantity.unit is None or quantity.unit.dimension == COUNT
        return countable or (quantity.ulp == 1 and names_all(words, concepts_of_words(fact.words)))
    if fact.kind == AVERAGED:
        return has_cue("mean", words)
    if fact.kind == WEIGHTED:
        return has_cue("weighted", around)
    if fact.kind == EXCLUDED:
        return has_cue("exclude", words)
    if fact.path.endswith((".*", "[].count")) and not fact.group and fact.value >= _SMALL:
        return True
    return has_cue("sum", words) or (bool(fact.group) and fact.value > _LARGE)


def _names_group(fact: Fact, words: str) -> bool:
    """Whether the words name the part of a list; a part whose name nobody has translated is let through for counts."""
    if fact.group.lower() in words:
        return True
    if not fact.group.isascii() and not words.isascii():
        return False  # written in Chinese as the reply is: no translation hides it
    tokens = unit_of_key(fact.group)[1]
    known = [token for token in tokens if token in concept_table().by_key]
    if known:
        return says_any(words, tuple(known))
    return fact.kind == COUNTED


def _compares(fact: Fact, words: str) -> bool:
    """Whether the words compare in the fact's direction: 实测低于需风量 speaks of measured < required."""
    left, _, right = fact.path.rpartition("[")[2].rstrip("]").partition("<")
    a = first_said(words, concepts_of_words(unit_of_key(left)[1])[0])
    b = first_said(words, concepts_of_words(unit_of_key(right)[1])[0])
    if a < 0 or b < 0:
        return True
    return (a < b) == has_cue("less_than", words)
