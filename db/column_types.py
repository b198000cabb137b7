"""Column types that mean the same on SQLite, MySQL / MariaDB and PostgreSQL.

Migrations use them too: a type that stands here is never changed, a new one is added beside it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, Dialect, Integer, String, Text, TypeDecorator
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.types import TypeEngine
from typing_extensions import override

from db.stamp import fmt_dt, parse_dt

_MYSQL: Final = ("mysql", "mariadb")
_STAMP_CHARACTERS: Final = 27


def key_text(length: int) -> String:
    """Text that is compared byte by byte; MySQL and MariaDB would take two users for one that differ in case or in blanks at the end."""
    return (
        String(length)
        .with_variant(mysql.VARCHAR(length, collation="utf8mb4_0900_bin"), "mysql")
        .with_variant(mysql.VARCHAR(length, collation="utf8mb4_nopad_bin"), "mariadb")
        .with_variant(postgresql.VARCHAR(length, collation="C"), "postgresql")
    )


def long_text() -> Text:
    """Text without a practical limit; plain TEXT of MySQL ends at 64 KiB."""
    return Text().with_variant(mysql.LONGTEXT(), *_MYSQL)


def row_number() -> BigInteger:
    """A number the database counts up by itself; SQLite does so for its own INTEGER only."""
    return BigInteger().with_variant(Integer(), "sqlite")


class UtcStamp(TypeDecorator[datetime]):
    """An aware moment in UTC with microseconds: DATETIME(6), TIMESTAMP WITH TIME ZONE, or on SQLite sortable text."""

    impl = String
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name in _MYSQL:
            return dialect.type_descriptor(mysql.DATETIME(fsp=6))
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True, precision=6))
        return dialect.type_descriptor(String(_STAMP_CHARACTERS))

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | datetime | None:
        if value is None:
            return None
        text = fmt_dt(value)  # also refuses a moment without a time zone, on every database alike
        if dialect.name in _MYSQL:
            return parse_dt(text).replace(tzinfo=None)
        return parse_dt(text) if dialect.name == "postgresql" else text

    @override
    def process_result_value(self, value: str | datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if isinstance(value, str):
            return parse_dt(value)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonText(TypeDecorator[Any]):
    """JSON kept as text, so that it comes back as it went in, keys in their order."""

    impl = Text
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(mysql.LONGTEXT() if dialect.name in _MYSQL else Text())

    @override
    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return orjson.dumps(value).decode()

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return orjson.loads(value)
