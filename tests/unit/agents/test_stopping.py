"""What is left when a turn is stopped, and that the next turn starts clean."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import aclosing

import pytest

from tests.support.model_server import Reply, written_model
from tools.registry import AgentContext, ToolPayload, agent_tool, for_feature, sourced

LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 0}


@pytest.fixture
def slow():
    """A tool that waits until the test lets it go, and one that answers at once."""
    entered, gate = threading.Event(), threading.Event()

    @agent_tool(name="slow_wait", title="慢", description="慢", category="test")
    def slow_wait(ctx: AgentContext) -> ToolPayload:
        entered.set()
        gate.wait(10)
        return sourced(data="late")

    @agent_tool(name="slow_quick", title="快", description="快", category="test")
    def slow_quick(ctx: AgentContext) -> ToolPayload:
        return sourced(data="quick")

    yield for_feature("slow", domain="slow", tools=[slow_wait, slow_quick]), entered
    gate.set()


async def test_open_calls_get_a_result_with_the_reason_and_finished_siblings_keep_theirs(
    house, identity, say, hear, slow
):
    feature, entered = slow
    replies = iter([Reply(calls=(("slow_quick", {}), ("slow_wait", {}))), Reply(text="好的")])
    with written_model(lambda _: next(replies)) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent(feature)
        who = identity()

        async def turn():
            async with aclosing(agent.stream(who, say("做"))) as parts:
                async for _ in parts:
                    pass

        task = asyncio.create_task(turn())
        await asyncio.to_thread(entered.wait, 10)
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        closed = await agent.close_open_calls(who, "用户停止了任务", "cancelled")
        again = await agent.close_open_calls(who, "用户停止了任务", "cancelled")
        heard = await hear(agent.stream(identity(), say("继续")))

    answers = {m["tool_call_id"]: m["content"] for m in server.bodies[-1]["messages"] if m["role"] == "tool"}
    assert [call.name for call in closed] == ["slow_wait"]
    assert again == ()
    assert json.loads(answers[closed[0].tool_call_id]) == {
        "ok": False,
        "error": "用户停止了任务",
        "hint": "",
        "code": "cancelled",
    }
    assert any("quick" in content for content in answers.values())
    assert heard.text.strip() == "好的"


async def test_closing_the_calls_of_a_pending_approval_ends_the_approval(house, identity, say, hear):
    agent = await house.agent()
    await hear(agent.stream(identity(), say("提交计划 甲：一；二")))
    assert len(await agent.pending(identity())) == 1

    closed = await agent.close_open_calls(identity(), "已被新消息取代", "superseded")
    heard = await hear(agent.stream(identity(), say("现在几点")))

    assert [call.name for call in closed] == ["plan_submit"]
    assert await agent.pending(identity()) == ()
    assert "星期" in heard.text


async def test_a_session_without_messages_has_nothing_open_and_nothing_pending(house, identity):
    agent = await house.agent()

    assert await agent.pending(identity()) == ()
    assert await agent.close_open_calls(identity(), "x", "cancelled") == ()


async def test_two_turns_at_once_on_one_session_run_one_after_the_other_and_lose_nothing(house, identity, say, hear):
    agent = await house.agent()

    first, second = await asyncio.gather(
        hear(agent.stream(identity(), say("算 1+1"))), hear(agent.stream(identity(), say("算 2+2")))
    )

    state = await agent._graph.aget_state({"configurable": {"thread_id": "s1"}})
    humans = [message.text for message in state.values["messages"] if message.type == "human"]
    assert sorted(humans) == ["算 1+1", "算 2+2"]
    assert {first.text[-1], second.text[-1]} == {"2", "4"}


async def test_a_deleted_session_is_forgotten_and_others_stay(house, identity, say, hear):
    agent = await house.agent()
    await hear(agent.stream(identity("gone"), say("提交计划 甲：一")))
    await hear(agent.stream(identity("kept"), say("提交计划 乙：一")))

    await agent.delete("gone")

    assert await agent.pending(identity("gone")) == ()
    assert len(await agent.pending(identity("kept"))) == 1


async def test_a_turn_closed_by_its_reader_frees_the_session(house, identity, say, hear):
    agent = await house.agent()
    async with aclosing(agent.stream(identity(), say("你好"))) as parts:
        async for _ in parts:
            break

    heard = await asyncio.wait_for(hear(agent.stream(identity(), say("算 1+1"))), 10)

    assert heard.text.endswith("2")
