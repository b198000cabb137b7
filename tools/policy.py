"""Which tools an agent may call, as data: what is not listed is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class ToolPolicy:
    """The rules of one agent about its tools.

    Attributes:
        allow: Names of the tools it may call, the framework's included.
        approval: Names of those that wait for a person, each call anew.
        max_tool_calls_per_run: Calls of registered tools one run may make; None for no bound.
        max_framework_calls_per_run: The same for the framework's own tools.
        version: Digest of everything the agent's policy says; decisions and approvals name it.
    """

    allow: frozenset[str] = frozenset()
    approval: frozenset[str] = frozenset()
    max_tool_calls_per_run: int | None = None
    max_framework_calls_per_run: int | None = None
    version: str = "none"


NO_POLICY: Final = ToolPolicy()
"""Allows nothing."""
