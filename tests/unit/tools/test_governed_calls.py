"""Document 001: what is registered, what is refused, how calls end and what is on record of them; ids T1 … T20 in the names."""

from __future__ import annotations

import asyncio
import json
import types
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict
from typing_extensions import override

from extensions.loader import load_extensions
from tests.support.governed import EVERYTHING, SOMEBODY, Facts, RememberedLedger, governed_registry
from tools.declaration import unlisted
from tools.judge import is_visible
from tools.policy import ToolPolicy
from tools.ports import Outcome
from tools.registry import (
    AgentContext,
    JsonObject,
    SessionFacts,
    ToolError,
    ToolPayload,
    ToolPermissionError,
    ToolRegistrationError,
    agent_tool,
    for_feature,
    load_builtin_tools,
    session_facts,
    sourced,
)

ROOT = Path(__file__).resolve().parents[3]


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    flow_m3_min: float


class Rows(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rows: list[Row]


NOTHING_WAITS = SessionFacts(agent="tried", policy=EVERYTHING)


def tool(name="test_tried", **traits):
    return agent_tool(name=name, title="试用", description="试", category="test", **traits)


class Governed:
    """One registry with its ledger; calls a function as the server would."""

    def __init__(self, facts=NOTHING_WAITS, *, approved=()):
        self.ledger = RememberedLedger(approved=set(approved))
        self.facts = Facts(facts)
        self.registry = governed_registry(facts=self.facts, ledger=self.ledger)

    async def call(self, function, arguments=None, *, context=SOMEBODY):
        feature = for_feature(f"f{len(self.registry.descriptors)}", domain="test", tools=[function])
        self.registry.add_feature(feature)
        return await self.registry.invoke(feature.descriptors[0].name, arguments or {}, context=context)

    @property
    def end(self):
        (end,) = self.ledger.ends
        return end


@pytest.fixture
def governed():
    made = Governed()
    yield made
    made.registry.close()


def test_t1_the_tool_list_a_provider_is_shown_is_the_one_that_was_agreed():
    registry = governed_registry()
    load_builtin_tools(registry)
    shown = [
        {"name": tool.name, "description": tool.description, "schema": tool.args_schema}
        for tool in registry.get_tools_by_name([descriptor.name for descriptor in registry.descriptors])
    ]
    registry.close()

    agreed = json.loads((ROOT / "tests" / "fixtures" / "tools" / "provider_tools.json").read_text("utf-8"))
    assert shown == agreed


async def test_t2_a_listed_function_and_a_bound_method_are_registered_and_called(governed):
    class Service:
        greeting = "你好"

        @tool("test_method")
        def greet(self, name: str, ctx: AgentContext) -> ToolPayload:
            return sourced(data=[self.greeting, name, ctx.user_id])

    outcome = await governed.call(Service().greet, {"name": "张"})

    assert outcome.payload["data"] == ["你好", "张", "u1"]
    assert [d.name for d in governed.registry.descriptors] == ["test_method"]


def test_t3_a_marked_function_that_no_feature_lists_is_found_and_named():
    module = types.ModuleType("extensions.tried")

    @tool("test_forgotten")
    def forgotten(ctx: AgentContext) -> ToolPayload:
        return sourced(data=None)

    vars(module)["forgotten"] = forgotten

    (found,) = unlisted([module], [])
    assert (found.name, found.where.partition(":")[0]) == ("test_forgotten", "test_governed_calls.py")
    assert unlisted([module], [forgotten]) == []


def test_t3_the_start_stops_at_it_with_file_tool_and_remedy(monkeypatch):
    module = types.ModuleType("extensions.tried")

    @tool("test_forgotten")
    def forgotten(ctx: AgentContext) -> ToolPayload:
        return sourced(data=None)

    vars(module)["forgotten"] = forgotten
    registry = governed_registry()
    load_builtin_tools(registry)
    load_extensions(registry)
    registry.check_complete()
    monkeypatch.setitem(__import__("sys").modules, "extensions.tried", module)

    with pytest.raises(
        ToolRegistrationError,
        match=r"test_governed_calls.py:\d+: tool 'test_forgotten': no feature lists it; add it to",
    ):
        registry.check_complete()
    registry.close()


def test_t4_a_name_that_is_taken_stops_the_start(governed):
    @tool("test_twice")
    def one(ctx: AgentContext) -> ToolPayload:
        return sourced(data=None)

    governed.registry.add_feature(for_feature("a", domain="test", tools=[one]))

    with pytest.raises(ToolRegistrationError, match=r"Tool already registered.*test_twice"):
        governed.registry.add_feature(for_feature("b", domain="test", tools=[one]))


async def test_t5_a_call_has_one_row_before_and_one_after_with_all_fields(governed):
    @tool("test_tried", effects=("thing.done",))
    def tried(value: int, ctx: AgentContext) -> ToolPayload:
        assert [entry.tool for entry in governed.ledger.entries] == ["test_tried"]
        assert governed.ledger.ends == []
        return sourced(data=value)

    await governed.call(tried, {"value": 1})

    (entry,) = governed.ledger.entries
    assert (entry.user_id, entry.session_id, entry.run_id, entry.trace_id) == ("u1", "s1", "r1", "t1")
    assert (entry.agent, entry.surface, entry.organization_id) == ("tried", "chat", "local")
    assert (entry.allowed, entry.rule, entry.effects) == (True, "allow_list", ("thing.done",))
    assert entry.tool_version == governed.registry.descriptor("test_tried").version
    assert entry.policy_version == EVERYTHING.version
    assert len(entry.input_digest) == 64
    assert (governed.end.audit_id, governed.end.outcome) == (entry.audit_id, Outcome.OK)
    assert len(governed.end.result_digest) == 64


async def test_t6_a_business_error_reaches_the_model_with_its_reason(governed):
    @tool()
    def refuses(ctx: AgentContext) -> ToolPayload:
        raise ToolError("没有第 {page} 页", hint="请换一页", code="no_page", values={"page": 7})

    outcome = await governed.call(refuses)

    assert outcome.status == "error"
    assert (outcome.payload["ok"], outcome.payload["error"], outcome.payload["code"]) == (
        False,
        "没有第 7 页",
        "no_page",
    )
    assert governed.end.outcome is Outcome.REFUSED


async def test_t7_a_security_error_says_no_more_than_that_and_the_audit_has_the_detail(governed):
    @tool()
    def guarded(ctx: AgentContext) -> ToolPayload:
        raise ToolPermissionError("role viewer of department 7 lacks payroll.read")

    outcome = await governed.call(guarded)

    assert outcome.payload["error"] == "权限不足"
    assert "payroll" not in outcome.content
    assert governed.end.outcome is Outcome.FORBIDDEN
    assert "payroll.read" in governed.end.detail


async def test_t8_a_system_error_is_an_incident_to_the_model_and_a_trace_to_the_operator(governed):
    @tool()
    def broken(ctx: AgentContext) -> ToolPayload:
        raise OSError("connection refused by the store")

    outcome = await governed.call(broken)

    assert outcome.payload["code"] == "tool_failed"
    assert "refused" not in outcome.content
    assert governed.end.outcome is Outcome.FAILED
    assert governed.end.incident_id in outcome.payload["error"]
    assert "connection refused" in governed.end.detail
    assert b'agent_tool_system_errors_total{tool="test_tried"} 1.0' in governed.registry.invoker.metrics.text()


@pytest.mark.parametrize("trait", ["write_action", "destructive"])
async def test_t10_read_only_hides_the_tool_and_forbids_the_call(trait):
    governed = Governed(replace(NOTHING_WAITS, permission_mode="read_only"))

    @tool(**{trait: True})
    def writes(ctx: AgentContext) -> ToolPayload:
        raise AssertionError("called")

    outcome = await governed.call(writes)

    assert (outcome.payload["code"], outcome.payload["error"][:4]) == ("read_only", "权限不足")
    assert not is_visible(governed.registry.descriptor("test_tried"), SOMEBODY, governed.facts.facts)
    assert (governed.ledger.entries[0].allowed, governed.ledger.entries[0].rule) == (False, "permission_mode=read_only")
    governed.registry.close()


async def test_t11_plan_mode_hides_write_tools_until_a_plan_is_approved_but_not_the_plan_itself():
    facts = replace(NOTHING_WAITS, plan_mode="required")
    governed = Governed(facts)

    @tool(write_action=True)
    def writes(ctx: AgentContext) -> ToolPayload:
        return sourced(data="written")

    @tool("test_plan", write_action=True, control_tool=True)
    def plan(ctx: AgentContext) -> ToolPayload:
        return sourced(data="planned")

    assert (await governed.call(writes)).payload["code"] == "plan_required"
    assert (await governed.call(plan)).payload["data"] == "planned"
    assert not is_visible(governed.registry.descriptor("test_tried"), SOMEBODY, facts)

    governed.facts.facts = replace(facts, has_approved_plan=True)
    again = await governed.registry.invoke("test_tried", {}, context=SOMEBODY)
    assert again.payload["data"] == "written"
    governed.registry.close()


async def test_t12_a_tool_gets_exactly_six_facts_and_cannot_change_them(governed):
    seen = []

    @tool()
    def looks(ctx: AgentContext) -> ToolPayload:
        seen.append(ctx)
        return sourced(data=session_facts(ctx).agent)

    assert (await governed.call(looks)).payload["data"] == "tried"
    (context,) = seen
    assert set(context.__slots__) == {"user_id", "organization_id", "surface", "session_id", "turn_id", "trace"}
    with pytest.raises(FrozenInstanceError):
        context.user_id = "other"  # type: ignore[misc]
    with pytest.raises(LookupError):
        session_facts(context)


async def test_t17_the_trace_of_the_turn_stands_in_the_record_and_in_the_tools_own_context(governed):
    @tool()
    def traced(ctx: AgentContext) -> ToolPayload:
        return sourced(data=ctx.trace.trace_id)

    outcome = await governed.call(traced)

    assert outcome.payload["data"] == governed.ledger.entries[0].trace_id == "t1"


class UnspeakableError(Exception):
    """Its words cannot be read."""

    @override
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    "raised",
    [
        SystemExit("text"),
        KeyboardInterrupt(),
        GeneratorExit(),
        UnspeakableError(),
        ExceptionGroup("many", [ValueError("a"), OSError("b")]),
        BaseExceptionGroup("many", [SystemExit(1)]),
        StopIteration(3),
        asyncio.CancelledError(),
        RecursionError(),
        MemoryError(),
    ],
    ids=lambda raised: type(raised).__name__,
)
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_t18_whatever_a_tool_raises_the_call_is_answered_and_closed(governed, raised, is_async):
    if is_async:

        @tool()
        async def odd(ctx: AgentContext) -> ToolPayload:
            raise raised

    else:

        @tool()
        def odd(ctx: AgentContext) -> ToolPayload:
            raise raised

    outcome = await governed.call(odd)

    assert outcome.payload["code"] == "tool_failed"
    assert governed.end.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "error", [ToolError("x"), ToolPermissionError("x"), ValueError("x")], ids=lambda e: type(e).__name__
)
async def test_t19_every_record_that_was_opened_is_closed(governed, error):
    @tool()
    def fails(ctx: AgentContext) -> ToolPayload:
        raise error

    await governed.call(fails)

    assert [end.audit_id for end in governed.ledger.ends] == [entry.audit_id for entry in governed.ledger.entries]


