"""Stops a run that used up what its policy gives it, before the next model call is paid for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import ModelRequest, ModelResponse
from typing_extensions import override

from agents.guards.policy import RunLimits
from agents.guards.run_budget import RunBudget, require_within
from agents.middleware.async_only import AsyncModelMiddleware
from tools.context import current_context


class RunLimitsMiddleware(AsyncModelMiddleware):
    """Stands in every graph of a run, so that agent and sub-agents draw from one budget."""

    def __init__(self, budget: RunBudget, limits: RunLimits, *, model: str, max_model_calls: int) -> None:
        """Make the guard of one kind of agent.

        Args:
            budget: Knows what a run has used.
            limits: The policy's.
            model: Name of the model that is called, as the price table has it.
            max_model_calls: The server's own bound.
        """
        super().__init__()
        self._budget = budget
        self._limits = limits
        self._model = model
        self._max_model_calls = max_model_calls

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        async with self._budget.model_call(current_context().turn_id, self._model) as spent:
            require_within(self._limits, spent, max_model_calls=self._max_model_calls)
            return await handler(request)
