"""Figures for operators, in the format Prometheus reads; one collector registry a server, none for the process."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_MIN_TOOLS: Final = 3
_MAX_ERROR_SHARE: Final = 0.05


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
        self._dead_letters = Gauge(
            "agent_audit_dead_letters", "Audit events a sink did not take after all tries.", registry=registry
        )
        self._counts: dict[str, list[int]] = {}

    def called(self, tool: str, outcome: str, code: str) -> None:
        """A call ended."""
        self._calls.labels(tool, outcome, code).inc()

    def failed(self, tool: str) -> None:
        """A tool broke."""
        self._system_errors.labels(tool).inc()

    def left_open(self) -> None:
        """The end of a call could not be recorded."""
        self._left_open.inc()

    def dead_letters(self, count: int) -> None:
        """How many audit events wait for an operator."""
        self._dead_letters.set(count)

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
        return {
            "tools_with_nested_input": nested_tools,
            "json_text_calls": calls,
            "input_parse_errors": errors,
            "is_triggered": nested_tools >= _MIN_TOOLS or share > _MAX_ERROR_SHARE,
        }

    def text(self) -> bytes:
        """Everything, as `/metrics` shows it."""
        return generate_latest(self._registry)
