"""What is known about a caller beyond the six facts of `AgentContext`: looked up from the session, by one helper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from tools.context import AgentContext
from tools.policy import NO_POLICY, ToolPolicy

PermissionMode = Literal["default", "read_only"]
PlanMode = Literal["off", "required"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """Facts of a session that hold for the length of a call.

    Attributes:
        agent: Profile that works in the session.
        model: Model that works in it; empty where none does.
        locale: Language of the user, `zh` or `en`.
        permission_mode: `read_only` forbids every tool that writes outside the workspace.
        plan_mode: `required` forbids them until a person approved a plan.
        has_approved_plan: Whether a person did.
        permissions: What the user may do, by name.
        capabilities: What the surface can do (show a card, take an approval …), by name.
        department: The user's department; empty if unknown.
        policy: Which tools the agent may call, which of them wait for a person.
    """

    agent: str = ""
    model: str = ""
    locale: str = "zh"
    permission_mode: PermissionMode = "default"
    plan_mode: PlanMode = "off"
    has_approved_plan: bool = False
    permissions: frozenset[str] = frozenset()
    capabilities: frozenset[str] = frozenset()
    department: str = ""
    policy: ToolPolicy = NO_POLICY


NOBODY: Final = SessionFacts()
"""Facts of a caller who has no session: nothing is allowed to them."""
_OF_THIS_CALL: Final[ContextVar[SessionFacts]] = ContextVar("session_facts", default=NOBODY)


class FactsSource(Protocol):
    """Where facts come from; the server binds its own."""

    async def facts_of(self, context: AgentContext) -> SessionFacts:
        """Facts of the caller; `NOBODY` for one who has no session."""
        ...


def session_facts(ctx: AgentContext) -> SessionFacts:
    """Look up what `AgentContext` does not say; the one way for a tool's own code.

    `ctx` is the context the tool was given. The facts are those under which the wrapper admitted this very call, so a tool and the
    rules about it never see different ones. `make check` counts the tools that need this: from three on, the fact in question belongs
    into `AgentContext`.

    Raises:
        LookupError: Called outside a tool call.
    """
    facts = _OF_THIS_CALL.get()
    if facts is NOBODY and ctx.session_id:
        raise LookupError("session facts are known inside a tool call only")
    return facts


@contextmanager
def holding_facts(facts: SessionFacts) -> Iterator[None]:
    """Make these the facts of the call that runs inside the block; the wrapper does so."""
    token = _OF_THIS_CALL.set(facts)
    try:
        yield
    finally:
        _OF_THIS_CALL.reset(token)
