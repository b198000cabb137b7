"""Sub-agents of a profile: the same gates, guards and compaction as their parent, and never more tools."""

from __future__ import annotations

import pytest

from agents.profiles import AgentProfile, SubAgentProfile
from agents.session_agent import Decision
from tests.support.model_server import Reply, written_model
from tools.registry import AgentContext, ToolPayload, agent_tool, for_feature, sourced

LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 0, "model_timeout_s": 5.0}
WORKER = SubAgentProfile(name="worker", description="付款", prompt="你是付款员", tools=("pay_out", "pay_look"))
RAN: list[str] = []


@agent_tool(name="pay_out", title="付款", description="付款", category="test", write_action=True)
def pay_out(to: str, ctx: AgentContext) -> ToolPayload:
    RAN.append(to)
    return sourced(data=to)


@agent_tool(name="pay_look", title="看", description="看", category="test")
def pay_look(ctx: AgentContext) -> ToolPayload:
    return sourced(data="长" * 4000)


PAY = for_feature("pay", domain="pay", tools=[pay_out, pay_look])


def is_worker(body) -> bool:
    """Whether a request comes from a sub-agent: its first message of a user is the task it was given."""
    first = next(message for message in body["messages"] if message["role"] == "user")
    return bool(first["content"] == "去做")


def task(kind: str) -> tuple[str, dict[str, str]]:
    return "task", {"description": "去做", "subagent_type": kind}


@pytest.fixture
def paying(house):
    async def make(base_url: str, **profile):
        RAN.clear()
        house.overrides = {**LIVE, "openai_base_url": base_url, **profile.pop("settings", {})}
        return await house.agent(
            PAY,
            tools=("pay_out", "pay_look"),
            framework=("read_file", "task"),
            approval=("pay_out",),
            subagents=(WORKER,),
            **profile,
        )

    return make


async def test_r_pol_3_calls_of_main_general_and_declared_agents_each_wait_for_their_own_answer(
    paying, identity, say, hear
):
    """Three parallel calls; one is approved, one edited, one rejected, one at a time, and none runs before its answer."""

    def script(body):
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Reply(text=f"结果 {last['content']}")
        if is_worker(body):
            name = "worker" if "你是付款员" in str(body["messages"][0]["content"]) else "general"
            return Reply(calls=(("pay_out", {"to": name}),))
        return Reply(calls=(("pay_out", {"to": "main"}), task("general-purpose"), task("worker")))

    turn = identity()
    with written_model(script) as server:
        agent = await paying(server.base_url)
        await hear(agent.stream(turn, say("付")))
        pending = {item.args["to"]: item.interrupt_id for item in await agent.pending(turn)}
        assert set(pending) == {"main", "general", "worker"}
        assert RAN == []

        await hear(agent.resume(turn, {pending["worker"]: Decision(decision="edit", args={"to": "改过"})}))
        assert RAN == ["改过"]
        await hear(agent.resume(turn, {pending["general"]: Decision(decision="reject", reason="不付")}))
        assert RAN == ["改过"]
        await hear(agent.resume(turn, {pending["main"]: Decision(decision="approve")}))

    assert sorted(RAN) == sorted(["改过", "main"])
    assert await agent.pending(turn) == ()
    spoken = str([body["messages"] for body in server.bodies])
    assert "rejected_by_human_approval" in spoken
    assert "不付" in spoken


async def test_a_subagents_call_survives_a_restart_between_question_and_answer(paying, house, identity, say, hear):
    def script(body):
        if body["messages"][-1]["role"] == "tool":
            return Reply(text="好")
        return Reply(calls=(("pay_out", {"to": "甲"}),) if is_worker(body) else (task("worker"),))

    turn = identity()
    with written_model(script) as server:
        await hear((await paying(server.base_url)).stream(turn, say("付")))
        await house.restart()
        agent = await paying(server.base_url)
        (waiting,) = await agent.pending(turn)
        assert RAN == []
        await hear(agent.resume(turn, {waiting.interrupt_id: Decision(decision="approve")}))

    assert RAN == ["甲"]


async def test_r_pit_20_a_subagent_that_reads_much_is_compacted_under_our_settings(paying, identity, say, hear):
    summaries: list[str] = []

    def script(body):
        if "tools" not in body:
            summaries.append(str(body["messages"]))
            return Reply(text="要点：都看过了")
        if not is_worker(body) and "要点" not in str(body["messages"]):
            return Reply(text="完") if body["messages"][-1]["role"] == "tool" else Reply(calls=(task("worker"),))
        looked = sum(m["role"] == "tool" for m in body["messages"])
        return Reply(text="看完了") if summaries and looked < 2 else Reply(calls=(("pay_look", {}),))

    with written_model(script) as server:
        agent = await paying(server.base_url, settings={"model_context_window": 12_000})
        heard = await hear(agent.stream(identity(), say("看")))

    assert summaries, "no summary was asked for"
    assert heard.tool_messages


async def test_a_subagent_is_offered_its_own_tools_and_nothing_else_of_the_parents(paying, identity, say, hear):
    offered = {}

    def script(body):
        names = {tool["function"]["name"] for tool in body["tools"]}
        offered["worker" if is_worker(body) else "main"] = names
        if body["messages"][-1]["role"] == "tool" or is_worker(body):
            return Reply(text="好")
        return Reply(calls=(task("worker"),))

    with written_model(script) as server:
        agent = await paying(server.base_url)
        await hear(agent.stream(identity(), say("做")))

    assert offered["worker"] == {"pay_out", "pay_look", "read_file"}
    assert offered["main"] == {"pay_out", "pay_look", "read_file", "task"}


@pytest.mark.parametrize(
    ("policy", "workers", "named"),
    [
        ({"allow": ("pay_out",)}, (WORKER,), "task"),
        ({"allow": ("task",)}, (WORKER,), "pay_out"),
    ],
)
def test_a_profile_whose_workers_could_do_more_than_it_is_refused(policy, workers, named):
    with pytest.raises(ValueError, match=named):
        AgentProfile(name="a", title="a", description="a", prompt="a", policy=policy, subagents=workers)
