"""R-INV-5: long histories are compacted by the framework's middleware, and nothing evicted is lost."""

from __future__ import annotations

import re

from deepagents.middleware.summarization import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agents.agent_factory import build_middleware
from agents.model_factory import build_model
from agents.profiles import AgentProfile
from agents.turn_view import read_facts, to_digest
from agents.workspace import build_backend
from config import Settings
from tests.support.governed import agent_ports, governed_registry
from tests.support.model_server import Reply, written_model
from tools.registry import PlaybookStep, for_feature

SMALL = {
    "openai_api_key": "not-a-real-one",
    "model_context_window": 30_000,
    "model_max_retries": 0,
    "ctx_compact_trigger": 0.5,
    "ctx_compact_keep": 0.1,
}
HISTORY_PATH = re.compile(r"/conversation_history/session_[0-9a-f]+\.md")
LONG = "风量数据 " * 5_000


def is_summary_request(body):
    return "tools" not in body


async def test_r_inv_5_a_long_session_is_summarised_and_the_agent_reads_the_evicted_part_back(
    house, identity, say, hear
):
    def script(body):
        if is_summary_request(body):
            return Reply(text="要点：已核对甲工作面")
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Reply(text="找到了" if "暗号七三一" in str(last["content"]) else "没有")
        if "找回暗号" in str(last["content"]):
            (path,) = set(HISTORY_PATH.findall(str(body["messages"])))
            return Reply(calls=(("read_file", {"file_path": path}),))
        return Reply(text="好")

    with written_model(script) as server:
        house.overrides = {**SMALL, "openai_base_url": server.base_url}
        agent = await house.agent()
        await hear(agent.stream(identity(), say("暗号七三一")))
        for _ in range(3):
            await hear(agent.stream(identity(), say(LONG)))
        heard = await hear(agent.stream(identity(), say("找回暗号")))

    (file,) = house.data_path.glob("workspaces/*/*/conversation_history/session_*.md")
    final = str(server.bodies[-1]["messages"])
    assert "暗号七三一" in file.read_text("utf-8")
    assert f"/conversation_history/{file.name}" in final
    assert "要点：已核对甲工作面" in final
    assert heard.text.strip() == "找到了"


async def test_r_inv_5_the_summarizers_text_is_no_text_for_the_user(house, identity, say, hear):
    def script(body):
        return Reply(text="内部 摘要" if is_summary_request(body) else "好")

    with written_model(script) as server:
        house.overrides = {**SMALL, "openai_base_url": server.base_url}
        agent = await house.agent()
        heard = [await hear(agent.stream(identity(), say(LONG))) for _ in range(4)]

    assert any(is_summary_request(body) for body in server.bodies)
    assert {turn.text.strip() for turn in heard} == {"好"}


async def test_r_inv_5_ctx_compact_enabled_0_lets_the_history_grow(house, identity, say, hear):
    with written_model(lambda _: Reply(text="好")) as server:
        house.overrides = {**SMALL, "openai_base_url": server.base_url, "ctx_compact_enabled": False}
        agent = await house.agent()
        for _ in range(4):
            await hear(agent.stream(identity(), say(LONG)))

    assert not any(is_summary_request(body) for body in server.bodies)
    assert not list(house.data_path.glob("workspaces/*/*/conversation_history/*"))
    assert len([m for m in server.bodies[-1]["messages"] if m["role"] == "user"]) == 4


async def test_r_inv_5_one_turn_asks_for_one_summary_so_there_is_one_middleware(house, identity, say, hear):
    asked_in_turn = []
    with written_model(lambda _: Reply(text="好")) as server:
        house.overrides = {**SMALL, "openai_base_url": server.base_url}
        agent = await house.agent()
        for _ in range(5):
            before = len(server.bodies)
            await hear(agent.stream(identity(), say(LONG)))
            asked_in_turn.append(sum(is_summary_request(body) for body in server.bodies[before:]))

    assert max(asked_in_turn) == 1


def test_r_inv_5_thresholds_come_from_the_settings(tmp_path):
    settings = Settings(data_dir=tmp_path, ctx_compact_trigger=0.6, ctx_compact_keep=0.2)
    profile = AgentProfile(name="tried", title="试", description="试", prompt="试")
    model, backend = build_model(settings), build_backend(tmp_path, tmp_path)

    stack = build_middleware(profile, model, backend, [], [], governed_registry(), agent_ports(), settings)

    (compaction,) = [entry for entry in stack if isinstance(entry, SummarizationMiddleware)]
    assert compaction._lc_helper.trigger == ("fraction", 0.6)
    assert compaction._lc_helper.keep == ("fraction", 0.2)
    assert compaction._lc_helper.trim_tokens_to_summarize is None


async def test_r_inv_5_the_embedded_model_goes_on_after_its_history_was_compacted(house, identity, say, hear):
    seen = []

    class Watcher:
        name = "watcher"

        def next_step(self, view):
            seen.append(view)
            if view.results:
                return PlaybookStep(text="好" * 30_000)
            return PlaybookStep(tool="math_evaluate", args={"expression": "1+1"})

    house.overrides = {"model_context_window": 20_000, "ctx_compact_trigger": 0.6}
    agent = await house.agent(for_feature("watch", domain="watch", tools=[], playbooks=[Watcher()]))
    await hear(agent.stream(identity(), say("请看附件", "/workspace/uploads/a.pdf")))
    for number in range(4):
        await hear(agent.stream(identity(), say(f"第{number}问")))

    assert list(house.data_path.glob("workspaces/*/*/conversation_history/session_*.md"))
    assert seen[-1].files == ("/workspace/uploads/a.pdf",)
    assert seen[-1].user_text == "第3问"
    assert len(seen[-1].results) == 1
    assert {result.payload["data"]["value"] for result in seen[-1].earlier} == {"2"}


def test_a_digest_keeps_the_running_turn_whole_and_the_newest_earlier_result_of_each_tool():
    def call(number, expression):
        ask = {"name": "math_evaluate", "args": {"expression": expression}, "id": f"c{number}"}
        answer = f'{{"ok": true, "data": {number}, "sources": []}}'
        return [
            AIMessage("", tool_calls=[ask]),
            ToolMessage(answer, name="math_evaluate", tool_call_id=f"c{number}"),
        ]

    messages = [
        HumanMessage("一\n[附件] /workspace/uploads/a.pdf", additional_kwargs={"text": "一", "files": ["/a.pdf"]}),
        *call(1, "1"),
        *call(2, "2"),
        HumanMessage("二", additional_kwargs={"text": "二", "files": []}),
        *call(3, "3"),
        *call(4, "4"),
    ]
    summary = HumanMessage(f"前言 {to_digest(messages)} 后语", additional_kwargs={"lc_source": "summarization"})

    facts = read_facts([summary, *call(5, "5")])

    assert (facts.user_text, facts.files, facts.new_files) == ("二", ["/a.pdf"], [])
    assert [result.payload["data"] for result in facts.results] == [3, 4, 5]
    assert [result.payload["data"] for result in facts.earlier] == [2]
    assert facts.results[0].args == {"expression": "3"}


def test_a_summary_in_words_is_no_digest_and_loses_only_its_facts():
    summary = HumanMessage("一位语言模型写的摘要", additional_kwargs={"lc_source": "summarization"})

    assert read_facts([summary, HumanMessage("问")]).user_text == "问"
