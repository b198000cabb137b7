"""The tables as they are now; `migrations/` leads there from every earlier state."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, Enum, ForeignKey, Index, Integer, MetaData, String, Table, UniqueConstraint

from db.column_types import JsonText, UtcStamp, key_text, long_text, row_number
from db.records import RunStatus

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
_MYSQL_TABLE: Final = {"mysql_engine": "InnoDB", "mysql_charset": "utf8mb4"}
_MARIADB_TABLE: Final = {"mariadb_engine": "InnoDB", "mariadb_charset": "utf8mb4"}
TABLE_OPTIONS: Final[dict[str, Any]] = {**_MYSQL_TABLE, **_MARIADB_TABLE}


def _id(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, key_text(64), nullable=nullable)


def _user() -> Column[str]:
    return Column("user_name", key_text(128), nullable=False)


def _word(name: str, length: int, *, nullable: bool = False) -> Column[str]:
    return Column(name, String(length), nullable=nullable)


def _stamp(name: str, *, nullable: bool = False) -> Column[Any]:
    return Column(name, UtcStamp, nullable=nullable)


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


def _session_key() -> Column[str]:
    # Rows of a session vanish with it, and none can be written to one that is gone.
    owner = ForeignKey("session.session_id", ondelete="CASCADE")
    return Column("session_id", key_text(64), owner, nullable=False)


SESSION: Final = Table(
    "session",
    METADATA,
    Column("session_id", key_text(64), primary_key=True),
    _user(),
    _word("agent", 64),
    _word("title", 200),
    _word("permission_mode", 16),
    _word("plan_mode", 16),
    _stamp("created_at"),
    _stamp("updated_at"),
    Index(None, "user_name", "updated_at", "session_id"),
    **TABLE_OPTIONS,
)

MESSAGE: Final = Table(
    "message",
    METADATA,
    # Makes the order total when two messages carry the same microsecond.
    Column("position", row_number(), primary_key=True, autoincrement=True),
    _id("message_id"),
    _session_key(),
    _id("run_id", nullable=True),
    _word("role", 16),
    Column("content", long_text(), nullable=False),
    Column("parts", JsonText, nullable=False),
    _word("status", 16),
    _stamp("created_at"),
    UniqueConstraint("message_id"),
    Index(None, "session_id", "created_at", "position"),
    **TABLE_OPTIONS,
)

FILE: Final = Table(
    "file",
    METADATA,
    Column("file_id", key_text(64), primary_key=True),
    _session_key(),
    _id("run_id", nullable=True),
    _word("role", 16),
    Column("path", key_text(700), nullable=False),  # with the session's id as long as an index of MySQL may be
    _word("name", 255),
    _word("media_type", 127),
    _count("size"),
    _stamp("created_at"),
    UniqueConstraint("session_id", "path"),
    **TABLE_OPTIONS,
)

RUN: Final = Table(
    "run",
    METADATA,
    Column("run_id", key_text(64), primary_key=True),
    _session_key(),
    _user(),
    _word("agent", 64),
    Column(
        "status",
        Enum(RunStatus, native_enum=False, length=16, values_callable=lambda members: [one.value for one in members]),
        nullable=False,
    ),
    _word("stop_reason", 64, nullable=True),
    _word("outcome", 64, nullable=True),
    _word("error_code", 64, nullable=True),
    _count("last_seq"),
    _word("owner", 128, nullable=True),
    _stamp("lease_until", nullable=True),
    Column("epoch", Integer, nullable=False),
    _word("policy_hash", 64, nullable=True),
    Column("waits_until", UtcStamp, nullable=True),
    _word("permission_mode", 16),
    _word("plan_mode", 16),
    _stamp("cancel_requested_at", nullable=True),
    _stamp("created_at"),
    _stamp("started_at", nullable=True),
    _stamp("finished_at", nullable=True),
    Index(None, "session_id", "created_at", "run_id"),
    Index(None, "status"),
    **TABLE_OPTIONS,
)

RUN_EVENT: Final = Table(
    "run_event",
    METADATA,
    Column("run_id", key_text(64), ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _word("type", 32),
    Column("frame", long_text(), nullable=False),
    Column("tool_call_id_result", key_text(128), nullable=True),
    _stamp("created_at"),
    UniqueConstraint("run_id", "tool_call_id_result"),
    **TABLE_OPTIONS,
)

# No foreign key: what was spent stays on the bill when the session is deleted.
USAGE_LEDGER: Final = Table(
    "usage_ledger",
    METADATA,
    Column("call_id", key_text(128), primary_key=True),
    _id("run_id"),
    _id("session_id"),
    _user(),
    _word("agent", 64),
    _word("role", 32),
    _word("model", 128),
    _count("input_tokens"),
    _count("output_tokens"),
    _count("cache_read_tokens"),
    _count("cache_write_tokens"),
    _count("reasoning_tokens"),
    _word("usage_source", 16),
    Column("cost_micro", BigInteger, nullable=True),
    _word("currency", 8),
    _word("price_version", 64, nullable=True),
    _stamp("created_at"),
    Index(None, "run_id"),
    Index(None, "session_id"),
    Index(None, "user_name", "created_at"),
    **TABLE_OPTIONS,
)
