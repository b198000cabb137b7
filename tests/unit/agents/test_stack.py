"""Facts about the agents' code that hold for every model, middleware and graph input there is."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

import agents
from agents.agent_factory import build_agent
from agents.errors import SyncRunError
from agents.model_factory import build_model
from agents.profiles import AgentProfile, ProfileError, load_profiles
from agents.session_agent import SessionAgent, SessionLocks
from agents.workspace import SESSION_KEY, USER_KEY, build_backend, workspace_keys
from config import Settings
from tests.support.governed import agent_ports, governed_registry
from tests.support.model_server import Reply, written_model
from tools.registry import AgentContext, PlaybookStep, ToolPayload, agent_tool, for_feature, load_builtin_tools, sourced

PROJECT = Path(__file__).resolve().parents[3]
PACKAGES = ("agents", "api", "billing", "db", "extensions", "obs", "scheduler", "scripts", "tools")
MODEL_MAKERS = {
    "ChatOpenAI",
    "ReasoningChatOpenAI",
    "OfflineModel",
    "AzureChatOpenAI",
    "init_chat_model",
    "BaseChatOpenAI",
}
HOOK_PAIRS = [
    ("wrap_model_call", "awrap_model_call"),
    ("wrap_tool_call", "awrap_tool_call"),
    ("before_agent", "abefore_agent"),
    ("before_model", "abefore_model"),
    ("after_model", "aafter_model"),
    ("after_agent", "aafter_agent"),
]


def calls_of(name_set):
    for package in PACKAGES:
        for file in (PROJECT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    if name in name_set:
                        yield file.relative_to(PROJECT).as_posix(), node


def our_middleware():
    for module in pkgutil.walk_packages(agents.__path__, "agents."):
        importlib.import_module(module.name)

    def below(cls):
        for child in cls.__subclasses__():
            yield child
            yield from below(child)

    return sorted({cls for cls in below(AgentMiddleware) if cls.__module__.startswith("agents.")}, key=repr)


def test_r_pit_2_models_are_made_in_one_place_and_each_call_declares_the_window():
    calls = list(calls_of(MODEL_MAKERS))

    assert {file for file, _ in calls} == {"agents/model_factory.py"}
    assert len(calls) == 2
    for _, node in calls:
        assert "profile" in {keyword.arg for keyword in node.keywords}


@pytest.mark.parametrize("key", ["", "not-a-real-one"])
def test_r_pit_2_every_model_knows_its_window(key):
    model = build_model(Settings(openai_api_key=key, model_context_window=32_000))

    assert (model.profile or {})["max_input_tokens"] == 32_000


async def test_r_pit_3_what_agents_are_given_are_tool_objects():
    registry = governed_registry()
    load_builtin_tools(registry)

    tools = registry.get_tools_by_name([descriptor.name for descriptor in registry.descriptors])

    assert tools
    assert all(isinstance(tool, BaseTool) for tool in tools)


@pytest.mark.parametrize("middleware", our_middleware(), ids=lambda cls: cls.__name__)
def test_r_pit_4_every_middleware_has_the_sync_and_the_async_hook(middleware):
    own = [name for cls in middleware.__mro__ if cls.__module__.startswith("agents.") for name in vars(cls)]

    for sync_hook, async_hook in HOOK_PAIRS:
        assert (sync_hook in own) == (async_hook in own), f"{middleware.__name__}: {sync_hook} / {async_hook}"


def test_r_pit_4_the_walk_finds_our_middleware():
    assert {"DynamicTimeMiddleware", "RejectionMiddleware"} <= {cls.__name__ for cls in our_middleware()}


class RecordingGraph:
    """Stands where the graph stands and keeps what it is given."""

    def __init__(self):
        self.inputs = []

    async def astream(self, graph_input, config, **_):
        self.inputs.append(graph_input)
        yield {"type": "updates", "ns": (), "data": {"configurable": sorted(config["configurable"])}}


async def test_r_pit_6_the_graphs_input_is_a_dict_and_its_config_holds_ids_only(identity, say, hear):
    graph: Any = RecordingGraph()
    agent = SessionAgent(graph=graph, registry=governed_registry(), locks=SessionLocks())

    heard = await hear(agent.stream(identity(), say("你好", "/workspace/uploads/a.pdf")))

    (graph_input,) = graph.inputs
    assert isinstance(graph_input, dict)
    assert graph_input["messages"][0].additional_kwargs == {"text": "你好", "files": ["/workspace/uploads/a.pdf"]}
    assert heard.parts[0]["data"]["configurable"] == [
        "agent",
        "run_id",
        "session_id",
        "thread_id",
        "trace_id",
        "user_name",
        "workspace_session",
        "workspace_user",
    ]


@agent_tool(name="broken_always", title="坏工具", description="坏", category="test")
def broken_always(value: int, ctx: AgentContext) -> ToolPayload:
    if value == 0:
        raise RuntimeError("password=geheim at /srv/app/secret.py")
    return sourced(data=value)


async def test_r_lay_5_a_failing_tool_returns_a_readable_reason_and_the_turn_goes_on(house, identity, say, hear):
    steps = (
        PlaybookStep(tool="broken_always", args={"value": 0}),
        PlaybookStep(tool="broken_always", args={"value": "many"}),
        PlaybookStep(tool="broken_always", args={}),
        PlaybookStep(tool="broken_always", args={"value": 3}),
    )
    agent = await house.agent(for_feature("broken", domain="broken", tools=[broken_always]), script=steps)

    heard = await hear(agent.stream(identity(), say("试")))

    payloads = [json.loads(message.content) for message in heard.tool_messages]
    assert [payload.get("code") for payload in payloads] == ["tool_failed", "bad_arguments", "bad_arguments", None]
    assert [message.status for message in heard.tool_messages] == ["error", "error", "error", "success"]
    assert "geheim" not in str(payloads)
    assert "编号" in payloads[0]["error"]
    assert heard.text.endswith("完成")


def test_the_shipped_profiles_load_and_gate_what_a_person_must_confirm():
    profiles = load_profiles()

    assert set(profiles) == {"ventilation", "general", "ticket_desk"}
    assert profiles["ventilation"].policy.approval == ("plan_submit", "airflow_value_settle", "airflow_report_publish")
    assert "×" in profiles["ventilation"].prompt
    assert profiles["ventilation"].skills == ("/skills/",)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('name = "a"\ntitle = "t"\ndescription = "d"\nprompt = "p.md"\ncolour = 1', "colour"),
        ('name = "b"\ntitle = "t"\ndescription = "d"\nprompt = "p.md"', "differs"),
        ('name = "a"\ntitle = "t"\ndescription = "d"\nprompt = "gone.md"', "gone.md"),
        ('name = "a"\ntitle = "t"\ndescription = "d"\nprompt = "p.md"\n[policy]\napproval = ["x_y"]', "x_y"),
        ("name = ", "a.toml"),
    ],
)
def test_a_profile_that_says_something_unknown_is_refused_by_name(tmp_path, text, named):
    (tmp_path / "a.toml").write_text(text, "utf-8")
    (tmp_path / "p.md").write_text("试", "utf-8")

    with pytest.raises(ProfileError, match=named) as caught:
        load_profiles(tmp_path, tmp_path)

    assert "a.toml" in str(caught.value)


@pytest.mark.parametrize("way", ["invoke", "stream"])
def test_r_pit_4_a_graph_that_is_run_synchronously_says_what_to_do_before_any_model_is_asked(tmp_path, way):
    asked = []

    def script(body):
        asked.append(body)
        return Reply(text="好")

    with written_model(script) as server:
        settings = Settings(openai_api_key="not-a-real-one", openai_base_url=server.base_url, data_dir=tmp_path)
        registry = governed_registry()
        profile = AgentProfile(name="tried", title="试", description="试", prompt="试")
        graph = build_agent(
            profile,
            model=build_model(settings),
            registry=registry,
            backend=build_backend(tmp_path, tmp_path),
            ports=agent_ports(),
            checkpointer=InMemorySaver(),
            settings=settings,
        )
        keys = dict(zip((USER_KEY, SESSION_KEY), workspace_keys("u", "s"), strict=True))
        with pytest.raises(SyncRunError, match="use ainvoke or astream instead"):
            list(getattr(graph, way)({"messages": "试"}, {"configurable": {"thread_id": "s", **keys}}))
        registry.close()

    assert asked == []
