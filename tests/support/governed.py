"""A registry whose calls are governed without a server: facts as the test says, a ledger that remembers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from typing_extensions import override

from agents.guards.ports import AgentPorts
from agents.guards.receipts import Receipt
from agents.guards.run_budget import Spent
from obs.metrics import ToolMetrics
from tools.context import AgentContext, Trace
from tools.invocation import Ports
from tools.policy import ToolPolicy
from tools.ports import Admission, CallEnd, CallEntry, CallPlace
from tools.registry import ToolRegistry
from tools.session_facts import SessionFacts

SOMEBODY = AgentContext(
    user_id="u1", organization_id="local", surface="chat", session_id="s1", turn_id="r1", trace=Trace(trace_id="t1")
)


class _Everything(frozenset[str]):
    @override
    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = ToolPolicy(allow=_Everything())


@dataclass
class Facts:
    """The same facts for every caller."""

    facts: SessionFacts = field(default_factory=lambda: SessionFacts(agent="tried", policy=EVERYTHING))

    async def facts_of(self, _context: AgentContext) -> SessionFacts:
        return self.facts


@dataclass
class RememberedLedger:
    """Keeps entries and ends in order; grants what `approved` names."""

    approved: set[str] = field(default_factory=set)
    entries: list[CallEntry] = field(default_factory=list)
    ends: list[CallEnd] = field(default_factory=list)

    async def reserve(self, _place: CallPlace) -> bool:
        return True

    async def admit(self, entry: CallEntry) -> Admission:
        self.entries.append(entry)
        if entry.code is not None:
            return Admission(audit_id=entry.audit_id, code=entry.code, rule=entry.rule)
        if entry.needs_approval and entry.tool not in self.approved:
            return Admission(audit_id=entry.audit_id, code="approval_required", rule="approval")
        return Admission(audit_id=entry.audit_id, code=None, rule=entry.rule)

    async def close(self, end: CallEnd) -> None:
        self.ends.append(end)


@dataclass
class CountedBudget:
    """A budget that counts model calls of its own, for graphs without a server."""

    calls: dict[str, int] = field(default_factory=dict)

    async def spent(self, run_id: str, _model: str) -> Spent:
        return Spent(model_calls=self.calls.get(run_id, 0))

    @asynccontextmanager
    async def model_call(self, run_id: str, _model: str) -> AsyncIterator[Spent]:
        used = self.calls.get(run_id, 0)
        self.calls[run_id] = used + 1
        yield Spent(model_calls=used)


@dataclass
class KnownReceipts:
    """Receipts as a test gives them."""

    receipts: list[Receipt] = field(default_factory=list)

    async def of_thread(self, _session_id: str, _run_id: str) -> Sequence[Receipt]:
        return self.receipts


def agent_ports(*receipts: Receipt) -> AgentPorts:
    """Ports of graphs that no server stands behind."""
    return AgentPorts(budget=CountedBudget(), receipts=KnownReceipts(list(receipts)))


def governed_registry(
    *,
    threads: int = 2,
    pass_through: tuple[type[BaseException], ...] = (),
    facts: Facts | None = None,
    ledger: RememberedLedger | None = None,
) -> ToolRegistry:
    """An empty registry; by default everything is allowed and nothing waits for a person."""
    ports = Ports(
        ledger=ledger or RememberedLedger(),
        facts=facts or Facts(),
        metrics=ToolMetrics(),
    )
    return ToolRegistry(ports, threads=threads, pass_through=pass_through)
