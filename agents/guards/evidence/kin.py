"""Facts that belong together: numbers of one row, used and total of one thing, this month's and last month's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
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
    ["last", "prev", "previous", "prior", "current", "this", "total", "week", "month", "quarter", "year"]
)
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
        self.totals: list[Fact] = []
        for fact in facts:
            if fact.kind != VALUE or fact.stale:
                continue
            parent = fact.path.rpartition(".")[0]
            words = frozenset(fact.words)
            if fact.is_row:
                rows[fact.result, parent].append(fact)
                self._columns[fact.result, _ROW.sub("[]", fact.path)].append(fact)
            else:
                stem = words - COMPARATORS - _GENERIC
                self._stems[fact.result, parent, stem or frozenset(fact.scope)].append(fact)
                self._cores[words - REFERENCES].append(fact)
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
        others = self._cores.get(frozenset(fact.words) - REFERENCES, [])
        return [other for other in others if other is not fact and same_kind(other.unit, fact.unit)]

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
