"""The embedded model through the real graph: demos, approvals and restarts without a key."""

from __future__ import annotations

import json

import pytest

from agents.errors import DecisionError
from agents.session_agent import Decision
from tools.descriptor import args_digest
from tools.registry import PlaybookStep, for_feature

PLAN = "提交计划 月度复测：核对存疑地点；安排复测"


async def test_r_run_1_the_embedded_model_says_that_it_is_no_language_model_and_what_works(house, identity, say, hear):
    agent = await house.agent(examples=("现在几点",))

    heard = await hear(agent.stream(identity(), say("给我讲个故事")))

    assert "没有配置语言模型" in heard.text
    assert "现在几点" in heard.text
    assert "OPENAI_API_KEY" in heard.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("算 60*11.3*1.2", "813.6"), ("现在几点", "星期"), ("搜索 需风量", "需风量"), ("算 1/0", "没有完成")],
)
async def test_r_run_1_each_demo_answers_from_its_tool(house, identity, say, hear, text, expected):
    agent = await house.agent()

    heard = await hear(agent.stream(identity(), say(text)))

    assert expected in heard.text
    assert len(heard.tool_messages) == 1


async def test_text_streams_in_small_pieces_that_carry_the_id_of_the_stored_message(house, identity, say, hear):
    agent = await house.agent()

    heard = await hear(agent.stream(identity(), say("你好")))

    chunks = [part["data"][0] for part in heard.parts if part["type"] == "messages"]
    stored = [part["data"]["model"]["messages"][0] for part in heard.parts if "model" in part["data"]]
    assert len(chunks) > 3
    assert {chunk.id for chunk in chunks} == {stored[0].id}


async def test_r_inv_3_usage_of_the_embedded_model_is_marked_as_an_estimate(house, identity, say, hear):
    agent = await house.agent()

    heard = await hear(agent.stream(identity(), say("你好")))

    stored = next(part["data"]["model"]["messages"][0] for part in heard.parts if "model" in part["data"])
    assert stored.usage_metadata["output_tokens"] > 0
    assert stored.response_metadata["usage_source"] == "estimate"


async def test_r_api_2_an_approval_survives_a_restart_and_runs_after_it(house, identity, say, hear):
    agent = await house.agent()
    heard = await hear(agent.stream(identity(), say(PLAN)))
    assert heard.tool_messages == []
    await house.restart()
    agent = await house.agent()

    (pending,) = await agent.pending(identity())
    heard = await hear(agent.resume(identity(), {pending.interrupt_id: Decision(decision="approve")}))

    assert pending.args == {"title": "月度复测", "steps": "核对存疑地点\n安排复测"}
    assert pending.args_digest == args_digest("plan_submit", pending.args)
    assert (pending.name, pending.title) == ("plan_submit", "提交计划")
    assert "已提交" in heard.text
    assert await agent.pending(identity()) == ()


async def test_a_rejection_reaches_the_model_as_an_error_with_code_and_reason(house, identity, say, hear):
    agent = await house.agent()
    await hear(agent.stream(identity(), say(PLAN)))
    (pending,) = await agent.pending(identity())

    decision = Decision(decision="reject", reason="先核对 17 页")
    heard = await hear(agent.resume(identity(), {pending.interrupt_id: decision}))

    (message,) = heard.tool_messages
    payload = json.loads(message.content)
    assert message.status == "error"
    assert payload["code"] == "rejected_by_human_approval"
    assert "先核对 17 页" in payload["error"]
    assert "没有完成" in heard.text


async def test_an_edit_runs_the_persons_arguments_and_the_result_says_so(house, identity, say, hear):
    agent = await house.agent()
    await hear(agent.stream(identity(), say(PLAN)))
    (pending,) = await agent.pending(identity())

    edited = Decision(decision="edit", args={"title": "改过", "steps": "一\n二"})
    heard = await hear(agent.resume(identity(), {pending.interrupt_id: edited}))

    payload = json.loads(heard.tool_messages[0].content)
    assert payload["data"]["steps"] == ["一", "二"]
    assert payload["edited_by_approver"]["executed_args"] == {"title": "改过", "steps": "一\n二"}
    assert heard.tool_messages[0].artifact == payload


@pytest.mark.parametrize(
    "decision",
    [
        Decision(decision="edit"),
        Decision(decision="edit", args={"title": "x"}),
        Decision(decision="edit", args={"title": "x", "steps": "y", "more": 1}),
        Decision(decision="respond"),  # type: ignore[arg-type] # what a careless client may send
    ],
)
async def test_a_decision_that_does_not_fit_is_refused_and_can_be_given_again(house, identity, say, hear, decision):
    agent = await house.agent()
    await hear(agent.stream(identity(), say(PLAN)))
    (pending,) = await agent.pending(identity())

    with pytest.raises(DecisionError):
        await hear(agent.resume(identity(), {pending.interrupt_id: decision}))

    heard = await hear(agent.resume(identity(), {pending.interrupt_id: Decision(decision="approve")}))
    assert "已提交" in heard.text


async def test_a_decision_about_nothing_pending_is_refused(house, identity, say, hear):
    agent = await house.agent()
    await hear(agent.stream(identity(), say("你好")))

    with pytest.raises(DecisionError):
        await agent.check(identity(), {"unknown": Decision(decision="approve")})
    with pytest.raises(DecisionError):
        await agent.check(identity(), {})


async def test_files_of_earlier_messages_stay_known_and_those_of_the_last_one_are_new(house, identity, say, hear):
    seen = []

    class Watcher:
        name = "watcher"

        def next_step(self, view):
            seen.append(view)
            return PlaybookStep(text="好")

    agent = await house.agent(for_feature("watch", domain="watch", tools=[], playbooks=[Watcher()]))
    await hear(agent.stream(identity(), say("", "/workspace/uploads/a.pdf")))
    await hear(agent.stream(identity(), say("还有", "/workspace/uploads/b.xlsx")))

    assert seen[-1].files == ("/workspace/uploads/a.pdf", "/workspace/uploads/b.xlsx")
    assert seen[-1].new_files == ("/workspace/uploads/b.xlsx",)
    assert seen[-1].user_text == "还有"
    assert seen[0].user_text == ""
    assert "plan_submit" in seen[0].tools
    assert "read_file" in seen[0].tools


async def test_results_of_this_turn_are_told_from_those_of_earlier_turns(house, identity, say, hear):
    script = (PlaybookStep(text="算", tool="math_evaluate", args={"expression": "1+1"}),)
    agent = await house.agent(script=script)

    first = await hear(agent.stream(identity(), say("一")))
    second = await hear(agent.stream(identity(), say("二")))

    # The script counts only the results of the running turn: each turn makes its own call.
    assert len(first.tool_messages) == len(second.tool_messages) == 1
