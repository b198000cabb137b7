"""Real graphs over real checkpoint files; only the model's script belongs to the tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.errors import GraphBubbleUp

from agents.agent_memory import open_checkpointer
from agents.guards.policy import AgentPolicy
from agents.profiles import AgentProfile
from agents.roster import build_roster
from agents.session_agent import SessionAgent, TurnIdentity, UserInput
from config import Settings
from tests.support.governed import Facts, RememberedLedger, agent_ports, governed_registry
from tools.registry import Feature, PlaybookStep, PlaybookView, SessionFacts, for_feature, load_builtin_tools


@dataclass(frozen=True)
class Script:
    """A playbook that takes the given steps one after another, whatever the user says, then stops with a text."""

    steps: tuple[PlaybookStep, ...]
    name: str = "script"

    def next_step(self, view: PlaybookView) -> PlaybookStep | None:
        done = len(view.results)
        return self.steps[done] if done < len(self.steps) else PlaybookStep(text="完成")


@dataclass
class House:
    """Opens agents over one data folder; opening again is what a restart is."""

    data_path: Path
    skills_path: Path
    stack: AsyncExitStack
    overrides: dict[str, Any] = field(default_factory=dict)
    ledger: RememberedLedger = field(default_factory=RememberedLedger)

    async def agent(
        self, *features: Feature, script: tuple[PlaybookStep, ...] | None = None, **profile: Any
    ) -> SessionAgent:
        facts = Facts()
        registry = governed_registry(threads=4, pass_through=(GraphBubbleUp,), facts=facts, ledger=self.ledger)
        self.stack.callback(registry.close)
        if script is not None:
            registry.add_feature(for_feature("script", domain="script", tools=[], playbooks=[Script(script)]))
        load_builtin_tools(registry)
        for feature in features:
            registry.add_feature(feature)
        checkpointer = await self.stack.enter_async_context(open_checkpointer(self.data_path / "checkpoints.db"))
        tools = tuple(descriptor.name for descriptor in registry.descriptors)
        framework = ("ls", "read_file", "write_file", "edit_file", "glob", "grep", "write_todos")
        allow = (*profile.pop("tools", tools), *profile.pop("framework", framework))
        policy = AgentPolicy(allow=allow, approval=profile.pop("approval", ("plan_submit",)))
        values = {"title": "试", "description": "试", "prompt": "试", "policy": policy}
        made = AgentProfile(name="tried", **{**values, **profile})
        # Approvals are the graph's business here; that the wrapper asks for them too is shown where the server is whole.
        facts.facts = SessionFacts(agent="tried", policy=replace(made.policy.tools, approval=frozenset()))
        settings = Settings(data_dir=self.data_path, **self.overrides)
        roster = build_roster(
            {"tried": made},
            settings=settings,
            registry=registry,
            ports=agent_ports(),
            checkpointer=checkpointer,
            skills_path=self.skills_path,
        )
        return roster["tried"]

    async def restart(self) -> None:
        await self.stack.aclose()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    skills_path = tmp_path / "skills"
    (skills_path / "demo").mkdir(parents=True)
    (skills_path / "demo" / "SKILL.md").write_text("---\nname: demo\ndescription: 演示技能\n---\n步骤\n", "utf-8")
    async with AsyncExitStack() as stack:
        yield House(tmp_path / "data", skills_path, stack)


@pytest.fixture
def identity() -> Callable[..., TurnIdentity]:
    count = iter(range(1, 10_000))

    def make(session_id: str = "s1", *, user_name: str = "u1") -> TurnIdentity:
        # A new run each time: the graph takes new input under an old run id for the continuation of that run.
        run_id = f"r{next(count)}"
        return TurnIdentity(user_name=user_name, session_id=session_id, run_id=run_id, agent="tried", trace_id=run_id)

    return make


@pytest.fixture
def say() -> Callable[..., UserInput]:
    count = iter(range(1, 10_000))

    def make(text: str, *files: str) -> UserInput:
        return UserInput(text=text, files=files, message_id=f"m{next(count)}")

    return make


@dataclass
class Heard:
    """What a turn streamed."""

    parts: list[dict[str, Any]]

    @property
    def text(self) -> str:
        chunks = (part["data"][0] for part in self.parts if part["type"] == "messages")
        return "".join(str(chunk.content) for chunk in chunks if chunk.type == "AIMessageChunk")

    @property
    def tool_messages(self) -> list[Any]:
        messages = (part["data"][0] for part in self.parts if part["type"] == "messages")
        return [message for message in messages if message.type == "tool"]


@pytest.fixture
def hear() -> Callable[[Any], Any]:
    async def listen(stream: Any) -> Heard:
        return Heard([part async for part in stream])

    return listen
