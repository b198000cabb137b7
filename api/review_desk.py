"""Puts into the queue for people what code wants them to judge."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, Literal

from api.turn import TurnConfig
from db.db_conn import new_id, utc_now
from db.records import ReviewItem
from db.review_store import ReviewStore
from obs.sanitize import redact_credentials

ReviewKind = Literal["escalation", "outcome", "guard", "sample", "confidence"]
# How soon a person should have looked: a message that never reached the model is the user's only way to be heard.
_DUE: Final[Mapping[ReviewKind, timedelta]] = {
    "escalation": timedelta(hours=1),
    "outcome": timedelta(hours=8),
    "guard": timedelta(hours=24),
    "sample": timedelta(days=7),
    "confidence": timedelta(days=7),
}


class ReviewDesk:
    """Adds items; the routes show and decide them."""

    def __init__(self, store: ReviewStore) -> None:
        self._store = store

    async def put(
        self,
        turn: TurnConfig,
        kind: ReviewKind,
        *,
        rule: str,
        subject: str,
        tool: str = "",
        signals: Mapping[str, Any] | None = None,
    ) -> str:
        """Add an item; its id comes back. Credentials in the subject are taken out, the rest is what has to be judged."""
        now = utc_now()
        item = ReviewItem(
            review_id=new_id(),
            kind=kind,
            rule=rule,
            run_id=turn.run_id,
            session_id=turn.session_id,
            user_name=turn.user_name,
            agent=turn.agent,
            model=turn.model,
            tool=tool,
            policy_version=turn.policy.version,
            subject=str(redact_credentials(subject)),
            signals=dict(signals or {}),
            created_at=now,
            due_at=now + _DUE[kind],
        )
        await self._store.add(item)
        return item.review_id
