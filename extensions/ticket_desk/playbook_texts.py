"""What the embedded model says at the desk, in Chinese and English; every figure comes from a tool's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

Language = Literal["zh", "en"]
_REJECTED: Final = "rejected_by_human_approval"

_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "look": "我先查一下订单。",
        "check": "订单 {order_id}，客户 {customer}，金额 {total} {currency}。我核对可否退款。",
        "order": "订单 {order_id}：客户 {customer}，金额 {total} {currency}。{refunds}",
        "no_refunds": "没有退款记录。",
        "refunds": "订单的退款记录：{list}。",
        "refund": "{confirmation_id}({amount})",
        "eligible": "订单 {order_id} 还可退 {refundable} {currency}。",
        "not_eligible": "订单 {order_id} 不能退款。",
        "reason": "理由：{reason}",
        "propose": "退款需要人批准，批准后才会付款。",
        "paid": "已退款 {amount} {currency}，订单 {order_id}，确认号 {confirmation_id}。",
        "search": "我在知识库里查找。",
        "nothing": "知识库里没有与“{query}”有关的内容。",
        "article": "**{title}**({article_id})\n> {text}",
        "write": "邮件已拟好，需要人批准后才会发送。",
        "mailed": "邮件“{subject}”已发送给 {to}，编号 {message_id}。",
        "rejected": "没有执行：{error}",
        "failed": "没有完成：{error}。{hint}",
        "no_reason": "没有说明原因",
    },
    "en": {
        "look": "Let me look the order up.",
        "check": "Order {order_id}, customer {customer}, total {total} {currency}. I check whether it can be refunded.",
        "order": "Order {order_id}: customer {customer}, total {total} {currency}. {refunds}",
        "no_refunds": "There are no refunds.",
        "refunds": "Refunds so far: {list}.",
        "refund": "{confirmation_id} ({amount})",
        "eligible": "{refundable} {currency} of order {order_id} can still be refunded.",
        "not_eligible": "Order {order_id} cannot be refunded.",
        "reason": "Reason: {reason}",
        "propose": "A person has to approve the refund before it is paid.",
        "paid": "{amount} {currency} of order {order_id} was refunded, confirmation {confirmation_id}.",
        "search": "Let me search the knowledge base.",
        "nothing": "The knowledge base has nothing about “{query}”.",
        "article": "**{title}** ({article_id})\n> {text}",
        "write": "The e-mail is drafted; a person has to approve it before it is sent.",
        "mailed": "The e-mail “{subject}” was sent to {to}, number {message_id}.",
        "rejected": "Not carried out: {error}",
        "failed": "Not done: {error}. {hint}",
        "no_reason": "no reason was given",
    },
}


def said(language: Language, key: str, data: Mapping[str, Any] | None = None) -> str:
    """One sentence with a tool's figures in it."""
    facts = {name: _shown(name, value) for name, value in (data or {}).items()}
    return _WORDS[language][key].format_map(facts).strip()


def told_order(language: Language, data: Mapping[str, Any]) -> str:
    """An order with its refunds."""
    return said(language, "order", {**data, "refunds": _refunds(language, data)})


def told_check(language: Language, data: Mapping[str, Any]) -> str:
    """Whether an order can be refunded, how much of it, and why; the reason is a line of its own, it may be in another language."""
    answer = said(language, "eligible" if data["eligible"] else "not_eligible", data)
    if not data["eligible"] and data["refunds"]:
        return f"{answer}\n{_refunds(language, data)}"
    return f"{answer}\n{said(language, 'reason', data)}" if data["reason"] else answer


def told_articles(language: Language, data: Mapping[str, Any]) -> str:
    """What a search found, as quotations."""
    if not data["articles"]:
        return said(language, "nothing", data)
    quoted = ({**article, "text": article["text"].replace("\n", "\n> ")} for article in data["articles"])
    return "\n\n".join(said(language, "article", article) for article in quoted)


def told_failure(language: Language, payload: Mapping[str, Any]) -> str:
    """Why a call did not do it."""
    key = "rejected" if payload.get("code") == _REJECTED else "failed"
    facts = {"error": payload.get("error") or _WORDS[language]["no_reason"], "hint": payload.get("hint") or ""}
    return said(language, key, facts)


def _refunds(language: Language, data: Mapping[str, Any]) -> str:
    each = [said(language, "refund", refund) for refund in data["refunds"]]
    return said(language, "refunds", {"list": ", ".join(each)}) if each else said(language, "no_refunds")


def _shown(name: str, value: Any) -> str:
    if name in {"total", "amount", "refundable"}:
        return f"{value:.2f}"
    return str(value)
