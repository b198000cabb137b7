"""Governed calls over HTTP: modes, the record of every call, its chain, and what operators see of both."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, of_type, read_frames, running_server, start_server

ROOT = Path(__file__).resolve().parents[2]
SUBMIT = "提交计划 月度复测：核对测点；安排复测"


def rows(server: RunningServer, **equal: str) -> list[dict[str, Any]]:
    """Audit rows, oldest first."""
    answer = server.client.get("/api/audit", params={**equal, "limit": 500})
    assert answer.status_code == 200, answer.text
    return list(reversed(answer.json()["items"]))


def decide(server: RunningServer, frames: list[dict[str, Any]], decision: str) -> list[dict[str, Any]]:
    (item,) = of_type(frames, "interrupt")[0]["interrupts"]
    body = {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": decision}
    return read_frames(server.resume(frames[0]["session_id"], body))


def test_r_reg_5_a_call_over_http_has_one_row_before_and_one_of_its_end(offline: RunningServer) -> None:
    frames = offline.chat("现在几点")

    before, end = rows(offline, session_id=frames[0]["session_id"])
    (call,) = of_type(frames, "tool_call")
    assert (before["phase"], before["tool"], before["decision"], before["rule"]) == (
        "before",
        "time_now",
        "allow",
        "allow_list",
    )
    assert (end["phase"], end["outcome"], end["audit_id"]) == ("end", "ok", before["audit_id"])
    assert (before["tool_call_id"], before["run_id"]) == (call["tool_call_id"], frames[0]["run_id"])
    assert (before["user_id"], before["agent"], before["model"]) == (offline.user, "ventilation", "offline")


def test_r_pol_3_an_approval_is_recorded_with_its_approver_and_used_once(offline: RunningServer) -> None:
    frames = offline.chat(SUBMIT)
    session_id = frames[0]["session_id"]
    assert [row for row in rows(offline, session_id=session_id) if row["tool"] == "plan_submit"] == []

    decide(offline, frames, "approve")

    before, end = (row for row in rows(offline, session_id=session_id) if row["tool"] == "plan_submit")
    assert (before["rule"], before["approver"], end["outcome"]) == ("approval", offline.user, "ok")
    assert end["effects"] == ["plan.submitted"]


def test_r_pol_3_a_rejection_is_recorded_too(offline: RunningServer) -> None:
    frames = offline.chat(SUBMIT)

    decide(offline, frames, "reject")

    before, end = (r for r in rows(offline, session_id=frames[0]["session_id"]) if r["tool"] == "plan_submit")
    assert (before["decision"], end["outcome"], end["code"]) == ("deny", "rejected", "rejected_by_human_approval")


PUBLISH = "airflow_report_publish"


@pytest.mark.parametrize("case", ["approve", "reject", "renamed", "other-review"])
def test_r_pol_3_a_report_is_published_as_a_person_decided(
    offline: RunningServer, fixtures_path: Path, case: str
) -> None:
    folder = fixtures_path / "airflow" / "faults"
    files = [(name, (folder / name).read_bytes()) for name in ("f14_plan.txt", "f14_report.docx")]
    session_id = offline.chat("请研判", files=files)[0]["session_id"]
    asked = offline.chat("请发布报告", session_id=session_id)
    (item,) = of_type(asked, "interrupt")[0]["interrupts"]
    assert (item["name"], item["args"].keys() >= {"review_path", "review_sha256", "open_checks"}) == (PUBLISH, True)
    changes = {"renamed": {"name": "改过的名称"}, "other-review": {"review_sha256": "0" * 64}}
    decision = {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": case}
    if case in changes:
        decision |= {"decision": "edit", "args": {**item["args"], **changes[case]}}

    after = read_frames(offline.resume(session_id, decision))

    (result,) = of_type(after, "tool_result")
    payload = json.loads(result["content"])
    kept = [row for row in rows(offline, session_id=session_id) if row["tool"] == PUBLISH]
    published = [f for f in offline.json(f"/api/sessions/{session_id}/files")["items"] if "/published/" in f["path"]]
    assert after[-1]["status"] == "succeeded"
    if case in {"approve", "renamed"}:
        assert payload["data"]["review_sha256"] == item["args"]["review_sha256"]
        assert payload["data"]["name"] == ("改过的名称" if case == "renamed" else item["args"]["name"])
        assert payload["data"]["published_by"] == offline.user
        assert [(row["approver"], row["outcome"]) for row in kept] == [(offline.user, None), (offline.user, "ok")]
        assert kept[-1]["effects"] == ["report.published"]
        assert published
    elif case == "reject":
        assert payload["code"] == "rejected_by_human_approval"
        assert kept[-1]["outcome"] == "rejected"
        assert not published
    else:
        assert payload["code"] == "review_changed"
        assert kept[-1]["outcome"] == "refused"
        assert not published


def test_r_pol_3_a_hidden_tool_that_a_model_calls_anyway_is_refused_counted_and_recorded_over_http(
    tmp_path: Path,
) -> None:
    def script(body: dict[str, Any]) -> Reply:
        if body["messages"][-1]["role"] == "tool":
            return Reply(text="好")
        return Reply(calls=(("plan_submit", {"title": "计划", "steps": "一"}),))

    with (
        written_model(script) as model,
        running_server(tmp_path, **live_settings(model.base_url)) as server,
    ):
        frames = server.chat("提交", permission_mode="read_only")
        kept = rows(server, session_id=frames[0]["session_id"])
        counted = server.client.get("/metrics").text

    (result,) = of_type(frames, "tool_result")
    assert (json.loads(result["content"])["code"], of_type(frames, "interrupt")) == ("read_only", [])
    assert [(row["tool"], row["decision"], row["rule"], row["outcome"]) for row in kept] == [
        ("plan_submit", "deny", "permission_mode=read_only", None),
        ("plan_submit", "deny", "permission_mode=read_only", "denied"),
    ]
    assert 'agent_tool_calls_total{code="read_only",outcome="denied",tool="plan_submit"} 1.0' in counted
    assert frames[-1]["status"] == "succeeded"


def test_t10_read_only_hides_write_tools_from_the_model_and_asks_nobody(offline: RunningServer) -> None:
    frames = offline.chat(SUBMIT, permission_mode="read_only")

    assert (of_type(frames, "interrupt"), of_type(frames, "tool_call")) == ([], [])
    assert (frames[0]["mode"], frames[-1]["status"]) == ("read_only", "succeeded")
    assert [row for row in rows(offline, session_id=frames[0]["session_id"]) if row["tool"] == "plan_submit"] == []


def test_t11_plan_mode_leaves_the_plan_itself_to_be_submitted(offline: RunningServer) -> None:
    frames = offline.chat(SUBMIT, plan_mode="required")

    assert len(of_type(frames, "interrupt")) == 1


def test_the_chain_of_the_running_server_is_whole_and_says_what_is_not_anchored(offline: RunningServer) -> None:
    offline.chat("现在几点")

    answer = offline.json("/api/audit/verify")

    assert answer["ok"], answer
    (chain,) = answer["chains"]
    assert (chain["organization_id"], chain["faults"]) == ("local", [])
    assert chain["unanchored"] is None or chain["unanchored"]["last"] == chain["last_seq"]


def test_operators_pages_are_closed_to_forwarded_requests(offline: RunningServer) -> None:
    for path in ("/api/audit", "/api/audit/verify"):
        answer = offline.client.get(path, headers={"X-Forwarded-For": "10.0.0.7"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "operator_only")


def test_metrics_count_calls_by_how_they_ended(offline: RunningServer) -> None:
    offline.chat("现在几点")

    text = offline.client.get("/metrics").text

    assert 'agent_tool_calls_total{code="",outcome="ok",tool="time_now"}' in text
    assert "agent_tool_nested_input_trigger 1.0" in text
    assert offline.json("/api/tools")["nested_input"]["is_triggered"] is True


@pytest.mark.parametrize("change", ["nothing", "row", "tail"])
def test_the_command_line_verifies_what_a_stopped_server_left(tmp_path: Path, change: str) -> None:
    server = start_server(tmp_path, audit_anchor_rows=1, audit_poll_s=0.2)
    server.chat("现在几点")
    server.chat("现在几点")
    server.stop()
    database = server.data_dir / "deep_agent.sqlite3"
    with sqlite3.connect(database) as connection:
        if change == "row":
            connection.execute("UPDATE tool_audit SET user_id = 'nobody' WHERE seq = 2")
        if change == "tail":
            connection.execute("DELETE FROM tool_audit WHERE seq > 2")
            head = connection.execute("SELECT hash FROM tool_audit WHERE seq = 2").fetchone()[0]
            connection.execute("UPDATE audit_head SET seq = 2, hash = ?", (head,))

    done = subprocess.run(
        [sys.executable, "scripts/audit.py", "verify"],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(server.data_dir), "DEEP_AGENT_ENV_PRIORITY": "none"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == (0 if change == "nothing" else 1), done.stdout + done.stderr
    assert {"nothing": "whole", "row": "row 2 was changed", "tail": "are missing at the end"}[change] in done.stdout


def test_a_call_whose_process_was_killed_is_closed_as_unknown_at_the_next_start(tmp_path: Path) -> None:
    server = start_server(tmp_path)
    frames = server.chat("现在几点")
    with sqlite3.connect(server.data_dir / "deep_agent.sqlite3") as connection:
        row = connection.execute("SELECT * FROM tool_audit WHERE phase = 'end'").fetchone()
    assert row is not None
    server.stop(signal.SIGKILL)
    with sqlite3.connect(server.data_dir / "deep_agent.sqlite3") as connection:  # as if it had died before the end
        connection.execute("DELETE FROM tool_audit WHERE phase = 'end'")
        head = connection.execute("SELECT seq, hash FROM tool_audit ORDER BY seq DESC").fetchone()
        connection.execute("UPDATE audit_head SET seq = ?, hash = ?", head)

    again = start_server(tmp_path)
    try:
        outcomes = [row["outcome"] for row in rows(again, session_id=frames[0]["session_id"])]
    finally:
        again.stop()
    assert outcomes == [None, "unknown"]
