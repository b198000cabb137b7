"""The one door of tools: everything an extension or an agent needs, and the registry that holds what is registered."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from tools.context import AgentContext, Trace
from tools.demo_tools import DEMO_FEATURE
from tools.descriptor import ToolDescriptor, agent_tool
from tools.errors import ToolError, ToolRegistrationError, ToolSystemError, UnknownToolError
from tools.feature import Feature, for_feature
from tools.invocation import RegisteredTool, ToolInvoker
from tools.playbook import Playbook, PlaybookResult, PlaybookStep, PlaybookView
from tools.results import ToolPayload, sourced

__all__ = [
    "AgentContext",
    "Feature",
    "Playbook",
    "PlaybookResult",
    "PlaybookStep",
    "PlaybookView",
    "ToolDescriptor",
    "ToolError",
    "ToolPayload",
    "ToolRegistrationError",
    "ToolRegistry",
    "ToolSystemError",
    "Trace",
    "UnknownToolError",
    "agent_tool",
    "for_feature",
    "load_builtin_tools",
    "sourced",
]


class ToolRegistry:
    """The tools of one server. Importing a tool's module registers nothing; adding its feature does."""

    def __init__(self, *, threads: int = 8, pass_through: tuple[type[Exception], ...] = ()) -> None:
        """Make an empty registry.

        Args:
            threads: Size of the pool for sync tools.
            pass_through: Exceptions that steer the graph (an interrupt) and are none of a tool's failures.
        """
        self._invoker = ToolInvoker(threads=threads, pass_through=pass_through)
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
            raise ToolRegistrationError(f"feature {feature.name!r} repeats {', '.join(clashes)}")
        self._features[feature.name] = feature

    def clear(self) -> None:
        """Forget every feature."""
        self._features.clear()

    def close(self) -> None:
        """Stop the threads of sync tools."""
        self._invoker.close()

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
        return self._invoker.abandoned_threads

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
        return [RegisteredTool(self.descriptor(name), self._invoker) for name in names]


def load_builtin_tools(registry: ToolRegistry) -> None:
    """Register the tools that belong to no extension."""
    registry.add_feature(DEMO_FEATURE)
