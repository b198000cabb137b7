"""Sessions with messages, files, runs and their events; the ledger of model calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.column_types import JsonText, UtcStamp, key_text, long_text, row_number

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_OPTIONS = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mariadb_engine": "InnoDB",
    "mariadb_charset": "utf8mb4",
}


def _session_key(table: str) -> tuple[sa.Column, sa.ForeignKeyConstraint]:
    return (
        sa.Column("session_id", key_text(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.session_id"], name=f"fk_{table}_session_id", ondelete="CASCADE"
        ),
    )


def upgrade() -> None:
    op.create_table(
        "session",
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("user_name", key_text(128), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("permission_mode", sa.String(16), nullable=False),
        sa.Column("plan_mode", sa.String(16), nullable=False),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.Column("updated_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_session"),
        **_OPTIONS,
    )
    op.create_index("ix_session_user_name_updated_at_session_id", "session", ["user_name", "updated_at", "session_id"])
    op.create_table(
        "message",
        sa.Column("position", row_number(), nullable=False, autoincrement=True),
        sa.Column("message_id", key_text(64), nullable=False),
        *_session_key("message"),
        sa.Column("run_id", key_text(64), nullable=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("content", long_text(), nullable=False),
        sa.Column("parts", JsonText(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_message"),
        sa.UniqueConstraint("message_id", name="uq_message_message_id"),
        **_OPTIONS,
    )
    op.create_index("ix_message_session_id_created_at_position", "message", ["session_id", "created_at", "position"])
    op.create_table(
        "file",
        sa.Column("file_id", key_text(64), nullable=False),
        *_session_key("file"),
        sa.Column("run_id", key_text(64), nullable=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("path", key_text(700), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("media_type", sa.String(127), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("file_id", name="pk_file"),
        sa.UniqueConstraint("session_id", "path", name="uq_file_session_id_path"),
        **_OPTIONS,
    )
    op.create_table(
        "run",
        sa.Column("run_id", key_text(64), nullable=False),
        *_session_key("run"),
        sa.Column("user_name", key_text(128), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("stop_reason", sa.String(64), nullable=True),
        sa.Column("outcome", sa.String(64), nullable=True),
        sa.Column("error_code", sa.String(64), nullable=True),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(128), nullable=True),
        sa.Column("lease_until", UtcStamp(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("policy_hash", sa.String(64), nullable=True),
        sa.Column("cancel_requested_at", UtcStamp(), nullable=True),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.Column("started_at", UtcStamp(), nullable=True),
        sa.Column("finished_at", UtcStamp(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_run"),
        **_OPTIONS,
    )
    op.create_index("ix_run_session_id_created_at_run_id", "run", ["session_id", "created_at", "run_id"])
    op.create_index("ix_run_status", "run", ["status"])
    op.create_table(
        "run_event",
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("frame", long_text(), nullable=False),
        sa.Column("tool_call_id_result", key_text(128), nullable=True),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "seq", name="pk_run_event"),
        sa.ForeignKeyConstraint(["run_id"], ["run.run_id"], name="fk_run_event_run_id", ondelete="CASCADE"),
        sa.UniqueConstraint("run_id", "tool_call_id_result", name="uq_run_event_run_id_tool_call_id_result"),
        **_OPTIONS,
    )
    op.create_table(
        "usage_ledger",
        sa.Column("call_id", key_text(128), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("user_name", key_text(128), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("model", sa.String(128), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cache_read_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cache_write_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=False),
        sa.Column("usage_source", sa.String(16), nullable=False),
        sa.Column("cost_micro", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.String(8), nullable=False),
        sa.Column("price_version", sa.String(64), nullable=True),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("call_id", name="pk_usage_ledger"),
        **_OPTIONS,
    )
    op.create_index("ix_usage_ledger_run_id", "usage_ledger", ["run_id"])
    op.create_index("ix_usage_ledger_session_id", "usage_ledger", ["session_id"])
    op.create_index("ix_usage_ledger_user_name_created_at", "usage_ledger", ["user_name", "created_at"])
