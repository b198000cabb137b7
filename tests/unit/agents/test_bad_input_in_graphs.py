"""The same oddities through the real graph, with a model behind an address: readable, recorded, and the turn goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.captured_log import captured_log
from tests.support.model_server import Reply, written_model
from tests.support.odd_tools import RAISED, REFUSED, RETURNED, SENT, TOOLS
from tools.registry import for_feature

FEATURE = for_feature("odd", domain="odd", tools=TOOLS)
LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 0}
LONGEST = 64_000
DONE = [f"raise:{name}" for name in RAISED] + [f"return:{name}" for name in RETURNED]
DONE += [f"refuse:{name}" for name in REFUSED]
# What the mending of answers, before any tool is asked, says of itself.
UNREADABLE = {
    "broken": '{"count": 1, ',
    "no_object": "[1, 2]",
    "number": "7",
    "null": "null",
    "half_text": '{"count": "\\',
}


@pytest.fixture(autouse=True)
def log():
    with captured_log() as stream:
        yield stream


@pytest.fixture
def talk(house, identity, say, hear):
    """One turn in which the model sends these calls, and then says that it is done."""

    async def run(*calls: tuple[str, dict[str, Any] | str]):
        replies = iter([Reply(calls=calls), Reply(text="完成")])
        with written_model(lambda _: next(replies)) as server:
            house.overrides = {**LIVE, "openai_base_url": server.base_url}
            agent = await house.agent(FEATURE)
            heard = await hear(agent.stream(identity(), say("试")))
        return heard, server.bodies[-1]["messages"]

    return run


async def test_whatever_tools_do_in_one_turn_each_call_is_answered_and_closed(talk, house):
    calls = [(f"odd_{way}", {"kind": kind}) for kind in DONE for way in ("sync", "async")]

    heard, seen = await talk(*calls)

    payloads = [json.loads(message["content"]) for message in seen if message["role"] == "tool"]
    assert len(payloads) == len(calls) == len(house.ledger.entries)
    assert all(payload["ok"] is False and payload["error"] and payload["code"] for payload in payloads)
    assert {message.status for message in heard.tool_messages} == {"error"}
    assert heard.text.strip() == "完成"
    assert sorted(end.audit_id for end in house.ledger.ends) == sorted(entry.audit_id for entry in house.ledger.entries)


@pytest.mark.parametrize("case", SENT)
async def test_what_a_model_sends_wrongly_comes_back_readable_and_is_recorded(talk, house, case):
    heard, seen = await talk(("odd_strict", SENT[case][0]))

    (payload,) = (json.loads(message["content"]) for message in seen if message["role"] == "tool")
    assert heard.text.strip() == "完成"
    if len(SENT[case][0]) > LONGEST:
        assert (payload["ok"], payload["code"]) == (False, "unreadable_arguments")
        assert f"超过 {LONGEST} 个字符" in payload["error"]
        assert sum(len(json.dumps(message)) for message in seen) < LONGEST, "what was refused stays out of the history"
        return
    assert (payload["ok"], payload["code"]) == (False, SENT[case][1])
    (entry,) = house.ledger.entries
    assert (entry.tool, entry.allowed, entry.rule) == ("odd_strict", False, "arguments")


@pytest.mark.parametrize("case", UNREADABLE)
async def test_arguments_that_are_no_object_come_back_readable(talk, house, case):
    heard, seen = await talk(("odd_strict", UNREADABLE[case]))

    (payload,) = (json.loads(message["content"]) for message in seen if message["role"] == "tool")
    assert (payload["ok"], payload["code"]) == (False, "unreadable_arguments")
    assert heard.text.strip() == "完成"


@pytest.mark.parametrize("name", ["no_such", "a\ud800", "n" * 5_000, "读取", "", "ls; rm"])
async def test_a_tool_that_does_not_exist_is_named_to_the_model_and_recorded(talk, house, name):
    heard, seen = await talk((name, {"a": 1}))

    (payload,) = (json.loads(message["content"]) for message in seen if message["role"] == "tool")
    assert (payload["ok"], payload["code"]) == (False, "unknown_tool")
    assert "odd_strict" in payload["hint"]
    assert heard.text.strip() == "完成"
    (entry,) = house.ledger.entries
    assert (entry.allowed, entry.rule, len(entry.tool) <= 128) == (False, "existence", True)
