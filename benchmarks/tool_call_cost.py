"""What the wrapper adds to a tool call: the same function called bare and through the registry with the real SQLite ledger, in turn.

    python benchmarks/tool_call_cost.py [--calls 500]

Prints wall milliseconds of a call (median, p99) and the difference; both commits of a call wait for the disk, so the disk decides. Goals: p50 < 3 ms,
p99 < 15 ms added.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from api.tool_ledger import ToolLedger  # noqa: E402 - the project is no package on the path
from db.call_ledger import CallLedgerStore  # noqa: E402
from db.db_conn import Database  # noqa: E402
from obs.metrics import ToolMetrics  # noqa: E402
from tools.context import AgentContext, Trace  # noqa: E402
from tools.invocation import Ports  # noqa: E402
from tools.policy import ToolPolicy  # noqa: E402
from tools.registry import SessionFacts, ToolPayload, ToolRegistry, agent_tool, for_feature, sourced  # noqa: E402

WHO = AgentContext(
    user_id="u", organization_id="local", surface="chat", session_id="s", turn_id="r", trace=Trace(trace_id="t")
)


@agent_tool(name="bench_echo", title="回声", description="回声", category="bench", idempotent=True)
async def bench_echo(text: str, ctx: AgentContext) -> ToolPayload:
    """Give back what it got."""
    return sourced(data={"text": text, "user": ctx.user_id})


class OneFact:
    """Everybody may call the one tool there is."""

    async def facts_of(self, context: AgentContext) -> SessionFacts:
        """The same for everyone."""
        return SessionFacts(agent=context.surface, policy=ToolPolicy(allow=frozenset({"bench_echo"})))


async def measure(calls: int) -> None:
    """Call in turn and print."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:  # the project's own disk, not one in memory
        database = Database(f"sqlite:///{folder}/bench.sqlite3", threads=2)
        await database.start()
        registry = ToolRegistry(
            Ports(ledger=ToolLedger(CallLedgerStore(database)), facts=OneFact(), metrics=ToolMetrics())
        )
        registry.add_feature(for_feature("bench", domain="bench", tools=[bench_echo]))
        bare, governed = [], []
        for turn in range(calls + 20):
            start = time.perf_counter()
            await bench_echo(text="x" * 200, ctx=WHO)
            middle = time.perf_counter()
            await registry.invoke("bench_echo", {"text": "x" * 200}, context=WHO)
            end = time.perf_counter()
            if turn >= 20:  # the first ones warm up
                bare.append((middle - start) * 1000)
                governed.append((end - middle) * 1000)
        registry.close()
        await database.close()
    for name, figures in (("bare", bare), ("governed", governed)):
        print(
            f"{name:9} ms  median {statistics.median(figures):.3f}  p99 {sorted(figures)[int(len(figures) * 0.99)]:.3f}"
        )
    print(f"added     ms  median {statistics.median(governed) - statistics.median(bare):.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--calls", type=int, default=500)
    asyncio.run(measure(parser.parse_args().calls))
