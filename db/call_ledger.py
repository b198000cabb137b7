"""The record of every governed call: one transaction when it begins, one when it ends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Insert, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from db.audit_tables import APPROVAL, COUNTED_CALL, RUN_CALLS, TOOL_AUDIT
from db.audit_tail import AuditTail
from db.db_conn import Database
from db.errors import NotFoundError
from db.guard_tables import GUARD_VERDICT, RECEIPT
from db.records import (
    Admitted,
    AloneCall,
    Approval,
    AuditEnd,
    AuditEntry,
    CallPlace,
    EffectReceipt,
    GuardVerdict,
    ReceiptRow,
    RunStatus,
)
from db.rows import insert_records, to_values
from db.schema import RUN
from db.stamp import utc_now

BEFORE: Final = "before"
END: Final = "end"
_ALLOW, _DENY = "allow", "deny"
_GUARD: Final = "guard"
_OK, _DENIED, _REJECTED, _UNKNOWN = "ok", "denied", "rejected", "unknown"
_LIMITED_CODE: Final = "call_limit"
_REJECTED_CODE: Final = "rejected_by_human_approval"

# Built once: these run for every call.
_PHASES_OF_RECORD: Final = select(TOOL_AUDIT).where(TOOL_AUDIT.c.audit_id == bindparam("record"))
_PHASES_OF_CALL: Final = select(TOOL_AUDIT).where(
    TOOL_AUDIT.c.run_id == bindparam("run"), TOOL_AUDIT.c.tool_call_id == bindparam("call")
)
_COUNTER: Final = (RUN_CALLS.c.run_id == bindparam("run"), RUN_CALLS.c.kind == bindparam("of"))
_CALLS: Final = select(RUN_CALLS.c.calls).where(*_COUNTER)
_COUNT: Final = (
    update(RUN_CALLS).where(*_COUNTER, RUN_CALLS.c.calls < bindparam("most")).values(calls=RUN_CALLS.c.calls + 1)
)
_THIS_CALL: Final = (COUNTED_CALL.c.run_id == bindparam("run"), COUNTED_CALL.c.tool_call_id == bindparam("call"))
_COUNTED: Final = select(COUNTED_CALL.c.run_id).where(*_THIS_CALL)
_UNCOUNT: Final = delete(COUNTED_CALL).where(*_THIS_CALL)


class CallLedgerStore:
    """Keeps the record; `sinks` are the names of the places its events are relayed to."""

    def __init__(self, db: Database, *, sinks: Sequence[str] = ()) -> None:
        self._db = db
        self._sinks = tuple(sinks)

    async def admit(self, entry: AuditEntry) -> Admitted:
        """Write the before-row, count the call, consume its approval: all or nothing. A refused call is closed at once.

        What is admitted stays on record whatever happens next, a loss of power included.
        """
        return await self._db.write(lambda connection: self._admit(connection, entry), durable=True)

    async def reserve(self, place: CallPlace) -> bool:
        """Count a call before anybody is asked about it; False if the run has made as many as it may.

        A call is counted once: entering it again, or admitting it later, keeps its place.
        """
        return await self._db.write(lambda connection: _count_call(connection, place))

    async def close(self, end: AuditEnd) -> None:
        """Write the terminal row and the receipts of what the call did; a second end of a call changes nothing.

        The row survives the process. It does not wait for the disk: if power is lost before the next wait, the call ends
        as `unknown` at the next start, which is then what is known about it.

        Raises:
            NotFoundError: The call was never admitted.
        """
        try:
            await self._db.write(lambda connection: self._close(connection, end))
        except IntegrityError:
            # A server database had two ends of this call under way; one of them is on record.
            if END not in await self._db.read(lambda connection: _phases(connection, record=end.audit_id)):
                raise

    async def close_lost(self) -> int:
        """Close what a dead process left open as `unknown`, but not what waits for a person; how many there were.

        Only the process that owns the data may call this, and before it takes work.
        """
        return await self._db.write(self._close_lost, durable=True)

    async def has_effect(self, session_id: str, effect: str) -> bool:
        """Whether a call that has this effect ended well in a session."""
        query = select(TOOL_AUDIT.c.effects).where(
            TOOL_AUDIT.c.session_id == session_id, TOOL_AUDIT.c.phase == END, TOOL_AUDIT.c.outcome == _OK
        )
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return any(effect in row.effects for row in rows)

    async def record_verdict(self, entry: AuditEntry, verdict: GuardVerdict) -> None:
        """Put a guard's decision on record: its rows in the chain and the texts it was about, together."""

        def add(connection: Connection) -> None:
            before = _before(entry, Admitted(audit_id=entry.audit_id, code=entry.code, rule=entry.rule))
            end = _terminal(
                before,
                verdict.verdict,
                verdict.code,
                detail="",
                at=verdict.created_at,
                result_digest=hashlib.sha256(verdict.original.encode(errors="backslashreplace")).hexdigest(),
            )
            self._tail(connection, entry.organization_id).add(before, end)
            insert_records(connection, GUARD_VERDICT, [verdict], "guard verdict")

        await self._db.write(add, durable=True)

    async def limited_by(self, run_id: str) -> str:
        """The rule that refused a call of the run because it had made as many as it may; empty if none did."""
        query = select(TOOL_AUDIT.c.rule).where(TOOL_AUDIT.c.run_id == run_id, TOOL_AUDIT.c.code == _LIMITED_CODE)
        row = await self._db.read(lambda connection: connection.execute(query.limit(1)).first())
        return "" if row is None else str(row.rule)

    async def made_alone(self, run_id: str) -> list[AloneCall]:
        """The calls of a run that were let through without a person's approval, in the order they began."""
        whose = (TOOL_AUDIT.c.run_id == run_id, TOOL_AUDIT.c.decision == _ALLOW, TOOL_AUDIT.c.surface != _GUARD)
        query = select(TOOL_AUDIT).where(*whose, TOOL_AUDIT.c.approval_id.is_(None)).order_by(TOOL_AUDIT.c.seq)
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        ends = {row.audit_id: str(row.outcome) for row in rows if row.phase == END}
        return [
            AloneCall(
                audit_id=row.audit_id, tool_call_id=row.tool_call_id, tool=row.tool, outcome=ends.get(row.audit_id)
            )
            for row in rows
            if row.phase == BEFORE
        ]

    def reject(
        self,
        connection: Connection,
        approval: Approval,
        *,
        trace_id: str,
        agent: str,
        receipts: Sequence[EffectReceipt] = (),
    ) -> None:
        """Put a person's no on record: a call that was never made, with its before-row, its end, and what it did not do."""
        before = _rejected(approval, trace_id=trace_id, agent=agent)
        end = _terminal(before, _REJECTED, _REJECTED_CODE, detail=approval.reason, at=approval.decided_at)
        self._tail(connection, approval.organization_id).add(before, end)
        _add_receipts(connection, end, receipts)

    def _tail(self, connection: Connection, organization_id: str) -> AuditTail:
        return AuditTail(connection, organization_id, sinks=self._sinks)

    def _admit(self, connection: Connection, entry: AuditEntry) -> Admitted:
        tail = self._tail(connection, entry.organization_id)
        known = _phases(connection, run=entry.run_id, call=entry.tool_call_id)
        if (before := known.get(BEFORE)) is not None:
            is_same = before.input_digest == entry.input_digest and before.tool == entry.tool
            if END in known or not is_same:
                return Admitted(audit_id=before.audit_id, code="call_closed", rule="once")
            return _admitted(before)
        decided = _decide(connection, entry)
        event = _before(entry, decided)
        if decided.code is None:
            tail.add(event)
        else:
            detail = entry.detail if entry.code is not None else ""
            tail.add(event, _terminal(event, _DENIED, decided.code, detail=detail, at=utc_now()))
        return decided

    def _close(self, connection: Connection, end: AuditEnd) -> None:
        known = _phases(connection, record=end.audit_id)
        if BEFORE not in known:
            raise NotFoundError(f"no call {end.audit_id!r}")
        if END in known:
            return
        before = _values(known[BEFORE])
        event = _terminal(
            before,
            str(end.outcome),
            end.code,
            detail=end.detail,
            at=end.ended_at,
            incident_id=end.incident_id,
            result_digest=end.result_digest,
        )
        self._tail(connection, before["organization_id"]).add(event)
        _add_receipts(connection, event, end.receipts)

    def _close_lost(self, connection: Connection) -> int:
        ended = select(TOOL_AUDIT.c.audit_id).where(TOOL_AUDIT.c.phase == END)
        waiting = select(RUN.c.run_id).where(RUN.c.status == RunStatus.INTERRUPTED)
        lost = connection.execute(
            select(TOOL_AUDIT)
            .where(
                TOOL_AUDIT.c.phase == BEFORE, TOOL_AUDIT.c.audit_id.not_in(ended), TOOL_AUDIT.c.run_id.not_in(waiting)
            )
            .order_by(TOOL_AUDIT.c.organization_id, TOOL_AUDIT.c.seq)
        ).all()
        now = utc_now()
        for organization_id, rows in groupby(lost, key=lambda row: str(row.organization_id)):
            ends = [_terminal(_values(row), _UNKNOWN, "process_lost", detail="", at=now) for row in rows]
            self._tail(connection, organization_id).add(*ends)
            for end in ends:
                _add_receipts(connection, end, _unknown_receipts(end))
        return len(lost)


