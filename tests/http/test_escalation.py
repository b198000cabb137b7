"""R-POL-2: a message that belongs to people never reaches a model, and the user is told at once where to turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, of_type, running_server, text_of

DANGER = "11302工作面着火了，有人被困，怎么办"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DANGER, "矿调度室"),
        ("1 1 3 0 2 工作面 着 火 了，有人被\u200b困", "矿调度室"),
        ("There is a fire at 11302 and two miners are trapped", "dispatch"),
    ],
    ids=["zh", "spaced-and-hidden", "en"],
)
def test_r_pol_2_danger_goes_to_people_with_no_model_call_and_no_tool(
    offline: RunningServer, text: str, words: str
) -> None:
    frames = offline.chat(text)

    done = frames[-1]
    assert (done["status"], done["outcome"], done["final"]) == ("escalated", "escalated", True)
    assert (done["stop_reason"], done["usage"]["calls"]) == ("safety_incident", 0)
    assert of_type(frames, "tool_call") == of_type(frames, "usage") == []
    assert words in text_of(frames)
    (guard,) = of_type(frames, "guard")
    assert (guard["guard"], guard["verdict"], guard["code"]) == ("policy", "escalated", "safety_incident")

    session_id = frames[0]["session_id"]
    (item,) = [item for item in offline.json("/api/reviews")["items"] if item["session_id"] == session_id]
    assert (item["kind"], item["rule"], item["subject"], item["verdict"]) == (
        "escalation",
        "safety_incident",
        text,
        None,
    )
    rows = offline.json("/api/audit", session_id=session_id)["items"]
    assert {row["tool"] for row in rows} == {"guard.policy"}
    assert {row["policy_version"] for row in rows} == {guard["policy_version"]}


def test_a_session_goes_on_after_an_escalation_and_keeps_both_messages(offline: RunningServer) -> None:
    session_id = offline.chat(DANGER)[0]["session_id"]

    after = offline.chat("现在几点", session_id=session_id)

    assert after[-1]["status"] == "succeeded"
    roles = [(message["role"], message["content"][:4]) for message in offline.messages(session_id)]
    assert roles[0] == ("user", DANGER[:4])
    assert "调度室" in offline.messages(session_id)[1]["content"]
    assert offline.json("/api/audit/verify")["ok"]


@pytest.mark.parametrize(
    ("text", "placeholder", "words"),
    [
        (DANGER, "已转交", ["着火", "被困", "11302"]),
        ("There is a fire at 11302 and two miners are trapped", "passed on", ["11302", "miners", "trapped"]),
    ],
    ids=["zh", "en"],
)
def test_r_pol_2_what_was_passed_on_to_people_reaches_no_model_on_later_turns_either(
    tmp_path: Path, text: str, placeholder: str, words: list[str]
) -> None:
    with (
        written_model(lambda _: Reply(text="好")) as model,
        running_server(tmp_path, **live_settings(model.base_url)) as server,
    ):
        first = server.chat(text)
        session_id = first[0]["session_id"]
        assert model.bodies == []
        server.chat("你好", session_id=session_id)
        server.chat("再说一遍", session_id=session_id)
        kept = server.messages(session_id)[0]["content"]
        (item,) = server.json("/api/reviews")["items"]

    assert len(model.bodies) == 2
    for body in model.bodies:
        said = [message for message in body["messages"] if message["role"] != "system"]
        sent = json.dumps(said, ensure_ascii=False)
        assert not [word for word in words if word in sent]
        assert placeholder in said[0]["content"]
        assert said[1]["content"] == text_of(first), "the fixed answer stays"
    assert kept == item["subject"] == text


def test_r_pol_5_a_verdict_on_an_item_is_given_once(offline: RunningServer) -> None:
    session_id = offline.chat(DANGER)[0]["session_id"]
    (item,) = [item for item in offline.json("/api/reviews")["items"] if item["session_id"] == session_id]
    address = f"/api/reviews/{item['review_id']}"
    body = {"verdict": "right", "note": "已电话确认", "decided_by": "调度员"}

    first, again = (offline.client.post(address, json=body) for _ in range(2))
    other = offline.client.post(address, json={**body, "verdict": "wrong"})
    stray = offline.client.post("/api/reviews/none", json=body)

    assert (first.status_code, again.json()) == (200, first.json())
    assert (first.json()["verdict"], first.json()["decided_by"]) == ("right", "调度员")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "review_decided")
    assert (stray.status_code, stray.json()["error"]["code"]) == (404, "review_not_found")
    decided = offline.json("/api/reviews", state="decided")["items"]
    assert item["review_id"] in {found["review_id"] for found in decided}
    assert item["review_id"] not in {found["review_id"] for found in offline.json("/api/reviews")["items"]}


def test_a_question_about_rules_of_safety_is_no_escalation(offline: RunningServer) -> None:
    frames = offline.chat("火灾应急预案里瓦斯超限时的风量怎么规定")

    assert frames[-1]["status"] == "succeeded"
    assert [frame["guard"] for frame in of_type(frames, "guard") if frame["verdict"] != "annotated"] == []
