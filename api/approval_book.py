"""Writes down what a person decided about a call, bound to everything the call is, before the graph hears of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from agents.session_agent import PendingApproval
from api.decisions import DecisionBody
from api.tool_ledger import to_row
from api.turn import TurnConfig
from db.approval_store import ApprovalStore
from db.db_conn import new_id, utc_now
from db.records import Approval
from tools.context import LOCAL
from tools.descriptor import args_digest
from tools.policy import NO_POLICY, ToolPolicy
from tools.ports import Receipt
from tools.registry import ToolRegistry
from tools.turn_record import rejected_step


class ApprovalBook:
    """Keeps decisions where the wrapper of calls finds them."""

    def __init__(
        self,
        store: ApprovalStore,
        *,
        registry: ToolRegistry,
        policies: Mapping[str, ToolPolicy],
        valid_s: float,
    ) -> None:
        self._store = store
        self._registry = registry
        self._policies = policies
        self._valid = timedelta(seconds=valid_s)

    async def decide(
        self, turn: TurnConfig, answers: Iterable[tuple[PendingApproval, DecisionBody]], *, decided_by: str
    ) -> None:
        """Keep checked answers; an edited call is bound to the edited arguments.

        Args:
            turn: The turn that waits.
            answers: What waits, and the answer to it.
            decided_by: Who answered, from the server's own knowledge.
        """
        rows, receipts = [], {}
        for pending, body in answers:
            row = self._row(turn, pending, body, decided_by)
            rows.append(row)
            receipts[row.approval_id] = [to_row(receipt) for receipt in self._undone(row, pending)]
        await self._store.decide(rows, trace_id=turn.identity.trace_id, agent=turn.agent, receipts=receipts)

    async def latest(self, limit: int) -> list[Approval]:
        """The newest decisions of all sessions."""
        return await self._store.latest(limit)

    def _undone(self, row: Approval, pending: PendingApproval) -> tuple[Receipt, ...]:
        if row.state != "rejected":
            return ()
        tool = self._registry.descriptor(pending.name)
        return rejected_step(tool, pending.args, approval_id=row.approval_id)

    def _row(self, turn: TurnConfig, pending: PendingApproval, body: DecisionBody, decided_by: str) -> Approval:
        now = utc_now()
        args = pending.args if body.args is None else body.args
        return Approval(
            approval_id=new_id(),
            organization_id=LOCAL,
            run_id=turn.run_id,
            tool_call_id=pending.tool_call_id,
            session_id=turn.session_id,
            user_id=turn.user_name,
            tool=pending.name,
            tool_version=self._registry.descriptor(pending.name).version,
            input_digest=args_digest(pending.name, args),
            policy_version=self._policies.get(turn.agent, NO_POLICY).version,
            state="rejected" if body.decision == "reject" else "approved",
            decided_by=decided_by,
            reason=body.reason,
            decided_at=now,
            expires_at=now + self._valid,
        )
