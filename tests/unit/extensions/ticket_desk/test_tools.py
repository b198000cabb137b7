"""R-EX-1: the desk's tools under the wrapper: what they answer, what they refuse, and that nothing is paid twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from extensions.ticket_desk.store import TicketStore
from tests.unit.extensions.ticket_desk.conftest import Ask
from tools.registry import ToolRegistry


def test_the_names_are_those_of_the_document_and_what_has_an_effect_says_so(registry: ToolRegistry) -> None:
    found = {d.name: (d.effects, d.write_action, d.destructive) for d in registry.descriptors}

    assert found == {
        "order_lookup": ((), False, False),
        "refund_eligibility": ((), False, False),
        "issue_refund": (("refund.issued",), True, True),
        "kb_search": ((), False, False),
        "send_email": (("email.sent",), True, True),
    }


async def test_an_order_and_what_may_be_paid_back_of_it(ask: Ask) -> None:
    order = await ask("order_lookup", order_id=" o-100 ")
    check = await ask("refund_eligibility", order_id="O-100")

    assert order["data"] == {"order_id": "O-100", "customer": "Ann", "total": 120, "currency": "USD", "refunds": []}
    assert (check["data"]["eligible"], check["data"]["refundable"], check["data"]["reason"]) == (True, 80, "damaged")
    assert [source["id"] for source in order["sources"]] == ["O-100"]


async def test_of_an_order_that_is_not_eligible_nothing_is_refundable_whatever_the_shop_says(ask: Ask) -> None:
    check = await ask("refund_eligibility", order_id="O-200")

    assert (check["data"]["eligible"], check["data"]["refundable"], check["data"]["reason"]) == (False, 0, "too late")


async def test_a_refund_gives_a_confirmation_and_stands_in_the_order(ask: Ask, registry: ToolRegistry) -> None:
    paid = await ask("issue_refund", order_id="O-100", amount=49.9)
    order = await ask("order_lookup", order_id="O-100")
    check = await ask("refund_eligibility", order_id="O-100")

    confirmation = paid["data"]["confirmation_id"]
    assert (paid["data"]["order_id"], paid["data"]["amount"], paid["data"]["currency"]) == ("O-100", 49.9, "USD")
    assert order["data"]["refunds"] == [{"confirmation_id": confirmation, "amount": 49.9}]
    assert check["data"]["refundable"] == 30.1
    evidence = registry.descriptor("issue_refund").evidence
    assert evidence is not None
    assert evidence(paid["data"]) == confirmation


@pytest.mark.parametrize(
    ("tool", "args", "code", "words"),
    [
        ("order_lookup", {"order_id": "O-999"}, "order_not_found", "O-999"),
        ("refund_eligibility", {"order_id": "O-999"}, "order_not_found", "O-999"),
        ("issue_refund", {"order_id": "O-999", "amount": 1}, "order_not_found", "O-999"),
        ("issue_refund", {"order_id": "O-200", "amount": 1}, "not_eligible", "too late"),
        ("issue_refund", {"order_id": "O-100", "amount": 80.01}, "amount_too_high", "80.01"),
        ("issue_refund", {"order_id": "O-300", "amount": 9}, "refund_failed", "no funds"),
    ],
)
async def test_what_the_desk_refuses_is_named_and_nothing_is_paid(
    ask: Ask, tool: str, args: dict[str, Any], code: str, words: str
) -> None:
    refused = await ask(tool, **args)

    assert (refused["ok"], refused["code"]) == (False, code)
    assert words in refused["error"]
    assert refused["hint"]
    for order_id in ("O-100", "O-200", "O-300"):
        assert (await ask("order_lookup", order_id=order_id))["data"]["refunds"] == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("order_lookup", {"order_id": ""}),
        ("order_lookup", {"order": "O-100"}),
        ("issue_refund", {"order_id": "O-100", "amount": 0}),
        ("issue_refund", {"order_id": "O-100", "amount": -5}),
        ("issue_refund", {"order_id": "O-100", "amount": 1.001}),
        ("issue_refund", {"order_id": "O-100", "amount": "fifty"}),
        ("issue_refund", {"order_id": "O-100", "amount": float("nan")}),
        ("issue_refund", {"order_id": "O-100"}),
        ("kb_search", {"query": ""}),
        ("send_email", {"to": "ann", "subject": "s", "body": "b"}),
        ("send_email", {"to": "ann@example.com, bo@example.com", "subject": "s", "body": "b"}),
        ("send_email", {"to": "ann@example.com", "subject": "s\nBcc: bo@example.com", "body": "b"}),
        ("send_email", {"to": "ann@example.com", "subject": " ", "body": "b"}),
        ("send_email", {"to": "ann@example.com", "subject": "s", "body": ""}),
    ],
)
async def test_bad_arguments_never_reach_the_desk(
    ask: Ask, store: TicketStore, tool: str, args: dict[str, Any]
) -> None:
    refused = await ask(tool, **args)

    assert (refused["ok"], refused["code"]) == (False, "bad_arguments")
    assert store.outbox() == ()
    assert store.order("O-100")[2] == ()


async def test_a_call_that_the_graph_enters_again_has_the_refund_it_has_had(ask: Ask, store: TicketStore) -> None:
    first = await ask("issue_refund", call="c1", order_id="O-100", amount=80)
    again = await ask("issue_refund", call="c1", order_id="O-100", amount=80)

    assert again == first
    assert len(store.order("O-100")[2]) == 1


async def test_another_call_of_the_same_run_does_not_pay_the_same_refund_again(ask: Ask, store: TicketStore) -> None:
    first = await ask("issue_refund", call="c1", order_id="O-100", amount=20)
    second = await ask("issue_refund", call="c2", order_id="o-100", amount=20)

    assert second["code"] == "already_refunded"
    assert first["data"]["confirmation_id"] in second["error"]
    assert len(store.order("O-100")[2]) == 1


async def test_a_later_run_may_pay_what_is_left_and_no_more(ask: Ask, store: TicketStore) -> None:
    await ask("issue_refund", run="r1", order_id="O-100", amount=40)
    await ask("issue_refund", run="r2", order_id="O-100", amount=40)
    refused = await ask("issue_refund", run="r3", order_id="O-100", amount=0.01)

    refunds = store.order("O-100")[2]
    assert [refund.amount for refund in refunds] == [40, 40]
    assert refused["code"] == "nothing_left"
    check = (await ask("refund_eligibility", order_id="O-100"))["data"]
    assert (check["eligible"], check["refundable"], check["reason"]) == (False, 0, "可退金额已全部退还")
    assert [one["confirmation_id"] for one in check["refunds"]] == [refund.confirmation_id for refund in refunds]
    assert all(refund.confirmation_id in refused["error"] for refund in refunds)


async def test_of_many_payers_at_once_no_more_get_through_than_there_is_money(ask: Ask, store: TicketStore) -> None:
    answers = await asyncio.gather(*(ask("issue_refund", run=f"r{n}", order_id="O-100", amount=30) for n in range(12)))

    assert sorted(answer.get("code", "") for answer in answers) == ["", ""] + ["amount_too_high"] * 10
    assert sum(refund.amount for refund in store.order("O-100")[2]) == 60


async def test_an_email_is_written_to_the_outbox_once(ask: Ask, store: TicketStore) -> None:
    message = {"to": "ann@example.com", "subject": "退款", "body": "第一行\n第二行"}
    first = await ask("send_email", call="c1", **message)
    entered_again = await ask("send_email", call="c1", **message)
    repeated = await ask("send_email", call="c2", **message)
    other = await ask("send_email", call="c3", **{**message, "body": "别的"})

    assert entered_again == first
    assert (repeated["code"], first["data"]["message_id"] in repeated["error"]) == ("already_sent", True)
    assert [email.message_id for email in store.outbox()] == [first["data"]["message_id"], other["data"]["message_id"]]
    assert (store.outbox()[0].to, store.outbox()[0].body) == ("ann@example.com", "第一行\n第二行")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("退款", ["KB-1"]),
        ("How do refunds work?", ["KB-1"]),
        ("配送 refund", ["KB-1", "KB-2"]),
        ("password", []),
        ("the", []),
    ],
)
async def test_articles_are_found_by_the_words_of_the_question(ask: Ask, query: str, found: list[str]) -> None:
    answer = await ask("kb_search", query=query)

    assert [article["article_id"] for article in answer["data"]["articles"]] == found
    assert [source["id"] for source in answer["sources"]] == found
