"""A language model behind an OpenAI-compatible address: calls, usage, thinking, and every way it can fail."""

from __future__ import annotations

from typing import Any

import pytest

from agents.errors import ModelCallError, RunLimitError
from agents.session_agent import Decision
from tests.support.model_server import Reply, bench_model, written_model

LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 1, "model_timeout_s": 5.0}


@pytest.fixture
def live(house):
    def point_to(base_url, **more):
        house.overrides = {**LIVE, "openai_base_url": base_url, **more}
        return house

    return point_to


def last_role(body):
    return body["messages"][-1]["role"]


async def test_a_tool_call_runs_and_its_json_result_goes_back_to_the_model(live, identity, say, hear):
    def script(body):
        if last_role(body) == "tool":
            return Reply(text="是 813.6")
        return Reply(text="算", calls=(("math_evaluate", {"expression": "60*11.3*1.2"}),))

    with written_model(script) as server:
        agent = await live(server.base_url).agent()
        heard = await hear(agent.stream(identity(), say("算一下")))

    assert "813.6" in heard.text
    assert '"value": "813.6"' in server.bodies[-1]["messages"][-1]["content"]


async def test_r_inv_3_usage_is_asked_for_and_is_the_providers(live, identity, say, hear):
    usage = {
        "prompt_tokens": 123,
        "completion_tokens": 45,
        "prompt_tokens_details": {"cached_tokens": 100},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    with written_model(lambda _: Reply(text="好", usage=usage)) as server:
        agent = await live(server.base_url).agent()
        heard = await hear(agent.stream(identity(), say("你好")))

    stored = next(part["data"]["model"]["messages"][0] for part in heard.parts if "model" in part["data"])
    assert server.bodies[0]["stream_options"] == {"include_usage": True}
    assert (stored.usage_metadata["input_tokens"], stored.usage_metadata["output_tokens"]) == (123, 45)
    assert stored.usage_metadata["input_token_details"]["cache_read"] == 100
    assert stored.usage_metadata["output_token_details"]["reasoning"] == 5


async def test_thinking_of_the_model_is_kept_beside_the_text(live, identity, say, hear):
    with written_model(lambda _: Reply(text="好", reasoning="先想想")) as server:
        agent = await live(server.base_url).agent()
        heard = await hear(agent.stream(identity(), say("你好")))

    chunks = [part["data"][0] for part in heard.parts if part["type"] == "messages"]
    assert "".join(chunk.additional_kwargs.get("reasoning_content", "") for chunk in chunks) == "先想想"
    assert "先想想" not in heard.text


async def test_the_prompt_names_the_date_and_the_model_gets_no_subagents_and_no_shell(live, identity, say, hear):
    with written_model(lambda _: Reply(text="好")) as server:
        agent = await live(server.base_url).agent(prompt="你是助手", skills=("/skills/",))
        await hear(agent.stream(identity(), say("你好", "/workspace/uploads/a.pdf")))

    body = server.bodies[0]
    offered = {tool["function"]["name"] for tool in body["tools"]}
    prompt = str(body["messages"][0]["content"])
    assert "你是助手" in prompt
    assert "今天是 20" in prompt
    assert "/skills/demo/SKILL.md" in prompt
    assert body["messages"][1]["content"] == "你好\n[附件] /workspace/uploads/a.pdf"
    assert {"math_evaluate", "read_file", "write_todos"} <= offered
    assert offered.isdisjoint({"task", "execute", "delete"})


@pytest.mark.parametrize("model_name", ["gpt-5.5", "qwen3-max", "anthropic:claude-sonnet-4-6", "a:b:c"])
async def test_no_model_name_brings_back_the_frameworks_ungated_subagent(live, identity, say, hear, model_name):
    with written_model(lambda _: Reply(text="好")) as server:
        agent = await live(server.base_url, model_name=model_name).agent()
        await hear(agent.stream(identity(), say("你好")))

    assert "task" not in {tool["function"]["name"] for tool in server.bodies[0]["tools"]}


async def test_an_agent_that_got_a_subagent_all_the_same_is_not_built(house, monkeypatch):
    monkeypatch.setattr("agents.agent_factory._switch_off_general_subagent", lambda _: None)
    house.overrides = {**LIVE, "model_name": "anthropic:claude-opus-4-7"}

    with pytest.raises(RuntimeError, match="sub-agent"):
        await house.agent()


@pytest.mark.parametrize(
    ("status", "code", "requests"),
    [
        (401, "model_auth_failed", 1),
        (404, "model_not_found", 1),
        (429, "model_rate_limited", 2),
        (500, "model_unavailable", 2),
        (418, "model_rejected", 1),
    ],
)
async def test_a_refusal_of_the_provider_becomes_words_with_a_code(live, identity, say, hear, status, code, requests):
    with written_model(lambda _: Reply(status=status)) as server:
        agent = await live(server.base_url).agent()
        with pytest.raises(ModelCallError) as caught:
            await hear(agent.stream(identity(), say("你好")))

    assert caught.value.code == code
    assert caught.value.hint
    assert len(server.bodies) == requests


async def test_an_address_nobody_answers_at_is_named_unreachable(live, identity, say, hear):
    with written_model(lambda _: Reply()) as server:
        closed = server.base_url
    agent = await live(closed).agent()

    with pytest.raises(ModelCallError) as caught:
        await hear(agent.stream(identity(), say("你好")))

    assert caught.value.code == "model_unreachable"


async def test_a_cut_stream_is_not_retried_its_text_can_be_kept_and_the_session_goes_on(live, identity, say, hear):
    replies = iter([Reply(text="前半 句", is_cut=True), Reply(text="后来")])
    with written_model(lambda _: next(replies)) as server:
        agent = await live(server.base_url).agent()
        chunks = []

        async def listen():
            async for part in agent.stream(identity(), say("第一问")):
                if part["type"] == "messages":
                    chunks.append(part["data"][0])  # noqa: PERF401 - the stream raises; what came before stays

        with pytest.raises(ModelCallError) as caught:
            await listen()
        await agent.keep_partial(identity(), chunks[0].id, "".join(chunk.content for chunk in chunks))
        heard = await hear(agent.stream(identity(), say("第二问")))

    assert caught.value.code == "model_stream_cut"
    assert heard.text.strip() == "后来"
    roles = [message["role"] for message in server.bodies[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.bodies[-1]["messages"][2]["content"].strip() == "前半 句"


async def test_an_invented_tool_name_is_answered_with_the_names_there_are(live, identity, say, hear):
    replies = iter([Reply(calls=(("no_such_tool", {}),)), Reply(text="好")])
    with written_model(lambda _: next(replies)) as server:
        agent = await live(server.base_url).agent()
        heard = await hear(agent.stream(identity(), say("试")))

    assert heard.tool_messages[0].status == "error"
    assert "math_evaluate" in server.bodies[-1]["messages"][-1]["content"]


async def test_a_model_that_never_stops_calling_tools_is_stopped_with_words(live, identity, say, hear):
    endless = Reply(calls=(("time_now", {}),))
    with written_model(lambda _: endless) as server:
        agent = await live(server.base_url, max_model_calls_per_run=3).agent()
        with pytest.raises(RunLimitError) as caught:
            await hear(agent.stream(identity(), say("试")))

    assert caught.value.code == "model_call_limit"
    assert len(server.bodies) == 3


async def test_parallel_approvals_are_asked_one_by_one_and_ungated_calls_do_not_wait(live, identity, say, hear):
    plan = {"title": "甲", "steps": "一"}
    calls: tuple[Any, ...] = (("plan_submit", plan), ("time_now", {}), ("plan_submit", {**plan, "title": "乙"}))

    def script(body):
        return Reply(text="完") if last_role(body) == "tool" else Reply(calls=calls)

    with written_model(script) as server:
        agent = await live(server.base_url).agent()
        first = await hear(agent.stream(identity(), say("两个计划")))
        pending = {approval.args["title"]: approval.interrupt_id for approval in await agent.pending(identity())}
        await hear(agent.resume(identity(), {pending["乙"]: Decision(decision="approve")}))
        left = await agent.pending(identity())
        last = await hear(agent.resume(identity(), {pending["甲"]: Decision(decision="reject", reason="不")}))

    assert [message.name for message in first.tool_messages] == ["time_now"]
    assert [approval.args["title"] for approval in left] == ["甲"]
    assert last.text.strip() == "完"
    answers = [m["content"] for m in server.bodies[-1]["messages"] if m["role"] == "tool"]
    assert [("乙" in text or "time" in text or "rejected" in text) for text in answers] == [True, True, True]


async def test_the_benchs_scripted_server_serves_a_turn_with_a_tool_call(live, identity, say, hear):
    with bench_model() as base_url:
        agent = await live(base_url).agent()
        heard = await hear(agent.stream(identity(), say("[[tokens=5 tool=time_now]]")))
        with pytest.raises(ModelCallError) as refused:
            await hear(agent.stream(identity(), say("[[fail=401]]")))
        with pytest.raises(ModelCallError) as cut:
            await hear(agent.stream(identity(), say("[[tokens=20 drop=5]]")))

    assert heard.text.split() == ["lorem", "ipsum", "dolor", "sit", "amet"]
    assert heard.tool_messages[0].name == "time_now"
    assert (refused.value.code, cut.value.code) == ("model_auth_failed", "model_stream_cut")
