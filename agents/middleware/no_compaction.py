"""Takes the place of the framework's summarization where it is switched off."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentMiddleware
from typing_extensions import override


class NoCompactionMiddleware(AgentMiddleware[Any, Any, Any]):
    """Does nothing, under the name the framework's own middleware is known by.

    Excluding it by a harness profile would hold for every agent of the process; a slot is replaced for one agent.
    """

    @property
    @override
    def name(self) -> str:
        return "SummarizationMiddleware"
