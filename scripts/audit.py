"""The audit from the command line: is the record whole, what does it say, send again what a sink did not take.

    python scripts/audit.py verify            exit 0: whole; 1: a row was changed, lost or added, named one by one
    python scripts/audit.py export [FILE]     every row as a line of JSON, to a file or to standard output
    python scripts/audit.py redrive           puts dead letters back into the outbox; the running server sends them

Works on the configured data folder, beside a running server too.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from config import Settings, get_settings  # noqa: E402 - the project is no package on the path
from db.audit_store import AuditStore  # noqa: E402
from db.db_conn import Database  # noqa: E402
from scheduler.anchors import AnchorFile  # noqa: E402
from scheduler.audit_sinks import event_text  # noqa: E402


async def verify(store: AuditStore, settings: Settings) -> int:
    """Print one line a chain and one a fault."""
    anchors, retired = AnchorFile(settings.anchor_path).read()
    reports = await store.verify(anchors, retired)
    for report in reports:
        state = "FAULTS" if report.faults else "whole"
        span = f"rows {report.first_seq or 0}-{report.last_seq}"
        loose = report.unanchored
        open_end = "all anchored" if loose is None else f"not yet anchored: {loose[0]}-{loose[1]}"
        print(f"{report.organization_id}: {state}, {span}, {open_end}")
        for fault in report.faults:
            print(f"  {fault}")
    if not reports:
        print("no audit rows yet")
    return 1 if any(report.faults for report in reports) else 0


async def export(store: AuditStore, target: Path | None) -> int:
    """Write every row."""
    lines = "".join(event_text(row) + "\n" for row in await store.export())
    if target is None:
        sys.stdout.write(lines)
    else:
        await asyncio.to_thread(target.write_text, lines, encoding="utf-8")
    return 0


async def redrive(store: AuditStore) -> int:
    """Put dead letters back."""
    print(f"{await store.redrive()} events put back into the outbox")
    return 0


async def run(arguments: argparse.Namespace) -> int:
    """Open the database and do what is asked."""
    settings = get_settings()
    database = Database(settings.database_url, threads=1)
    await database.start()
    try:
        store = AuditStore(database)
        match arguments.command:
            case "verify":
                return await verify(store, settings)
            case "export":
                return await export(store, arguments.file)
            case _:
                return await redrive(store)
    finally:
        await database.close()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("verify", help="check the chains against their anchors")
    exporting = commands.add_parser("export", help="write every row as a line of JSON")
    exporting.add_argument("file", nargs="?", type=Path)
    commands.add_parser("redrive", help="send dead letters again")
    try:
        return asyncio.run(run(parser.parse_args()))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
