"""What agents need of a server, without knowing one."""

from __future__ import annotations

from dataclasses import dataclass

from agents.guards.receipt_source import ReceiptSource
from agents.guards.run_budget import RunBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPorts:
    """The ledgers that guards of a graph read; the server binds its own."""

    budget: RunBudget
    receipts: ReceiptSource
