"""R-POL-2, R-API-2: a sub-agent's gated call waits in the session that asked, survives a restart, and is decided like any other."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import Reply, WrittenServer, written_model
from tests.support.server import Frame, RunningServer, live_settings, of_type, read_frames, start_server, text_of

PRICES = '[[price]]\nmodel = "fake"\ncurrency = "USD"\nfrom = 2020-01-01\ninput = "1"\noutput = "1"\n'
TASK = "Refund order A-1001, 120 USD."


def script(body: dict[str, Any]) -> Reply:
    """The main agent hands the refund to its worker, which calls the tool; each says what the tool answered."""
    tools = {tool["function"]["name"] for tool in body["tools"]}
    last = body["messages"][-1]
    if last["role"] == "tool":
        return Reply(text="The worker is done." if "task" in tools else f"Answer of the tool: {last['content'][:60]}")
    if "task" in tools:
        return Reply(calls=(("task", {"description": TASK, "subagent_type": "refund_worker"}),))
    return Reply(calls=(("issue_refund", {"order_id": "A-1001", "amount": 120}),))


@pytest.fixture
def model() -> Iterator[WrittenServer]:
    with written_model(script) as server:
        yield server


def start(data: Path, model: WrittenServer) -> RunningServer:
    prices = data.with_name(f"{data.name}-prices.toml")  # the desk has a bound on money, so its model needs a price
    prices.write_text(PRICES, encoding="utf-8")
    settings = {**live_settings(model.base_url), "prices_file": prices, "default_agent": "ticket_desk"}
    return start_server(data, **settings)


def ask(server: RunningServer) -> tuple[str, dict[str, Any], list[Frame]]:
    frames = server.chat("Please refund order A-1001.")
    (interrupt,) = of_type(frames, "interrupt")
    (item,) = interrupt["interrupts"]
    return str(frames[0]["session_id"]), item, frames


def answer(item: dict[str, Any], decision: str, **more: Any) -> dict[str, Any]:
    return {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": decision, **more}


def refund_of(frames: list[Frame]) -> Frame:
    (result,) = [one for one in of_type(frames, "tool_result") if one["name"] == "issue_refund"]
    return result


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_r_pol_2_a_sub_agents_call_is_approved_after_a_restart(
    tmp_path: Path, model: WrittenServer, how: signal.Signals
) -> None:
    server = start(tmp_path, model)
    session_id, item, before = ask(server)
    assert (item["name"], item["args"]) == ("issue_refund", {"order_id": "A-1001", "amount": 120})
    assert of_type(before, "tool_result") == []
    server.stop(how)

    server = start(tmp_path, model)
    try:
        after = read_frames(server.resume(session_id, answer(item, "approve")))
        again = read_frames(server.resume(session_id, answer(item, "approve")))

        assert refund_of(after)["status"] == "ok"
        (task,) = [one for one in of_type(before, "tool_call") if one["name"] == "task"]
        assert refund_of(after)["agent_path"] == [task["tool_call_id"]]
        assert (after[-1]["status"], after[-1]["outcome"]) == ("succeeded", "refund_proposed")
        assert "The worker is done." in text_of(after)
        assert again == after, "the same decision again is the same segment again"
        rows = server.json("/api/audit", run_id=after[0]["run_id"], tool="issue_refund")["items"]
        assert {row["approver"] for row in rows} == {server.user}
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("decision", "more", "status", "outcome"),
    [
        ("reject", {"reason": "not yet"}, "denied", "resolved"),
        ("edit", {"args": {"order_id": "A-1001", "amount": 20}}, "ok", "refund_proposed"),
    ],
)
def test_r_pol_2_a_sub_agents_call_is_rejected_or_edited(
    tmp_path: Path, model: WrittenServer, decision: str, more: dict[str, Any], status: str, outcome: str
) -> None:
    server = start(tmp_path, model)
    try:
        session_id, item, _ = ask(server)
        after = read_frames(server.resume(session_id, answer(item, decision, **more)))

        assert refund_of(after)["status"] == status
        assert after[-1]["outcome"] == outcome
        assert ("20" in refund_of(after)["content"]) is (decision == "edit")
    finally:
        server.stop()
