"""R-AIR-13: what may leave for a language model is a key of the profile, and code holds it."""

from __future__ import annotations

import pytest

from agents.profiles import load_profiles
from tests.support.model_server import Reply, written_model

LIVE = {"openai_api_key": "not-a-real-one", "model_max_retries": 0, "model_timeout_s": 5.0}
UPLOAD = "/workspace/uploads/plan.txt"


def upload(house) -> None:
    """The session's upload, where the server stores it: beside the one folder the first turn made."""
    (workspace,) = house.data_path.glob("workspaces/*/*/workspace")
    (workspace / "uploads").mkdir(exist_ok=True)
    (workspace / "uploads" / "plan.txt").write_text("机密 甲工作面 1221", "utf-8")


@pytest.mark.parametrize(("egress", "leaves"), [("all", True), ("excerpts", False)])
@pytest.mark.parametrize("tool", ["read_file", "grep"])
async def test_r_air_13_the_text_of_uploads_leaves_only_where_the_profile_says_so(
    house, identity, say, hear, egress, leaves, tool
):
    args = {"read_file": {"file_path": UPLOAD}, "grep": {"pattern": "机密", "path": "/", "output_mode": "content"}}[
        tool
    ]
    note = {"file_path": "/workspace/note.txt", "content": "x"}

    def two_turns(body):
        last, turns = body["messages"][-1], [m for m in body["messages"] if m["role"] == "user"]
        if last["role"] == "tool":
            return Reply(text="好")
        return Reply(calls=(("write_file", note),) if len(turns) == 1 else ((tool, args),))

    with written_model(two_turns) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent(model_egress=egress)
        await hear(agent.stream(identity(), say("写")))
        upload(house)
        await hear(agent.stream(identity(), say("读")))

    assert ("1221" in str(server.bodies)) is leaves


async def test_r_air_13_an_agent_whose_data_stays_never_calls_a_language_model(house, identity, say, hear):
    with written_model(lambda _: Reply(text="我是远方的模型")) as server:
        house.overrides = {**LIVE, "openai_base_url": server.base_url}
        agent = await house.agent(model_egress="none")
        heard = await hear(agent.stream(identity(), say("你好")))

    assert server.bodies == []
    assert "远方" not in heard.text


def test_the_agent_of_mines_keeps_documents_on_site():
    assert load_profiles()["ventilation"].model_egress == "excerpts"
