"""Facts that belong together: numbers of one row, used and total of one thing, this month's and last month's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from agents.guards.evidence.fact import VALUE, Fact
from agents.guards.quantities.units import COUNT, RATIO, same_kind

COMPARATORS: Final = frozenset(
    [
        "active",
        "gross",
        "net",
        "total",
        "used",
        "limit",
        "max",
        "min",
        "required",
        "planned",
        "measured",
        "stated",
        "recomputed",
        "expected",
        "actual",
        "target",
        "quota",
        "remaining",
        "available",
        "reserved",
        "done",
        "ready",
        "allowed",
        "capacity",
    ]
)
_GENERIC: Final = frozenset({"days", "hours", "months", "count", "rate", "ratio", "pct", "amount"})
REFERENCES: Final = frozenset(
    [
        *("last", "prev", "previous", "prior", "yesterday", "current", "this", "today", "total", "totals"),
        *("day", "week", "month", "quarter", "year", "period", "same"),
    ]
)
PAST: Final = frozenset({"last", "prev", "previous", "prior", "yesterday"})
_MOST_SIBLINGS: Final = 10
_MAX_ROW: Final = 6
_PAIR: Final = 2
_ROW: Final = re.compile(r"\[\d+\](?=\.[^.\[\]]+$)")


class Kin:
    """Groups of facts of one book of evidence."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        rows: dict[tuple[int, str], list[Fact]] = defaultdict(list)
        twins: dict[tuple[int, str, str], list[Fact]] = defaultdict(list)
        self._stems: dict[tuple[int, str, frozenset[str]], list[Fact]] = defaultdict(list)
        self._cores: dict[frozenset[str], list[Fact]] = defaultdict(list)
        self._columns: dict[tuple[int, str], list[Fact]] = defaultdict(list)
        self._meanings: dict[frozenset[str], list[Fact]] = defaultdict(list)
        self._branches: dict[tuple[int, str, str], list[str]] = defaultdict(list)
        self._members: dict[tuple[int, str], dict[frozenset[str], Fact]] = defaultdict(dict)
        self._mappings: dict[tuple[int, str], None] = {}
        self.totals: list[Fact] = []
        for fact in facts:
            if fact.kind != VALUE or fact.stale:
                continue
            parent = fact.path.rpartition(".")[0]
            words = frozenset(fact.words)
            self._members[fact.result, parent].setdefault(key_of(fact), fact)
            if fact.is_row:
                rows[fact.result, parent].append(fact)
                self._columns[fact.result, _ROW.sub("[]", fact.path)].append(fact)
            else:
                stem = words - COMPARATORS - _GENERIC
                self._stems[fact.result, parent, stem or frozenset(fact.scope)].append(fact)
                self._mappings[fact.result, parent] = None
                self._cores[words - REFERENCES].append(fact)
                self._meanings[_meaning(fact)].append(fact)
                place, branch, leaf = _split(fact.path)
                if branch:
                    self._branches[fact.result, place, leaf].append(branch)
                if fact.unit is not None and fact.unit.dimension not in {COUNT, RATIO}:
                    twins[fact.result, parent, fact.unit.name].append(fact)
                if "total" in words:
                    self.totals.append(fact)
        self._twins = [members for members in twins.values() if len(members) == _PAIR]
        self._rows = {fact.path: members for members in rows.values() if len(members) <= _MAX_ROW for fact in members}

    def row_of(self, fact: Fact) -> list[Fact]:
        """The numbers of a fact's row, itself included; none for a fact outside lists."""
        return [other for other in self._rows.get(fact.path, []) if other.result == fact.result]

    def counterpart(self, fact: Fact) -> Fact | None:
        """The same field of the other row, where a list has two rows."""
        lists = self._columns.get((fact.result, _ROW.sub("[]", fact.path)), [])
        if not fact.is_row or len(lists) != _PAIR:
            return None
        return next((other for other in lists if other is not fact), None)

    def stems(self) -> Iterable[tuple[tuple[str, ...], list[Fact]]]:
        """Groups such as cpu_cores_used and cpu_cores_total, with the words that they share; none for gross and net."""
        for (_, _, stem), members in self._stems.items():
            if 1 < len(members) <= _MAX_ROW:
                yield tuple(sorted(stem)), members
        for members in self._twins:  # the only two fields of one unit: a window of 15 days, 5 days since delivery
            yield (), members

    def earlier_or_later(self, fact: Fact) -> list[Fact]:
        """The same field for another period: revenue and prev_quarter_revenue."""
        if fact.is_row:
            return []
        others = [*self._cores.get(frozenset(fact.words) - REFERENCES, []), *self._meanings.get(_meaning(fact), [])]
        return [other for other in others if other is not fact and same_kind(other.unit, fact.unit)]

    @staticmethod
    def is_past(fact: Fact) -> bool:
        """Whether a fact is of a period before the one that its result is about."""
        return not fact.is_row and not PAST.isdisjoint((*fact.words, *fact.scope))

    def present(self, fact: Fact) -> list[Fact]:
        """What a fact of an earlier period means, for the present one."""
        others = self._meanings.get(_meaning(fact), []) if _meaning(fact) else []
        return [other for other in others if not self.is_past(other) and same_kind(other.unit, fact.unit)]

    def before(self, fact: Fact) -> list[Fact]:
        """What a fact of the present period means, for an earlier one."""
        others = self._meanings.get(_meaning(fact), []) if _meaning(fact) else []
        return [other for other in others if self.is_past(other) and same_kind(other.unit, fact.unit)]

    def branches(self, fact: Fact) -> tuple[str, list[str]]:
        """The mapping that a fact lies in, and those beside it that hold the same field."""
        place, branch, leaf = _split(fact.path)
        return branch, [other for other in self._branches.get((fact.result, place, leaf), []) if other != branch]

    def pairs_of_row(
        self, facts: Iterable[Fact], left: frozenset[str], right: frozenset[str]
    ) -> Iterator[tuple[Fact, Fact]]:
        """The two fields with these keys in the rows of some facts."""
        for fact in facts:
            members = self._members.get((fact.result, fact.path.rpartition(".")[0]), {})
            if left in members and right in members:
                yield members[left], members[right]

    def pairs_of_mappings(self, left: frozenset[str], right: frozenset[str]) -> Iterator[tuple[Fact, Fact, bool]]:
        """The two fields with these keys in mappings that are no rows, and whether they are of an earlier period."""
        for place in self._mappings:
            members = self._members[place]
            if left in members and right in members:
                yield members[left], members[right], self.is_past(members[left])

    def plain_with_key(self, key: frozenset[str]) -> list[Fact]:
        """Fields outside rows with this key, none of an earlier period."""
        found = (self._members[place].get(key) for place in self._mappings)
        return [fact for fact in found if fact is not None and not self.is_past(fact)]

    def siblings(self, fact: Fact) -> list[Fact]:
        """The other fields of a mapping that is no row."""
        if fact.is_row or fact.kind != VALUE:
            return []
        members = self._members.get((fact.result, fact.path.rpartition(".")[0]), {})
        return [other for other in members.values() if other is not fact and other.kind == VALUE][:_MOST_SIBLINGS]

    def column_of(self, fact: Fact) -> list[Fact]:
        """The same field in all rows of a list."""
        return self._columns.get((fact.result, _ROW.sub("[]", fact.path)), []) if fact.is_row else []

    def wholes_of(self, fact: Fact) -> list[Fact]:
        """Totals that a fact may be a share of."""
        words = frozenset(fact.words)
        return [
            total
            for total in self.totals
            if total is not fact
            and frozenset(total.words) - {"total", "count"} <= words
            and same_kind(total.unit, fact.unit)
        ]


def key_of(fact: Fact) -> frozenset[str]:
    """What a field is about, whichever row, period or whole it is of."""
    words = frozenset(fact.words)
    return words - REFERENCES or words


def _meaning(fact: Fact) -> frozenset[str]:
    return frozenset((*fact.words, *fact.scope)) - REFERENCES


def _split(path: str) -> tuple[str, str, str]:
    """Place, branch and leaf of a path: `a.gas.rate` is (a, gas, rate)."""
    parent, _, leaf = path.rpartition(".")
    place, _, branch = parent.rpartition(".")
    return place, branch, leaf
