"""The door: what may be registered, and that nothing registers itself."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from tests.support.governed import governed_registry
from tools.registry import (
    AgentContext,
    ToolPayload,
    ToolRegistrationError,
    Trace,
    UnknownToolError,
    agent_tool,
    for_feature,
    load_builtin_tools,
    sourced,
)

PROJECT = Path(__file__).resolve().parents[3]


def make(name, function=None):
    def tried(ctx: AgentContext, value: int = 1) -> ToolPayload:
        return sourced(data=value)

    return agent_tool(name=name, title="试", description="试", category="test")(function or tried)


def test_r_pit_7_clearing_and_loading_again_brings_all_tools_and_playbooks_back():
    registry = governed_registry()
    load_builtin_tools(registry)
    before = registry.descriptors, registry.playbooks

    registry.clear()
    assert (registry.descriptors, registry.playbooks) == ((), ())
    load_builtin_tools(registry)

    assert (registry.descriptors, registry.playbooks) == before
    assert {d.name for d in registry.descriptors} == {"time_now", "docs_search", "math_evaluate", "plan_submit"}


def test_r_pit_7_importing_and_decorating_register_nothing():
    make("test_stray")

    assert governed_registry().descriptors == ()


def test_importing_the_door_loads_no_agent_framework():
    code = "import sys, tools.registry; print([m for m in sys.modules if m.startswith(('deepagents', 'langchain.', 'langgraph.graph', 'langgraph.prebuilt', 'db', 'fastapi'))])"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["single", "Upper_case", "two__lines", "1_x", "", "a-b", "x_"])
def test_r_reg_4_a_name_that_is_no_domain_and_words_is_refused(name):
    with pytest.raises(ToolRegistrationError):
        make(name)


def test_r_reg_4_a_tool_outside_its_features_domain_is_refused():
    with pytest.raises(ToolRegistrationError, match="other_tool"):
        for_feature("f", domain="test", tools=[make("other_tool")])


def test_a_function_that_was_not_decorated_is_refused():
    with pytest.raises(ToolRegistrationError, match="not decorated"):
        for_feature("f", domain="test", tools=[lambda: None])


def test_a_tool_listed_twice_is_refused():
    tool = make("test_twice")

    with pytest.raises(ToolRegistrationError, match="twice"):
        for_feature("f", domain="test", tools=[tool, tool])


def test_two_features_cannot_share_a_name_or_a_tool():
    registry = governed_registry()
    registry.add_feature(for_feature("f", domain="test", tools=[make("test_one")]))

    with pytest.raises(ToolRegistrationError, match="registered already"):
        registry.add_feature(for_feature("f", domain="test", tools=[]))
    with pytest.raises(ToolRegistrationError, match="test_one"):
        registry.add_feature(for_feature("g", domain="test", tools=[make("test_one")]))


def test_a_name_nobody_registered_is_named_in_the_error():
    with pytest.raises(UnknownToolError, match="no_such"):
        governed_registry().get_tools_by_name(["no_such"])


def test_parameters_need_types_and_names():
    def untyped(value) -> ToolPayload:
        return {}

    def variadic(*values: int) -> ToolPayload:
        return {}

    for function in (untyped, variadic):
        with pytest.raises(ToolRegistrationError, match=r"test_registry\.py:\d+: tool 'test_bad': .*; give it typed"):
            for_feature("f", domain="test", tools=[make("test_bad", function)])


def test_a_tool_needs_title_description_and_category():
    with pytest.raises(ToolRegistrationError):
        agent_tool(name="test_x", title=" ", description="d", category="c")(lambda: None)


def test_the_schema_shown_to_a_model_has_the_arguments_and_not_the_context():
    def with_context(path: str, ctx: AgentContext, limit: int = 3) -> ToolPayload:
        return sourced(data=[path, limit, ctx.user_id])

    registry = governed_registry()
    registry.add_feature(for_feature("f", domain="test", tools=[make("test_ctx", with_context)]))

    (tool,) = registry.get_tools_by_name(["test_ctx"])
    schema = tool.tool_call_schema
    assert isinstance(schema, dict)
    assert set(schema["properties"]) == {"path", "limit"}
    assert schema["required"] == ["path"]
    assert schema["description"] == "试"


def test_r_reg_3_the_context_has_six_facts_and_cannot_be_changed():
    context = AgentContext(
        user_id="u", organization_id="o", surface="chat", session_id="s", turn_id="t", trace=Trace(trace_id="x")
    )

    assert list(AgentContext.__slots__) == [
        "user_id",
        "organization_id",
        "surface",
        "session_id",
        "turn_id",
        "trace",
    ]
    with pytest.raises(FrozenInstanceError):
        setattr(context, "user_id", "v")  # noqa: B010 - a plain assignment would not pass the type check
