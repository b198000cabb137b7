"""All agents of a server: one graph for each profile, over one checkpoint file and one set of session locks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from langgraph.checkpoint.base import BaseCheckpointSaver

from agents.agent_factory import build_agent
from agents.guards.ports import AgentPorts
from agents.model_factory import build_model
from agents.profiles import AgentProfile
from agents.session_agent import SessionAgent, SessionLocks
from agents.workspace import build_backend
from config import Settings
from tools.registry import ToolRegistry


def build_roster(
    profiles: Mapping[str, AgentProfile],
    *,
    settings: Settings,
    registry: ToolRegistry,
    ports: AgentPorts,
    checkpointer: BaseCheckpointSaver[str],
    skills_path: Path,
) -> dict[str, SessionAgent]:
    """Build every agent, by profile name; takes a tenth of a second each, so it belongs to the start.

    Raises:
        UnknownToolError: A profile names a tool that is not registered.
    """
    locks = SessionLocks()
    backend = build_backend(settings.data_path, skills_path)
    return {
        name: SessionAgent(
            graph=build_agent(
                profile,
                model=build_model(
                    settings,
                    playbooks=registry.playbooks,
                    examples=profile.examples,
                    stays_local=profile.stays_local,
                ),
                registry=registry,
                backend=backend,
                ports=ports,
                checkpointer=checkpointer,
                settings=settings,
            ),
            registry=registry,
            locks=locks,
        )
        for name, profile in profiles.items()
    }
