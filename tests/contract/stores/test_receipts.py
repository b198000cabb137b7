"""What a session's receipts say after every way a call can end; nothing but the ledger of calls writes them."""

from __future__ import annotations

import pytest

from db.approval_store import ApprovalStore
from db.call_ledger import CallLedgerStore
from db.db_conn import Database, new_id, utc_now
from db.guard_store import GuardStore
from db.records import Approval, AuditEntry, EffectReceipt, GuardVerdict
from db.session_store import SessionStore
from tests.contract.stores.samples import a_session
from tests.contract.stores.test_call_ledger import end_of, entry


@pytest.fixture
def calls(database: Database) -> CallLedgerStore:
    return CallLedgerStore(database)


@pytest.fixture
def guards(database: Database) -> GuardStore:
    return GuardStore(database)


def receipt(made: AuditEntry, status: str = "ok") -> EffectReceipt:
    return EffectReceipt(
        receipt_id=f"{made.audit_id}.thing.done",
        effect="thing.done",
        tool=made.tool,
        args_digest=made.input_digest,
        facts={"amount": 12.5, "to": "甲"},
        approval_id=None,
        result_ref="N-1",
        status=status,
    )


async def test_a_receipt_is_there_as_soon_as_its_call_is_closed_and_stands_once(calls, guards) -> None:
    made = entry()
    await calls.admit(made)
    assert await guards.receipts_of_session("s1") == []

    for _ in range(2):
        await calls.close(end_of(made, receipts=[receipt(made)]))

    (kept,) = await guards.receipts_of_session("s1")
    assert (kept.status, kept.facts, kept.run_id, kept.tool_call_id) == (
        "ok",
        {"amount": 12.5, "to": "甲"},
        "r1",
        made.tool_call_id,
    )


async def test_a_call_whose_process_died_leaves_a_receipt_that_says_nobody_knows(calls, guards) -> None:
    made = entry()
    await calls.admit(made)

    await calls.close_lost()
    await calls.close_lost()

    (kept,) = await guards.receipts_of_session("s1")
    assert (kept.status, kept.effect, kept.facts) == ("unknown", "thing.done", {})


async def test_a_refused_call_leaves_none_and_a_rejected_one_says_so(calls, guards, database: Database) -> None:
    await calls.admit(entry(allowed=False, code="not_allowed"))
    made, now = entry(), utc_now()
    no = Approval(
        approval_id=new_id(),
        organization_id="local",
        run_id="r1",
        tool_call_id="c9",
        session_id="s1",
        user_id="u1",
        tool=made.tool,
        tool_version="v1",
        input_digest="d1",
        policy_version="p1",
        state="rejected",
        decided_by="boss",
        reason="不行",
        decided_at=now,
        expires_at=now,
    )

    undone = {no.approval_id: [receipt(made, "rejected")]}
    await ApprovalStore(database, calls).decide([no], trace_id="t", agent="a", receipts=undone)

    (kept,) = await guards.receipts_of_session("s1")
    assert (kept.status, kept.tool_call_id) == ("rejected", "c9")


async def test_receipts_and_original_texts_go_with_their_session(calls, guards, sessions: SessionStore) -> None:
    session = a_session()
    await sessions.create(session)
    made = entry(session_id=session.session_id)
    await calls.admit(made)
    await calls.close(end_of(made, receipts=[receipt(made)]))
    verdict = GuardVerdict(
        verdict_id=new_id(),
        run_id="r1",
        session_id=session.session_id,
        message_id="m1",
        guard="outcome",
        verdict="unsupported",
        code="thing.done",
        policy_version="p1",
        original="办好了",
        shown="没有办",
        spans=[{"start": 0, "end": 3}],
        created_at=utc_now(),
    )
    guarded = entry(session_id=session.session_id, tool="guard.outcome", allowed=False, code="thing.done")
    await calls.record_verdict(guarded, verdict)
    assert await guards.verdicts_of_run("r1") == [verdict]

    await sessions.delete(session.session_id, session.user_name)

    assert await guards.receipts_of_session(session.session_id) == []
    assert await guards.verdicts_of_run("r1") == []
