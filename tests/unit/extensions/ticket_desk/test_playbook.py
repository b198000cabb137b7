"""The embedded model at the desk: right calls in the right order, in both languages, and only what tools said."""

from __future__ import annotations

from typing import Any

import pytest

from extensions.ticket_desk.playbook import TicketPlaybook
from tools.registry import PlaybookResult, PlaybookStep, PlaybookView

BOOK = TicketPlaybook()
TOOLS = frozenset({"order_lookup", "refund_eligibility", "issue_refund", "kb_search", "send_email"})
ANSWERS: dict[str, dict[str, Any]] = {
    "order_lookup": {"order_id": "A-1", "customer": "Ann", "total": 120, "currency": "USD", "refunds": []},
    "refund_eligibility": {"order_id": "A-1", "eligible": True, "refundable": 80.5, "currency": "USD", "reason": "broken.", "refunds": []},
    "issue_refund": {"confirmation_id": "RF-1", "order_id": "A-1", "amount": 80.5, "currency": "USD"},
    "kb_search": {"query": "q", "articles": [{"article_id": "KB-1", "title": "T", "text": "first line\nwhole text"}]},
    "send_email": {"message_id": "MSG-1", "to": "a@example.com", "subject": "S"},
}  # fmt: skip


def play(text: str, answers: dict[str, dict[str, Any]] = ANSWERS, tools: frozenset[str] = TOOLS) -> list[PlaybookStep]:
    """The steps of a whole turn; an answer with `ok: false` is a failure."""
    steps: list[PlaybookStep] = []
    results: list[PlaybookResult] = []
    while (step := BOOK.next_step(PlaybookView(user_text=text, results=tuple(results), tools=tools))) is not None:
        steps.append(step)
        if step.tool is None:
            break
        answer = answers[step.tool]
        payload = answer if answer.get("ok") is False else {"ok": True, "data": answer, "sources": []}
        status = "ok" if payload["ok"] else "error"
        results.append(PlaybookResult(name=step.tool, args=step.args, status=status, payload=payload))
    return steps


def calls(steps: list[PlaybookStep]) -> list[tuple[str, dict[str, Any]]]:
    return [(step.tool, dict(step.args)) for step in steps if step.tool]


@pytest.mark.parametrize(
    "text", ["为订单 A-1234 退款", "请把 A-1234 的钱退还给客户，走退款", "Please refund order A-1234"]
)
def test_a_refund_goes_from_the_order_over_the_check_to_the_payment(text: str) -> None:
    steps = play(text)

    assert calls(steps) == [
        ("order_lookup", {"order_id": "A-1234"}),
        ("refund_eligibility", {"order_id": "A-1"}),
        ("issue_refund", {"order_id": "A-1", "amount": 80.5}),
    ]
    assert "RF-1" in steps[-1].text
    assert "80.50 USD" in steps[-1].text


def test_an_order_that_was_paid_back_is_told_as_that() -> None:
    refunds = [{"confirmation_id": "RF-7", "amount": 80.5}]
    paid = {**ANSWERS["refund_eligibility"], "eligible": False, "refundable": 0, "refunds": refunds}
    answers = {**ANSWERS, "refund_eligibility": paid}

    assert play("退款 订单 A-1234", answers)[-1].text == "订单 A-1 不能退款。\n订单的退款记录：RF-7(80.50)。"
    assert (
        play("refund order A-1234", answers)[-1].text == "Order A-1 cannot be refunded.\nRefunds so far: RF-7 (80.50)."
    )


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("给订单 A-1234 退款 20.5 美元", 20.5),
        ("refund $30 of order A-1234", 30),
        ("refund 12.25 USD, order A-1234", 12.25),
    ],
)
def test_the_amount_the_user_names_is_proposed(text: str, amount: float) -> None:
    assert calls(play(text))[-1] == ("issue_refund", {"order_id": "A-1", "amount": amount})


@pytest.mark.parametrize("text", ["订单 A-1234 能退款吗？", "A-1234 可退款多少", "Can order A-1234 be refunded?"])
def test_a_question_is_answered_and_nothing_is_proposed(text: str) -> None:
    steps = play(text)

    assert [tool for tool, _ in calls(steps)] == ["order_lookup", "refund_eligibility"]
    assert "80.50 USD" in steps[-1].text


def test_an_order_that_is_not_eligible_ends_with_the_reason() -> None:
    refused = {**ANSWERS["refund_eligibility"], "eligible": False, "refundable": 0, "reason": "too late."}
    steps = play("退款 订单 A-1234", {**ANSWERS, "refund_eligibility": refused})

    assert [tool for tool, _ in calls(steps)] == ["order_lookup", "refund_eligibility"]
    assert steps[-1].text == "订单 A-1 不能退款。\n理由：too late."


@pytest.mark.parametrize(
    ("text", "said"), [("查一下订单 A-1234", "没有退款记录"), ("status of order A-1234", "There are no refunds")]
)
def test_an_order_alone_is_looked_up(text: str, said: str) -> None:
    steps = play(text)

    assert calls(steps) == [("order_lookup", {"order_id": "A-1234"})]
    assert said in steps[-1].text


def test_earlier_refunds_of_an_order_are_told() -> None:
    order = {**ANSWERS["order_lookup"], "refunds": [{"confirmation_id": "RF-7", "amount": 5}]}

    assert "RF-7(5.00)" in play("查询订单 A-1234", {**ANSWERS, "order_lookup": order})[-1].text


@pytest.mark.parametrize(
    ("text", "query"),
    [("搜索 退款多久到账", "退款多久到账"), ("search the knowledge base for gift cards", "gift cards")],
)
def test_the_knowledge_base_is_searched(text: str, query: str) -> None:
    steps = play(text)

    assert calls(steps) == [("kb_search", {"query": query})]
    assert steps[-1].text.endswith("\n> first line\n> whole text"), (
        "an article is quoted, it is not what the desk says itself"
    )


@pytest.mark.parametrize(
    "text",
    [
        "给 a@example.com 发邮件，a@example.com 主题：S；正文：第一行\n第二行",
        "send an e-mail to a@example.com, subject: S; body: 第一行\n第二行",
    ],
)
def test_an_email_has_address_subject_and_body(text: str) -> None:
    steps = play(text)

    assert calls(steps) == [("send_email", {"to": "a@example.com", "subject": "S", "body": "第一行\n第二行"})]
    assert "MSG-1" in steps[-1].text


@pytest.mark.parametrize("tool", ["order_lookup", "refund_eligibility", "issue_refund"])
def test_it_stops_at_the_first_no_and_says_whose(tool: str) -> None:
    no = {"ok": False, "error": "没有", "hint": "看编号", "code": "x"}
    steps = play("退款 订单 A-1234", {**ANSWERS, tool: no})

    assert calls(steps)[-1][0] == tool
    assert steps[-1].text == "没有完成：没有。看编号"
    assert "已退款" not in steps[-1].text


def test_a_rejection_is_told_as_one() -> None:
    no = {"ok": False, "error": "操作被人驳回", "hint": "h", "code": "rejected_by_human_approval"}

    assert play("退款 订单 A-1234", {**ANSWERS, "issue_refund": no})[-1].text == "没有执行：操作被人驳回"


@pytest.mark.parametrize("text", ["你好", "退款", "hello", "发邮件", "A-1234"])
def test_other_business_is_left_to_others(text: str) -> None:
    assert play(text) == []


def test_an_agent_without_the_desks_tools_is_never_touched() -> None:
    assert play("退款 订单 A-1234", tools=frozenset({"order_lookup"})) == []
