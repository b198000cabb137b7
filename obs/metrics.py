"""Figures for operators, in the format Prometheus reads; one collector registry a server, none for the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_MIN_TOOLS: Final = 3
_MAX_ERROR_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFigures:
    """How the audit stands: calls without an end, rows without an anchor; by sink what waits, how long, and what was given up."""

    open_calls: int
    unanchored_rows: int
    waiting: Mapping[str, int]
    lag_s: Mapping[str, float]
    dead_letters: Mapping[str, int]


class ToolMetrics:
    """What is counted about tool calls."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self._registry = registry
        self._calls = Counter(
            "agent_tool_calls", "Tool calls by how they ended.", ["tool", "outcome", "code"], registry=registry
        )
        self._system_errors = Counter(
            "agent_tool_system_errors", "Faults of ours inside tools.", ["tool"], registry=registry
        )
        self._json_inputs = Counter(
            "agent_tool_invoke_json_input", "Calls whose nested input came as JSON text.", ["tool"], registry=registry
        )
        self._parse_errors = Counter(
            "agent_tool_invoke_input_parse_error",
            "Those whose JSON text could not be read.",
            ["tool"],
            registry=registry,
        )
        self._left_open = Counter(
            "agent_audit_left_open", "Ended calls whose end could not be recorded.", registry=registry
        )
        self._guard_failures = Counter(
            "agent_guard_failures", "Sentences that a guard could not judge.", ["guard"], registry=registry
        )
        self._open_calls = Gauge("agent_audit_open_calls", "Calls on record that have not ended.", registry=registry)
        self._unanchored = Gauge(
            "agent_audit_unanchored_rows", "Audit rows that no anchor vouches for yet.", registry=registry
        )
        self._nested_tools = Gauge(
            "agent_tool_nested_input_tools", "Registered tools whose input may come as JSON text.", registry=registry
        )
        self._nested_trigger = Gauge(
            "agent_tool_nested_input_trigger",
            "1 where JSON text as input has outgrown itself: three such tools, or one parse error in twenty.",
            registry=registry,
        )
        self._dead_letters = Gauge(
            "agent_audit_dead_letters", "Audit events a sink did not take after all tries.", ["sink"], registry=registry
        )
        self._waiting = Gauge(
            "agent_audit_relay_waiting", "Audit events that wait for a sink.", ["sink"], registry=registry
        )
        self._lag = Gauge(
            "agent_audit_relay_lag_seconds",
            "Seconds since the longest waiting audit event of a sink was due.",
            ["sink"],
            registry=registry,
        )
        self._counts: dict[str, list[int]] = {}

    def called(self, tool: str, outcome: str, code: str) -> None:
        """A call ended."""
        self._calls.labels(tool, outcome, code).inc()

    def failed(self, tool: str) -> None:
        """A tool broke."""
        self._system_errors.labels(tool).inc()

    def guard_failed(self, guard: str) -> None:
        """A guard of answers broke; what it should have judged went out marked as unverified."""
        self._guard_failures.labels(guard).inc()

    def left_open(self) -> None:
        """The end of a call could not be recorded."""
        self._left_open.inc()

    def audit(self, figures: AuditFigures) -> None:
        """How the audit stands."""
        self._open_calls.set(figures.open_calls)
        self._unanchored.set(figures.unanchored_rows)
        for gauge, by_sink in (
            (self._dead_letters, figures.dead_letters),
            (self._waiting, figures.waiting),
            (self._lag, figures.lag_s),
        ):
            gauge.clear()  # a sink that is configured no more and owes nothing
            for sink, value in by_sink.items():
                gauge.labels(sink).set(value)

    def json_input(self, tool: str, *, is_broken: bool) -> None:
        """A nested input came as JSON text."""
        self._json_inputs.labels(tool).inc()
        counted = self._counts.setdefault(tool, [0, 0])
        counted[0] += 1
        if is_broken:
            self._parse_errors.labels(tool).inc()
            counted[1] += 1

    def input_report(self, nested_tools: int) -> dict[str, object]:
        """Whether JSON text as input has outgrown itself (document 001, Q1.2): three such tools, or one error in twenty.

        Args:
            nested_tools: Registered tools that take nested input.
        """
        calls = sum(count for count, _ in self._counts.values())
        errors = sum(count for _, count in self._counts.values())
        share = errors / calls if calls else 0.0
        is_triggered = nested_tools >= _MIN_TOOLS or share > _MAX_ERROR_SHARE
        self._nested_tools.set(nested_tools)
        self._nested_trigger.set(is_triggered)
        return {
            "tools_with_nested_input": nested_tools,
            "json_text_calls": calls,
            "input_parse_errors": errors,
            "is_triggered": is_triggered,
        }

    def text(self) -> bytes:
        """Everything, as Prometheus reads it; what is computed is as of the last report."""
        return generate_latest(self._registry)
