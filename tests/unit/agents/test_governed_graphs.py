"""Whatever graph a call comes through, the wrapper decides: the main agent, a sub-agent, a hidden tool called anyway."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from deepagents import create_deep_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphBubbleUp
from typing_extensions import override

from agents.middleware.early_refusal import EarlyRefusalMiddleware
from agents.middleware.tool_guard import ToolGuardMiddleware
from tests.support.governed import Facts, RememberedLedger, governed_registry
from tools.policy import ToolPolicy
from tools.registry import AgentContext, SessionFacts, ToolPayload, agent_tool, for_feature, sourced

RAN: list[str] = []


class Scripted(GenericFakeChatModel):
    """Says its messages one after the other."""

    @override
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


@agent_tool(name="test_wipe", title="清空", description="清空", category="test", write_action=True, destructive=True)
def wipe(what: str, ctx: AgentContext) -> ToolPayload:
    RAN.append(what)
    return sourced(data=what)


def call(name: str, args: dict[str, Any], call_id: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": call_id}])


def graph_of(messages: list[AIMessage], facts: SessionFacts, *, in_sub_agent: bool) -> tuple[Any, RememberedLedger]:
    ledger = RememberedLedger()
    registry = governed_registry(pass_through=(GraphBubbleUp,), facts=Facts(facts), ledger=ledger)
    registry.add_feature(for_feature("f", domain="test", tools=[wipe]))
    tools = registry.get_tools_by_name(["test_wipe"])
    model = Scripted(messages=iter(messages))

    def explain(error: Exception, request: Any) -> ToolPayload:
        return {"ok": False, "error": type(error).__name__, "hint": "", "code": "tool_failed"}

    def middleware() -> list[Any]:
        return [EarlyRefusalMiddleware(registry.invoker), ToolGuardMiddleware(registry.invoker, explain)]

    sub = {"name": "h", "description": "h", "system_prompt": "h", "tools": tools, "middleware": middleware()}
    graph = create_deep_agent(
        model=model,
        tools=[] if in_sub_agent else tools,
        middleware=middleware(),
        subagents=[sub] if in_sub_agent else [],  # type: ignore[list-item]
        checkpointer=InMemorySaver(),
    )
    return graph, ledger


def tool_texts(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(m.content) for m in state["messages"] if m.type == "tool" and m.content.startswith("{")]


CONFIG = {"configurable": {"thread_id": "s1", "user_name": "u1", "session_id": "s1", "run_id": "r1", "trace_id": "t1"}}
GATED = SessionFacts(
    agent="tried",
    policy=ToolPolicy(allow=frozenset({"test_wipe", "task"}), approval=frozenset({"test_wipe"})),
)


@pytest.mark.parametrize("in_sub_agent", [False, True], ids=["main", "sub-agent"])
async def test_a_gated_tool_that_no_gate_of_the_graph_guards_is_refused_and_recorded(in_sub_agent: bool) -> None:
    RAN.clear()
    wiping = call("test_wipe", {"what": "all"}, "c2")
    messages = [wiping, AIMessage("好")]
    if in_sub_agent:
        messages = [call("task", {"description": "清空", "subagent_type": "h"}, "c1"), *messages, AIMessage("好")]
    graph, ledger = graph_of(messages, GATED, in_sub_agent=in_sub_agent)

    await graph.ainvoke({"messages": [{"role": "user", "content": "清空"}]}, CONFIG)

    assert RAN == []
    (entry,) = [entry for entry in ledger.entries if entry.tool == "test_wipe"]
    assert (entry.tool_call_id, entry.needs_approval, entry.run_id, entry.user_id) == ("c2", True, "r1", "u1")
    assert [e.tool for e in ledger.entries] == (["task", "test_wipe"] if in_sub_agent else ["test_wipe"])
    assert len(ledger.ends) == (1 if in_sub_agent else 0), "the refused call is closed by the ledger, `task` by its end"


async def test_t10_a_hidden_tool_that_is_called_anyway_is_refused_and_recorded() -> None:
    RAN.clear()
    facts = replace(GATED, permission_mode="read_only")
    graph, ledger = graph_of([call("test_wipe", {"what": "all"}, "c1"), AIMessage("好")], facts, in_sub_agent=False)

    state = await graph.ainvoke({"messages": [{"role": "user", "content": "清空"}]}, CONFIG)

    assert RAN == []
    assert [text["code"] for text in tool_texts(state)] == ["read_only"]
    assert [(entry.allowed, entry.rule) for entry in ledger.entries] == [(False, "permission_mode=read_only")]


async def test_a_tool_that_does_not_exist_is_refused_and_recorded() -> None:
    graph, ledger = graph_of([call("no_such", {}, "c1"), AIMessage("好")], GATED, in_sub_agent=False)

    state = await graph.ainvoke({"messages": [{"role": "user", "content": "清空"}]}, CONFIG)

    assert [text["code"] for text in tool_texts(state)] == ["unknown_tool"]
    assert [(entry.tool, entry.allowed) for entry in ledger.entries] == [("no_such", False)]


async def test_the_frameworks_own_tools_are_recorded_and_what_is_not_listed_is_refused() -> None:
    graph, ledger = graph_of([call("ls", {"path": "/"}, "c1"), AIMessage("好")], GATED, in_sub_agent=False)

    state = await graph.ainvoke({"messages": [{"role": "user", "content": "看"}]}, CONFIG)

    assert [text["code"] for text in tool_texts(state)] == ["not_allowed"]
    assert [(entry.tool, entry.rule) for entry in ledger.entries] == [("ls", "allow_list")]