def test_t20_a_signature_without_the_context_stops_the_start():
    @tool()
    def drifted(value: int) -> ToolPayload:
        return sourced(data=value)

    with pytest.raises(
        ToolRegistrationError, match=r"test_governed_calls.py:\d+: tool 'test_tried': it takes 0 parameters"
    ):
        for_feature("f", domain="test", tools=[drifted])


async def test_r_reg_2_one_model_as_input_is_checked_and_shown_as_declared_json_schema(governed):
    @tool()
    def many(input: Rows, ctx: AgentContext) -> ToolPayload:  # noqa: A002 - the name the registry asks for
        return sourced(data=[row.name for row in input.rows])

    assert (await governed.call(many, {"rows": [{"name": "a", "flow_m3_min": 1}]})).payload["data"] == ["a"]
    schema = governed.registry.descriptor("test_tried").schema
    assert schema["required"] == ["rows"]
    refused = await governed.registry.invoke("test_tried", {"rows": [{"name": "a"}]}, context=SOMEBODY)
    assert "rows.0.flow_m3_min" in refused.payload["error"]


async def test_r_reg_2_json_text_is_taken_and_what_cannot_be_read_is_counted(governed):
    @tool()
    def nested(body: JsonObject, ctx: AgentContext) -> ToolPayload:
        return sourced(data=body)

    assert (await governed.call(nested, {"body": '{"a": 1.10}'})).payload["data"] == {"a": 1.1}
    broken = await governed.registry.invoke("test_tried", {"body": '{"a": '}, context=SOMEBODY)

    assert broken.payload["code"] == "input_parse_error"
    report = governed.registry.input_report()
    assert (report["json_text_calls"], report["input_parse_errors"], report["is_triggered"]) == (2, 1, True)
    shown = governed.registry.metrics_text().decode()
    assert 'agent_tool_invoke_input_parse_error_total{tool="test_tried"} 1.0' in shown
    assert "agent_tool_nested_input_tools 1.0" in shown
    assert "agent_tool_nested_input_trigger 1.0" in shown


