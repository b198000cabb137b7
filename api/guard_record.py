"""Puts on record what guards decide, and asks people to look at it where they should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from api.review_desk import ReviewDesk, ReviewKind
from api.turn import TurnConfig
from db.call_ledger import CallLedgerStore
from db.db_conn import new_id, utc_now
from db.records import AuditEntry, GuardVerdict
from tools.context import LOCAL
from tools.descriptor import args_digest

Guard = Literal["policy", "outcome", "response"]
Verdict = Literal["escalated", "blocked", "corrected", "regenerated", "unverified", "annotated"]
_HARMLESS: Final = frozenset({"annotated", "unverified"})


class GuardRecord:
    """Writes one audit pair and the texts it is about for each decision."""

    def __init__(self, calls: CallLedgerStore, desk: ReviewDesk) -> None:
        self._calls = calls
        self._desk = desk

    async def decided(
        self,
        turn: TurnConfig,
        guard: Guard,
        verdict: Verdict,
        *,
        code: str,
        message_id: str | None,
        original: str,
        shown: str,
        spans: Sequence[dict[str, Any]] = (),
        review: ReviewKind | None = None,
        audit_id: str | None = None,
    ) -> str:
        """Keep a decision; its audit id comes back.

        Args:
            turn: Whose answer, or message, it is about.
            guard: Which guard decided.
            verdict: What it decided.
            code: Why, for programs: a rule's name, an effect, a field.
            message_id: The message.
            original: What stood there; it stays in the record.
            shown: What the user got instead.
            spans: The places, in code points of `original`.
            review: The queue a person finds it in, if one shall look.
            audit_id: Its identity, if it was given one already.
        """
        now, audit_id = utc_now(), audit_id or new_id()
        entry = AuditEntry(
            audit_id=audit_id,
            run_id=turn.run_id,
            tool_call_id=f"guard-{audit_id}",
            organization_id=LOCAL,
            user_id=turn.user_name,
            session_id=turn.session_id,
            surface="guard",
            agent=turn.agent,
            model=turn.model,
            trace_id=turn.identity.trace_id,
            tool=f"guard.{guard}",
            tool_version="",
            policy_version=turn.policy.version,
            input_digest=args_digest(guard, {"text": original}),
            effects=(),
            allowed=verdict in _HARMLESS,
            rule=code,
            code=None if verdict in _HARMLESS else code,
            detail="",
            needs_approval=False,
            counter="framework",
            max_calls=None,
            started_at=now,
        )
        row = GuardVerdict(
            verdict_id=audit_id,
            run_id=turn.run_id,
            session_id=turn.session_id,
            message_id=message_id,
            guard=guard,
            verdict=verdict,
            code=code,
            policy_version=turn.policy.version,
            original=original,
            shown=shown,
            spans=list(spans),
            created_at=now,
        )
        await self._calls.record_verdict(entry, row)
        if review is not None:
            signals = {"guard": guard, "verdict": verdict, "audit_id": audit_id, "shown": shown}
            await self._desk.put(turn, review, rule=code, subject=original, signals=signals)
        return audit_id
