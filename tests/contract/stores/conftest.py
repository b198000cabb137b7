"""The stores on a migrated database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from db.db_conn import Database
from db.file_store import FileStore
from db.message_store import MessageStore
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore
from db.usage_ledger import UsageLedger


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url, threads=4)
    await database.start()
    yield database
    await database.close()


@pytest.fixture
def sessions(database: Database) -> SessionStore:
    return SessionStore(database)


@pytest.fixture
def messages(database: Database) -> MessageStore:
    return MessageStore(database)


@pytest.fixture
def files(database: Database) -> FileStore:
    return FileStore(database)


@pytest.fixture
def runs(database: Database) -> RunStore:
    return RunStore(database)


@pytest.fixture
def events(database: Database) -> RunEventStore:
    return RunEventStore(database)


@pytest.fixture
def ledger(database: Database) -> UsageLedger:
    return UsageLedger(database)
