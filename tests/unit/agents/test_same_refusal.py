"""A gated tool without an approval is refused, counted and recorded alike whoever calls it, and each guard is missed where it is taken away.

The main agent's graph is the product's own (`build_agent`), with its gate of approvals taken out: what is left is the wrapper. A
sub-agent's graph is deepagents' `task`; the product ships none, so the test gives it the stack that the main agent has.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from deepagents import create_deep_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphBubbleUp

from agents import agent_factory
from agents.agent_factory import build_agent, build_middleware
from agents.guards.policy import AgentPolicy
from agents.middleware.tool_guard import ToolGuardMiddleware
from agents.model_factory import build_model
from agents.profiles import AgentProfile
from agents.workspace import SESSION_KEY, USER_KEY, build_backend, build_permissions, workspace_keys
from config import Settings
from tests.support.governed import SOMEBODY, Facts, RememberedLedger, agent_ports, governed_registry
from tests.support.model_server import Reply, written_model
from tools.ports import CallEntry
from tools.registry import AgentContext, SessionFacts, ToolPayload, ToolRegistry, agent_tool, for_feature, sourced

WIPE, ARGUMENTS = "test_wipe", {"what": "all"}
CONFIG: RunnableConfig = {
    "configurable": {
        "thread_id": "s1",
        "user_name": "u1",
        "session_id": "s1",
        "run_id": "r1",
        "trace_id": "t1",
        "organization_id": "local",
        **dict(zip((USER_KEY, SESSION_KEY), workspace_keys("u1", "s1"), strict=True)),
    }
}


class OpenGate(AgentMiddleware[Any, Any, Any]):
    """Where the graph's own gate stands, and asks nobody."""


@dataclass
class World:
    """One server's worth of governed calls, and what happened in it."""

    data_path: Path
    ran: list[str] = field(default_factory=list)
    ledger: RememberedLedger = field(default_factory=RememberedLedger)
    messages: list[Any] = field(default_factory=list)
    registry: ToolRegistry = field(init=False)
    profile: AgentProfile = field(init=False)

    def __post_init__(self) -> None:
        @agent_tool(name=WIPE, title="清空", description="清空", category="test", write_action=True, destructive=True)
        def wipe(what: str, ctx: AgentContext) -> ToolPayload:
            self.ran.append(what)
            return sourced(data=what)

        # No worker of the profile's own: the sub-agent below is the test's.
        files = ("ls", "read_file", "write_file", "edit_file", "glob", "grep")
        policy = AgentPolicy(allow=(WIPE, *files), approval=(WIPE,))
        self.profile = AgentProfile(name="tried", title="试", description="试", prompt="试", policy=policy)
        facts = Facts(SessionFacts(agent="tried", policy=replace(policy.tools, allow=policy.tools.allow | {"task"})))
        self.registry = governed_registry(pass_through=(GraphBubbleUp,), facts=facts, ledger=self.ledger)
        self.registry.add_feature(for_feature("f", domain="test", tools=[wipe]))

    def settings(self, base_url: str) -> Settings:
        return Settings(
            openai_api_key="not-a-real-one", openai_base_url=base_url, model_max_retries=0, ctx_compact_enabled=False
        )

    def stack(self, base_url: str = "http://127.0.0.1:9/v1") -> list[AgentMiddleware[Any, Any, Any]]:
        settings = self.settings(base_url)
        return build_middleware(
            self.profile,
            self.model(base_url),
            build_backend(self.data_path, self.data_path),
            build_permissions(),
            [self.registry.descriptor(WIPE)],
            self.registry,
            agent_ports(),
            settings,
        )

    def model(self, base_url: str) -> BaseChatModel:
        return build_model(self.settings(base_url), playbooks=(), examples=())

    async def by_main_agent(self, name: str = WIPE) -> None:
        with written_model(lambda body: then_done(body, name)) as server:
            graph = build_agent(
                self.profile,
                model=self.model(server.base_url),
                registry=self.registry,
                backend=build_backend(self.data_path, self.data_path),
                ports=agent_ports(),
                checkpointer=InMemorySaver(),
                settings=self.settings(server.base_url),
            )
            await self.run(graph)

    async def by_sub_agent(self, name: str = WIPE) -> None:
        def script(body: dict[str, Any]) -> Reply:
            return then_done(body, name if "I am the sub-agent" in str(body["messages"][0]) else "task")

        with written_model(script) as server:
            model = self.model(server.base_url)
            sub: Any = {
                "name": "helper",
                "description": "helps",
                "system_prompt": "I am the sub-agent",
                "tools": self.registry.get_tools_by_name(self.profile.tools),
                "middleware": self.stack(server.base_url),
            }
            graph = create_deep_agent(
                model=model,
                system_prompt="I am the main agent",
                middleware=self.stack(server.base_url),
                subagents=[sub],
                checkpointer=InMemorySaver(),
            )
            await self.run(graph)

    async def directly(self, name: str = WIPE) -> None:
        await self.registry.invoke(name, ARGUMENTS, context=SOMEBODY, call_id="c1")

    async def by_the_bare_tool(self, name: str = WIPE) -> None:
        (tool,) = self.registry.get_tools_by_name([name])
        await tool.ainvoke({"type": "tool_call", "name": name, "args": ARGUMENTS, "id": "c1"}, CONFIG)

    async def run(self, graph: Any) -> None:
        async for part in graph.astream(
            {"messages": [{"role": "user", "content": "清空"}]},
            CONFIG,
            stream_mode=["messages"],
            subgraphs=True,
            version="v2",
        ):
            if part["data"][0].type == "tool":
                self.messages.append(part["data"][0])

    def assert_refused(self) -> None:
        """Not run, one record of the refusal, counted once: the same on every path."""
        assert self.ran == [], "the gated tool ran without an approval"
        entries = [entry for entry in self.ledger.entries if entry.tool == WIPE]
        assert len(entries) == 1, "the refused call is not on record once"
        assert entries[0].tool_call_id
        assert told(entries[0]) == {
            "run": "r1",
            "user": "u1",
            "session": "s1",
            "trace": "t1",
            "rule": "approval",
            "needs_approval": True,
        }
        counted = f'agent_tool_calls_total{{code="approval_required",outcome="denied",tool="{WIPE}"}} 1.0'
        assert counted in self.registry.invoker.metrics.text().decode(), "the refused call is not counted once"
        for message in (message for message in self.messages if message.name == WIPE):
            assert json.loads(message.content)["code"] == "approval_required"


