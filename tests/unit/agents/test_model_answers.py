"""What models get wrong in an answer's form is mended before it reaches the history, the tools or the next request."""

from __future__ import annotations

import json

import pytest
from langchain.agents.middleware import ModelRequest, ModelResponse
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agents.errors import EmptyAnswerError, ModelCallError
from agents.middleware.model_answers import ModelAnswerMiddleware
from tests.support.model_server import Reply, written_model

LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 0, "model_timeout_s": 5.0}


async def mend(answer, *before):
    request = ModelRequest(model=FakeListChatModel(responses=[]), messages=[HumanMessage("算"), *before])

    async def model(_):
        return ModelResponse(result=[answer])

    return (await ModelAnswerMiddleware().awrap_model_call(request, model)).result


def asking(*calls, **more):
    return AIMessage(
        "", tool_calls=[{"name": "time_now", "args": args, "id": call_id} for call_id, args in calls], **more
    )


def unreadable(args, call_id="c1"):
    return {"name": "math_evaluate", "args": args, "id": call_id, "error": "bad", "type": "invalid_tool_call"}


@pytest.mark.parametrize("bad_id", [None, "", "c" * 129])
async def test_r_pit_12_a_call_without_a_usable_id_gets_one(bad_id):
    (answer,) = await mend(asking((bad_id, {})))

    assert answer.tool_calls[0]["id"].startswith("call_")


async def test_r_pit_12_two_calls_never_share_an_id_also_over_two_answers():
    before = [asking(("c0", {})), ToolMessage("12:00", tool_call_id="c0")]
    (answer,) = await mend(asking(("c0", {}), ("c1", {}), ("c1", {})), *before)

    ids = [call["id"] for call in answer.tool_calls]
    assert len({*ids, "c0"}) == 4
    assert "c1" in ids


async def test_r_pit_21_arguments_no_store_takes_are_mended():
    (answer,) = await mend(asking(("c1", {"n": 10**40, "text": "\ud83d\ude00\ud800"})))

    assert answer.tool_calls[0]["args"] == {"n": "1" + "0" * 40, "text": "😀\ufffd"}


async def test_r_lay_5_an_unreadable_call_is_answered_with_the_reason_and_what_came():
    answer, refusal = await mend(AIMessage("", invalid_tool_calls=[unreadable('{"expression": ')]))

    assert answer.invalid_tool_calls == []
    assert [(call["id"], call["args"]) for call in answer.tool_calls] == [("c1", {})]
    assert (refusal.tool_call_id, refusal.status) == ("c1", "error")
    assert '{"expression": ' in json.loads(refusal.content)["error"]


async def test_a_call_that_broke_off_is_not_completed_and_executed(house, identity, say, hear):
    def script(body):
        if body["messages"][-1]["role"] == "tool":
            return Reply(text="好")
        return Reply(calls=(("math_evaluate", '{"expression": "60*11'),))

    with written_model(script) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent()
        heard = await hear(agent.stream(identity(), say("算")))

    (result,) = heard.tool_messages
    assert result.status == "error"
    assert "660" not in result.content


async def test_an_answer_with_nothing_in_it_is_an_error_but_may_follow_a_tools_result():
    with pytest.raises(EmptyAnswerError):
        await mend(AIMessage(" \n"))

    (answer,) = await mend(AIMessage(""), asking(("c0", {})), ToolMessage("12:00", tool_call_id="c0"))

    assert answer.content == ""


async def test_the_model_may_write_an_unreadable_call_anew_and_is_never_sent_it_back(house, identity, say, hear):
    def script(body):
        results = [message for message in body["messages"] if message["role"] == "tool"]
        if not results:
            return Reply(calls=(("math_evaluate", '{"expression": "60*'), ("math_evaluate", {"expression": "1+1"})))
        if len(results) == 2:
            return Reply(calls=(("math_evaluate", {"expression": "60*2"}),))
        return Reply(text="是 120")

    with written_model(script) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent()
        heard = await hear(agent.stream(identity(), say("算")))

    sent = [call for message in server.bodies[-1]["messages"] for call in message.get("tool_calls", ())]
    assert "是 120" in heard.text
    assert len(sent) == 3
    assert all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in sent)


async def test_a_gated_call_that_cannot_be_read_asks_nobody(house, identity, say, hear):
    def script(body):
        if body["messages"][-1]["role"] == "tool":
            return Reply(text="好")
        return Reply(calls=(("plan_submit", '{"title": '),))

    with written_model(script) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent(approval=("plan_submit",))
        await hear(agent.stream(identity(), say("提交计划")))

    assert await agent.pending(identity()) == ()


async def test_a_page_in_place_of_an_answer_names_the_address_as_the_cause(house, identity, say, hear):
    with written_model(lambda _: Reply(page="<html>login</html>")) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent()
        with pytest.raises(ModelCallError) as caught:
            await hear(agent.stream(identity(), say("你好")))

    assert caught.value.code == "model_unreadable"
    assert "OPENAI_BASE_URL" in caught.value.hint
