"""One path for every call, and the ways it may end."""

from __future__ import annotations

import asyncio
import contextvars
import json
import threading
import time
from datetime import date
from decimal import Decimal
from pathlib import PurePosixPath

import pytest
from langchain_core.runnables.config import set_config_context

from tests.support.governed import governed_registry
from tools.registry import AgentContext, ToolError, ToolPayload, agent_tool, for_feature, sourced

REQUEST = contextvars.ContextVar("request", default="none")


class SteeringError(Exception):
    """Stands for what steers the graph."""


def tool(name, timeout_s=30.0):
    return agent_tool(name=f"test_{name}", title="试用", description="试", category="test", timeout_s=timeout_s)


class Caller:
    """Registers one function and calls it as the graph does."""

    def __init__(self):
        self.registry = governed_registry()

    def __call__(self, function, args=None, *, threads=2):
        self.registry.close()
        self.registry = governed_registry(threads=threads, pass_through=(SteeringError,))
        self.registry.add_feature(for_feature("f", domain="test", tools=[function]))
        (bound,) = self.registry.get_tools_by_name([self.registry.descriptors[0].name])
        return bound.ainvoke({"type": "tool_call", "name": bound.name, "args": args or {}, "id": "c1"})


@pytest.fixture
def call():
    caller = Caller()
    yield caller
    caller.registry.close()


def payload(message):
    return json.loads(message.content)


async def test_a_sourced_answer_is_json_text_with_the_same_payload_as_artifact(call):
    source = {"id": "p1", "title": "计划", "kind": "document", "locator": {"file": "a.pdf", "page": 3}}

    @tool("plain")
    def plain(ctx: AgentContext) -> ToolPayload:
        return sourced(data={"flow": Decimal("11073.6"), "day": date(2024, 12, 1)}, sources=[source, dict(source)])

    message = await call(plain)

    assert payload(message) == {
        "ok": True,
        "data": {"flow": 11073.6, "day": "2024-12-01"},
        "sources": [source],
    }
    assert message.artifact == payload(message)
    assert (message.status, message.tool_call_id, message.name) == ("success", "c1", "test_plain")


async def test_plain_values_become_data_without_sources(call):
    @tool("value")
    def value(ctx: AgentContext) -> object:
        return [Decimal(3), PurePosixPath("/workspace/x"), {"b", "a"}]

    assert payload(await call(value)) == {"ok": True, "data": [3, "/workspace/x", ["a", "b"]], "sources": []}


async def test_async_tools_are_awaited_on_the_loop(call):
    @tool("awaited")
    async def awaited(value: int, ctx: AgentContext) -> ToolPayload:
        await asyncio.sleep(0)
        return sourced(data=[value, threading.current_thread() is threading.main_thread()])

    assert payload(await call(awaited, {"value": 2}))["data"] == [2, True]


async def test_sync_tools_see_the_context_variables_of_their_caller(call):
    @tool("context")
    def context(ctx: AgentContext) -> ToolPayload:
        return sourced(data=[REQUEST.get(), threading.current_thread().name.startswith("tool")])

    REQUEST.set("mine")

    assert payload(await call(context))["data"] == ["mine", True]


async def test_the_context_is_read_from_the_runs_config(call):
    @tool("who")
    def who(ctx: AgentContext) -> ToolPayload:
        return sourced(data=[ctx.user_id, ctx.session_id, ctx.turn_id, ctx.trace.trace_id, ctx.surface])

    facts = {"user_name": "张三", "session_id": "s", "run_id": "r", "trace_id": "t"}
    with set_config_context({"configurable": facts}) as run:
        message = await asyncio.create_task(call(who), context=run)

    assert payload(message)["data"] == ["张三", "s", "r", "t", "chat"]
    assert payload(await call(who))["data"] == ["local"] * 5


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({}, "缺少参数 count"),
        ({"count": 1, "extra": 2}, "没有名为 extra 的参数"),
        ({"count": "many"}, "参数 count 不合要求"),
    ],
)
async def test_wrong_arguments_are_explained_and_the_tool_is_not_entered(call, args, words):
    entered = []

    @tool("strict")
    def strict(count: int, ctx: AgentContext) -> ToolPayload:
        entered.append(count)
        return sourced(data=count)

    message = await call(strict, args)

    assert message.status == "error"
    assert words in payload(message)["error"]
    assert payload(message)["code"] == "bad_arguments"
    assert "count(必填)" in payload(message)["hint"]
    assert entered == []


async def test_infinite_numbers_are_no_arguments(call):
    @tool("number")
    def number(value: float, ctx: AgentContext) -> ToolPayload:
        return sourced(data=value)

    assert payload(await call(number, {"value": float("nan")}))["code"] == "bad_arguments"


