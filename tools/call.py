"""One call on its way through the wrapper, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tools.context import AgentContext
from tools.descriptor import ToolTraits
from tools.ports import Outcome
from tools.results import ToolPayload, to_json_text
from tools.session_facts import SessionFacts

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Who calls what, with which arguments, under which facts."""

    tool: ToolTraits
    call_id: str
    arguments: Mapping[str, Any]
    context: AgentContext
    facts: SessionFacts
    is_counted: bool = True
    """Whether it is a call of a registered tool; the framework's own have a bound of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Generic[Value]):
    """How a call ended: with a value, or with a payload that says why there is none."""

    outcome: Outcome
    value: Value | None = None
    payload: ToolPayload | None = None
    code: str = ""
    incident_id: str = ""
    detail: str = ""
    evidence: str | None = None
    """What proves the tool's effects."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain values of the answer."""

    @property
    def text(self) -> str:
        """What the model reads of a call that gave no value."""
        return to_json_text(self.payload or {})
