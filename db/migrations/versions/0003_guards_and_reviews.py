"""Receipts of effects, verdicts of guards, and the queue for people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.column_types import JsonText, UtcStamp, key_text, long_text

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_OPTIONS = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mariadb_engine": "InnoDB",
    "mariadb_charset": "utf8mb4",
}


def upgrade() -> None:
    # Counts of runs that are over by the next start; the new table counts the framework's tools apart.
    op.drop_table("run_calls")
    op.create_table(
        "run_calls",
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("kind", key_text(16), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "kind", name="pk_run_calls"),
        **_OPTIONS,
    )
    op.create_table(
        "counted_call",
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("tool_call_id", key_text(128), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "tool_call_id", name="pk_counted_call"),
        **_OPTIONS,
    )
    op.create_table(
        "receipt",
        sa.Column("receipt_id", key_text(160), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("tool_call_id", key_text(128), nullable=False),
        sa.Column("effect", sa.String(64), nullable=False),
        sa.Column("tool", sa.String(128), nullable=False),
        sa.Column("args_digest", sa.String(64), nullable=False),
        sa.Column("facts", JsonText(), nullable=False),
        sa.Column("approval_id", key_text(64), nullable=True),
        sa.Column("result_ref", sa.String(200), nullable=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("receipt_id", name="pk_receipt"),
        **_OPTIONS,
    )
    op.create_index("ix_receipt_session_id_created_at", "receipt", ["session_id", "created_at"])
    op.create_index("ix_receipt_run_id", "receipt", ["run_id"])
    op.create_table(
        "guard_verdict",
        sa.Column("verdict_id", key_text(64), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("message_id", key_text(128), nullable=True),
        sa.Column("guard", sa.String(32), nullable=False),
        sa.Column("verdict", sa.String(32), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("policy_version", sa.String(32), nullable=False),
        sa.Column("original", long_text(), nullable=False),
        sa.Column("shown", long_text(), nullable=False),
        sa.Column("spans", JsonText(), nullable=False),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("verdict_id", name="pk_guard_verdict"),
        **_OPTIONS,
    )
    op.create_index("ix_guard_verdict_run_id", "guard_verdict", ["run_id"])
    op.create_index("ix_guard_verdict_session_id_created_at", "guard_verdict", ["session_id", "created_at"])
    op.create_table(
        "review_item",
        sa.Column("review_id", key_text(64), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("rule", sa.String(128), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("user_name", key_text(128), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("model", sa.String(128), nullable=False),
        sa.Column("tool", sa.String(128), nullable=False),
        sa.Column("policy_version", sa.String(32), nullable=False),
        sa.Column("subject", long_text(), nullable=False),
        sa.Column("signals", JsonText(), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=True),
        sa.Column("note", sa.String(2000), nullable=False),
        sa.Column("decided_by", key_text(128), nullable=True),
        sa.Column("created_at", UtcStamp(), nullable=False),
        sa.Column("due_at", UtcStamp(), nullable=False),
        sa.Column("decided_at", UtcStamp(), nullable=True),
        sa.PrimaryKeyConstraint("review_id", name="pk_review_item"),
        **_OPTIONS,
    )
    op.create_index("ix_review_item_verdict_created_at", "review_item", ["verdict", "created_at"])
    op.create_index("ix_review_item_run_id", "review_item", ["run_id"])
