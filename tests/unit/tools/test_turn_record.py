"""Receipts by the way a call ended: only one that was done, and whose proof is there, may support a claim."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.governed import SOMEBODY, RememberedLedger, governed_registry
from tools.registry import AgentContext, ToolError, ToolPayload, agent_tool, for_feature, sourced
from tools.results import refused

WHAT: dict[str, Any] = {}


@agent_tool(
    name="thing_do",
    title="办",
    description="办",
    category="test",
    write_action=True,
    effects=["thing.done", "thing.told"],
    evidence=lambda data: data.get("number"),
)
async def thing_do(amount: float, note: str, ctx: AgentContext) -> ToolPayload:
    answer = WHAT["answer"]
    if isinstance(answer, BaseException):
        raise answer
    payload: ToolPayload = answer
    return payload


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (sourced(data={"number": "N-7", "amount": 3.5, "lines": [1, 2]}), "ok"),
        (sourced(data={"number": ""}), "pending"),
        (sourced(data={"other": 1}), "pending"),
        (sourced(data=["no mapping"]), "pending"),
        (refused("不行"), "failed"),
        (ToolError("不行", hint="换"), "failed"),
        (RuntimeError("x"), "failed"),
        (ToolError("慢", code="timeout"), "unknown"),
    ],
    ids=["done", "no-proof", "proof-missing", "proof-breaks", "refused", "error", "bug", "timeout"],
)
async def test_r_grd_1_the_receipt_says_what_code_saw(answer, status):
    WHAT["answer"] = answer
    ledger = RememberedLedger()
    registry = governed_registry(ledger=ledger)
    registry.add_feature(for_feature("thing", domain="thing", tools=[thing_do]))

    await registry.invoke("thing_do", {"amount": 3.5, "note": "password=geheim123"}, context=SOMEBODY)

    (end,) = ledger.ends
    assert [(receipt.effect, receipt.status) for receipt in end.receipts] == [
        ("thing.done", status),
        ("thing.told", status),
    ]
    first = end.receipts[0]
    assert first.facts["amount"] == 3.5
    assert "geheim123" not in str(first.facts)
    assert first.result_ref == ("N-7" if status == "ok" else None)
    assert "lines" not in first.facts


async def test_a_call_that_was_not_made_leaves_no_receipt():
    WHAT["answer"] = sourced(data={"number": "N-7"})
    ledger = RememberedLedger()
    registry = governed_registry(ledger=ledger)
    registry.add_feature(for_feature("thing", domain="thing", tools=[thing_do]))

    await registry.invoke("thing_do", {"amount": "many"}, context=SOMEBODY)

    assert [receipt for end in ledger.ends for receipt in end.receipts] == []
