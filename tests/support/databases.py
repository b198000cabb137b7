"""The databases that the stores promise to work on: a file, and real servers on loopback."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from db.audit_tables import METADATA

KINDS: Final = ("sqlite", "mariadb", "postgresql")
_SERVERS: Final = {
    "mariadb": "mariadb+pymysql://root@127.0.0.1:3306/mysql?charset=utf8mb4",
    "postgresql": "postgresql+pg8000://postgres@127.0.0.1:5432/postgres",
}


@contextmanager
def server_database(kind: str) -> Iterator[str]:
    """The address of a new, empty database on a server, dropped at the end; without the server the test is skipped, in CI it fails.

    `DEEP_AGENT_TEST_MARIADB_URL` and `DEEP_AGENT_TEST_POSTGRESQL_URL` lead to servers elsewhere.
    """
    server = make_url(os.environ.get(f"DEEP_AGENT_TEST_{kind.upper()}_URL", _SERVERS[kind]))
    name = f"deep_agent_test_{secrets.token_hex(6)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        try:
            with engine.connect() as connection:
                connection.execute(text(f"create database {name}"))
        except SQLAlchemyError as error:
            _miss(f"no {kind} at {server.host}:{server.port} lets {server.username} make a database: {error}")
        yield server.set(database=name).render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(text(f"drop database {name}"))
    finally:
        engine.dispose()


def empty(url: str) -> None:
    """Delete every row there is; nothing to do where the tables are not made yet."""
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            found = engine.dialect.get_table_names(connection)
            for table in reversed(METADATA.sorted_tables):
                if table.name in found:
                    connection.execute(table.delete())
    finally:
        engine.dispose()


def _miss(message: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
