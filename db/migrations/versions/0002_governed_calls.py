"""Governed calls: the audit chain, its relay, approvals, calls per run; the modes of a run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.column_types import JsonText, UtcStamp, key_text, long_text

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_OPTIONS = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mariadb_engine": "InnoDB",
    "mariadb_charset": "utf8mb4",
}


def upgrade() -> None:
    # Runs that were made before had no other modes than these.
    with op.batch_alter_table("run") as run:
        run.add_column(sa.Column("permission_mode", sa.String(16), nullable=False, server_default="default"))
        run.add_column(sa.Column("plan_mode", sa.String(16), nullable=False, server_default="off"))
    with op.batch_alter_table("run") as run:
        run.alter_column("permission_mode", existing_type=sa.String(16), existing_nullable=False, server_default=None)
        run.alter_column("plan_mode", existing_type=sa.String(16), existing_nullable=False, server_default=None)
    op.create_table(
        "approval",
        sa.Column("approval_id", key_text(64), nullable=False),
        sa.Column("organization_id", key_text(64), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("tool_call_id", key_text(128), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("user_id", key_text(128), nullable=False),
        sa.Column("tool", sa.String(length=128), nullable=False),
        sa.Column("tool_version", sa.String(length=32), nullable=False),
        sa.Column("input_digest", sa.String(length=64), nullable=False),
        sa.Column("policy_version", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("decided_by", key_text(128), nullable=False),
        sa.Column("reason", sa.String(length=2000), nullable=False),
        sa.Column("decided_at", UtcStamp(), nullable=False),
        sa.Column("expires_at", UtcStamp(), nullable=False),
        sa.Column("consumed_at", UtcStamp(), nullable=True),
        sa.PrimaryKeyConstraint("approval_id", name="pk_approval"),
        **_OPTIONS,
    )
    op.create_index("ix_approval_run_id_tool_call_id", "approval", ["run_id", "tool_call_id"])
    op.create_index("ix_approval_session_id", "approval", ["session_id"])
    op.create_table(
        "audit_dead_letter",
        sa.Column("event_id", key_text(80), nullable=False),
        sa.Column("sink", key_text(64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", long_text(), nullable=False),
        sa.Column("failed_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", "sink", name="pk_audit_dead_letter"),
        **_OPTIONS,
    )
    op.create_table(
        "audit_head",
        sa.Column("organization_id", key_text(64), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name="pk_audit_head"),
        **_OPTIONS,
    )
    op.create_table(
        "audit_outbox",
        sa.Column("event_id", key_text(80), nullable=False),
        sa.Column("sink", key_text(64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcStamp(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", "sink", name="pk_audit_outbox"),
        **_OPTIONS,
    )
    op.create_index("ix_audit_outbox_next_try_at", "audit_outbox", ["next_try_at"])
    op.create_table(
        "run_calls",
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_run_calls"),
        **_OPTIONS,
    )
    op.create_table(
        "tool_audit",
        sa.Column("organization_id", key_text(64), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("event_id", key_text(80), nullable=False),
        sa.Column("audit_id", key_text(64), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("run_id", key_text(64), nullable=False),
        sa.Column("tool_call_id", key_text(128), nullable=False),
        sa.Column("user_id", key_text(128), nullable=False),
        sa.Column("session_id", key_text(64), nullable=False),
        sa.Column("surface", sa.String(length=32), nullable=False),
        sa.Column("agent", sa.String(length=64), nullable=False),
        sa.Column("model", sa.String(length=128), nullable=False),
        sa.Column("trace_id", key_text(64), nullable=False),
        sa.Column("tool", sa.String(length=128), nullable=False),
        sa.Column("tool_version", sa.String(length=32), nullable=False),
        sa.Column("policy_version", sa.String(length=32), nullable=False),
        sa.Column("input_digest", sa.String(length=64), nullable=False),
        sa.Column("effects", JsonText(), nullable=False),
        sa.Column("decision", sa.String(length=16), nullable=False),
        sa.Column("rule", sa.String(length=128), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("approval_id", key_text(64), nullable=True),
        sa.Column("approver", key_text(128), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("incident_id", sa.String(length=32), nullable=False),
        sa.Column("detail", long_text(), nullable=False),
        sa.Column("result_digest", sa.String(length=64), nullable=False),
        sa.Column("happened_at", UtcStamp(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "seq", name="pk_tool_audit"),
        sa.UniqueConstraint("event_id", name="uq_tool_audit_event_id"),
        sa.UniqueConstraint("run_id", "tool_call_id", "phase", name="uq_tool_audit_run_id_tool_call_id_phase"),
        **_OPTIONS,
    )
    op.create_index("ix_tool_audit_happened_at", "tool_audit", ["happened_at"])
    op.create_index("ix_tool_audit_audit_id", "tool_audit", ["audit_id"])
    op.create_index("ix_tool_audit_session_id_happened_at", "tool_audit", ["session_id", "happened_at"])