@pytest.mark.parametrize(("tools", "is_triggered"), [(0, False), (2, False), (3, True)])
async def test_r_reg_2_three_tools_with_nested_input_are_the_trigger(governed, tools, is_triggered):
    for number in range(tools):

        @tool(f"test_nested{number}")
        def nested(body: JsonObject, ctx: AgentContext) -> ToolPayload:
            return sourced(data=body)

        governed.registry.add_feature(for_feature(f"f{number}", domain="test", tools=[nested]))

    report = governed.registry.input_report()
    assert (report["tools_with_nested_input"], report["is_triggered"]) == (tools, is_triggered)
    assert f"agent_tool_nested_input_trigger {float(is_triggered)}" in governed.registry.metrics_text().decode()


@pytest.mark.parametrize(("sound", "is_triggered"), [(19, False), (18, True)])
async def test_r_reg_2_more_than_one_parse_error_in_twenty_is_the_trigger(governed, sound, is_triggered):
    @tool()
    def nested(body: JsonObject, ctx: AgentContext) -> ToolPayload:
        return sourced(data=body)

    await governed.call(nested, {"body": "{"})
    for _ in range(sound):
        await governed.registry.invoke("test_tried", {"body": "{}"}, context=SOMEBODY)

    assert governed.registry.input_report()["is_triggered"] is is_triggered


