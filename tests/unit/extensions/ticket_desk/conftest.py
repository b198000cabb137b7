"""A desk with a few orders, its tools under the wrapper, and ways to ask them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from extensions.ticket_desk.extension import build_feature
from extensions.ticket_desk.records import Article, Order, Seed
from extensions.ticket_desk.store import TicketStore
from tests.support.governed import SOMEBODY, governed_registry
from tools.registry import ToolRegistry

SEED = Seed(
    orders={
        "O-100": Order(customer="Ann", total=Decimal(120), eligible=True, refundable=Decimal(80), reason="damaged"),
        "O-200": Order(
            customer="王", total=Decimal("79.90"), eligible=False, refundable=Decimal(79), reason="too late"
        ),
        "O-300": Order(
            customer="Bo", total=Decimal(9), eligible=True, refundable=Decimal(9), issue_refund_fails_with="no funds"
        ),
    },
    articles={
        "KB-1": Article(title="Refund policy · 退款规定", text="Within 30 days. 签收后 30 天内可退。"),
        "KB-2": Article(title="Delivery · 配送", text="Five days. 五个工作日。"),
    },
)
Ask = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def store(tmp_path: Path) -> TicketStore:
    return TicketStore(lambda: tmp_path / "data" / "desk.sqlite3", seed=lambda: SEED)


@pytest.fixture
def registry(store: TicketStore) -> Iterator[ToolRegistry]:
    registry = governed_registry(threads=8)
    registry.add_feature(build_feature(store))
    yield registry
    registry.close()


@pytest.fixture
def ask(registry: ToolRegistry) -> Ask:
    """Call a tool; `run` and `call` say in which run and by which call."""

    async def ask_once(name: str, run: str = "r1", call: str = "", **args: Any) -> dict[str, Any]:
        outcome = await registry.invoke(name, args, context=replace(SOMEBODY, turn_id=run), call_id=call)
        assert (outcome.status == "ok") == outcome.payload["ok"]
        return outcome.payload

    return ask_once