async def test_a_business_error_reaches_the_model_word_for_word(call):
    @tool("refuses")
    def refuses(ctx: AgentContext) -> ToolPayload:
        raise ToolError("第 3 页没有表格", hint="请换一页", code="no_table")

    message = await call(refuses)

    assert message.status == "error"
    assert payload(message) == {"ok": False, "error": "第 3 页没有表格", "hint": "请换一页", "code": "no_table"}


async def test_an_answer_that_says_not_ok_is_an_error_with_all_fields(call):
    @tool("says_no")
    def says_no(ctx: AgentContext) -> ToolPayload:
        return {"ok": False, "error": "读不了"}

    message = await call(says_no)

    assert message.status == "error"
    assert payload(message) == {"ok": False, "error": "读不了", "hint": "", "code": "tool_error"}


@pytest.mark.parametrize("answer", [object(), float("nan"), {1: object()}])
async def test_an_answer_that_is_no_json_is_our_fault_and_still_readable(call, answer):
    @tool("strange")
    def strange(ctx: AgentContext) -> object:
        return answer

    assert payload(await call(strange))["code"] == "tool_failed"


@pytest.mark.parametrize(
    "error", [RuntimeError("secret"), ExceptionGroup("g", [ValueError("secret")]), TimeoutError("secret")]
)
async def test_a_fault_gives_an_incident_number_and_no_detail(call, error):
    @tool("breaks")
    def breaks(ctx: AgentContext) -> ToolPayload:
        raise error

    message = await call(breaks)

    assert message.status == "error"
    assert payload(message)["code"] == "tool_failed"
    assert "编号" in payload(message)["error"]
    assert "secret" not in message.content


async def test_what_steers_the_graph_and_cancellation_pass_through(call):
    @tool("steers")
    def steers(ctx: AgentContext) -> ToolPayload:
        raise SteeringError

    @tool("waits")
    async def waits(ctx: AgentContext) -> ToolPayload:
        await asyncio.sleep(10)
        return sourced(data=None)

    with pytest.raises(SteeringError):
        await call(steers)
    waiting = asyncio.create_task(call(waits))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_tools_own_cancelled_error_is_a_fault_of_the_tool_and_stops_nothing(call):
    @tool("cancelled")
    async def cancelled(ctx: AgentContext) -> ToolPayload:
        raise asyncio.CancelledError

    assert payload(await call(cancelled))["code"] == "tool_failed"


async def test_a_tool_that_takes_too_long_is_left_and_counted_until_it_ends(call):
    gate = threading.Event()

    @tool("sleeps", timeout_s=0.1)
    def sleeps(ctx: AgentContext) -> ToolPayload:
        gate.wait(10)
        return sourced(data=1)

    message = await call(sleeps)

    assert payload(message)["code"] == "timeout"
    assert "0.1 秒" in payload(message)["error"]
    assert call.registry.abandoned_calls == 1
    gate.set()
    await wait_until(lambda: call.registry.abandoned_calls == 0)


async def test_an_async_tool_that_takes_too_long_is_cancelled(call):
    ended = []

    @tool("awaits", timeout_s=0.1)
    async def awaits(ctx: AgentContext) -> ToolPayload:
        try:
            await asyncio.sleep(10)
        finally:
            ended.append(True)
        return sourced(data=1)

    assert payload(await call(awaits))["code"] == "timeout"
    assert ended == [True]


async def test_sleeping_tools_stop_nobody_else_s_threads(call):
    gate = threading.Event()

    @tool("blocks")
    def blocks(ctx: AgentContext) -> ToolPayload:
        gate.wait(10)
        return sourced(data=1)

    waiting = [asyncio.create_task(call(blocks, threads=2))]
    (bound,) = call.registry.get_tools_by_name(["test_blocks"])
    request = {"type": "tool_call", "name": bound.name, "args": {}, "id": "c"}
    waiting += [asyncio.create_task(bound.ainvoke(request)) for _ in range(40)]
    await asyncio.sleep(0.05)

    await asyncio.wait_for(asyncio.to_thread(lambda: None), 2)

    gate.set()
    await asyncio.gather(*waiting)


async def test_tools_run_under_the_async_server_only(call):
    @tool("sync")
    def sync(ctx: AgentContext) -> ToolPayload:
        return sourced(data=1)

    await call(sync)
    (bound,) = call.registry.get_tools_by_name(["test_sync"])

    with pytest.raises(NotImplementedError, match="test_sync runs asynchronously only: use ainvoke"):
        bound.invoke({})


@pytest.mark.parametrize(
    "source",
    [
        {"id": "x", "title": "t"},
        {"id": "", "title": "t", "kind": "k"},
        {"id": "x", "title": "t", "kind": "k", "page": 1},
    ],
)
def test_r_inv_4_a_source_without_its_fields_or_with_foreign_ones_is_refused(source):
    with pytest.raises(ValueError, match="source"):
        sourced(data=1, sources=[source])


async def wait_until(condition):
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
