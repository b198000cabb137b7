"""Whatever is sent to a tool and whatever a tool does: a readable answer, a closed record, and the next call works."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Annotated

import pytest
from pydantic import BeforeValidator

from tests.support.captured_log import captured_log
from tests.support.governed import SOMEBODY, RememberedLedger, governed_registry
from tests.support.odd_tools import RAISED, REFUSED, RETURNED, SENT, TAKEN, TITLE, TOOLS
from tools.descriptor import args_digest
from tools.json_values import whole_text
from tools.ports import Outcome
from tools.registry import AgentContext, ToolPayload, agent_tool, for_feature, sourced

FEATURE = for_feature("odd", domain="odd", tools=TOOLS)


def buggy(value):
    raise ZeroDivisionError


FAULTS = [f"raise:{name}" for name in RAISED] + [f"return:{name}" for name in RETURNED]
MOST_SHOWN_CHARS = 4_000


class Tried:
    """A registry with its ledger."""

    def __init__(self):
        self.ledger = RememberedLedger()
        self.registry = governed_registry(ledger=self.ledger)
        self.registry.add_feature(FEATURE)

    async def call(self, name, arguments):
        return await self.registry.invoke(name, arguments, context=SOMEBODY)

    def assert_kept(self):
        """Every call is on record, closed where it was allowed, in words that every database takes."""
        allowed = [entry.audit_id for entry in self.ledger.entries if entry.allowed]
        assert [end.audit_id for end in self.ledger.ends] == allowed
        said = [(entry.detail, entry.code or "", entry.tool) for entry in self.ledger.entries]
        said += [(end.detail, end.code, "") for end in self.ledger.ends]
        for detail, code, tool in said:
            for text in (detail, code, tool):
                assert text == whole_text(text)
                assert "\0" not in text
            assert len(code) <= 64


@pytest.fixture
def log():
    """What the server's own log says."""
    with captured_log() as stream:
        yield stream


@pytest.fixture
def tried(log):
    made = Tried()
    yield made
    made.registry.close()


@pytest.mark.parametrize("name", ["odd_sync", "odd_async"])
@pytest.mark.parametrize("kind", FAULTS)
async def test_t18_a_fault_is_an_incident_in_words_on_record_and_in_the_log(tried, log, kind, name):
    outcome = await tried.call(name, {"kind": kind})

    assert (outcome.status, outcome.payload["ok"], outcome.payload["code"]) == ("error", False, "tool_failed")
    assert outcome.payload["error"].startswith(f"{TITLE}出现内部错误(编号 ")
    assert outcome.payload["hint"]
    (end,) = tried.ledger.ends
    assert (end.outcome, end.incident_id in outcome.payload["error"]) == (Outcome.FAILED, True)
    tried.assert_kept()
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    assert {event["incident_id"] for event in events if event["event"] == "tool_failed"} == {end.incident_id}
    assert (await tried.call("odd_strict", {"count": 1})).status == "ok"


@pytest.mark.parametrize("name", ["odd_sync", "odd_async"])
@pytest.mark.parametrize("kind", REFUSED)
async def test_t6_t7_what_a_tool_states_carelessly_is_still_stated(tried, kind, name):
    outcome = await tried.call(name, {"kind": f"refuse:{kind}"})

    assert outcome.status == "error"
    assert outcome.payload["error"]
    assert outcome.payload["error"] == whole_text(outcome.payload["error"])
    assert tried.ledger.ends[0].outcome in {Outcome.REFUSED, Outcome.FORBIDDEN}
    tried.assert_kept()


async def test_decimals_of_a_template_are_kept(tried):
    assert (await tried.call("odd_sync", {"kind": "refuse:business_decimals"})).payload["error"] == "12.3%"


@pytest.mark.parametrize("kind", TAKEN)
async def test_odd_answers_that_can_be_kept_are_answers(tried, kind):
    outcome = await tried.call("odd_sync", {"kind": f"take:{kind}"})

    wanted = TAKEN[kind][1]
    assert outcome.status == "ok"
    assert json.loads(outcome.content) == outcome.payload
    assert wanted == outcome.payload["data"] or str(wanted) in str(outcome.payload["data"])
    tried.assert_kept()


@pytest.mark.parametrize("case", SENT)
async def test_what_is_sent_wrongly_is_refused_with_the_way_to_mend_it_and_recorded(tried, case):
    text, code = SENT[case]

    outcome = await tried.call("odd_strict", json.loads(text))

    assert (outcome.status, outcome.payload["code"]) == ("error", code)
    assert outcome.payload["error"] == whole_text(outcome.payload["error"])
    assert "odd_strict" in outcome.payload["hint"]
    assert len(outcome.content) < MOST_SHOWN_CHARS
    (entry,) = tried.ledger.entries
    assert (entry.allowed, entry.rule, entry.code) == (False, "arguments", code)
    tried.assert_kept()


