"""R-EX-1 over HTTP, offline: the scenario of document 002 from the order to the paid refund, or to the person's no."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from extensions.ticket_desk.extension import STORE_FILE
from tests.support.server import Frame, RunningServer, of_type, read_frames, start_server, text_of


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    server = start_server(tmp_path_factory.mktemp("desk"))
    yield server
    server.stop()


def paid(server: RunningServer, order_id: str) -> list[tuple[str, int]]:
    """What the desk's file says was paid, in micro units."""
    with sqlite3.connect(server.data_dir / STORE_FILE) as connection:
        rows = connection.execute("SELECT confirmation_id, amount_micro FROM refund WHERE order_id = ?", (order_id,))
        found = rows.fetchall()
    connection.close()
    return found


def ask(server: RunningServer, message: str) -> tuple[str, dict[str, Any], list[Frame]]:
    frames = server.chat(message, agent="ticket_desk")
    (interrupt,) = of_type(frames, "interrupt")
    (item,) = interrupt["interrupts"]
    return frames[0]["session_id"], item, frames


def decide(server: RunningServer, session_id: str, item: dict[str, Any], decision: str, **more: Any) -> list[Frame]:
    body = {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"], "decision": decision, **more}
    return read_frames(server.resume(session_id, body))


def test_r_ex_1_a_refund_waits_for_a_person_and_is_paid_once(desk: RunningServer) -> None:
    session_id, item, frames = ask(desk, "为订单 A-1001 退款")
    assert [call["name"] for call in of_type(frames, "tool_call")] == [
        "order_lookup",
        "refund_eligibility",
        "issue_refund",
    ]
    assert item["args"] == {"order_id": "A-1001", "amount": 120}
    assert paid(desk, "A-1001") == []

    after = decide(desk, session_id, item, "approve")
    again = decide(desk, session_id, item, "approve")

    ((confirmation, micro),) = paid(desk, "A-1001")
    assert micro == 120_000_000
    assert confirmation in text_of(after)
    assert again == after
    assert after[-1]["outcome"] == "refund_proposed"
    refused = desk.chat("为订单 A-1001 退款", agent="ticket_desk")
    assert of_type(refused, "interrupt") == [], "nothing is left, so nobody is asked"
    assert confirmation in text_of(refused)
    assert len(paid(desk, "A-1001")) == 1


def test_r_pol_3_a_rejection_reaches_the_model_and_pays_nothing(desk: RunningServer) -> None:
    session_id, item, _ = ask(desk, "Please refund order A-1002")

    after = decide(desk, session_id, item, "reject", reason="customer kept the goods")

    (result,) = of_type(after, "tool_result")
    assert result["status"] == "denied"
    assert "rejected_by_human_approval" in result["content"]
    assert "customer kept the goods" in text_of(after)
    assert after[-1]["outcome"] == "resolved"
    assert paid(desk, "A-1002") == []


def test_r_pol_3_an_edited_refund_pays_what_the_person_wrote(desk: RunningServer) -> None:
    session_id, item, _ = ask(desk, "订单 A-1002 退款 40 美元")
    assert item["args"]["amount"] == 40

    after = decide(desk, session_id, item, "edit", args={"order_id": "A-1002", "amount": 19.9})

    assert of_type(after, "tool_result")[0]["status"] == "ok"
    assert [micro for _, micro in paid(desk, "A-1002")] == [19_900_000]
    assert "19.90 USD" in text_of(after)


def test_a_payment_service_that_says_no_is_told_as_a_no(desk: RunningServer) -> None:
    session_id, item, _ = ask(desk, "refund order A-1005")

    after = decide(desk, session_id, item, "approve")

    assert of_type(after, "tool_result")[0]["status"] == "error"
    assert "payment service not available" in text_of(after)
    assert after[-1]["outcome"] == "resolved"
    assert paid(desk, "A-1005") == []


@pytest.mark.parametrize(
    ("message", "tools", "words"),
    [
        ("订单 A-1003 能退款吗？", ["order_lookup", "refund_eligibility"], "不能退款"),
        ("Can order A-1005 be refunded?", ["order_lookup", "refund_eligibility"], "310.25 USD"),
        ("查询订单 A-1004", ["order_lookup"], "李国栋"),
        ("refund order A-9999", ["order_lookup"], "A-9999"),
        ("搜索 礼品卡", ["kb_search"], "KB-4"),
    ],
)
def test_what_needs_no_person_is_answered_at_once(
    desk: RunningServer, message: str, tools: list[str], words: str
) -> None:
    frames = desk.chat(message, agent="ticket_desk")

    assert [call["name"] for call in of_type(frames, "tool_call")] == tools
    assert words in text_of(frames)
    assert (frames[-1]["status"], of_type(frames, "interrupt")) == ("succeeded", [])


def test_an_email_waits_for_a_person_and_stays_on_this_machine(desk: RunningServer) -> None:
    session_id, item, _ = ask(desk, "send an e-mail to ann@example.com, subject: Hello; body: It is done.")
    assert item["name"] == "send_email"

    after = decide(desk, session_id, item, "approve")

    with sqlite3.connect(desk.data_dir / STORE_FILE) as connection:
        rows = connection.execute("SELECT message_id, recipient, body FROM outbox").fetchall()
    connection.close()
    ((message_id, to, body),) = rows
    assert (to, body) == ("ann@example.com", "It is done.")
    assert message_id in text_of(after)


@pytest.mark.parametrize("message", ["My lawyer wants A-1001 refunded", "再不给 A-1001 退款我就起诉你们"])
def test_r_pol_2_a_threat_goes_to_people_and_no_model_is_asked(desk: RunningServer, message: str) -> None:
    frames = desk.chat(message, agent="ticket_desk")

    assert (frames[-1]["outcome"], frames[-1]["usage"]["calls"]) == ("escalated", 0)
    assert of_type(frames, "tool_call") == []
    assert text_of(frames)


def test_the_desk_is_listed_with_what_waits_for_a_person(desk: RunningServer) -> None:
    (agent,) = [agent for agent in desk.json("/api/agents")["items"] if agent["name"] == "ticket_desk"]

    assert agent["title"] == "工单处理"
