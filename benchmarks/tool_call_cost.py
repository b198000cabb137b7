"""What the wrapper adds to a tool call: the same function called bare and through the registry with the real SQLite ledger, in turn.

    python benchmarks/tool_call_cost.py [--calls 500] [--callers 1 50]

Prints wall milliseconds (median, p99): of the disk alone (one page appended and made durable on the file system of the database, in the same
rounds), of a call bare, of a call governed, and the difference; `cpu` is the processor time of a governed call on all threads, which a busy machine and a
slow disk change least. The server's own log is written, to nowhere. A call waits for the disk once, when its before-row is made durable; callers that wait
at the same time share that. Many callers also wait for each other's work: `busy` is the wall time of all calls by their number. Goals, for one caller:
added p50 < 3 ms, p99 < 15 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from api.tool_ledger import ToolLedger  # noqa: E402 - the project is no package on the path
from db.call_ledger import CallLedgerStore  # noqa: E402
from db.db_conn import Database  # noqa: E402
from obs.logs import configure  # noqa: E402
from obs.metrics import ToolMetrics  # noqa: E402
from tools.context import AgentContext, Trace  # noqa: E402
from tools.invocation import Ports  # noqa: E402
from tools.policy import ToolPolicy  # noqa: E402
from tools.registry import SessionFacts, ToolPayload, ToolRegistry, agent_tool, for_feature, sourced  # noqa: E402

_WARM_UP: Final = 20
_PAGE: Final = b"x" * 4096
_TEXT: Final = "风量 1234 m³/min，瓦斯 0.5 %。" * 10
Call = Callable[[AgentContext], Awaitable[object]]


@agent_tool(name="bench_echo", title="回声", description="回声", category="bench", idempotent=True)
async def bench_echo(text: str, ctx: AgentContext) -> ToolPayload:
    """Give back what it got."""
    return sourced(data={"text": text, "user": ctx.user_id})


class OneFact:
    """Everybody may call the one tool there is, as often as they like."""

    async def facts_of(self, context: AgentContext) -> SessionFacts:
        """The same for everyone."""
        policy = ToolPolicy(allow=frozenset({"bench_echo"}), max_tool_calls_per_run=1_000_000)
        return SessionFacts(agent=context.surface, policy=policy)


def caller(number: int) -> AgentContext:
    """One of many, each with a session and a run of its own."""
    name = f"caller-{number}"
    return AgentContext(
        user_id=name,
        organization_id="local",
        surface="chat",
        session_id=name,
        turn_id=name,
        trace=Trace(trace_id=name),
    )


def disk(file: int) -> float:
    """Milliseconds until one more page is on the disk."""
    start = time.perf_counter()
    os.write(file, _PAGE)
    os.fdatasync(file)
    return (time.perf_counter() - start) * 1000


async def one(call: Call, who: AgentContext, clock: Callable[[], float] = time.perf_counter) -> float:
    """Milliseconds of one call."""
    start = clock()
    await call(who)
    return (clock() - start) * 1000


async def together(call: Call, callers: int, calls: int) -> tuple[list[float], float]:
    """Milliseconds of each call of callers who call again as soon as they have an answer, and of all of it."""

    async def go(who: AgentContext) -> list[float]:
        return [await one(call, who) for _ in range(calls // callers)]

    start = time.perf_counter()
    spent = await asyncio.gather(*(go(caller(number)) for number in range(callers)))
    return [each for mine in spent for each in mine], (time.perf_counter() - start) * 1000


def said(name: str, figures: Sequence[float]) -> str:
    """One line."""
    return f"{name:9} ms  median {statistics.median(figures):8.3f}  p99 {_p99(figures):8.3f}"


def _p99(figures: Sequence[float]) -> float:
    return sorted(figures)[int(len(figures) * 0.99)]


async def alone(bare: Call, governed: Call, file: int, calls: int) -> None:
    """One caller: floor, bare and governed in turn."""
    who = caller(0)
    rounds = [(disk(file), await one(bare, who), await one(governed, who)) for _ in range(calls + _WARM_UP)]
    floor, without, within = zip(*rounds[_WARM_UP:], strict=True)
    added = [b - a for a, b in zip(without, within, strict=True)]
    print(f"1 caller, {calls} calls")
    for name, figures in (("disk", floor), ("bare", without), ("governed", within), ("added", added)):
        print(f"  {said(name, figures)}")
    # Apart from the rounds above: reading this clock costs a call of the system.
    spent = [await one(governed, who, time.process_time) for _ in range(calls)]
    print(f"  {said('cpu', spent)}")


async def crowd(bare: Call, governed: Call, callers: int, calls: int) -> None:
    """Many callers at once."""
    without, _ = await together(bare, callers, calls)
    within, busy_ms = await together(governed, callers, calls)
    print(f"{callers} callers, {len(within)} calls")
    for name, figures in (("bare", without), ("governed", within)):
        print(f"  {said(name, figures)}")
    print(f"  busy      ms  {busy_ms / len(within):8.3f} a call, {len(within) / busy_ms * 1000:.0f} calls a second")


async def measure(calls: int, callers: Sequence[int]) -> None:
    """Call in turn and print."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:  # the project's own disk, not one in memory
        database = Database(f"sqlite:///{folder}/bench.sqlite3", threads=4)
        await database.start()
        ports = Ports(ledger=ToolLedger(CallLedgerStore(database)), facts=OneFact(), metrics=ToolMetrics())
        registry = ToolRegistry(ports)
        registry.add_feature(for_feature("bench", domain="bench", tools=[bench_echo]))

        async def bare(who: AgentContext) -> object:
            return await bench_echo(text=_TEXT, ctx=who)

        async def governed(who: AgentContext) -> object:
            outcome = await registry.invoke("bench_echo", {"text": _TEXT}, context=who)
            if outcome.status != "ok":
                raise RuntimeError(outcome.content)
            return outcome

        file = os.open(Path(folder) / "floor", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        for many in callers:
            await (alone(bare, governed, file, calls) if many == 1 else crowd(bare, governed, many, calls))
        os.close(file)
        registry.close()
        await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--callers", type=int, nargs="+", default=[1, 50])
    arguments = parser.parse_args()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        configure("INFO", "json", nowhere)
        asyncio.run(measure(arguments.calls, arguments.callers))