async def test_arguments_no_json_text_can_carry_are_refused_and_recorded_too(tried):
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}

    for arguments in ({"count": 1, "body": deep}, {"count": 10**6000}, {"count": 1, 5: 1, "x": 2}):
        outcome = await tried.call("odd_strict", arguments)
        assert outcome.payload["code"] == "bad_arguments"
    assert [entry.allowed for entry in tried.ledger.entries] == [False] * 3


async def test_a_bug_in_a_tools_own_check_of_arguments_is_a_fault_of_the_tool(tried):
    @agent_tool(name="bug_check", title=TITLE, description="怪", category="test")
    def bug_check(value: Annotated[int, BeforeValidator(buggy)], ctx: AgentContext) -> ToolPayload:
        return sourced(data=value)

    tried.registry.add_feature(for_feature("bug", domain="bug", tools=[bug_check]))

    assert (await tried.call("bug_check", {"value": 1})).payload["code"] == "tool_failed"
    assert tried.ledger.ends[0].outcome is Outcome.FAILED
    assert "ZeroDivisionError" in tried.ledger.ends[0].detail


async def test_a_caller_of_whom_nothing_can_be_found_out_is_refused_and_recorded(tried, monkeypatch):
    async def broken(_context):
        raise OSError("the database is away")

    monkeypatch.setattr(tried.registry.invoker._ports.facts, "facts_of", broken)

    outcome = await tried.call("odd_strict", {"count": 1})

    assert outcome.payload["code"] == "not_allowed"
    assert [entry.allowed for entry in tried.ledger.entries] == [False]


@pytest.mark.parametrize("value", [{"a": 1}, {"a": [1, 2.5, None, "文", {"b": True}]}])
def test_the_digest_of_ordinary_arguments_tells_them_apart_whatever_their_order(value):
    assert args_digest("t", value) == args_digest("t", dict(reversed(list(value.items()))))
    assert args_digest("t", value) != args_digest("t", {**value, "c": 1})
    assert args_digest("t", value) != args_digest("u", value)


class Endless:
    """Tools that never return until the test lets them go; both swallow being told to stop."""

    def __init__(self):
        self.gate = threading.Event()
        self.open = asyncio.Event()

    @agent_tool(name="end_sync", title=TITLE, description="怪", category="test", timeout_s=0.1)
    def sync(self, _ctx: AgentContext) -> ToolPayload:
        self.gate.wait(30)
        return sourced(data="late")

    @agent_tool(name="end_async", title=TITLE, description="怪", category="test", timeout_s=0.1)
    async def awaited(self, _ctx: AgentContext) -> ToolPayload:
        while not self.open.is_set():
            try:
                await self.open.wait()
            except asyncio.CancelledError:
                continue
        return sourced(data="late")


@pytest.mark.parametrize("name", ["end_sync", "end_async"])
async def test_a_tool_that_never_returns_is_left_counted_and_recorded_and_others_go_on(tried, name):
    endless = Endless()
    tried.registry.add_feature(for_feature("end", domain="end", tools=[endless.sync, endless.awaited]))

    outcome = await tried.call(name, {})

    assert outcome.payload["code"] == "timeout"
    assert "0.1 秒" in outcome.payload["error"]
    assert (tried.registry.abandoned_calls, tried.ledger.ends[0].outcome) == (1, Outcome.TIMEOUT)
    assert (await tried.call("odd_strict", {"count": 1})).status == "ok"
    endless.gate.set()
    endless.open.set()
    await wait_until(lambda: tried.registry.abandoned_calls == 0)


@pytest.mark.parametrize("name", ["end_sync", "end_async"])
async def test_a_turn_that_is_stopped_does_not_wait_for_a_tool_that_never_returns(tried, name):
    endless = Endless()
    tried.registry.add_feature(for_feature("end", domain="end", tools=[endless.sync, endless.awaited]))
    object.__setattr__(tried.registry.descriptor(name), "timeout_s", 60)

    turn = asyncio.create_task(tried.call(name, {}))
    await asyncio.sleep(0.05)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    assert (tried.registry.abandoned_calls, tried.ledger.ends[0].outcome) == (1, Outcome.CANCELLED)
    endless.gate.set()
    endless.open.set()
    await wait_until(lambda: tried.registry.abandoned_calls == 0)


async def wait_until(condition):
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
