"""Migrations lead from nothing to the tables of `schema.py`, and starting again changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Table, inspect, text
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.schema import CreateTable

from db.db_conn import Database
from db.guard_tables import METADATA
from db.migrate import MIGRATIONS


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True, "target_metadata": METADATA}
    )
    return list(compare_metadata(context, METADATA))


def test_migrations_form_one_line() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))

    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


async def test_the_migrated_tables_are_those_of_the_schema(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/100%/app.db", threads=1)
    await database.start()

    found = await database.read(differences)
    tables = await database.read(lambda connection: inspect(connection).get_table_names())
    await database.close()

    assert found == []
    assert set(tables) == {*METADATA.tables, "alembic_version"}


async def test_foreign_keys_and_unique_indexes_are_those_of_the_schema(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/app.db", threads=1)
    await database.start()
    wanted = {
        name: {"CASCADE" for key in table.foreign_keys if key.ondelete == "CASCADE"}
        for name, table in METADATA.tables.items()
    }

    def read(connection: Connection) -> dict[str, set[object]]:
        look = inspect(connection)
        return {
            name: {key["options"].get("ondelete") for key in look.get_foreign_keys(name)} for name in METADATA.tables
        }

    found = await database.read(read)
    await database.close()

    assert found == wanted
    assert {name for name, actions in found.items() if actions} == {"message", "file", "run", "run_event"}


async def test_starting_again_keeps_what_is_stored(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/app.db"
    insert = text("insert into session values ('s1', 'u', 'a', 't', 'default', 'off', :moment, :moment)").bindparams(
        moment="2024-12-01T00:00:00.000001Z"
    )
    first = Database(url, threads=1)
    await first.start()
    await first.write(lambda connection: connection.execute(insert))
    await first.close()

    second = Database(url, threads=1)
    await second.start()
    count = await second.read(lambda connection: connection.scalar(text("select count(*) from session")))
    await second.close()

    assert count == 1


async def test_a_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/app.db"
    first = Database(url, threads=1)
    await first.start()
    await first.write(lambda connection: connection.execute(text("update alembic_version set version_num = '9999'")))
    await first.close()

    second = Database(url, threads=1)
    with pytest.raises(Exception, match="9999"):
        await second.start()
    await second.close()


@pytest.mark.parametrize(
    "table",
    [t for t in METADATA.sorted_tables if any(c.endswith(("_at", "_until")) for c in t.c.keys())],  # noqa: SIM118
    ids=lambda table: table.name,
)
def test_r_pit_8_moments_keep_microseconds_on_server_databases(table: Table) -> None:
    stamps = [name for name in table.c.keys() if re.search(r"_at$|_until$", name)]  # noqa: SIM118 - a column collection
    on_mysql = str(CreateTable(table).compile(dialect=mysql.dialect()))
    on_postgresql = str(CreateTable(table).compile(dialect=postgresql.dialect()))

    assert on_mysql.count("DATETIME(6)") == len(stamps) > 0
    assert on_postgresql.count("TIMESTAMP(6) WITH TIME ZONE") == len(stamps)