def _add_receipts(connection: Connection, end: Mapping[str, Any], receipts: Sequence[EffectReceipt]) -> None:
    whose = {"run_id": end["run_id"], "session_id": end["session_id"], "tool_call_id": end["tool_call_id"]}
    if rows := [ReceiptRow(**to_values(receipt), **whose, created_at=end["happened_at"]) for receipt in receipts]:
        insert_records(connection, RECEIPT, rows, "receipt")


def _unknown_receipts(end: Mapping[str, Any]) -> list[EffectReceipt]:
    """Of a call whose process died: its effects may have happened, nobody saw."""
    return [
        EffectReceipt(
            receipt_id=f"{end['audit_id']}.{effect}",
            effect=effect,
            tool=end["tool"],
            args_digest=end["input_digest"],
            facts={},
            approval_id=end["approval_id"],
            result_ref=None,
            status=_UNKNOWN,
        )
        for effect in end["effects"]
    ]


def _values(row: Any) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001 - public in spite of its name


def _phases(connection: Connection, **whose: str) -> dict[str, Any]:
    query = _PHASES_OF_RECORD if "record" in whose else _PHASES_OF_CALL
    return {row.phase: row for row in connection.execute(query, whose)}


def _admitted(before: Any) -> Admitted:
    return Admitted(
        audit_id=before.audit_id,
        code=None,
        rule=before.rule,
        approval_id=before.approval_id,
        approver=before.approver,
    )


