"""Where rows are added to an organization's chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from db.audit_chain import FIRST_HASH, row_hash
from db.audit_tables import AUDIT_HEAD, AUDIT_OUTBOX, TOOL_AUDIT

# Built once: they run for every call.
_MINE: Final = AUDIT_HEAD.c.organization_id == bindparam("of")
_HOLD: Final = select(AUDIT_HEAD.c.seq, AUDIT_HEAD.c.hash).where(_MINE).with_for_update()
_BEGIN: Final = insert(AUDIT_HEAD)
_ADD: Final = insert(TOOL_AUDIT)
_MOVE: Final = update(AUDIT_HEAD).where(_MINE).values(seq=bindparam("to_seq"), hash=bindparam("to_hash"))
_RELAY: Final = insert(AUDIT_OUTBOX)


class AuditTail:
    """The end of one chain, held by a transaction until it ends: numbers have no gap, no two rows the same predecessor.

    Whoever holds it sees all that was added before. What a decision about a call depends on is read only then.
    """

    def __init__(self, connection: Connection, organization_id: str, *, sinks: Sequence[str] = ()) -> None:
        self._connection = connection
        self._organization_id = organization_id
        self._sinks = sinks
        self._seq, self._hash = self._held()

    def add(self, *events: Mapping[str, Any]) -> None:
        """Add rows, all fields but the chain's own, and hand each to every sink."""
        rows = [self._linked(event) for event in events]
        self._connection.execute(_ADD, rows)
        self._connection.execute(_MOVE, {"of": self._organization_id, "to_seq": self._seq, "to_hash": self._hash})
        letters = [
            {"event_id": row["event_id"], "sink": sink, "attempts": 0, "next_try_at": row["happened_at"]}
            for row in rows
            for sink in self._sinks
        ]
        if letters:
            self._connection.execute(_RELAY, letters)

    def _linked(self, event: Mapping[str, Any]) -> dict[str, Any]:
        row = {**event, "seq": self._seq + 1, "previous_hash": self._hash}
        row["hash"] = row_hash(row)
        self._seq, self._hash = row["seq"], row["hash"]
        return row

    def _held(self) -> tuple[int, str]:
        whose = {"of": self._organization_id}
        head = self._connection.execute(_HOLD, whose).one_or_none()
        if head is None:
            try:
                with self._connection.begin_nested():
                    first = {"organization_id": self._organization_id, "seq": 0, "hash": FIRST_HASH}
                    self._connection.execute(_BEGIN, first)
            except IntegrityError:
                pass  # another first writer was faster, and has ended
            head = self._connection.execute(_HOLD, whose).one()
        return head.seq, head.hash
