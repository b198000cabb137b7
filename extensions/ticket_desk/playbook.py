"""The embedded model at the desk: look an order up, check and propose a refund, search the knowledge base, write an e-mail."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

from extensions.ticket_desk import playbook_texts as texts
from extensions.ticket_desk.playbook_texts import Language, said
from tools.registry import PlaybookResult, PlaybookStep, PlaybookView

LOOKUP: Final = "order_lookup"
ELIGIBILITY: Final = "refund_eligibility"
REFUND: Final = "issue_refund"
SEARCH: Final = "kb_search"
EMAIL: Final = "send_email"
_TOOLS: Final = frozenset({LOOKUP, ELIGIBILITY, REFUND, SEARCH, EMAIL})

_ORDER_ID: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{1,4}-?[0-9]{3,}(?![A-Za-z0-9])")
_REFUND: Final = re.compile(r"退款|退钱|退还|refund|money back", re.IGNORECASE)
_ORDER: Final = re.compile(r"订单|查询|查一下|order|look\s*up|status", re.IGNORECASE)
_QUESTION: Final = re.compile(
    r"能不能|能否|可否|可不可以|是否|能退|可以退|可退|多少|吗|[?？]|eligible|eligibility|\bcan\b|\bcould\b|how much",
    re.IGNORECASE,
)
_SEARCH: Final = re.compile(
    r"^(?:请|帮我)?(?:搜索|检索|查知识库|知识库|查规定|search(?: the)?(?: knowledge base| kb)?(?: for)?|kb)\s*[:：]?\s*(?P<query>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_EMAIL: Final = re.compile(
    r"(?:邮件|e-?mail).*?(?P<to>[^\s@:：，,;；<>]+@[A-Za-z0-9.-]+[A-Za-z0-9]).*?"
    r"(?:主题|subject)\s*[:：]\s*(?P<subject>[^\n;；]+)[\n;；]+\s*(?:正文|内容|body|text)\s*[:：]\s*(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)
_AMOUNT: Final = re.compile(
    r"(?:[$＄]|USD)\s*(?P<before>\d+(?:\.\d{1,2})?)|(?P<after>\d+(?:\.\d{1,2})?)\s*(?:美元|美金|元|USD|dollars?)",
    re.IGNORECASE,
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


class TicketPlaybook:
    """Goes from the order to the refund step by step; stops at the first no, from a tool or from a person."""

    @property
    def name(self) -> str:
        """Short name, for logs."""
        return "ticket_desk"

    def next_step(self, view: PlaybookView) -> PlaybookStep | None:
        """The next step at the desk, or None for other business."""
        if not view.tools >= _TOOLS:
            return None
        language: Language = "zh" if _HAN.search(view.user_text) else "en"
        done = [result for result in view.results if result.name in _TOOLS]
        return _go_on(view.user_text, done[-1], language) if done else _begin(view.user_text, language)


def _begin(text: str, language: Language) -> PlaybookStep | None:
    if (email := _EMAIL.search(text)) is not None:
        args = {name: value.strip() for name, value in email.groupdict().items()}
        return PlaybookStep(text=said(language, "write"), tool=EMAIL, args=args)
    order = _ORDER_ID.search(text)
    if order is not None and (_REFUND.search(text) or _ORDER.search(text)):
        return PlaybookStep(text=said(language, "look"), tool=LOOKUP, args={"order_id": order[0]})
    if (search := _SEARCH.match(text.strip())) is not None:
        return PlaybookStep(text=said(language, "search"), tool=SEARCH, args={"query": search["query"].strip()[:200]})
    return None


def _go_on(text: str, last: PlaybookResult, language: Language) -> PlaybookStep:
    if last.status != "ok":
        return PlaybookStep(text=texts.told_failure(language, last.payload))
    data: dict[str, Any] = last.payload["data"]
    match last.name:
        case "order_lookup" if _REFUND.search(text):
            args = {"order_id": data["order_id"]}
            return PlaybookStep(text=said(language, "check", data), tool=ELIGIBILITY, args=args)
        case "order_lookup":
            return PlaybookStep(text=texts.told_order(language, data))
        case "refund_eligibility":
            return _after_check(text, data, language)
        case "kb_search":
            return PlaybookStep(text=texts.told_articles(language, data))
        case "issue_refund":
            return PlaybookStep(text=said(language, "paid", data))
        case _:
            return PlaybookStep(text=said(language, "mailed", data))


def _after_check(text: str, data: dict[str, Any], language: Language) -> PlaybookStep:
    found = texts.told_check(language, data)
    if not data["eligible"] or _QUESTION.search(text):
        return PlaybookStep(text=found)
    args = {"order_id": data["order_id"], "amount": _wanted(text) or data["refundable"]}
    return PlaybookStep(text=f"{found}\n{said(language, 'propose')}", tool=REFUND, args=args)


def _wanted(text: str) -> float | None:
    """The amount the user names, as JSON has it; the tool takes it as a decimal and refuses what is too high."""
    found = _AMOUNT.search(text)
    return None if found is None else float(Decimal(found["before"] or found["after"]))
