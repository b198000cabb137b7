"""The audit from the command line: is the record whole, what does it say, send again what a sink did not take.

    python scripts/audit.py verify            check the chains against each other and against their anchors
    python scripts/audit.py export [FILE]     every row as a line of JSON, to a file or to standard output
    python scripts/audit.py redrive           put dead letters back into the outbox; the running server sends them
    python scripts/audit.py redrive --list    only show them, with the reason of each

Exit codes:
    0   done; verify: the record is whole
    1   verify: a row was changed, lost or added, or the anchors were; every finding is named
    2   it could not be done: wrong arguments or settings, no database, a locked or unreadable one

Works on the configured data folder (DATA_DIR), beside a running server too, and changes nothing but what redrive says.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from sqlalchemy import inspect, make_url
from sqlalchemy.exc import SQLAlchemyError

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from config import Settings, explain, get_settings  # noqa: E402 - the project is no package on the path
from db.audit_outbox import AuditOutbox  # noqa: E402
from db.audit_store import AuditStore  # noqa: E402
from db.audit_tables import TOOL_AUDIT  # noqa: E402
from db.db_conn import Database  # noqa: E402
from scheduler.anchors import AnchorFile  # noqa: E402
from scheduler.audit_check import check_audit  # noqa: E402
from scheduler.audit_sinks import build_sinks, event_text  # noqa: E402

_PRIVATE = 0o600
_SHOWN = 1000


class NoAuditError(Exception):
    """There is no database, or none of ours."""


async def verify(store: AuditStore, settings: Settings) -> int:
    """Print one line a chain and one a finding."""
    checked = await check_audit(store, AnchorFile(settings.anchor_path))
    for report in checked.chains:
        state = "FAULTS" if report.faults else "whole"
        span = f"rows {report.first_seq}-{report.last_seq}" if report.rows else "no rows"
        loose = report.unanchored
        open_end = "all anchored" if loose is None else f"not yet anchored: {loose[0]}-{loose[1]}"
        print(f"{report.organization_id}: {state}, {span}, {open_end}")
        for fault in report.faults:
            print(f"  {fault}")
    for fault in checked.anchor_faults:
        print(f"FAULT: {fault}")
    for note in checked.anchor_notes:
        print(f"note: {note}")
    if not checked.chains:
        print("no audit rows yet")
    return 0 if checked.is_whole else 1


def verify_nothing(settings: Settings, reason: str) -> int:
    """Where there is no record: if anchors vouch for one, it was taken away.

    Raises:
        NoAuditError: Nothing says that there ever was one.
    """
    record = AnchorFile(settings.anchor_path).read()
    ends = {anchor.organization_id: anchor.seq for anchor in record.anchors}
    if not ends:
        raise NoAuditError(reason)
    print(f"FAULT: {reason}")
    for organization, seq in sorted(ends.items()):
        print(f"{organization}: FAULTS, all rows up to {seq} are missing: they were anchored")
    return 1


async def export(store: AuditStore, target: Path | None) -> int:
    """Write every row; a file appears when it is complete."""
    if target is None:
        await store.export(_writer(sys.stdout.buffer))
        sys.stdout.buffer.flush()
        return 0
    with _complete_file(target) as file:
        count = await store.export(_writer(file))
    sys.stderr.write(f"{count} rows written to {target}\n")
    return 0


async def redrive(outbox: AuditOutbox, settings: Settings) -> int:
    """Put dead letters of the configured sinks back; name the others."""
    names = [sink.name for sink in build_sinks(settings.audit_sinks)]
    print(f"{await outbox.redrive(names)} events put back into the outbox")
    for sink, count in (await outbox.dead_letters()).items():
        print(f"{count} stay dead letters: {sink} is not among AUDIT_SINKS")
    return 0


async def list_letters(outbox: AuditOutbox) -> int:
    """Print the oldest dead letters."""
    for letter in await outbox.letters(_SHOWN):
        print(event_text(letter))
    rest = sum((await outbox.dead_letters()).values()) - _SHOWN
    if rest > 0:
        print(f"and {rest} more")
    return 0


async def run(arguments: argparse.Namespace) -> int:
    """Open the database and do what is asked.

    Raises:
        NoAuditError: There is nothing to work on.
    """
    settings = get_settings()
    is_verify = arguments.command == "verify"
    if reason := _no_database(settings):
        if is_verify:
            return verify_nothing(settings, reason)
        raise NoAuditError(reason)
    database = Database(settings.database_url, threads=1)
    try:
        if not await database.read(lambda connection: inspect(connection).has_table(TOOL_AUDIT.name)):
            reason = "the database holds no audit: is DATA_DIR right, and was the server ever started?"
            if is_verify:
                return verify_nothing(settings, reason)
            raise NoAuditError(reason)
        store, outbox = AuditStore(database), AuditOutbox(database)
        match arguments.command:
            case "verify":
                return await verify(store, settings)
            case "export":
                return await export(store, arguments.file)
            case _:
                return await (list_letters(outbox) if arguments.list else redrive(outbox, settings))
    finally:
        await database.close()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("verify", help="check the chains against their anchors")
    exporting = commands.add_parser("export", help="write every row as a line of JSON")
    exporting.add_argument("file", nargs="?", type=Path)
    driving = commands.add_parser("redrive", help="send dead letters again")
    driving.add_argument("--list", action="store_true", help="only show them")
    try:
        return asyncio.run(run(parser.parse_args()))
    except BrokenPipeError:  # whoever read has read enough
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SQLAlchemyError as error:
        sys.stderr.write(f"the database cannot be used: {getattr(error, 'orig', None) or error}\n")
    except ValueError as error:
        sys.stderr.write(f"{explain(error)}\n")
    except (OSError, NoAuditError) as error:
        sys.stderr.write(f"{error}\n")
    return 2


def _no_database(settings: Settings) -> str:
    """Why there is nothing to open; empty if there is. Opening would make a new file, and that would look like a record that is whole."""
    path = make_url(settings.database_url).database
    if path is None or Path(path).is_file():
        return ""
    return f"there is no database at {path}: is DATA_DIR right, and was the server ever started?"


@contextmanager
def _complete_file(target: Path) -> Iterator[IO[bytes]]:
    """A file for its owner only that takes its name when the block ends well; pipes and devices are written to as they are."""
    is_plain = not target.exists() or target.is_file()
    part = target.with_name(f"{target.name}.part") if is_plain else target
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        if is_plain:
            part.replace(target)
    finally:
        if is_plain:
            part.unlink(missing_ok=True)


def _writer(file: IO[bytes]) -> Callable[[dict[str, Any]], object]:
    return lambda row: file.write(f"{event_text(row)}\n".encode())


if __name__ == "__main__":
    sys.exit(main())