def _decide(connection: Connection, entry: AuditEntry) -> Admitted:
    if not entry.allowed:
        return Admitted(audit_id=entry.audit_id, code=entry.code, rule=entry.rule)
    place = CallPlace(
        run_id=entry.run_id, tool_call_id=entry.tool_call_id, counter=entry.counter, max_calls=entry.max_calls
    )
    if not _count_call(connection, place):
        return Admitted(audit_id=entry.audit_id, code=_LIMITED_CODE, rule=f"max_{entry.counter}_calls_per_run")
    if not entry.needs_approval:
        return Admitted(audit_id=entry.audit_id, code=None, rule=entry.rule)
    approval = _consume(connection, entry)
    if approval is None:
        return Admitted(audit_id=entry.audit_id, code="approval_required", rule="approval")
    approval_id, approver = approval
    return Admitted(audit_id=entry.audit_id, code=None, rule="approval", approval_id=approval_id, approver=approver)


def _count_call(connection: Connection, place: CallPlace) -> bool:
    """Give a call its place once; on a server database others may be asking for theirs, or for the very same, right now."""
    if place.max_calls is None:
        return True
    mine = {"run": place.run_id, "call": place.tool_call_id}
    if connection.execute(_COUNTED, mine).first() is not None:
        return True
    row = {"run_id": place.run_id, "tool_call_id": place.tool_call_id}
    if not _add_if_absent(connection, insert(COUNTED_CALL), row):
        return True
    counter = {"run": place.run_id, "of": place.counter}
    if connection.execute(_CALLS, counter).first() is None:
        _add_if_absent(connection, insert(RUN_CALLS), {"run_id": place.run_id, "kind": place.counter, "calls": 0})
    if connection.execute(_COUNT, {**counter, "most": place.max_calls}).rowcount:
        return True
    connection.execute(_UNCOUNT, mine)
    return False


