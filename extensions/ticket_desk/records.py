"""What the desk keeps, as plain records; amounts are Decimal, in `money.CURRENCY`."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Amount = Annotated[Decimal, Field(ge=0, max_digits=18, decimal_places=6)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Order(_Record):
    """An order as the shop handed it over.

    Attributes:
        refundable: What may be paid back of it in all.
        reason: Why it may, or may not.
        issue_refund_fails_with: What the payment service answers to every refund of this order; None if it pays.
    """

    customer: str = Field(min_length=1)
    total: Amount
    eligible: bool
    refundable: Amount
    reason: str = ""
    issue_refund_fails_with: str | None = None


class Article(_Record):
    """A page of the knowledge base."""

    title: str = Field(min_length=1)
    text: str = Field(min_length=1)


class Refund(_Record):
    """A refund that was paid."""

    confirmation_id: str
    order_id: str
    amount: Amount


class Email(_Record):
    """A message in the outbox."""

    message_id: str
    to: str
    subject: str
    body: str


class Seed(_Record):
    """What a store begins with: orders and articles by their ids."""

    orders: dict[str, Order]
    articles: dict[str, Article] = Field(default_factory=dict)
