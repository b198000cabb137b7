"""The framework's compaction under the run's bounds: a summary is a model call, paid for like the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from deepagents.middleware.summarization import SummarizationMiddleware
from langchain.agents.middleware import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage
from typing_extensions import override

from agents.errors import SyncRunError
from agents.guards.policy import RunLimits
from agents.guards.run_budget import RunBudget, require_within
from tools.context import current_context

_WITH_THE_ANSWER = 2


class BoundedSummarizationMiddleware(SummarizationMiddleware):
    """Stands outside `RunLimitsMiddleware`, so it asks by itself before it lets the model write a summary."""

    def __init__(
        self, *, budget: RunBudget, limits: RunLimits, model_name: str, max_model_calls: int, **compaction: Any
    ) -> None:
        """Make it for one kind of agent.

        Args:
            budget: Knows what a run has used.
            limits: The policy's.
            model_name: Name of the model that summarises, as the price table has it.
            max_model_calls: The server's own bound.
            compaction: What the framework's middleware takes.
        """
        super().__init__(**compaction)
        self._budget = budget
        self._limits = limits
        self._model_name = model_name
        self._max_model_calls = max_model_calls

    @property
    @override
    def name(self) -> str:
        return "SummarizationMiddleware"

    @override
    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        raise SyncRunError

    @override
    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        # A run at its end moves no history into a file either.
        spent = await self._budget.spent(current_context().turn_id, self._model_name)
        require_within(self._limits, spent, max_model_calls=self._max_model_calls)
        return await super().awrap_model_call(request, handler)

    @override
    async def _acreate_summary(self, messages_to_summarize: list[AnyMessage]) -> str:
        async with self._budget.model_call(current_context().turn_id, self._model_name) as spent:
            # A summary that no answer can follow would be paid for in vain.
            require_within(self._limits, spent, max_model_calls=self._max_model_calls, wanted=_WITH_THE_ANSWER)
            return await super()._acreate_summary(messages_to_summarize)