@pytest.mark.parametrize(
    ("availability", "missing"),
    [
        ({"surface": ["schedule"]}, "surface chat"),
        ({"permissions": ["plan.write"]}, "plan.write"),
        ({"required_capabilities": ["camera"]}, "camera"),
    ],
)
async def test_a_tool_that_is_not_available_here_is_hidden_refused_and_recorded(governed, availability, missing):
    @tool(availability=availability)
    def elsewhere(ctx: AgentContext) -> ToolPayload:
        raise AssertionError("called")

    outcome = await governed.call(elsewhere)

    assert outcome.payload["code"] == "not_available"
    assert missing in governed.ledger.entries[0].detail
    assert missing not in outcome.content


async def test_what_the_policy_does_not_list_is_refused():
    governed = Governed(SessionFacts(agent="tried", policy=ToolPolicy(allow=frozenset({"test_other"}))))

    @tool()
    def unlisted_here(ctx: AgentContext) -> ToolPayload:
        raise AssertionError("called")

    outcome = await governed.call(unlisted_here)

    assert outcome.payload["code"] == "not_allowed"
    assert (governed.ledger.entries[0].rule, governed.ledger.ends) == ("allow_list", [])
    governed.registry.close()


async def test_a_gated_tool_without_an_approval_is_refused_whoever_calls_it():
    policy = ToolPolicy(allow=frozenset({"test_tried"}), approval=frozenset({"test_tried"}))
    governed = Governed(SessionFacts(agent="tried", policy=policy))

    @tool()
    def gated(ctx: AgentContext) -> ToolPayload:
        raise AssertionError("called")

    assert (await governed.call(gated)).payload["code"] == "approval_required"
    governed.registry.close()


async def test_without_a_record_there_is_no_call(governed):
    async def broken(entry):
        raise OSError("disk full")

    governed.ledger.admit = broken

    @tool()
    def never(ctx: AgentContext) -> ToolPayload:
        raise AssertionError("called")

    assert (await governed.call(never)).payload["code"] == "audit_unavailable"


@pytest.mark.parametrize("answer", [object(), float("nan"), {1: {2, object()}}, b"bytes"], ids=repr)
async def test_what_is_no_json_is_a_fault_of_the_tool(governed, answer):
    @tool()
    def odd(ctx: AgentContext) -> object:
        return answer

    assert (await governed.call(odd)).payload["code"] == "tool_failed"
    assert governed.end.outcome is Outcome.FAILED
