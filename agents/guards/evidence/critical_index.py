"""Values of critical fields by label and by the name of their row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.guards.evidence.fact import Fact
from tools.critical_fields import CriticalField


@dataclass(frozen=True, slots=True)
class CriticalValue:
    """A value of a critical field: the pattern, the fact, and what its row is called."""

    pattern: str
    fact: Fact
    objects: tuple[str, ...]


@dataclass(slots=True)
class LabelValues:
    """The values that one label may speak of.

    Attributes:
        values: All of them.
        plain: Those that belong to no row.
        by_object: Those of rows, by each lower-case name of the row.
        is_count: The label counts things.
    """

    values: list[CriticalValue] = field(default_factory=list)
    plain: list[CriticalValue] = field(default_factory=list)
    by_object: dict[str, list[CriticalValue]] = field(default_factory=lambda: defaultdict(list))
    is_count: bool = False

    def add(self, value: CriticalValue) -> None:
        """File one value."""
        self.values.append(value)
        if not value.objects:
            self.plain.append(value)
        for name in {name.lower() for name in value.objects}:
            self.by_object[name].append(value)


class CriticalIndex:
    """The critical values of one book of evidence."""

    def __init__(self, values: Sequence[CriticalValue], patterns: Sequence[CriticalField]) -> None:
        of_pattern: dict[str, list[CriticalValue]] = defaultdict(list)
        for value in values:
            of_pattern[value.pattern].append(value)
        self.by_label: dict[str, LabelValues] = defaultdict(LabelValues)
        for pattern in patterns:
            for label in pattern.labels:
                for value in of_pattern[pattern.name]:
                    self.by_label[label.lower()].add(value)
                    self.by_label[label.lower()].is_count = pattern.is_count
        self.objects = frozenset(name.lower() for value in values for name in value.objects)
        self.terms = tuple({*self.by_label, *self.objects})
