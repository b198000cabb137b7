"""The record of governed calls: one before-row and one end a call, a chain over every field, approvals used once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from db.approval_store import ApprovalStore
from db.audit_chain import Anchor, row_hash
from db.audit_outbox import AuditOutbox
from db.audit_store import AuditStore
from db.audit_tables import TOOL_AUDIT
from db.call_ledger import CallLedgerStore
from db.db_conn import Database
from db.errors import NotFoundError
from db.records import Approval, AuditEnd, AuditEntry
from db.stamp import new_id, utc_now

FIELDS = [column.name for column in TOOL_AUDIT.columns]


@pytest.fixture
def calls(database: Database) -> CallLedgerStore:
    return CallLedgerStore(database)


@pytest.fixture
def audit(database: Database) -> AuditStore:
    return AuditStore(database)


@pytest.fixture
def approvals(database: Database, calls: CallLedgerStore) -> ApprovalStore:
    return ApprovalStore(database, calls)


def entry(**changes: Any) -> AuditEntry:
    made = AuditEntry(
        audit_id=new_id(),
        run_id="r1",
        tool_call_id=f"c-{new_id()}",
        organization_id="local",
        user_id="u1",
        session_id="s1",
        surface="chat",
        agent="tried",
        model="m",
        trace_id="t1",
        tool="test_tried",
        tool_version="v1",
        policy_version="p1",
        input_digest="d1",
        effects=("thing.done",),
        allowed=True,
        rule="allow_list",
        code=None,
        detail="",
        needs_approval=False,
        counter="tool",
        max_calls=None,
        started_at=utc_now(),
    )
    return replace(made, **changes)


def end_of(made: AuditEntry, **changes: Any) -> AuditEnd:
    end = AuditEnd(
        audit_id=made.audit_id,
        outcome="ok",
        code="",
        incident_id="",
        detail="",
        result_digest="r",
        ended_at=utc_now(),
    )
    return replace(end, **changes)


def approval(made: AuditEntry, **changes: Any) -> Approval:
    now = utc_now()
    granted = Approval(
        approval_id=new_id(),
        organization_id=made.organization_id,
        run_id=made.run_id,
        tool_call_id=made.tool_call_id,
        session_id=made.session_id,
        user_id=made.user_id,
        tool=made.tool,
        tool_version=made.tool_version,
        input_digest=made.input_digest,
        policy_version=made.policy_version,
        state="approved",
        decided_by="boss",
        reason="",
        decided_at=now,
        expires_at=now + timedelta(minutes=5),
    )
    return replace(granted, **changes)


async def rows_of(audit: AuditStore) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    await audit.export(rows.append)
    return rows


async def test_t5_a_call_leaves_a_before_row_and_an_end_in_one_chain(calls: CallLedgerStore, audit: AuditStore) -> None:
    made = entry()
    admitted = await calls.admit(made)
    await calls.close(end_of(made))
    await calls.close(end_of(made, outcome="failed"))

    before, end = await rows_of(audit)
    assert (admitted.code, admitted.audit_id) == (None, made.audit_id)
    assert (before["phase"], before["seq"], before["outcome"]) == ("before", 1, None)
    assert (end["phase"], end["seq"], end["outcome"], end["previous_hash"]) == ("end", 2, "ok", before["hash"])
    assert (end["tool"], end["user_id"], end["effects"]) == ("test_tried", "u1", ["thing.done"])
    assert [report.faults for report in await audit.verify([], {})] == [()]


async def test_a_refused_call_is_written_and_closed_at_once(calls: CallLedgerStore, audit: AuditStore) -> None:
    refused = await calls.admit(entry(allowed=False, rule="allow_list", code="not_allowed", detail="why"))

    before, end = await rows_of(audit)
    assert refused.code == "not_allowed"
    assert (before["decision"], end["outcome"], end["code"], end["detail"]) == ("deny", "denied", "not_allowed", "why")


async def test_a_call_the_graph_enters_again_keeps_its_record(calls: CallLedgerStore, audit: AuditStore) -> None:
    made = entry(max_calls=1)
    first = await calls.admit(made)
    again = await calls.admit(replace(made, audit_id=new_id()))
    await calls.close(end_of(made))
    late = await calls.admit(replace(made, audit_id=new_id()))

    assert (again.audit_id, again.code) == (first.audit_id, None)
    assert late.code == "call_closed"
    assert len(await rows_of(audit)) == 2


async def test_other_arguments_under_the_same_call_are_refused(calls: CallLedgerStore) -> None:
    made = entry()
    await calls.admit(made)

    assert (await calls.admit(replace(made, audit_id=new_id(), input_digest="d2"))).code == "call_closed"


async def test_an_end_of_a_call_that_never_began_is_an_error(calls: CallLedgerStore) -> None:
    with pytest.raises(NotFoundError):
        await calls.close(end_of(entry()))


async def test_a_runs_bound_holds_for_calls_side_by_side(calls: CallLedgerStore) -> None:
    admitted = await asyncio.gather(*(calls.admit(entry(max_calls=5)) for _ in range(12)))

    assert sorted(one.code or "" for one in admitted) == [""] * 5 + ["call_limit"] * 7


async def test_an_approval_lets_exactly_one_call_happen(calls: CallLedgerStore, approvals: ApprovalStore) -> None:
    made = entry(needs_approval=True)
    assert (await calls.admit(entry(needs_approval=True))).code == "approval_required"
    granted = approval(made)
    await approvals.decide([granted], trace_id="t1", agent="tried")

    admitted = await calls.admit(made)
    assert (admitted.code, admitted.approval_id, admitted.approver) == (None, granted.approval_id, "boss")
    (kept,) = await approvals.of_session("s1")
    assert kept.state == "consumed"


@pytest.mark.parametrize(
    "field",
    ["run_id", "tool_call_id", "session_id", "user_id", "tool", "tool_version", "input_digest", "policy_version"],
)
async def test_an_approval_of_anything_else_does_not_fit(
    calls: CallLedgerStore, approvals: ApprovalStore, field: str
) -> None:
    made = entry(needs_approval=True)
    await approvals.decide([approval(made, **{field: "other"})], trace_id="t1", agent="tried")

    assert (await calls.admit(made)).code == "approval_required"


async def test_an_expired_or_rejected_approval_does_not_fit(
    calls: CallLedgerStore, approvals: ApprovalStore, audit: AuditStore
) -> None:
    late, no = entry(needs_approval=True), entry(needs_approval=True)
    await approvals.decide([approval(late, expires_at=utc_now() - timedelta(seconds=1))], trace_id="t", agent="a")
    await approvals.decide([approval(no, state="rejected", reason="不行")], trace_id="t", agent="a")

    assert (await calls.admit(late)).code == "approval_required"
    assert (await calls.admit(no)).code == "call_closed"
    rejected = [row for row in await rows_of(audit) if row["outcome"] == "rejected"]
    assert [(row["code"], row["approver"], row["detail"]) for row in rejected] == [
        ("rejected_by_human_approval", "boss", "不行")
    ]


async def test_r_pol_5_calls_that_ran_without_a_person_are_known_and_no_others(
    calls: CallLedgerStore, approvals: ApprovalStore
) -> None:
    ended, running = entry(), entry(tool="test_other")
    approved, refused = entry(needs_approval=True), entry(allowed=False, code="not_allowed")
    await approvals.decide([approval(approved)], trace_id="t1", agent="tried")
    for made in (ended, running, approved, refused, entry(run_id="r2")):
        await calls.admit(made)
    await calls.close(end_of(ended, outcome="failed"))

    alone = await calls.made_alone("r1")

    assert [(one.audit_id, one.tool, one.outcome) for one in alone] == [
        (ended.audit_id, "test_tried", "failed"),
        (running.audit_id, "test_other", None),
    ]


async def test_what_a_dead_process_left_open_is_closed_as_unknown(calls: CallLedgerStore, audit: AuditStore) -> None:
    await calls.admit(entry())
    done = entry()
    await calls.admit(done)
    await calls.close(end_of(done))

    assert (await calls.close_lost(), await calls.close_lost()) == (1, 0)
    assert sorted(row["outcome"] or "" for row in await rows_of(audit)) == ["", "", "ok", "unknown"]
    assert [report.faults for report in await audit.verify([], {})] == [()]


async def filled(calls: CallLedgerStore, count: int = 3) -> None:
    for _ in range(count):
        made = entry()
        await calls.admit(made)
        await calls.close(end_of(made))


@pytest.mark.parametrize("field", FIELDS)
async def test_a_change_of_any_field_of_any_row_is_found(
    database: Database, calls: CallLedgerStore, audit: AuditStore, field: str
) -> None:
    await filled(calls)
    rows = await rows_of(audit)
    row = next((one for one in rows[2:] if one[field] is not None), rows[2])
    value: Any = row[field]
    match value:
        case int():
            changed: Any = value + 1000
        case list():
            changed = [*value, "more"]
        case None:
            changed = "x"
        case str():
            changed = f"{value}x"[-16:] if value else "x"
        case _:
            changed = value + timedelta(microseconds=1)
    mine = TOOL_AUDIT.c.event_id == row["event_id"]
    await database.write(lambda connection: connection.execute(update(TOOL_AUDIT).where(mine).values({field: changed})))

    assert any(report.faults for report in await audit.verify([], {}))


@pytest.mark.parametrize("gone", [[1], [3], [2, 3], [5, 6], [6], [1, 2, 3, 4, 5, 6]])
async def test_lost_rows_are_found_up_to_the_last_anchor(
    database: Database, calls: CallLedgerStore, audit: AuditStore, gone: list[int]
) -> None:
    await filled(calls)
    anchors = await audit.heads()
    await database.write(lambda connection: connection.execute(delete(TOOL_AUDIT).where(TOOL_AUDIT.c.seq.in_(gone))))

    assert any(report.faults for report in await audit.verify(anchors, {}))


async def test_a_tail_that_was_cut_together_with_the_head_is_found_by_the_anchor_only(
    database: Database, calls: CallLedgerStore, audit: AuditStore
) -> None:
    from db.audit_tables import AUDIT_HEAD  # the attacker's own

    await filled(calls)
    anchors = await audit.heads()
    rows = await rows_of(audit)

    def cut(connection: Any) -> None:
        connection.execute(delete(TOOL_AUDIT).where(TOOL_AUDIT.c.seq > 4))
        connection.execute(update(AUDIT_HEAD).values(seq=4, hash=rows[3]["hash"]))

    await database.write(cut)

    assert [report.faults for report in await audit.verify([], {})] == [()]
    assert any(report.faults for report in await audit.verify(anchors, {}))


async def test_a_chain_that_was_written_anew_does_not_meet_its_anchor(
    database: Database, calls: CallLedgerStore, audit: AuditStore
) -> None:
    await filled(calls)
    anchors = await audit.heads()

    def forge(connection: Any) -> None:
        from db.audit_tables import AUDIT_HEAD

        previous = "0" * 64
        for row in connection.execute(select(TOOL_AUDIT).order_by(TOOL_AUDIT.c.seq)).all():
            values = {**row._mapping, "user_id": "nobody", "previous_hash": previous}
            values["hash"] = previous = row_hash(values)
            connection.execute(update(TOOL_AUDIT).where(TOOL_AUDIT.c.seq == row.seq).values(values))
        connection.execute(update(AUDIT_HEAD).values(hash=previous))

    await database.write(forge)

    assert [report.faults for report in await audit.verify([], {})] == [()]
    assert any("anchored" in fault for report in await audit.verify(anchors, {}) for fault in report.faults)


async def test_rows_that_are_old_enough_go_from_the_beginning_and_the_rest_stays_whole(
    calls: CallLedgerStore, audit: AuditStore
) -> None:
    await filled(calls)
    ends = await audit.retirable(utc_now() + timedelta(days=1))
    assert [report.faults for report in await audit.verify([], {end.organization_id: [end] for end in ends})] == [()]
    await audit.retire(ends)

    (report,) = await audit.verify([], {end.organization_id: [end] for end in ends})
    assert (report.faults, report.first_seq, report.rows) == ((), 6, 1)
    assert any(report.faults for report in await audit.verify([], {}))


async def test_rows_not_yet_anchored_are_named(calls: CallLedgerStore, audit: AuditStore) -> None:
    await filled(calls, 1)
    anchors = await audit.heads()
    await filled(calls, 1)

    (report,) = await audit.verify(anchors, {})
    assert report.unanchored == (3, 4)
    (whole,) = await audit.verify([*anchors, *await audit.heads()], {})
    assert whole.unanchored is None


async def test_organizations_have_chains_of_their_own(calls: CallLedgerStore, audit: AuditStore) -> None:
    for organization in ("a", "b"):
        await calls.admit(entry(organization_id=organization, run_id=f"r-{organization}"))

    assert [(row["organization_id"], row["seq"]) for row in await rows_of(audit)] == [("a", 1), ("b", 1)]
    gone = Anchor(organization_id="c", seq=3, hash="x", at="then")
    assert [report.organization_id for report in await audit.verify([gone], {}) if report.faults] == ["c"]


async def test_fifty_sessions_of_twenty_calls_lose_and_double_nothing(
    calls: CallLedgerStore, audit: AuditStore
) -> None:
    async def session(number: int) -> None:
        for call in range(20):
            made = entry(session_id=f"s{number}", run_id=f"r{number}", tool_call_id=f"c{call}", max_calls=20)
            assert (await calls.admit(made)).code is None
            await calls.close(end_of(made))

    await asyncio.gather(*(session(number) for number in range(50)))

    rows = await rows_of(audit)
    assert [row["seq"] for row in rows] == list(range(1, 2001))
    assert len({(row["run_id"], row["tool_call_id"], row["phase"]) for row in rows}) == 2000
    assert [report.faults for report in await audit.verify([], {})] == [()]


async def test_what_anchors_vouch_for_has_reached_the_disk_before_they_are_given_away(
    database: Database, calls: CallLedgerStore, audit: AuditStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[int] = []
    settle = database.settle

    async def counted() -> None:
        settled.append(len(await rows_of(audit)))
        await settle()

    monkeypatch.setattr(database, "settle", counted)
    await filled(calls, 1)
    await audit.heads()
    await audit.heads()
    assert settled == [2], "nothing moved in between"

    await filled(calls, 1)
    await audit.heads()
    assert settled == [2, 4]


async def test_what_is_relayed_has_reached_the_disk(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[bool] = []
    settle = database.settle

    async def counted() -> None:
        settled.append(True)
        await settle()

    monkeypatch.setattr(database, "settle", counted)
    outbox = AuditOutbox(database)
    assert (await outbox.due("file", utc_now(), 10), settled) == ([], [])
    await CallLedgerStore(database, sinks=["file"]).admit(entry())

    assert len(await outbox.due("file", utc_now(), 10)) == 1
    assert settled == [True]


async def test_only_the_row_before_a_call_waits_for_the_disk(
    database: Database, calls: CallLedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[bool] = []
    write = database.write

    async def remembered(fn: Any, *, durable: bool = False) -> Any:
        waited.append(durable)
        return await write(fn, durable=durable)

    monkeypatch.setattr(database, "write", remembered)
    made = entry()
    await calls.admit(made)
    await calls.close(end_of(made))

    assert waited == [True, False]


async def test_two_rows_that_changed_places_are_found(
    database: Database, calls: CallLedgerStore, audit: AuditStore
) -> None:
    await filled(calls)

    def swap(connection: Any) -> None:
        for seq, to_seq in ((3, 1000), (4, 3), (1000, 4)):
            connection.execute(update(TOOL_AUDIT).where(TOOL_AUDIT.c.seq == seq).values(seq=to_seq))

    await database.write(swap)

    assert any(report.faults for report in await audit.verify([], {}))


@pytest.mark.parametrize("to_seq", [3, 7], ids=["in the middle", "at the end"])
async def test_a_row_that_was_copied_is_found(
    database: Database, calls: CallLedgerStore, audit: AuditStore, to_seq: int
) -> None:
    await filled(calls)

    def copy(connection: Any) -> None:
        row = connection.execute(select(TOOL_AUDIT).where(TOOL_AUDIT.c.seq == 2)).one()
        if to_seq == 3:
            for seq in (6, 5, 4, 3):
                connection.execute(update(TOOL_AUDIT).where(TOOL_AUDIT.c.seq == seq).values(seq=seq + 1))
        # Even the copy's own hash is right, and the database's unique indexes are kept.
        values = {**row._mapping, "seq": to_seq, "event_id": "copy", "tool_call_id": "copy"}
        values["hash"] = row_hash(values)
        connection.execute(TOOL_AUDIT.insert(), values)

    await database.write(copy)

    assert any(report.faults for report in await audit.verify([], {}))


async def test_first_writers_of_one_chain_at_the_same_time_lose_nothing(
    database: Database, calls: CallLedgerStore, audit: AuditStore
) -> None:
    for chain in range(5):
        made = [entry(organization_id=f"o{chain}", run_id=f"r{chain}", max_calls=20) for _ in range(8)]
        assert {one.code for one in await asyncio.gather(*(calls.admit(each) for each in made))} == {None}

    rows = await rows_of(audit)
    assert [row["seq"] for row in rows] == [*range(1, 9)] * 5
    assert [report.faults for report in await audit.verify([], {})] == [()] * 5


async def test_one_call_that_is_entered_many_times_at_once_has_one_record_and_takes_one_place(
    calls: CallLedgerStore, audit: AuditStore
) -> None:
    made = entry(max_calls=1)
    admitted = await asyncio.gather(*(calls.admit(replace(made, audit_id=new_id())) for _ in range(8)))

    assert {one.code for one in admitted} == {None}
    assert len({one.audit_id for one in admitted}) == len(await rows_of(audit)) == 1


async def test_one_approval_and_many_calls_at_once_let_one_happen(
    calls: CallLedgerStore, approvals: ApprovalStore, audit: AuditStore
) -> None:
    made = entry(needs_approval=True)
    await approvals.decide([approval(made)], trace_id="t1", agent="tried")
    others = [replace(made, audit_id=new_id(), tool_call_id=f"other-{number}") for number in range(7)]
    admitted = await asyncio.gather(*(calls.admit(each) for each in (made, *others)))

    assert [one.code for one in admitted] == [None] + ["approval_required"] * 7
    consumed = [row["approval_id"] for row in await rows_of(audit) if row["approval_id"]]
    assert len(consumed) == 1


async def test_one_call_that_is_ended_many_times_at_once_has_one_end(calls: CallLedgerStore, audit: AuditStore) -> None:
    made = entry()
    await calls.admit(made)
    await asyncio.gather(*(calls.close(end_of(made, detail=str(number))) for number in range(8)))

    assert [row["phase"] for row in await rows_of(audit)] == ["before", "end"]
    assert [report.faults for report in await audit.verify([], {})] == [()]