def _add_if_absent(connection: Connection, statement: Insert, values: dict[str, Any]) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(statement, values)
    except IntegrityError:
        return False
    return True


def _consume(connection: Connection, entry: AuditEntry) -> tuple[str, str] | None:
    """Take the approval that fits this very call; whoever comes second finds none."""
    now = utc_now()
    fits = (
        APPROVAL.c.run_id == entry.run_id,
        APPROVAL.c.tool_call_id == entry.tool_call_id,
        APPROVAL.c.session_id == entry.session_id,
        APPROVAL.c.user_id == entry.user_id,
        APPROVAL.c.tool == entry.tool,
        APPROVAL.c.tool_version == entry.tool_version,
        APPROVAL.c.input_digest == entry.input_digest,
        APPROVAL.c.policy_version == entry.policy_version,
        APPROVAL.c.state == "approved",
        APPROVAL.c.expires_at > now,
    )
    found = connection.execute(select(APPROVAL.c.approval_id, APPROVAL.c.decided_by).where(*fits).limit(1)).first()
    if found is None:
        return None
    taken = update(APPROVAL).where(APPROVAL.c.approval_id == found.approval_id, *fits)
    if not connection.execute(taken.values(state="consumed", consumed_at=now)).rowcount:
        return None
    return found.approval_id, found.decided_by


def _before(entry: AuditEntry, decided: Admitted) -> dict[str, Any]:
    return {
        "organization_id": entry.organization_id,
        "event_id": f"{entry.audit_id}.{BEFORE}",
        "audit_id": entry.audit_id,
        "phase": BEFORE,
        "run_id": entry.run_id,
        "tool_call_id": entry.tool_call_id,
        "user_id": entry.user_id,
        "session_id": entry.session_id,
        "surface": entry.surface,
        "agent": entry.agent,
        "model": entry.model,
        "trace_id": entry.trace_id,
        "tool": entry.tool,
        "tool_version": entry.tool_version,
        "policy_version": entry.policy_version,
        "input_digest": entry.input_digest,
        "effects": list(entry.effects),
        "decision": _ALLOW if decided.code is None else _DENY,
        "rule": decided.rule,
        "code": decided.code or "",
        "approval_id": decided.approval_id,
        "approver": decided.approver,
        "outcome": None,
        "incident_id": "",
        "detail": "",
        "result_digest": "",
        "happened_at": entry.started_at,
    }


def _rejected(approval: Approval, *, trace_id: str, agent: str) -> dict[str, Any]:
    entry = AuditEntry(
        audit_id=approval.approval_id,
        run_id=approval.run_id,
        tool_call_id=approval.tool_call_id,
        organization_id=approval.organization_id,
        user_id=approval.user_id,
        session_id=approval.session_id,
        surface="approval",
        agent=agent,
        model="",
        trace_id=trace_id,
        tool=approval.tool,
        tool_version=approval.tool_version,
        policy_version=approval.policy_version,
        input_digest=approval.input_digest,
        effects=(),
        allowed=False,
        rule="approval",
        code=_REJECTED_CODE,
        detail="",
        needs_approval=True,
        counter="tool",
        max_calls=None,
        started_at=approval.decided_at,
    )
    decided = Admitted(
        audit_id=entry.audit_id,
        code=_REJECTED_CODE,
        rule="approval",
        approval_id=approval.approval_id,
        approver=approval.decided_by,
    )
    return _before(entry, decided)


def _terminal(
    before: Mapping[str, Any],
    outcome: str,
    code: str,
    *,
    detail: str,
    at: datetime,
    incident_id: str = "",
    result_digest: str = "",
) -> dict[str, Any]:
    """The terminal row says everything again, so that it can be read, and sent on, alone."""
    kept = {name: value for name, value in before.items() if name not in {"seq", "previous_hash", "hash"}}
    return {
        **kept,
        "event_id": f"{before['audit_id']}.{END}",
        "phase": END,
        "outcome": outcome,
        "code": code,
        "incident_id": incident_id,
        "detail": detail,
        "result_digest": result_digest,
        "happened_at": at,
    }
