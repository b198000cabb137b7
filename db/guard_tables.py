"""Tables of what code saw and decided about runs: receipts of effects, verdicts of guards, the queue for people."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, String, Table

from db.audit_tables import METADATA
from db.column_types import JsonText, UtcStamp, key_text, long_text
from db.schema import TABLE_OPTIONS

__all__ = ["GUARD_VERDICT", "METADATA", "RECEIPT", "REVIEW_ITEM"]

# Written in the transaction that closes the call, and by nothing else.
RECEIPT: Final = Table(
    "receipt",
    METADATA,
    Column("receipt_id", key_text(160), primary_key=True),
    Column("run_id", key_text(64), nullable=False),
    Column("session_id", key_text(64), nullable=False),
    Column("tool_call_id", key_text(128), nullable=False),
    Column("effect", String(64), nullable=False),
    Column("tool", String(128), nullable=False),
    Column("args_digest", String(64), nullable=False),
    Column("facts", JsonText, nullable=False),
    Column("approval_id", key_text(64), nullable=True),
    Column("result_ref", String(200), nullable=True),
    Column("status", String(16), nullable=False),
    Column("created_at", UtcStamp, nullable=False),
    Index(None, "session_id", "created_at"),
    Index(None, "run_id"),
    **TABLE_OPTIONS,
)

GUARD_VERDICT: Final = Table(
    "guard_verdict",
    METADATA,
    Column("verdict_id", key_text(64), primary_key=True),
    Column("run_id", key_text(64), nullable=False),
    Column("session_id", key_text(64), nullable=False),
    Column("message_id", key_text(128), nullable=True),
    Column("guard", String(32), nullable=False),
    Column("verdict", String(32), nullable=False),
    Column("code", String(64), nullable=False),
    Column("policy_version", String(32), nullable=False),
    Column("original", long_text(), nullable=False),
    Column("shown", long_text(), nullable=False),
    Column("spans", JsonText, nullable=False),
    Column("created_at", UtcStamp, nullable=False),
    Index(None, "run_id"),
    Index(None, "session_id", "created_at"),
    **TABLE_OPTIONS,
)

REVIEW_ITEM: Final = Table(
    "review_item",
    METADATA,
    Column("review_id", key_text(64), primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("rule", String(128), nullable=False),
    Column("run_id", key_text(64), nullable=False),
    Column("session_id", key_text(64), nullable=False),
    Column("user_name", key_text(128), nullable=False),
    Column("agent", String(64), nullable=False),
    Column("model", String(128), nullable=False),
    Column("tool", String(128), nullable=False),
    Column("policy_version", String(32), nullable=False),
    Column("subject", long_text(), nullable=False),
    Column("signals", JsonText, nullable=False),
    Column("verdict", String(16), nullable=True),
    Column("note", String(2000), nullable=False),
    Column("decided_by", key_text(128), nullable=True),
    Column("created_at", UtcStamp, nullable=False),
    Column("due_at", UtcStamp, nullable=False),
    Column("decided_at", UtcStamp, nullable=True),
    Index(None, "verdict", "created_at"),
    Index(None, "run_id"),
    **TABLE_OPTIONS,
)