def told(entry: CallEntry) -> dict[str, object]:
    return {
        "run": entry.run_id,
        "user": entry.user_id,
        "session": entry.session_id,
        "trace": entry.trace_id,
        "rule": entry.rule,
        "needs_approval": entry.needs_approval,
    }


def then_done(body: dict[str, Any], name: str) -> Reply:
    """Call that tool first, then stop."""
    if body["messages"][-1]["role"] == "tool":
        return Reply(text="好")
    arguments = {"description": "清空", "subagent_type": "helper"} if name == "task" else ARGUMENTS
    return Reply(calls=((name, arguments),))


PATHS: dict[str, Callable[..., Awaitable[None]]] = {
    "main agent": World.by_main_agent,
    "sub-agent": World.by_sub_agent,
    "directly": World.directly,
    "bare tool": World.by_the_bare_tool,
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(agent_factory, "build_approval_middleware", lambda _: OpenGate())
    made = World(tmp_path)
    yield made
    made.registry.close()


@pytest.mark.parametrize("path", PATHS)
async def test_r_pol_3_a_gated_tool_is_refused_counted_and_recorded_alike_on_every_path(
    world: World, path: str
) -> None:
    await PATHS[path](world)

    world.assert_refused()


@pytest.mark.parametrize("path", ["main agent", "sub-agent"])
async def test_a_framework_tool_and_a_name_that_is_none_are_refused_and_recorded_on_every_path(
    world: World, path: str
) -> None:
    await PATHS[path](world, "no_such")

    entries = [entry for entry in world.ledger.entries if entry.tool == "no_such"]
    assert [(entry.allowed, entry.rule) for entry in entries] == [(False, "existence")]


# Each guard taken away, and what must then be missed: the tests above have no assertion that holds without the wrapper.


def unwrapped(registry: ToolRegistry, names: Any) -> list[BaseTool]:
    """What `get_tools_by_name` would give if registered tools did not wrap themselves."""

    def bare(name: str) -> BaseTool:
        function = registry.descriptor(name).function

        async def run(**arguments: Any) -> str:
            return json.dumps(function(**arguments, ctx=SOMEBODY))

        return StructuredTool(
            name=name, description=name, args_schema=registry.descriptor(name).schema, coroutine=run, func=None
        )

    return [bare(name) for name in names]


async def call_unwrapped(registry: ToolRegistry, name: str, arguments: Any, **_: Any) -> Any:
    return registry.descriptor(name).function(**arguments, ctx=SOMEBODY)


class Absent(AgentMiddleware[Any, Any, Any]):
    """Stands where the guard of the framework's tools stood."""

    def __init__(self, *_: Any) -> None:
        super().__init__()


@pytest.mark.parametrize("path", ["bare tool", "directly"])
async def test_mutation_a_tool_that_does_not_wrap_itself_is_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(ToolRegistry, "get_tools_by_name", unwrapped)
    monkeypatch.setattr(ToolRegistry, "invoke", call_unwrapped)

    await PATHS[path](world)

    with pytest.raises(AssertionError, match="ran without an approval"):
        world.assert_refused()


@pytest.mark.parametrize("path", ["main agent", "sub-agent"])
async def test_mutation_in_a_graph_the_second_guard_still_refuses_what_does_not_wrap_itself(
    world: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(ToolRegistry, "get_tools_by_name", unwrapped)

    await PATHS[path](world)

    world.assert_refused()


@pytest.mark.parametrize("path", ["main agent", "sub-agent"])
async def test_mutation_a_graph_without_both_guards_is_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(ToolRegistry, "get_tools_by_name", unwrapped)
    monkeypatch.setattr(agent_factory, "ToolGuardMiddleware", Absent)

    await PATHS[path](world)

    with pytest.raises(AssertionError, match="ran without an approval"):
        world.assert_refused()


@pytest.mark.parametrize("path", ["main agent", "sub-agent"])
async def test_mutation_a_graph_without_the_guard_of_framework_tools_is_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(agent_factory, "ToolGuardMiddleware", Absent)

    await PATHS[path](world, "no_such")

    assert [entry.tool for entry in world.ledger.entries if entry.tool == "no_such"] == []


def test_every_product_graph_has_the_guard_once(world: World) -> None:
    stack = world.stack()

    assert len([one for one in stack if isinstance(one, ToolGuardMiddleware)]) == 1
