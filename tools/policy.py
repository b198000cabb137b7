"""Which tools an agent may call, as data: what is not listed is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Final


@dataclass(frozen=True, kw_only=True)
class ToolPolicy:
    """The rules of one agent about its tools.

    Attributes:
        allow: Names of the tools it may call, the framework's included.
        approval: Names of those that wait for a person, each call anew.
        max_tool_calls_per_run: Calls of registered tools one run may make; None for no bound.
    """

    allow: frozenset[str] = frozenset()
    approval: frozenset[str] = frozenset()
    max_tool_calls_per_run: int | None = None

    @cached_property
    def version(self) -> str:
        """Digest of everything the policy says: other words, other version."""
        said = [sorted(self.allow), sorted(self.approval), self.max_tool_calls_per_run]
        return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()[:16]


NO_POLICY: Final = ToolPolicy()
"""Allows nothing."""
