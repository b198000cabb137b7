"""Who calls a tool: six facts, fixed for the length of a call."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph.config import get_config

LOCAL = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The one id that ties together audit, logs and spans of a turn."""

    trace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """The caller of a tool. Further facts are looked up from the session, they are not added here."""

    user_id: str
    organization_id: str
    surface: str
    session_id: str
    turn_id: str
    trace: Trace


def current_context() -> AgentContext:
    """The context of the running turn; outside a run that of the local command line."""
    try:
        facts = get_config().get("configurable", {})
    except RuntimeError:
        facts = {}

    def fact(key: str) -> str:
        return str(facts.get(key) or LOCAL)

    return AgentContext(
        user_id=fact("user_name"),
        organization_id=fact("organization_id"),
        surface=str(facts.get("surface") or ("chat" if facts.get("session_id") else LOCAL)),
        session_id=fact("session_id"),
        turn_id=fact("run_id"),
        trace=Trace(trace_id=fact("trace_id")),
    )
