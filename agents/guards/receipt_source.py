"""Where agents read receipts; the server binds its own. Nothing here can write one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agents.guards.receipts import Receipt


class ReceiptSource(Protocol):
    """The receipts of a thread, sub-agents' included: they work in the same run."""

    async def of_thread(self, session_id: str, run_id: str) -> Sequence[Receipt]:
        """Receipts of a session, oldest first; those of `run_id` are marked as this turn's."""
        ...
