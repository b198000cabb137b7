"""Approvals over HTTP: nothing runs before a person decided, a decision counts once, a pause survives a restart."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from agents.profiles import PROFILES_FOLDER
from tests.support.server import Frame, RunningServer, of_type, read_frames, start_server, text_of

SUBMIT = "提交计划 月度复测：核对测点；安排复测"


def ask(server: RunningServer) -> tuple[str, dict[str, Any], list[Frame]]:
    """Bring a session to its pause: its id, the pending approval, the frames so far."""
    frames = server.chat(SUBMIT)
    assert frames[-1]["type"] == "done"
    (interrupt,) = of_type(frames, "interrupt")
    (item,) = interrupt["interrupts"]
    return frames[0]["session_id"], item, frames


def answer(item: dict[str, Any], decision: str = "approve", **more: Any) -> dict[str, Any]:
    return {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": decision, **more}


def pending(server: RunningServer, session_id: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = server.json("/api/chat/interrupt", session_id=session_id)["interrupts"]
    return items


def test_r_api_2_a_gated_tool_waits_and_says_for_what(offline: RunningServer) -> None:
    session_id, item, frames = ask(offline)

    assert (frames[-1]["status"], frames[-1]["final"]) == ("interrupted", False)
    assert (item["name"], item["allowed"]) == ("plan_submit", ["approve", "edit", "reject"])
    (call,) = of_type(frames, "tool_call")
    assert (item["tool_call_id"], item["args"]) == (call["tool_call_id"], call["args"])
    assert of_type(frames, "tool_result") == []
    assert call["seq"] < of_type(frames, "interrupt")[0]["seq"]
    assert pending(offline, session_id) == [item]
    posted = offline.client.post("/api/chat/interrupt", json={"session_id": session_id, "user_name": offline.user})
    assert posted.json()["interrupts"] == [item]
    assert offline.json(f"/api/sessions/{session_id}/messages")["pending"] == [item]
    assert offline.json(f"/api/sessions/{session_id}")["active_run"]["status"] == "interrupted"


def test_r_api_2_an_approval_runs_the_tool_in_the_same_run(offline: RunningServer) -> None:
    session_id, item, before = ask(offline)

    after = read_frames(offline.resume(session_id, answer(item)))

    assert after[0]["type"] == "session"
    assert after[0]["run_id"] == before[0]["run_id"]
    assert [frame["seq"] for frame in before + after] == list(range(1, len(before + after) + 1))
    assert of_type(after, "tool_call") == []
    (result,) = of_type(after, "tool_result")
    assert (result["tool_call_id"], result["status"]) == (item["tool_call_id"], "ok")
    assert (after[-1]["status"], after[-1]["final"]) == ("succeeded", True)
    assert pending(offline, session_id) == []


def test_the_bill_of_a_resumed_run_is_the_sum_of_its_segments(offline: RunningServer) -> None:
    session_id, item, before = ask(offline)
    after = read_frames(offline.resume(session_id, answer(item)))

    rows = of_type(before + after, "usage")
    assert after[-1]["usage"]["calls"] == len(rows)
    assert after[-1]["usage"]["input_tokens"] == sum(row["input_tokens"] for row in rows)


def test_r_api_2_a_rejection_is_denied_and_the_agent_answers(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)

    after = read_frames(offline.resume(session_id, answer(item, "reject", reason="测点有误")))

    (result,) = of_type(after, "tool_result")
    assert result["status"] == "denied"
    assert "测点有误" in result["content"]
    assert after[-1]["status"] == "succeeded"
    assert text_of(after)


def test_r_api_2_an_edit_runs_the_tool_with_the_changed_arguments(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)
    changed = {**item["args"], "title": "改过的标题"}

    after = read_frames(offline.resume(session_id, answer(item, "edit", args=changed)))

    (result,) = of_type(after, "tool_result")
    assert result["status"] == "ok"
    assert "改过的标题" in result["content"]


def test_a_decision_already_taken_answers_the_same_again(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)
    first = offline.resume(session_id, answer(item))

    again = offline.resume(session_id, answer(item))

    assert again.text == first.text
    conflict = offline.resume(session_id, answer(item, "reject"))
    assert (conflict.status_code, conflict.json()["error"]["code"]) == (409, "decision_conflict")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"args_digest": "other"}, 409, "args_changed"),
        ({"interrupt_id": "nope"}, 404, "interrupt_not_found"),
        ({"decision": "respond"}, 422, "invalid_request"),
        ({"decision": "edit"}, 422, "bad_decision"),
        ({"decision": "edit", "args": {"nonsense": 1}}, 422, "bad_decision"),
        ({"decision": "approve", "args": {"title": "x"}}, 422, "bad_decision"),
    ],
)
def test_a_bad_answer_changes_nothing(offline: RunningServer, change: dict[str, Any], status: int, code: str) -> None:
    session_id, item, _ = ask(offline)

    refused = offline.resume(session_id, {**answer(item), **change})

    assert (refused.status_code, refused.json()["error"]["code"]) == (status, code)
    assert pending(offline, session_id) == [item]
    assert read_frames(offline.resume(session_id, answer(item)))[-1]["status"] == "succeeded"


def test_one_bad_answer_spoils_the_good_one_beside_it(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)

    refused = offline.resume(session_id, answer(item), {**answer(item), "interrupt_id": "nope"})

    assert refused.status_code == 404
    assert pending(offline, session_id) == [item]


def test_clients_of_version_1_send_no_digest(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)

    after = offline.resume(session_id, {"interrupt_id": item["interrupt_id"], "decision": "approve"})

    assert read_frames(after)[-1]["status"] == "succeeded"


def test_while_an_approval_is_pending_a_message_is_refused_with_the_approval(offline: RunningServer) -> None:
    session_id, item, _ = ask(offline)

    for on_conflict in ("enqueue", "reject"):
        refused = offline.post_chat("现在几点", session_id=session_id, on_conflict=on_conflict)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "approval_pending")
        assert refused.json()["error"]["details"]["interrupts"] == [item]
    assert len(offline.messages(session_id)) == 2


def test_a_message_may_supersede_a_pending_approval(offline: RunningServer) -> None:
    session_id, item, before = ask(offline)

    frames = offline.chat("现在几点", session_id=session_id, on_conflict="interrupt")

    assert frames[-1]["status"] == "succeeded"
    assert frames[0]["run_id"] != before[0]["run_id"]
    old = offline.json(f"/api/runs/{before[0]['run_id']}")
    assert (old["status"], old["stop_reason"]) == ("cancelled", "superseded")
    log = read_frames(offline.get(f"/api/runs/{before[0]['run_id']}/events"))
    (result,) = of_type(log, "tool_result")
    assert (result["tool_call_id"], result["status"]) == (item["tool_call_id"], "cancelled")
    assert [done["final"] for done in of_type(log, "done")] == [False, True]
    assert pending(offline, session_id) == []


def test_a_waiting_run_can_be_cancelled_and_its_session_goes_on(offline: RunningServer) -> None:
    session_id, item, before = ask(offline)

    answered = offline.client.post(f"/api/runs/{before[0]['run_id']}/cancel", params={"user_name": offline.user})

    assert answered.status_code == 202
    assert offline.await_run(before[0]["run_id"], "cancelled")["stop_reason"] == "user_cancelled"
    assert offline.resume(session_id, answer(item)).status_code == 404
    assert offline.chat("算 1+1", session_id=session_id)[-1]["status"] == "succeeded"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_r_api_2_a_pause_survives_a_restart(tmp_path: Path, how: signal.Signals) -> None:
    server = start_server(tmp_path)
    session_id, item, before = ask(server)
    server.stop(how)

    server = start_server(tmp_path)
    try:
        assert pending(server, session_id) == [item]
        refused = server.post_chat("现在几点", session_id=session_id)
        assert refused.json()["error"]["code"] == "approval_pending"
        after = read_frames(server.resume(session_id, answer(item)))
        assert after[-1]["status"] == "succeeded"
        assert after[0]["seq"] == before[-1]["seq"] + 1
        assert of_type(after, "tool_result")[0]["status"] == "ok"
    finally:
        server.stop()


def test_r_api_2_an_approver_finds_what_waits_in_the_inbox_and_decides_it_for_its_owner(offline: RunningServer) -> None:
    session_id, item, before = ask(offline)

    waiting = [found for found in offline.json("/api/approvals")["items"] if found["session_id"] == session_id]
    assert [(found["interrupt_id"], found["user_name"]) for found in waiting] == [(item["interrupt_id"], offline.user)]
    body = {"session_id": session_id, "user_name": offline.user, "decided_by": "矿总工", "decisions": [answer(item)]}
    first = offline.client.post("/api/approvals", json=body)
    again = offline.client.post("/api/approvals", json=body)

    assert (first.status_code, again.json()) == (200, first.json())
    assert first.json()["run_id"] == before[0]["run_id"]
    offline.await_run(first.json()["run_id"], "succeeded")
    frames = read_frames(offline.get(f"/api/runs/{first.json()['run_id']}/events", after="0"))
    assert (frames[-1]["status"], frames[-1]["final"]) == ("succeeded", True)
    (resumed,) = [frame for frame in frames if frame["type"] == "run" and frame["status"] == "resumed"]
    assert resumed["decisions"][0]["user_name"] == "矿总工"
    decided = offline.json("/api/approvals", state="decided")["items"]
    (mine,) = [found for found in decided if found["session_id"] == session_id]
    assert (mine["decided_by"], mine["state"], mine["user_id"]) == ("矿总工", "consumed", offline.user)
    rows = offline.json("/api/audit", session_id=session_id, tool="plan_submit")["items"]
    assert {row["approver"] for row in rows} == {"矿总工"}


@pytest.mark.parametrize(
    "decision", [{"decision": "approve"}, {"decision": "edit", "args": {"title": "改", "steps": "改"}}]
)
@pytest.mark.parametrize("has_digest", [True, False])
@pytest.mark.parametrize("still_gated", [True, False])
def test_r_pol_2_a_changed_policy_voids_what_waits_and_asks_again(
    tmp_path: Path, decision: dict[str, Any], still_gated: bool, has_digest: bool
) -> None:
    profiles = Path(shutil.copytree(PROFILES_FOLDER, tmp_path / "profiles"))
    settings = {"profiles_dir": profiles, "default_agent": "general"}
    server = start_server(tmp_path / "data", **settings)
    session_id, item, before = ask(server)
    server.stop()
    was, now = ('"docs_search",', "") if still_gated else ('approval = ["plan_submit"]', "approval = []")
    text = (profiles / "general.toml").read_text(encoding="utf-8")
    assert was in text
    (profiles / "general.toml").write_text(text.replace(was, now, 1), encoding="utf-8")

    server = start_server(tmp_path / "data", **settings)
    try:
        first = answer(item, **decision) if has_digest else {"interrupt_id": item["interrupt_id"], **decision}
        refused = server.resume(session_id, first)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "policy_changed")
        assert server.json("/api/audit", session_id=session_id, tool="plan_submit")["items"] == [], "nothing ran"
        if still_gated:
            (asked,) = pending(server, session_id)
            assert {**asked, "args_digest": ""} == {**item, "args_digest": ""}, "the same call is asked about again"
            log = read_frames(server.get(f"/api/runs/{before[0]['run_id']}/events", after="0"))
            assert [frame["interrupts"] for frame in of_type(log, "interrupt")] == [[item], [asked]]
            assert [(frame["status"], frame["final"]) for frame in of_type(log, "done")] == [("interrupted", False)] * 2
            stale = server.resume(session_id, answer(item, **decision))
            assert (stale.status_code, stale.json()["error"]["code"]) == (409, "args_changed"), (
                "nobody read the new one"
            )
            assert server.json("/api/audit", session_id=session_id, tool="plan_submit")["items"] == []
            again = read_frames(server.resume(session_id, answer(asked, **decision)))
            assert again[-1]["status"] == "succeeded"
        else:
            assert server.await_run(before[0]["run_id"], "cancelled")["stop_reason"] == "policy_changed"
            assert server.chat("算 1+1", session_id=session_id)[-1]["status"] == "succeeded"
    finally:
        server.stop()


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_r_pol_2_where_the_policy_says_so_a_sessions_own_user_decides_nothing(tmp_path: Path, decision: str) -> None:
    profiles = Path(shutil.copytree(PROFILES_FOLDER, tmp_path / "profiles"))
    general = profiles / "general.toml"
    text, gate = general.read_text(encoding="utf-8"), 'approval = ["plan_submit"]'
    assert gate in text
    general.write_text(text.replace(gate, f"{gate}\nself_approval = false"), encoding="utf-8")
    server = start_server(tmp_path / "data", profiles_dir=profiles, default_agent="general")
    try:
        session_id, item, before = ask(server)
        whose = {"session_id": session_id, "user_name": server.user, "decisions": [answer(item, decision)]}

        own = server.resume(session_id, answer(item, decision))
        named = [
            server.client.post("/api/approvals", json={**whose, "decided_by": name})
            for name in (server.user, f" {server.user.upper()} ")
        ]
        still = pending(server, session_id)
        other = server.client.post("/api/approvals", json={**whose, "decided_by": "矿总工"})

        assert [(one.status_code, one.json()["error"]["code"]) for one in (own, *named)] == [(403, "self_approval")] * 3
        assert still == [item], "it waits for somebody else"
        assert other.status_code == 200
        server.await_run(before[0]["run_id"], "succeeded")
    finally:
        server.stop()


def test_r_api_2_what_nobody_decides_in_time_counts_as_rejected(tmp_path: Path) -> None:
    server = start_server(tmp_path, APPROVAL_WAIT_S="1")
    try:
        session_id, item, before = ask(server)
        assert before[-1]["seq"] == len(before)
        run = server.await_run(before[0]["run_id"], "cancelled")

        assert run["stop_reason"] == "approval_expired"
        frames = read_frames(server.get(f"/api/runs/{before[0]['run_id']}/events", after="0"))
        (result,) = of_type(frames, "tool_result")
        assert (result["tool_call_id"], result["status"]) == (item["tool_call_id"], "denied")
        assert (frames[-1]["status"], frames[-1]["usage"]["calls"]) == ("cancelled", before[-1]["usage"]["calls"])
        assert pending(server, session_id) == []
        assert server.resume(session_id, answer(item)).status_code == 404
        (decided,) = server.json("/api/approvals", state="decided")["items"]
        assert (decided["state"], decided["decided_by"], decided["reason"]) == (
            "rejected",
            "system",
            "approval_expired",
        )
        assert server.chat("算 1+1", session_id=session_id)[-1]["status"] == "succeeded"
    finally:
        server.stop()


def test_r_api_2_a_question_whose_time_passed_while_no_server_ran_is_not_answered_any_more(tmp_path: Path) -> None:
    server = start_server(tmp_path, APPROVAL_WAIT_S="2")
    session_id, item, before = ask(server)
    server.stop(signal.SIGKILL)
    assert item["expires_at"] is not None
    time.sleep(2)

    server = start_server(tmp_path, APPROVAL_WAIT_S="2")
    try:
        late = server.resume(session_id, answer(item))
        run = server.await_run(before[0]["run_id"], "cancelled")

        # The clock of the server may have been faster than the answer.
        assert late.json()["error"]["code"] in {"approval_expired", "interrupt_not_found", "nothing_pending"}
        assert run["stop_reason"] == "approval_expired"
    finally:
        server.stop()
