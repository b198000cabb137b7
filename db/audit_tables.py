"""Tables of governed calls: the audit chain and what is relayed of it, approvals, and how many calls a run made."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, UniqueConstraint

from db.column_types import JsonText, UtcStamp, key_text, long_text
from db.schema import METADATA, TABLE_OPTIONS

__all__ = [
    "APPROVAL",
    "AUDIT_DEAD_LETTER",
    "AUDIT_HEAD",
    "AUDIT_OUTBOX",
    "COUNTED_CALL",
    "METADATA",
    "RUN_CALLS",
    "TOOL_AUDIT",
]


def _id(name: str, length: int = 64, *, nullable: bool = False) -> Column[str]:
    return Column(name, key_text(length), nullable=nullable)


def _word(name: str, length: int = 64, *, nullable: bool = False) -> Column[str]:
    return Column(name, String(length), nullable=nullable)


# Only ever added to. No foreign keys: the record outlives the session, the run and the user.
TOOL_AUDIT: Final = Table(
    "tool_audit",
    METADATA,
    Column("organization_id", key_text(64), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _id("event_id", 80),
    _id("audit_id"),
    _word("phase", 16),
    _id("run_id"),
    _id("tool_call_id", 128),
    _id("user_id", 128),
    _id("session_id"),
    _word("surface", 32),
    _word("agent"),
    _word("model", 128),
    _id("trace_id"),
    _word("tool", 128),
    _word("tool_version", 32),
    _word("policy_version", 32),
    _word("input_digest"),
    Column("effects", JsonText, nullable=False),
    _word("decision", 16),
    _word("rule", 128),
    _word("code"),
    _id("approval_id", nullable=True),
    _id("approver", 128, nullable=True),
    _word("outcome", 16, nullable=True),
    _word("incident_id", 32),
    Column("detail", long_text(), nullable=False),
    _word("result_digest"),
    Column("happened_at", UtcStamp, nullable=False),
    _word("previous_hash"),
    _word("hash"),
    UniqueConstraint("event_id"),
    UniqueConstraint("run_id", "tool_call_id", "phase"),
    Index(None, "audit_id"),
    Index(None, "session_id", "happened_at"),
    Index(None, "happened_at"),
    **TABLE_OPTIONS,
)

# The end of each chain: whoever adds a row holds this one, so numbers have no gap and no two rows the same predecessor.
AUDIT_HEAD: Final = Table(
    "audit_head",
    METADATA,
    Column("organization_id", key_text(64), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    _word("hash"),
    **TABLE_OPTIONS,
)

AUDIT_OUTBOX: Final = Table(
    "audit_outbox",
    METADATA,
    Column("event_id", key_text(80), primary_key=True),
    Column("sink", key_text(64), primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("next_try_at", UtcStamp, nullable=False),
    Index(None, "next_try_at"),
    **TABLE_OPTIONS,
)

AUDIT_DEAD_LETTER: Final = Table(
    "audit_dead_letter",
    METADATA,
    Column("event_id", key_text(80), primary_key=True),
    Column("sink", key_text(64), primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("reason", long_text(), nullable=False),
    Column("failed_at", UtcStamp, nullable=False),
    **TABLE_OPTIONS,
)

APPROVAL: Final = Table(
    "approval",
    METADATA,
    Column("approval_id", key_text(64), primary_key=True),
    _id("organization_id"),
    _id("run_id"),
    _id("tool_call_id", 128),
    _id("session_id"),
    _id("user_id", 128),
    _word("tool", 128),
    _word("tool_version", 32),
    _word("input_digest"),
    _word("policy_version", 32),
    _word("state", 16),
    _id("decided_by", 128),
    _word("reason", 2000),
    Column("decided_at", UtcStamp, nullable=False),
    Column("expires_at", UtcStamp, nullable=False),
    Column("consumed_at", UtcStamp, nullable=True),
    Index(None, "run_id", "tool_call_id"),
    Index(None, "session_id"),
    **TABLE_OPTIONS,
)

RUN_CALLS: Final = Table(
    "run_calls",
    METADATA,
    Column("run_id", key_text(64), primary_key=True),
    Column("kind", key_text(16), primary_key=True),
    Column("calls", Integer, nullable=False),
    **TABLE_OPTIONS,
)

# The calls that are counted already: one that the graph enters again keeps its place.
COUNTED_CALL: Final = Table(
    "counted_call",
    METADATA,
    Column("run_id", key_text(64), primary_key=True),
    Column("tool_call_id", key_text(128), primary_key=True),
    **TABLE_OPTIONS,
)
