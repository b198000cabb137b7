"""The book of evidence of one turn: facts of all tool results and of the user, indexed by value."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from agents.guards.concepts import Concepts, concepts_of_words
from agents.guards.evidence.aggregates import aggregates_of
from agents.guards.evidence.critical_index import CriticalIndex, CriticalValue
from agents.guards.evidence.fact import COUNTED, SUMMED, TEXT, USER, VALUE, Fact
from agents.guards.evidence.kin import Kin
from agents.guards.evidence.seen_result import SeenResult
from agents.guards.evidence.walk import quantities_of, walk_result
from agents.guards.quantities.fold import fold
from agents.guards.quantities.units import RATIO, unit_of_key, unit_table
from agents.guards.sentences import sentences
from tools.critical_fields import CriticalField, FieldValue

_IDENTITY: Final = re.compile(
    r"(?:^|_)(?:id|no|name|mine|place|month|week|quarter|year|period|site|customer|employee|order|sku|batch|team|plan|"
    r"window|session|cluster|file|path|query|date|day|category|category_id|station|job)$"
)
_INDEX: Final = re.compile(r"\[\d+\]")
_LEADING_ID: Final = re.compile(r"^[a-z]*\d+[号#]?")
_JOINT: Final = re.compile(r"(?<=\d)(?=[\u4e00-\u9fff])")
_DATE: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/年](1[0-2]|0?[1-9])(?!\d)(?:[-/月](3[01]|[12]\d|0?[1-9])(?!\d))?")
_MIN_ALIAS: Final = 2
_MIN_STATEMENT: Final = 8
EPSILON: Final = 1e-9


class ValueIndex:
    """Facts by value, for look-ups within a tolerance."""

    def __init__(self, keyed: Iterable[tuple[float, Fact]]) -> None:
        ordered = sorted(
            ((abs(key), number, fact) for number, (key, fact) in enumerate(keyed)), key=lambda row: row[:2]
        )
        self._keys = [row[0] for row in ordered]
        self._facts = [row[2] for row in ordered]

    def near(self, value: float, tolerance: float) -> list[Fact]:
        """Facts whose absolute value lies within the tolerance of the absolute value."""
        size = abs(value)
        slack = tolerance + EPSILON * max(size, 1.0)
        return self._facts[bisect_left(self._keys, size - slack) : bisect_right(self._keys, size + slack)]


class EvidenceBook:
    """All evidence of one turn. Building walks every result once; verifying many texts against it is cheap."""

    def __init__(
        self, results: Sequence[SeenResult], patterns: Sequence[CriticalField] = (), user_text: str = ""
    ) -> None:
        """Read the evidence.

        Args:
            results: Tool results in the order of the calls.
            patterns: Critical fields of the turn.
            user_text: What the user wrote, this message and earlier ones.
        """
        self.results = tuple(results)
        self.patterns = tuple(patterns)
        self.user_text = user_text
        self.facts: list[Fact] = []
        self.name_digits: set[str] = set()
        self._lists: list[list[tuple[str, list[Any]]]] = []
        self._facts_of: list[list[Fact]] = []
        for index, result in enumerate(self.results):
            walked = walk_result(result.data, index)
            self.facts.extend(walked.facts)
            self._facts_of.append(walked.facts)
            self._lists.append(walked.lists)
            self.name_digits.update(walked.name_digits)
        self._mark_stale()
        self.critical = self._critical_values(patterns)
        self.user = self._user_facts(user_text)
        self.raw = ValueIndex((fact.value, fact) for fact in self.facts)
        self.by_dimension = _dimension_indexes(self.facts)

    @cached_property
    def aggregates(self) -> list[Fact]:
        """Lengths, sums, means, counts; computed when the first number needs them."""
        return [
            fact
            for index, (lists, facts) in enumerate(zip(self._lists, self._facts_of, strict=True))
            for fact in aggregates_of(lists, facts, index)
        ]

    @cached_property
    def aggregate_index(self) -> ValueIndex:
        """Aggregates by value."""
        return ValueIndex((fact.value, fact) for fact in self.aggregates)

    @cached_property
    def critical_index(self) -> CriticalIndex:
        """Critical values by label and row."""
        return CriticalIndex(self.critical, self.patterns)

    @cached_property
    def statements(self) -> dict[str, Fact]:
        """Sentences that tools wrote about their values, folded, each with the place it comes from; of calls made again, the newest."""
        newest = {_identity(result): index for index, result in enumerate(self.results)}
        written = {
            (index, text): None
            for index in newest.values()
            for pattern in self.patterns
            if pattern.statements is not None and self.results[index].tool in pattern.source_tools
            for text in pattern.statements(self.results[index].data)
        }
        return {
            sentence: Fact(0.0, None, "statement", index, kind=TEXT)
            for index, text in written
            for start, end in sentences(text)
            if len(sentence := fold(text[start:end]).strip()) >= _MIN_STATEMENT
        }

    @cached_property
    def kin(self) -> Kin:
        """Facts that belong together."""
        return Kin(self.facts)

    @cached_property
    def months(self) -> frozenset[int]:
        """Months that the dates in the evidence lie in."""
        return frozenset(int(found[2]) for text in self._texts for found in _DATE.finditer(text))

    @cached_property
    def dates(self) -> list[tuple[int, int, int]]:
        """Full dates in the evidence, in order."""
        return [
            (int(found[1]), int(found[2]), int(found[3]))
            for text in self._texts
            for found in _DATE.finditer(text)
            if found[3]
        ]

    @cached_property
    def _texts(self) -> list[str]:
        return [json.dumps(result.data, ensure_ascii=False, default=str) for result in self.results]

    @cached_property
    def sums(self) -> dict[tuple[int, str], Fact]:
        """Sums over columns of lists, by result and path of the column."""
        return {(fact.result, fact.path): fact for fact in self.aggregates if fact.kind == SUMMED}

    @cached_property
    def row_aliases(self) -> dict[str, tuple[str, ...]]:
        """Ways to call the rows, each with the names it may mean: the name, its end, what an extension calls it."""
        found: dict[str, set[str]] = defaultdict(set)
        for name in self.row_names:
            for alias in _aliases(name):
                found[alias].add(name)
        aliases = {alias: names for alias, names in found.items() if len(names) == 1}
        for value in self.critical:
            if value.fact.names:
                for called in value.objects:
                    aliases.setdefault(called.lower(), set()).add(value.fact.names[0])
        return {alias: tuple(names) for alias, names in aliases.items()}

    @cached_property
    def telling(self) -> list[tuple[Fact, Concepts]]:
        """Facts outside rows, and the lengths of lists, with the words that name them."""
        plain = (fact for fact in self.facts if fact.kind == VALUE and not fact.stale and not fact.is_row)
        lengths = (fact for fact in self.aggregates if fact.kind == COUNTED and not fact.group)
        return [(fact, concepts_of_words(fact.words)) for fact in (*plain, *lengths)]

    @cached_property
    def telling_rows(self) -> dict[str, list[tuple[Fact, Concepts]]]:
        """Facts of rows with the words that name them, by the names of their row."""
        found: dict[str, list[tuple[Fact, Concepts]]] = defaultdict(list)
        for fact in self.facts:
            if fact.is_row and fact.kind == VALUE and not fact.stale:
                for name in fact.names:
                    found[name].append((fact, concepts_of_words(fact.words)))
        return found

    @cached_property
    def row_terms(self) -> frozenset[str]:
        """Full names of rows, and what an extension calls them, in lower case."""
        called = (name.lower() for value in self.critical for name in value.objects)
        return frozenset([*(name.lower() for name in self.row_names), *called])

    @cached_property
    def row_names(self) -> dict[str, tuple[Fact, ...]]:
        """Facts by a name of their row."""
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            if fact.is_row:
                for name in fact.names:
                    found[name].append(fact)
        return {name: tuple(facts) for name, facts in found.items()}

    def _mark_stale(self) -> None:
        """The newest value of a field wins: an older, different one of the same call on the same thing is stale."""
        newest: dict[tuple[str, str, str, tuple[str, ...]], Fact] = {}
        identities = [_identity(result) for result in self.results]
        if len(set(identities)) == len(identities):
            return
        for fact in reversed(self.facts):
            place = _INDEX.sub("[]", fact.path) if fact.is_row and fact.names else fact.path
            key = (*identities[fact.result], place, fact.names if fact.is_row else ())
            later = newest.setdefault(key, fact)
            fact.stale = later is not fact and later.result > fact.result and later.value != fact.value

    def _critical_values(self, patterns: Sequence[CriticalField]) -> list[CriticalValue]:
        if not patterns:
            return []
        places = {(fact.result, fact.path): fact for fact in self.facts if fact.kind != TEXT}
        values = []
        for pattern in patterns:
            for index, result in enumerate(self.results):
                if result.tool not in pattern.source_tools:
                    continue
                for found in pattern.extract(result.data):
                    fact = places.get((index, found.path)) or self._extracted(found, index)
                    if found.unit and fact.unit is None:
                        fact.unit = unit_table().spellings.get(found.unit)
                    values.append(CriticalValue(pattern.name, fact, found.objects))
        return values

    def _extracted(self, found: FieldValue, result: int) -> Fact:
        """A value that stands in no field of its own, such as one inside a sentence."""
        unit, words = unit_of_key(found.path.rpartition(".")[2].partition("@")[0].partition("[")[0])
        fact = Fact(float(found.value), unit, found.path, result, words, names=found.objects)
        self.facts.append(fact)
        return fact

    def _user_facts(self, user_text: str) -> list[Fact]:
        facts = []
        for quantity in quantities_of(user_text):
            if quantity.is_claim:
                path = f"user@{quantity.text}"
                facts.append(Fact(quantity.value, quantity.unit, path, -1, kind=USER))
            if quantity.exempt:
                self.name_digits.add(quantity.text)
        return facts


def _dimension_indexes(facts: Iterable[Fact]) -> dict[str, ValueIndex]:
    """Facts by base value, per dimension; a bare share such as 0.936 counts as a ratio too."""
    keyed: dict[str, list[tuple[float, Fact]]] = defaultdict(list)
    for fact in facts:
        if fact.unit is not None:
            keyed[fact.unit.dimension].append((fact.base, fact))
        elif 0 < abs(fact.value) <= 2 and fact.value != int(fact.value):  # noqa: PLR2004 - a bare share or coefficient
            keyed[RATIO].append((fact.value, fact))
    return {dimension: ValueIndex(rows) for dimension, rows in keyed.items()}


def _aliases(name: str) -> Iterator[str]:
    """How a row may be called in a reply: its name, without its number, or by the end of a long Chinese name."""
    lowered = name.lower()
    yield lowered
    if (spaced := _JOINT.sub(" ", lowered)) != lowered:
        yield spaced
    if " " in lowered and lowered.isascii():
        yield lowered.rpartition(" ")[2]
        yield lowered.partition(" ")[0]
    short = _LEADING_ID.sub("", lowered)
    if len(short) >= _MIN_ALIAS and short != lowered:
        yield short
    if not short.isascii():
        for length in range(_MIN_ALIAS, len(short)):
            yield short[-length:]


def _identity(result: SeenResult) -> tuple[str, str]:
    """What a call was about: its arguments, or the names at the top of its result."""
    if result.arguments:
        return result.tool, json.dumps(dict(result.arguments), sort_keys=True, ensure_ascii=False, default=str)
    if not isinstance(result.data, dict):
        return result.tool, ""
    named = {
        key: value
        for key, value in result.data.items()
        if isinstance(value, (str, int)) and _IDENTITY.search(str(key).lower())
    }
    return result.tool, json.dumps(named, sort_keys=True, ensure_ascii=False)
