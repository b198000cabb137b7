"""The file of anchors: private, only growing, readable whatever happened to it; and what a check makes of it."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update

from db.audit_chain import Anchor
from db.audit_store import AuditStore
from db.audit_tables import AUDIT_HEAD, TOOL_AUDIT
from db.db_conn import Database
from scheduler.anchors import AnchorFile
from scheduler.audit_check import check_audit
from tests.contract.audit.conftest import Fill


def anchor(seq: int, organization: str = "local") -> Anchor:
    return Anchor(organization_id=organization, seq=seq, hash="h", at="then")


def test_the_file_is_private_and_its_folder_is_made(anchors: AnchorFile, anchor_path: Path) -> None:
    anchors.add([anchor(1)])

    assert stat.S_IMODE(anchor_path.stat().st_mode) == 0o600


def test_only_heads_that_moved_are_added(anchors: AnchorFile, anchor_path: Path) -> None:
    assert [anchors.add([anchor(1), anchor(0, "empty")]), anchors.add([anchor(1)]), anchors.add([anchor(2)])] == [
        1,
        0,
        1,
    ]

    assert [json.loads(line)["seq"] for line in anchor_path.read_text().splitlines()] == [1, 2]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_was_cut_off_is_noted_and_does_not_spoil_the_next(
    anchors: AnchorFile, anchor_path: Path, cut: int
) -> None:
    anchors.add([anchor(1)])
    line = anchor_path.read_bytes()
    anchor_path.write_bytes(line + line[:cut])
    torn = AnchorFile(anchor_path).read()
    assert ([a.seq for a in torn.anchors], torn.faults, len(torn.notes)) == ([1], (), 1)
    assert "line 2" in torn.notes[0]

    AnchorFile(anchor_path).add([anchor(3)])

    mended = AnchorFile(anchor_path).read()
    assert ([a.seq for a in mended.anchors], mended.faults, len(mended.notes)) == ([1, 3], (), 1)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"null",
        b"[]",
        b"7",
        b"{}",
        b'{"organization_id": "local", "seq": "9", "hash": "h", "at": "x"}',
        b'{"organization_id": "local", "seq": true, "hash": "h", "at": "x"}',
        b'{"organization_id": "local", "seq": 9.5, "hash": "h", "at": "x"}',
        b'{"organization_id": "local", "seq": -1, "hash": "h", "at": "x"}',
        b'{"organization_id": null, "seq": 9, "hash": "h", "at": "x"}',
        b'{"organization_id": "local", "seq": 9, "hash": "h", "at": "x", "more": 1}',
        b'{"organization_id": "local", "seq": ' + b"9" * 5000 + b', "hash": "h", "at": "x"}',
        b"a line somebody wrote",
    ],
    ids=lambda garbage: garbage[:60].decode("utf-8", "replace"),
)
def test_a_line_that_is_no_anchor_is_a_fault_named_by_its_number(
    anchors: AnchorFile, anchor_path: Path, garbage: bytes
) -> None:
    anchors.add([anchor(1)])
    with anchor_path.open("ab") as file:
        file.write(garbage + b"\n")
    anchors.add([anchor(2)])

    record = anchors.read()

    assert [a.seq for a in record.anchors] == [1, 2]
    assert (len(record.faults), record.notes) == (1, ())
    assert "line 2 of the anchor file" in record.faults[0]


def test_a_missing_file_is_a_note_and_one_that_cannot_be_read_a_fault(tmp_path: Path) -> None:
    assert "no anchor file" in AnchorFile(tmp_path / "absent.jsonl").read().notes[0]
    assert "cannot be read" in AnchorFile(tmp_path).read().faults[0]


@pytest.mark.parametrize("loss", ["tail", "everything", "everything and the heads"])
async def test_a_loss_is_found_up_to_the_last_anchor(
    database: Database, store: AuditStore, fill: Fill, anchors: AnchorFile, loss: str
) -> None:
    await fill(3)
    anchors.add(await store.heads())
    await fill(1)
    first = 5 if loss == "tail" else 1

    def cut(connection: Any) -> None:
        connection.execute(delete(TOOL_AUDIT).where(TOOL_AUDIT.c.seq >= first))
        if loss == "tail":
            head = connection.execute(TOOL_AUDIT.select().where(TOOL_AUDIT.c.seq == 4)).one()
            connection.execute(update(AUDIT_HEAD).values(seq=4, hash=head.hash))
        elif loss != "everything":
            connection.execute(delete(AUDIT_HEAD))

    await database.write(cut)

    checked = await check_audit(store, anchors)

    assert not checked.is_whole
    (report,) = checked.chains
    assert any("are missing at the end" in fault for fault in report.faults), report


async def test_what_was_never_anchored_is_named(store: AuditStore, fill: Fill, anchors: AnchorFile) -> None:
    await fill(1)
    early = await check_audit(store, anchors)
    anchors.add(await store.heads())
    await fill(2)

    later = await check_audit(store, anchors)

    assert (early.is_whole, [report.unanchored for report in early.chains]) == (True, [(1, 2)])
    assert any("no anchor vouches" in note for note in early.anchor_notes)
    assert (later.is_whole, [report.unanchored for report in later.chains], later.anchor_notes) == (True, [(3, 6)], ())


async def test_a_row_outside_the_numbers_is_found(
    database: Database, store: AuditStore, fill: Fill, anchors: AnchorFile
) -> None:
    await fill(2)

    def smuggle(connection: Any) -> None:
        row = dict(connection.execute(TOOL_AUDIT.select().where(TOOL_AUDIT.c.seq == 1)).one()._mapping)
        row |= {"seq": -3, "event_id": "forged", "run_id": "forged"}
        connection.execute(TOOL_AUDIT.insert().values(row))

    await database.write(smuggle)

    assert not (await check_audit(store, anchors)).is_whole
