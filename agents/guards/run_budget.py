"""What a run may still use, asked before each model call; the server binds its own ledgers to this port."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from agents.errors import RunLimitError
from agents.guards.policy import RunLimits

_MICRO = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run has used.

    Attributes:
        model_calls: Model calls that ended or are under way, of the agent, its sub-agents and the summariser.
        cost_micro: Their cost in millionths; None if one of them has no price.
        currency: Of the cost; empty if there is none.
        is_priced: Whether the next call has a price.
        refused_by: The bound that refused a tool call of the run; empty if none did.
    """

    model_calls: int
    cost_micro: int | None = 0
    currency: str = ""
    refused_by: str = ""
    is_priced: bool = True


class RunBudget(Protocol):
    """Counts what runs use."""

    async def spent(self, run_id: str, model: str) -> Spent:
        """What the run has used; `model` is the one that would be called next."""
        ...

    def model_call(self, run_id: str, model: str) -> AbstractAsyncContextManager[Spent]:
        """Hold a place for one more call of a model while it lasts; gives what the run has used without it."""
        ...


def require_within(limits: RunLimits, spent: Spent, *, max_model_calls: int, wanted: int = 1) -> None:
    """Stop a run before it spends what it may not.

    Args:
        limits: The policy's.
        spent: What the run has used.
        max_model_calls: The server's own bound.
        wanted: Model calls that must still have a place.

    Raises:
        RunLimitError: `tool_call_limit`, `model_call_limit`, `cost_limit`, or `cost_unknown`: a bound on money cannot be kept
            where a call has no price.
    """
    if spent.refused_by:
        is_framework = spent.refused_by == "max_framework_calls_per_run"
        most = limits.max_framework_calls_per_run if is_framework else limits.max_tool_calls_per_run
        raise RunLimitError(
            "tool_call_limit",
            f"本次运行的{'文件等内置' if is_framework else ''}工具调用达到上限({most} 次)，已停止。",
            "已完成的结果保留在会话中；请把任务拆小后继续。",
        )
    bound = min(max_model_calls, limits.max_model_calls_per_run or max_model_calls)
    if spent.model_calls + wanted > bound:
        is_used_up = spent.model_calls >= bound
        raise RunLimitError(
            "model_call_limit",
            f"本次运行已调用模型 {spent.model_calls} 次，"
            + ("达到上限。" if is_used_up else f"上限 {bound} 次，不够先整理历史再回答。"),
            "请把任务拆小后继续；上限由 MAX_MODEL_CALLS_PER_RUN 和该助手的策略设置。",
        )
    if limits.max_cost_per_run is None:
        return
    is_known = not spent.model_calls or spent.cost_micro is not None
    if not spent.is_priced or not is_known or (spent.cost_micro and spent.currency != limits.currency):
        raise RunLimitError(
            "cost_unknown",
            "该助手有费用上限，但所用模型没有价格，已停止。",
            "请管理员为该模型设置价格，或取消该助手的费用上限。",
        )
    if spent.model_calls and (spent.cost_micro or 0) >= limits.max_cost_per_run * _MICRO:
        raise RunLimitError(
            "cost_limit",
            f"本次运行的费用达到上限({limits.max_cost_per_run} {limits.currency})，已停止。",
            "已完成的结果保留在会话中；请把任务拆小后继续。",
        )
