"""The one door of tools: everything an extension or an agent needs, and the registry that holds what is registered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from tools.call_key import call_key
from tools.catalogue import ToolCatalogue
from tools.context import AgentContext, Trace
from tools.critical_fields import CriticalField, FieldValue
from tools.declaration import agent_tool
from tools.demo_tools import DEMO_FEATURE
from tools.descriptor import ToolDescriptor
from tools.errors import ToolError, ToolPermissionError, ToolRegistrationError, ToolSystemError, UnknownToolError
from tools.feature import Feature, for_feature
from tools.invocation import Ports, ToolInvoker
from tools.nested import JsonObject, JsonObjectOrText
from tools.playbook import Playbook, PlaybookResult, PlaybookStep, PlaybookView
from tools.registered_tool import RegisteredTool, ToolOutcome, ToolRunner
from tools.results import ToolPayload, sourced
from tools.running_work import RunningWork
from tools.session_facts import SessionFacts, session_facts

__all__ = [
    "AgentContext",
    "CriticalField",
    "Feature",
    "FieldValue",
    "JsonObject",
    "JsonObjectOrText",
    "Playbook",
    "PlaybookResult",
    "PlaybookStep",
    "PlaybookView",
    "SessionFacts",
    "ToolCatalogue",
    "ToolDescriptor",
    "ToolError",
    "ToolPayload",
    "ToolPermissionError",
    "ToolRegistrationError",
    "ToolRegistry",
    "ToolSystemError",
    "Trace",
    "UnknownToolError",
    "agent_tool",
    "call_key",
    "for_feature",
    "load_builtin_tools",
    "session_facts",
    "sourced",
]


class ToolRegistry(ToolCatalogue):
    """The tools of one server, ready to be called: every call passes the wrapper."""

    def __init__(self, ports: Ports, *, threads: int = 8, pass_through: tuple[type[BaseException], ...] = ()) -> None:
        """Make an empty registry.

        Args:
            ports: Ledger, facts and metrics that the wrapper works with.
            threads: Size of the pool for sync tools.
            pass_through: Exceptions that steer the graph (an interrupt) and are none of a tool's failures.
        """
        super().__init__()
        self.invoker = ToolInvoker(ports, pass_through=pass_through)
        self._work = RunningWork(threads)
        self._runner = ToolRunner(self.invoker, self._work)

    def close(self) -> None:
        """Stop the threads of sync tools."""
        self._work.close()

    @property
    def abandoned_calls(self) -> int:
        """Calls whose thread or task still runs although nobody waits for it; enough of them and the server is not ready."""
        return self._work.abandoned

    def get_tools_by_name(self, names: Sequence[str]) -> list[BaseTool]:
        """Tools ready for an agent or a sub-agent, in the order asked for; every call passes `tools.invocation`.

        Raises:
            UnknownToolError: A name is not registered.
        """
        return [RegisteredTool(self.descriptor(name), self._runner) for name in names]

    async def invoke(
        self, name: str, arguments: Mapping[str, Any], *, context: AgentContext, call_id: str = ""
    ) -> ToolOutcome:
        """Call a tool outside a graph, under the same rules.

        Raises:
            UnknownToolError: The name is not registered.
        """
        return await self._runner.answer(self.descriptor(name), arguments, context=context, call_id=call_id)

    def input_report(self) -> dict[str, object]:
        """Whether nested input as JSON text has outgrown itself."""
        nested = sum(1 for descriptor in self.descriptors if descriptor.json_fields)
        return self.invoker.metrics.input_report(nested)

    def metrics_text(self) -> bytes:
        """All figures as of now, as Prometheus reads them."""
        self.input_report()
        return self.invoker.metrics.text()


def load_builtin_tools(catalogue: ToolCatalogue) -> None:
    """Register the tools that belong to no extension."""
    catalogue.add_feature(DEMO_FEATURE)
