"""What a tool returned, as the guard sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SeenResult:
    """One successful tool call of the thread; the guard gets them in the order in which they happened.

    Attributes:
        tool: The tool's name.
        data: `data` of its payload, the full structured result before anything was shortened for the model.
        call_id: The call, for provenance.
        arguments: What it was called with; two calls with the same arguments speak of the same thing.
    """

    tool: str
    data: Any
    call_id: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
