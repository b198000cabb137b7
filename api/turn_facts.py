"""What the server knows about the caller of a tool: the modes of the run, the agent's policy, whether a plan was approved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from typing_extensions import override

from db.call_ledger import CallLedgerStore
from db.errors import NotFoundError
from db.run_store import RunStore
from tools.context import AgentContext
from tools.policy import NO_POLICY, ToolPolicy
from tools.session_facts import NOBODY, FactsSource, PermissionMode, PlanMode, SessionFacts

PLAN_EFFECT: Final = "plan.submitted"
# What the page and every other reader of the stream can do.
_STREAM_CAPABILITIES: Final = frozenset({"approval", "cards", "files"})


class TurnFacts(FactsSource):
    """Facts by the run's row, which is written before its turn starts and which no client can touch."""

    def __init__(
        self, *, runs: RunStore, calls: CallLedgerStore, policies: Mapping[str, ToolPolicy], models: Mapping[str, str]
    ) -> None:
        self._runs = runs
        self._calls = calls
        self._policies = policies
        self._models = models

    @override
    async def facts_of(self, context: AgentContext) -> SessionFacts:
        try:
            run = await self._runs.get_owned(context.turn_id, context.user_id)
        except NotFoundError:
            return NOBODY
        if run.session_id != context.session_id:
            return NOBODY
        needs_plan = run.plan_mode == "required"
        return SessionFacts(
            agent=run.agent,
            model=self._models.get(run.agent, ""),
            permission_mode=cast("PermissionMode", run.permission_mode),
            plan_mode=cast("PlanMode", run.plan_mode),
            has_approved_plan=needs_plan and await self._calls.has_effect(run.session_id, PLAN_EFFECT),
            capabilities=_STREAM_CAPABILITIES,
            policy=self._policies.get(run.agent, NO_POLICY),
        )
