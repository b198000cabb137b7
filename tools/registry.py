"""The one door of tools: everything an extension or an agent needs, and the registry that holds what is registered."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.tools import BaseTool

from tools.context import AgentContext, Trace
from tools.declaration import agent_tool, refuse_unlisted, unlisted
from tools.demo_tools import DEMO_FEATURE
from tools.descriptor import ToolDescriptor
from tools.errors import ToolError, ToolPermissionError, ToolRegistrationError, ToolSystemError, UnknownToolError
from tools.feature import Feature, for_feature
from tools.invocation import Ports, ToolInvoker
from tools.nested import JsonObject, JsonObjectOrText
from tools.playbook import Playbook, PlaybookResult, PlaybookStep, PlaybookView
from tools.registered_tool import RegisteredTool, ToolOutcome, ToolRunner, ToolThreads
from tools.results import ToolPayload, sourced
from tools.session_facts import SessionFacts, session_facts

__all__ = [
    "AgentContext",
    "Feature",
    "JsonObject",
    "JsonObjectOrText",
    "Playbook",
    "PlaybookResult",
    "PlaybookStep",
    "PlaybookView",
    "SessionFacts",
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
    "for_feature",
    "load_builtin_tools",
    "session_facts",
    "sourced",
]

_OUR_PACKAGES: Final = ("tools.", "extensions.")


class ToolRegistry:
    """The tools of one server. Importing a tool's module registers nothing; adding its feature does."""

    def __init__(self, ports: Ports, *, threads: int = 8, pass_through: tuple[type[BaseException], ...] = ()) -> None:
        """Make an empty registry.

        Args:
            ports: Ledger, facts and metrics that the wrapper works with.
            threads: Size of the pool for sync tools.
            pass_through: Exceptions that steer the graph (an interrupt) and are none of a tool's failures.
        """
        self.invoker = ToolInvoker(ports, pass_through=pass_through)
        self._threads = ToolThreads(threads)
        self._runner = ToolRunner(self.invoker, self._threads)
        self._features: dict[str, Feature] = {}

    def add_feature(self, feature: Feature) -> None:
        """Register a feature's tools and playbooks.

        Raises:
            ToolRegistrationError: The feature or one of its tool names is registered already.
        """
        if feature.name in self._features:
            raise ToolRegistrationError(f"feature {feature.name!r} is registered already")
        taken = {descriptor.name: descriptor.feature for descriptor in self.descriptors}
        if clashes := [f"{d.name} (of {taken[d.name]})" for d in feature.descriptors if d.name in taken]:
            raise ToolRegistrationError(
                f"Tool already registered: feature {feature.name!r} repeats {', '.join(clashes)}; rename one of them."
            )
        self._features[feature.name] = feature

    def check_complete(self) -> None:
        """Make sure that no imported module of ours marks a tool that nobody registered.

        Raises:
            ToolRegistrationError: One does; the sentence names file, tool and remedy.
        """
        modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(_OUR_PACKAGES)]
        for declaration in unlisted(modules, [descriptor.function for descriptor in self.descriptors]):
            raise refuse_unlisted(declaration)

    def clear(self) -> None:
        """Forget every feature."""
        self._features.clear()

    def close(self) -> None:
        """Stop the threads of sync tools."""
        self._threads.close()

    @property
    def descriptors(self) -> tuple[ToolDescriptor, ...]:
        """All registered tools, in the order of registration."""
        return tuple(descriptor for feature in self._features.values() for descriptor in feature.descriptors)

    @property
    def playbooks(self) -> tuple[Playbook, ...]:
        """All playbooks, in the order of registration."""
        return tuple(playbook for feature in self._features.values() for playbook in feature.playbooks)

    @property
    def abandoned_threads(self) -> int:
        """Threads still busy with a tool call nobody waits for."""
        return self._threads.abandoned

    def descriptor(self, name: str) -> ToolDescriptor:
        """The tool of that name.

        Raises:
            UnknownToolError: No feature registered it.
        """
        for descriptor in self.descriptors:
            if descriptor.name == name:
                return descriptor
        raise UnknownToolError(f"no tool {name!r}; there are {', '.join(d.name for d in self.descriptors) or 'none'}")

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


def load_builtin_tools(registry: ToolRegistry) -> None:
    """Register the tools that belong to no extension."""
    registry.add_feature(DEMO_FEATURE)
