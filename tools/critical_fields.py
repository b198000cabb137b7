"""Fields that an answer must state right: patterns in code, registered by extensions, chosen per agent by its tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from tools.errors import ToolRegistrationError


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One value of a critical field inside a tool's result.

    Attributes:
        path: Place in `data`: `shortages.items[0].required_m3_min`.
        value: The number as it stands there.
        unit: Its unit as printed (`m³/min`), where the end of `path` does not tell it.
        objects: All ways to call the row it belongs to, both languages; empty where the field stands once in a result.
    """

    path: str
    value: float | Decimal
    unit: str = ""
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalField:
    """A pattern: a field whose number in an answer must equal what the tool returned for it.

    Attributes:
        name: Unique, `airflow.required`.
        labels: Words that name the field in an answer, in both languages.
        source_tools: Tools in whose results it stands; an agent with none of them never meets the pattern.
        extract: Finds the values in `data` of such a result; code, so it never goes into a database.
        is_count: A whole number of things that stands right beside its label: `警告 4 项`; further off the label is only a word.
        statements: Finds sentences that the tool's own code wrote about its values; repeated word for word they are true as they stand.
    """

    name: str
    labels: tuple[str, ...]
    source_tools: frozenset[str]
    extract: Callable[[Any], Iterable[FieldValue]]
    is_count: bool = False
    statements: Callable[[Any], Iterable[str]] | None = None


class PatternTable:
    """All critical fields of one server, in the order of registration."""

    def __init__(self) -> None:
        self._patterns: dict[str, CriticalField] = {}
        self._frozen = False

    def register(self, patterns: Iterable[CriticalField]) -> None:
        """Add patterns; the same pattern twice is one, so loading an extension again works.

        Raises:
            ToolRegistrationError: The table is frozen, a name is taken by another pattern, or a pattern can never apply.
        """
        for pattern in patterns:
            known = self._patterns.get(pattern.name)
            if known is pattern:
                continue
            if known is not None:
                raise ToolRegistrationError(
                    f"critical field {pattern.name!r} is registered already; rename one of them."
                )
            if self._frozen:
                raise ToolRegistrationError(
                    f"critical field {pattern.name!r} comes after the start; register it with its extension."
                )
            if not pattern.labels or not pattern.source_tools:
                raise ToolRegistrationError(f"critical field {pattern.name!r} needs labels and source tools.")
            self._patterns[pattern.name] = pattern

    def freeze(self) -> None:
        """Refuse further patterns; called when the server has started."""
        self._frozen = True

    def clear(self) -> None:
        """Forget every pattern and thaw."""
        self._patterns.clear()
        self._frozen = False

    def __iter__(self) -> Iterator[CriticalField]:
        return iter(self._patterns.values())

    def __len__(self) -> int:
        return len(self._patterns)

    def named(self, name: str) -> CriticalField:
        """The pattern of that name.

        Raises:
            ToolRegistrationError: Nobody registered it.
        """
        if name not in self._patterns:
            raise ToolRegistrationError(f"no critical field {name!r}; there are {', '.join(self._patterns) or 'none'}.")
        return self._patterns[name]


ALL_PATTERNS: Final = PatternTable()


def select_critical_fields_for_agent(
    tool_names: Collection[str], patterns: Iterable[CriticalField] = ALL_PATTERNS
) -> tuple[CriticalField, ...]:
    """The patterns whose source tools meet an agent's tools, those that its mode hides included."""
    names = frozenset(tool_names)
    return tuple(pattern for pattern in patterns if pattern.source_tools & names)


def capability_critical_field_patterns(
    tool_names: Collection[str],
    bindings: Mapping[str, Collection[str]],
    patterns: PatternTable = ALL_PATTERNS,
) -> tuple[CriticalField, ...]:
    """The patterns that a policy binds to tool names, each once.

    Args:
        tool_names: The agent's tools.
        bindings: Tool name → names of patterns, from the policy.
        patterns: Where the patterns stand.

    Raises:
        ToolRegistrationError: The policy names a pattern that nobody registered.
    """
    wanted = {name: None for tool in tool_names for name in bindings.get(tool, ())}
    return tuple(patterns.named(name) for name in wanted)


def critical_fields_of_turn(
    tool_names: Collection[str],
    bindings: Mapping[str, Collection[str]] | None = None,
    patterns: PatternTable = ALL_PATTERNS,
) -> tuple[CriticalField, ...]:
    """What goes into `TurnConfig.critical_field_patterns`: by tools, and by policy, each once."""
    chosen = select_critical_fields_for_agent(tool_names, patterns)
    bound = capability_critical_field_patterns(tool_names, bindings or {}, patterns)
    return (*chosen, *(pattern for pattern in bound if pattern not in chosen))


def should_run_guard(patterns: Collection[CriticalField], *, response_guard: bool = True) -> bool:
    """Whether an answer is verified at all: the switch is on and the agent has critical fields."""
    return response_guard and len(patterns) > 0
