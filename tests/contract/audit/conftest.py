"""A database with the record of calls in it, and what works on the record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from scheduler.anchors import AnchorFile
from tests.contract.stores.test_call_ledger import end_of, entry

Fill = Callable[..., Awaitable[None]]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=4)
    await database.start()
    yield database
    await database.close()


@pytest.fixture
def store(database: Database) -> AuditStore:
    return AuditStore(database)


@pytest.fixture
def outbox(database: Database) -> AuditOutbox:
    return AuditOutbox(database)


@pytest.fixture
def anchor_path(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "anchors.jsonl"


@pytest.fixture
def anchors(anchor_path: Path) -> AnchorFile:
    return AnchorFile(anchor_path)


@pytest.fixture
def fill(database: Database) -> Fill:
    """Put calls on record, two rows each, for these sinks."""

    async def add(count: int, *sinks: str, **changes: object) -> None:
        calls = CallLedgerStore(database, sinks=sinks)
        for _ in range(count):
            made = entry(**changes)
            await calls.admit(made)
            await calls.close(end_of(made))

    return add
