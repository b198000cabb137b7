"""Column types as each database's driver sees them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Dialect
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.dialects.mysql.mariadb import MariaDBDialect

from db.column_types import UtcStamp, key_text

MOMENT = datetime(2024, 12, 1, 8, 0, 0, 1, tzinfo=timezone(timedelta(hours=8)))
DATABASES = [
    (sqlite.dialect(), "2024-12-01T00:00:00.000001Z"),
    (mysql.dialect(), datetime(2024, 12, 1, 0, 0, 0, 1)),  # noqa: DTZ001 - DATETIME of MySQL knows no zone
    (MariaDBDialect(), datetime(2024, 12, 1, 0, 0, 0, 1)),  # noqa: DTZ001 - the same
    (postgresql.dialect(), datetime(2024, 12, 1, 0, 0, 0, 1, tzinfo=UTC)),
]


@pytest.mark.parametrize(("dialect", "stored"), DATABASES, ids=["sqlite", "mysql", "mariadb", "postgresql"])
def test_r_pit_8_a_moment_is_stored_in_utc_and_comes_back_aware(dialect: Dialect, stored: str | datetime) -> None:
    given = UtcStamp().process_bind_param(MOMENT, dialect)

    back = UtcStamp().process_result_value(stored, dialect)

    assert given == stored
    assert back == MOMENT
    assert back is not None
    assert back.utcoffset() == timedelta(0)


def test_a_server_that_answers_in_its_own_zone_is_understood() -> None:
    back = UtcStamp().process_result_value(MOMENT, postgresql.dialect())

    assert back is not None
    assert (back, back.utcoffset()) == (MOMENT, timedelta(0))


def test_keys_are_compared_byte_by_byte_on_every_database() -> None:
    assert "utf8mb4_0900_bin" in key_text(64).compile(dialect=mysql.dialect())
    assert "utf8mb4_nopad_bin" in key_text(64).compile(dialect=MariaDBDialect())
    assert 'COLLATE "C"' in key_text(64).compile(dialect=postgresql.dialect())
    assert key_text(64).compile(dialect=sqlite.dialect()) == "VARCHAR(64)"
