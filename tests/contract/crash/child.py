"""A process that makes governed calls and kills itself, as `kill -9` would, at the step it is told.

    python -m tests.contract.crash.child URL EFFECTS one STEP
    python -m tests.contract.crash.child URL EFFECTS crowd COMMIT

Wrapper, registry, stores and database are the product's. The tool adds the id of its call to the file EFFECTS; prints the answer of a call it survived.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event
from typing_extensions import override

from api.tool_ledger import ToolLedger
from db.approval_store import ApprovalStore
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.records import Approval
from db.stamp import new_id, utc_now
from obs.metrics import ToolMetrics
from tests.support.governed import Facts
from tools.context import AgentContext, Trace
from tools.descriptor import args_digest
from tools.invocation import Ports
from tools.policy import ToolPolicy
from tools.ports import Admission, CallEnd, CallEntry
from tools.registry import SessionFacts, ToolPayload, ToolRegistry, agent_tool, for_feature, sourced

SESSIONS, CALLS = 20, 5
CALL_ID = "call-1"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Steps:
    """Dies when the step it waits for comes."""

    def __init__(self, fatal: str) -> None:
        self._fatal = fatal
        self._writing = ""

    def reach(self, step: str) -> None:
        if step == self._fatal:
            die()

    def begin(self, write: str) -> None:
        self._writing = write

    def commit(self, _connection: Any) -> None:
        """All is written and nothing of it committed."""
        self.reach(f"{self._writing} not committed")


class DyingLedger(ToolLedger):
    """The server's ledger with places to die around it."""

    def __init__(self, store: CallLedgerStore, steps: Steps) -> None:
        super().__init__(store)
        self._steps = steps

    @override
    async def admit(self, entry: CallEntry) -> Admission:
        self._steps.reach("before admit")
        self._steps.begin("admit")
        admission = await super().admit(entry)
        self._steps.reach("admitted")
        return admission

    @override
    async def close(self, end: CallEnd) -> None:
        self._steps.reach("tool done")
        self._steps.begin("close")
        await super().close(end)
        self._steps.reach("closed")


def registry_of(ledger: ToolLedger, policy: ToolPolicy, effects: Path, steps: Steps) -> ToolRegistry:
    @agent_tool(name="crash_write", title="写", description="写", category="crash", write_action=True)
    def crash_write(call: str, ctx: AgentContext) -> ToolPayload:
        with effects.open("a", encoding="utf-8") as file:
            file.write(f"{ctx.session_id}/{call}\n")
        steps.reach("in the tool")
        return sourced(data=call)

    registry = ToolRegistry(
        Ports(ledger=ledger, facts=Facts(SessionFacts(agent="tried", policy=policy)), metrics=ToolMetrics())
    )
    registry.add_feature(for_feature("crash", domain="crash", tools=[crash_write]))
    return registry


def who(session: str) -> AgentContext:
    return AgentContext(
        user_id="u1",
        organization_id="local",
        surface="chat",
        session_id=session,
        turn_id=f"run-{session}",
        trace=Trace(trace_id="t1"),
    )


async def one_call(database: Database, calls: CallLedgerStore, effects: Path, fatal: str) -> None:
    """One call that needs an approval, which a person gave."""
    name = "crash_write"
    policy = ToolPolicy(allow=frozenset({name}), approval=frozenset({name}), max_tool_calls_per_run=9)
    steps = Steps(fatal)
    event.listen(database._writing, "commit", steps.commit)
    registry = registry_of(DyingLedger(calls, steps), policy, effects, steps)
    approvals, caller, arguments = ApprovalStore(database, calls), who("s1"), {"call": "a"}
    if not await approvals.of_session(caller.session_id):
        now = utc_now()
        approval = Approval(
            approval_id=new_id(),
            organization_id=caller.organization_id,
            run_id=caller.turn_id,
            tool_call_id=CALL_ID,
            session_id=caller.session_id,
            user_id=caller.user_id,
            tool=name,
            tool_version=registry.descriptor(name).version,
            input_digest=args_digest(name, arguments),
            policy_version=policy.version,
            state="approved",
            decided_by="boss",
            reason="",
            decided_at=now,
            expires_at=now + timedelta(minutes=5),
        )
        await approvals.decide([approval], trace_id="t1", agent="tried")
    outcome = await registry.invoke(name, arguments, context=caller, call_id=CALL_ID)
    sys.stdout.write(outcome.content)
    registry.close()


async def crowd(database: Database, calls: CallLedgerStore, effects: Path, fatal_commit: int) -> None:
    """Many sessions call at once; the process dies at a commit, everything of which is written."""
    commits = iter(range(1, 1_000_000))
    event.listen(database._writing, "commit", lambda _: die() if next(commits) == fatal_commit else None)
    policy = ToolPolicy(allow=frozenset({"crash_write"}), max_tool_calls_per_run=CALLS)
    registry = registry_of(ToolLedger(calls), policy, effects, Steps(""))

    async def session(name: str) -> None:
        for number in range(CALLS):
            call = f"c{number}"
            await registry.invoke("crash_write", {"call": call}, context=who(name), call_id=call)

    await asyncio.gather(*(session(f"s{number}") for number in range(SESSIONS)))


async def main(url: str, effects: str, mode: str, fatal: str) -> None:
    database = Database(url, threads=4)
    await database.start()
    calls = CallLedgerStore(database, sinks=["file"])
    if mode == "one":
        await one_call(database, calls, Path(effects), fatal)
    else:
        await crowd(database, calls, Path(effects), int(fatal))
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
