"""Sub-agents: each has the whole stack of its parent, for the framework hands none of it down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from deepagents import SubAgent
from deepagents.middleware.subagents import GENERAL_PURPOSE_SUBAGENT
from langchain.agents.middleware import AgentMiddleware

from agents.profiles import AgentProfile
from tools.registry import ToolRegistry

Stack = Sequence[AgentMiddleware[Any, Any, Any]]


def build_subagents(profile: AgentProfile, registry: ToolRegistry, stack: Callable[[], Stack]) -> list[SubAgent]:
    """The sub-agents of a profile; none if its policy does not allow `task`.

    Args:
        profile: Names them; the general one is there unless the profile says otherwise, with all of the parent's tools.
        registry: Has their tools.
        stack: Makes a new middleware stack, gates, guards and limits included.

    Raises:
        UnknownToolError: A sub-agent names a tool that is not registered.
    """
    if not profile.has_subagents:
        return []
    specs: list[SubAgent] = []
    if profile.general_subagent:
        # Named here, or the framework would add its own, whose calls no gate holds.
        tools = registry.get_tools_by_name(profile.tools)
        specs.append({**GENERAL_PURPOSE_SUBAGENT, "tools": tools, "middleware": list(stack()), "interrupt_on": {}})
    specs += [
        {
            "name": worker.name,
            "description": worker.description,
            "system_prompt": worker.prompt,
            "tools": registry.get_tools_by_name(worker.tools),
            "middleware": list(stack()),
            "interrupt_on": {},
        }
        for worker in profile.subagents
    ]
    return specs
