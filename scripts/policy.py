"""Tries a changed policy on what is on record, before it is switched on.

    python scripts/policy.py dry-run [--profiles DIR] [--last 200] [--json]
    python scripts/policy.py show    [--profiles DIR]

`dry-run` decides the newest runs of the configured data folder again under the profiles of DIR (by default the shipped ones) and lists
the decisions that would be others: escalations, calls, model calls, outcomes; what it cannot replay it says. Nothing is written. Exit 0: no decision flips; 1: some do; 2: the profiles cannot be read, or would stop the start.
`show` prints each agent's policy version.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.guards.dry_run import (  # noqa: E402 - the project is no package on the path
    NOT_REPLAYED,
    RecordedCall,
    RecordedModelCall,
    RecordedRun,
    replay_all,
)
from agents.guards.policy import AgentPolicy  # noqa: E402
from agents.policy_check import check_policies  # noqa: E402
from agents.profiles import FRAMEWORK_TOOLS, PROFILES_FOLDER, ProfileError, load_profiles  # noqa: E402
from api.receipt_book import ReceiptBook  # noqa: E402
from api.sse_events import EventType  # noqa: E402
from config import get_settings  # noqa: E402
from db.audit_store import AuditStore  # noqa: E402
from db.db_conn import Database  # noqa: E402
from db.guard_store import GuardStore  # noqa: E402
from db.message_store import MessageStore  # noqa: E402
from db.records import Run, RunStatus  # noqa: E402
from db.run_event_store import RunEventStore  # noqa: E402
from db.run_store import RunStore  # noqa: E402
from db.usage_ledger import UsageLedger  # noqa: E402
from extensions.loader import load_extensions  # noqa: E402
from tools.context import LOCAL  # noqa: E402
from tools.registry import ToolCatalogue, load_builtin_tools  # noqa: E402

FLIPPED, UNREADABLE = 1, 2


class Records:
    """What is on record about runs, read for a replay."""

    def __init__(self, database: Database) -> None:
        self._runs = RunStore(database)
        self._audit = AuditStore(database)
        self._messages = MessageStore(database)
        self._events = RunEventStore(database)
        self._ledger = UsageLedger(database)
        self._receipts = ReceiptBook(GuardStore(database))

    async def latest(self, last: int) -> list[RecordedRun]:
        """The newest runs with what was said and called in them, oldest first."""
        return [await self._recorded(run) for run in reversed(await self._runs.latest(last))]

    async def _recorded(self, run: Run) -> RecordedRun:
        said = await self._messages.of_run(run.run_id)
        rows = await self._audit.page(
            organization_id=LOCAL, before_seq=None, limit=10_000, equal={"run_id": run.run_id}
        )
        before = [row for row in reversed(rows) if row["phase"] == "before"]
        calls = [row for row in before if not row["tool"].startswith("guard.")]
        written = await self._order_of_calls(run.run_id)
        if all(row["tool_call_id"] in written for row in calls):
            # A call that waited for a person has its row late and its place early.
            calls.sort(key=lambda row: written[row["tool_call_id"]])
        return RecordedRun(
            run_id=run.run_id,
            agent=run.agent,
            text=next((message.content for message in said if message.role == "user"), ""),
            escalated_by=next((row["code"] for row in before if row["tool"] == "guard.policy"), ""),
            calls=[
                RecordedCall(
                    tool=row["tool"],
                    code=row["code"],
                    was_approved=row["approval_id"] is not None and not row["code"],
                    is_registered=row["tool"] not in FRAMEWORK_TOOLS,
                )
                for row in calls
            ],
            policy_version=run.policy_hash or "",
            model_calls=[
                RecordedModelCall(cost_micro=call.cost_micro, currency=call.currency)
                for call in await self._ledger.calls_of_run(run.run_id)
            ],
            stopped_by=run.stop_reason or "" if run.status is RunStatus.LIMITED else "",
            outcome=run.outcome or "" if run.status is RunStatus.SUCCEEDED else "",
            receipts=await self._receipts.of_thread(run.session_id, run.run_id),
        )

    async def _order_of_calls(self, run_id: str) -> dict[str, int]:
        """Call id → number of the frame that showed it: the order in which models wrote their calls."""
        order: dict[str, int] = {}
        after = 0
        while events := await self._events.read(run_id, after):
            after = events[-1].seq
            for frame in (json.loads(event.frame) for event in events if '"tool_call"' in event.frame):
                if frame.get("type") == EventType.TOOL_CALL:
                    order.setdefault(frame["tool_call_id"], frame["seq"])
        return order


async def dry_run(policies: dict[str, AgentPolicy], *, last: int, as_json: bool) -> int:
    """Print the flips."""
    settings = get_settings()
    database = Database(settings.database_url, threads=1)
    await database.start()
    try:
        runs = await Records(database).latest(last)
    finally:
        await database.close()
    flips = replay_all(runs, policies, max_model_calls=settings.max_model_calls_per_run)
    if as_json:
        said = {"runs": len(runs), "flips": [asdict(flip) for flip in flips], "not_replayed": NOT_REPLAYED}
        print(json.dumps(said, ensure_ascii=False, indent=2))
    else:
        for flip in flips:
            print(f"{flip.run_id}  {flip.agent}  {flip.subject}: {flip.before} -> {flip.after}")
        print(f"{len(runs)} runs replayed, {len(flips)} decisions would flip")
        for what in NOT_REPLAYED:
            print(f"not replayed: {what}")
    return FLIPPED if flips else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("dry-run", "decide recorded runs again"), ("show", "print policy versions")):
        command = commands.add_parser(name, help=what)
        command.add_argument("--profiles", type=Path, default=PROFILES_FOLDER, help="folder of profiles to try")
        if name == "dry-run":
            command.add_argument("--last", type=int, default=200, help="how many of the newest runs (default 200)")
            command.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if not options.profiles.is_dir():
        print(f"no folder of profiles at {options.profiles}", file=sys.stderr)
        return UNREADABLE
    try:
        profiles = load_profiles(options.profiles)
        catalogue = ToolCatalogue()
        load_builtin_tools(catalogue)
        load_extensions(catalogue)
        check_policies(profiles, catalogue)
    except ProfileError as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    policies = {name: profile.policy for name, profile in profiles.items()}
    if options.command == "show":
        for name, policy in policies.items():
            print(f"{name}  {policy.version}")
        return 0
    return asyncio.run(dry_run(policies, last=options.last, as_json=options.json))


if __name__ == "__main__":
    sys.exit(main())
