"""Tells the model, before each of its calls, what was really done: the cheapest way to keep it from claiming more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

from langchain.agents.middleware import ModelRequest, ModelResponse
from langchain_core.messages import SystemMessage
from typing_extensions import override

from agents.guards.receipt_source import ReceiptSource
from agents.guards.receipts import Receipt
from agents.middleware.async_only import AsyncModelMiddleware
from tools.context import current_context

_STATES: Final[Mapping[str, str]] = {
    "ok": "已完成",
    "pending": "已提交，尚无结果",
    "rejected": "被人驳回，未执行",
    "failed": "失败，未完成",
    "unknown": "结果不明",
}
_NEWEST: Final = 20
_RULE: Final = "只有写明“已完成”的才可以说成已经做了；其余一律不得说成已完成。"


class ReceiptsDigestMiddleware(AsyncModelMiddleware):
    """Adds one line of receipts to the end of the system prompt; it changes only when something was done."""

    def __init__(self, receipts: ReceiptSource) -> None:
        super().__init__()
        self._receipts = receipts

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        context = current_context()
        line = digest(await self._receipts.of_thread(context.session_id, context.turn_id))
        before = request.system_message.text if request.system_message is not None else ""
        return await handler(request.override(system_message=SystemMessage(f"{before}\n\n{line}".strip())))


def digest(receipts: Iterable[Receipt]) -> str:
    """The line: effects of this turn and of earlier ones, with what proves them; the newest ones, if there are many."""
    known = list(receipts)
    this = [_said(receipt) for receipt in known if receipt.turn == "this"]
    earlier = [_said(receipt) for receipt in known if receipt.turn == "earlier"]
    parts = [f"系统记录：本轮{_list(this)}。"]
    if earlier:
        parts.append(f"本会话此前{_list(earlier)}。")
    return "".join([*parts, _RULE])


def _list(said: list[str]) -> str:
    if not said:
        return "没有执行过任何有外部效果的操作"
    more = f"(另有更早的 {len(said) - _NEWEST} 项)" if len(said) > _NEWEST else ""
    return "：" + "；".join(said[-_NEWEST:]) + more


def _said(receipt: Receipt) -> str:
    proof = f"({receipt.result_ref})" if receipt.status == "ok" and receipt.result_ref else ""
    return f"{receipt.effect} {_STATES[receipt.status]}{proof}"
