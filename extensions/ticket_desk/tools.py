"""The desk's tools. The names are those of the source document; amounts are in US dollars, with two decimal places at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from extensions.ticket_desk.knowledge import find_articles
from extensions.ticket_desk.money import CURRENCY
from extensions.ticket_desk.records import Refund
from extensions.ticket_desk.store import Caller, DeskError, TicketStore, left_of
from tools.registry import AgentContext, ToolError, ToolPayload, agent_tool, call_key, sourced

CATEGORY: Final = "ticket_desk"
OrderId = Annotated[str, Field(description="订单编号", min_length=1, max_length=64)]
Amount = Annotated[Decimal, Field(description="金额，美元", gt=0, max_digits=12, decimal_places=2)]
Address = Annotated[
    str,
    Field(description="收件人的邮箱地址，只能一个", max_length=254, pattern=r"^[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>.]+$"),
]
Subject = Annotated[str, Field(description="主题，一行", min_length=1, max_length=200, pattern=r"^[^\r\n]*\S[^\r\n]*$")]
_FOUND_ARTICLES: Final = 3
_TELL: Final = "把原因告诉用户，不要说已经退款。"

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "order_not_found": ("没有编号为 {order_id} 的订单", "请用户核对订单编号，不要猜。"),
    "not_eligible": ("订单 {order_id} 不能退款：{reason}", _TELL),
    "already_refunded": (
        "这一轮已经为订单 {order_id} 退款 {amount} 美元(确认号 {confirmation_id})，没有再次付款",
        "把已有的确认号告诉用户，不要再次退款。",
    ),
    "nothing_left": ("订单 {order_id} 已没有可退的金额(已有退款：{confirmations})", _TELL),
    "amount_too_high": ("退款 {amount} 美元超过订单 {order_id} 还可退的 {left} 美元", "请改正金额后重试，或告诉用户。"),
    "refund_failed": ("订单 {order_id} 的退款没有成功，支付服务答复：{answer}", _TELL),
    "already_sent": ("这一轮已经给 {to} 写过同样的邮件(编号 {message_id})，没有再写", "不要重复发送。"),
}


class TicketDesk:
    """The tools over one store."""

    def __init__(self, store: TicketStore) -> None:
        self._store = store

    @agent_tool(
        name="order_lookup",
        title="查询订单",
        description="按编号查询订单：客户、金额(美元)、已有的退款。",
        category=CATEGORY,
        idempotent=True,
    )
    def order_lookup(self, order_id: OrderId, ctx: AgentContext) -> ToolPayload:
        """Look an order up; data has `order_id, customer, total, currency, refunds[{confirmation_id, amount}]`."""
        with _refusals_told():
            found, order, refunds = self._store.order(order_id.strip())
        data = {
            "order_id": found,
            "customer": order.customer,
            "total": order.total,
            "currency": CURRENCY,
            "refunds": _listed(refunds),
        }
        return sourced(data=data, sources=[_order_source(found)])

    @agent_tool(
        name="refund_eligibility",
        title="核对可否退款",
        description="核对订单能否退款、还可退多少(美元)、为什么。退款前先调用。",
        category=CATEGORY,
        idempotent=True,
    )
    def refund_eligibility(self, order_id: OrderId, ctx: AgentContext) -> ToolPayload:
        """Say what may be paid back; data has `order_id, eligible, refundable, currency, reason, refunds[]`."""
        with _refusals_told():
            found, order, refunds = self._store.order(order_id.strip())
        left = left_of(order, refunds) if order.eligible else Decimal()
        data = {
            "order_id": found,
            "eligible": bool(left),
            "refundable": left,
            "currency": CURRENCY,
            # The shop's reason is about the order as it was; of one that is paid back it would read as a refusal's.
            "reason": "可退金额已全部退还" if order.eligible and not left else order.reason,
            "refunds": _listed(refunds),
        }
        return sourced(data=data, sources=[_order_source(found)])

    @agent_tool(
        name="issue_refund",
        title="退款",
        description="为订单退款，金额不超过 refund_eligibility 给出的可退金额(美元)。需要人批准，批准后立即付款，不能撤回。",
        category=CATEGORY,
        write_action=True,
        destructive=True,
        effects=("refund.issued",),
        evidence=lambda data: data["confirmation_id"],
        idempotent=True,
    )
    def issue_refund(self, order_id: OrderId, amount: Amount, ctx: AgentContext) -> ToolPayload:
        """Pay back; data has `confirmation_id, order_id, amount, currency`."""
        with _refusals_told():
            refund = self._store.pay_refund(order_id.strip(), amount, _caller(ctx))
        data = {
            "confirmation_id": refund.confirmation_id,
            "order_id": refund.order_id,
            "amount": refund.amount,
            "currency": CURRENCY,
        }
        source = {"id": refund.confirmation_id, "title": f"退款 {refund.confirmation_id}", "kind": "refund"}
        return sourced(data=data, sources=[source])

    @agent_tool(
        name="kb_search",
        title="检索知识库",
        description="在客服知识库里检索退款、配送、账户等规定，返回最相关的几篇全文。",
        category=CATEGORY,
        idempotent=True,
    )
    def kb_search(
        self,
        query: Annotated[str, Field(description="要找的词句，中文或英文", min_length=1, max_length=200)],
        ctx: AgentContext,
    ) -> ToolPayload:
        """Find articles; data has `query, articles[{article_id, title, text}]`."""
        articles = self._store.articles()
        found = find_articles(articles, query, limit=_FOUND_ARTICLES)
        data = {
            "query": query,
            "articles": [
                {"article_id": identity, "title": articles[identity].title, "text": articles[identity].text}
                for identity in found
            ],
        }
        sources = [{"id": identity, "title": articles[identity].title, "kind": "article"} for identity in found]
        return sourced(data=data, sources=sources)

    @agent_tool(
        name="send_email",
        title="发送邮件",
        description="给一位收件人发送纯文本邮件。需要人批准，不能撤回。",
        category=CATEGORY,
        write_action=True,
        destructive=True,
        effects=("email.sent",),
        evidence=lambda data: data["message_id"],
        idempotent=True,
    )
    def send_email(
        self,
        to: Address,
        subject: Subject,
        body: Annotated[str, Field(description="正文", min_length=1, max_length=10_000)],
        ctx: AgentContext,
    ) -> ToolPayload:
        """Hand a message to the outbox, which is as far as this desk goes; data has `message_id, to, subject`."""
        with _refusals_told():
            email = self._store.write_email(to, subject.strip(), body, _caller(ctx))
        data = {"message_id": email.message_id, "to": email.to, "subject": email.subject}
        source = {"id": email.message_id, "title": f"邮件 {email.subject}", "kind": "email"}
        return sourced(data=data, sources=[source])

    @property
    def all(self) -> tuple[Any, ...]:
        """Every tool, for the feature."""
        return self.order_lookup, self.refund_eligibility, self.issue_refund, self.kb_search, self.send_email


def _caller(ctx: AgentContext) -> Caller:
    return Caller(call_key=call_key(ctx), run_id=ctx.turn_id, user_id=ctx.user_id)


@contextmanager
def _refusals_told() -> Iterator[None]:
    """What the desk refuses, in words that model and user can act on."""
    try:
        yield
    except DeskError as refusal:
        message, hint = _WORDS[refusal.code]
        raise ToolError(message, hint=hint, code=refusal.code, values=refusal.facts) from refusal


def _listed(refunds: Sequence[Refund]) -> list[dict[str, Any]]:
    return [{"confirmation_id": refund.confirmation_id, "amount": refund.amount} for refund in refunds]


def _order_source(order_id: str) -> dict[str, str]:
    return {"id": order_id, "title": f"订单 {order_id}", "kind": "order"}
