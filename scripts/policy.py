"""Tries a changed policy on what is on record, before it is switched on.

    python scripts/policy.py dry-run [--profiles DIR] [--last 200] [--json]
    python scripts/policy.py show    [--profiles DIR]

`dry-run` decides the newest runs of the configured data folder again under the profiles of DIR (by default the shipped ones) and lists
the decisions that would be others. Nothing is written. Exit 0: no decision flips; 1: some do; 2: the profiles cannot be read.
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

from agents.guards.dry_run import RecordedCall, RecordedRun, replay_all  # noqa: E402 - the project is no package on the path
from agents.guards.policy import AgentPolicy  # noqa: E402
from agents.profiles import FRAMEWORK_TOOLS, PROFILES_FOLDER, ProfileError, load_profiles  # noqa: E402
from config import get_settings  # noqa: E402
from db.audit_store import AuditStore  # noqa: E402
from db.db_conn import Database  # noqa: E402
from db.message_store import MessageStore  # noqa: E402
from db.records import Run, RunStatus  # noqa: E402
from db.run_store import RunStore  # noqa: E402
from tools.context import LOCAL  # noqa: E402

FLIPPED, UNREADABLE = 1, 2


async def recorded_runs(database: Database, last: int) -> list[RecordedRun]:
    """The newest runs with what was said and called in them, oldest first."""
    audit, messages = AuditStore(database), MessageStore(database)
    runs = await RunStore(database).latest(last)
    return [await _recorded(run, audit, messages) for run in reversed(runs)]


async def _recorded(run: Run, audit: AuditStore, messages: MessageStore) -> RecordedRun:
    said = await messages.of_run(run.run_id)
    rows = await audit.page(organization_id=LOCAL, before_seq=None, limit=10_000, equal={"run_id": run.run_id})
    before = [row for row in reversed(rows) if row["phase"] == "before" and not row["tool"].startswith("guard.")]
    return RecordedRun(
        run_id=run.run_id,
        agent=run.agent,
        text=next((message.content for message in said if message.role == "user"), ""),
        escalated_by=(run.stop_reason or "") if run.status is RunStatus.ESCALATED else "",
        calls=[
            RecordedCall(
                tool=row["tool"],
                code=row["code"],
                was_approved=row["approval_id"] is not None and not row["code"],
                is_registered=row["tool"] not in FRAMEWORK_TOOLS,
            )
            for row in before
        ],
    )


async def dry_run(policies: dict[str, AgentPolicy], *, last: int, as_json: bool) -> int:
    """Print the flips."""
    database = Database(get_settings().database_url, threads=1)
    await database.start()
    try:
        runs = await recorded_runs(database, last)
    finally:
        await database.close()
    flips = replay_all(runs, policies)
    if as_json:
        print(json.dumps({"runs": len(runs), "flips": [asdict(flip) for flip in flips]}, ensure_ascii=False, indent=2))
    else:
        for flip in flips:
            print(f"{flip.run_id}  {flip.agent}  {flip.subject}: {flip.before} -> {flip.after}")
        print(f"{len(runs)} runs replayed, {len(flips)} decisions would flip")
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
        policies = {name: profile.policy for name, profile in load_profiles(options.profiles).items()}
    except ProfileError as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    if options.command == "show":
        for name, policy in policies.items():
            print(f"{name}  {policy.version}")
        return 0
    return asyncio.run(dry_run(policies, last=options.last, as_json=options.json))


if __name__ == "__main__":
    sys.exit(main())
