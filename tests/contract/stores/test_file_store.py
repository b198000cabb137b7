"""What FileStore promises on every database."""

from __future__ import annotations

import pytest

from db.errors import DuplicateError, NotFoundError
from db.file_store import FileStore
from db.session_store import SessionStore
from tests.contract.stores.samples import a_file, a_session, at

REPORT = "/workspace/outputs/airflow/report.docx"


@pytest.fixture(autouse=True)
async def _sessions(sessions: SessionStore) -> None:
    await sessions.create(a_session("s1"))
    await sessions.create(a_session("s2"))


async def test_files_come_back_oldest_first_and_by_role(files: FileStore) -> None:
    upload, output = a_file(created_at=at(1)), a_file(REPORT, role="output", run_id="r1", created_at=at(0))

    await files.add_many([upload, output])

    assert await files.list("s1") == [output, upload]
    assert await files.list("s1", role="upload") == [upload]
    assert await files.get("s1", REPORT) == output


async def test_the_same_path_again_replaces_the_file(files: FileStore) -> None:
    await files.add_many([a_file(REPORT, file_id="f1"), a_file(REPORT, file_id="f2", size=1)])
    await files.add_many([a_file(REPORT, file_id="f3", size=2, role="output")])

    assert await files.list("s1") == [a_file(REPORT, file_id="f3", size=2, role="output")]


async def test_a_path_belongs_to_its_session(files: FileStore) -> None:
    await files.add_many([a_file(REPORT, file_id="f1"), a_file(REPORT, file_id="f2", session_id="s2")])

    assert (await files.get("s1", REPORT)).file_id == "f1"
    for path in (REPORT.upper(), "/workspace/outputs/other"):
        with pytest.raises(NotFoundError):
            await files.get("s1", path)


async def test_files_are_added_all_or_none(files: FileStore) -> None:
    await files.add_many([a_file(REPORT, file_id="f1")])

    with pytest.raises(DuplicateError):
        await files.add_many([a_file("/workspace/a", file_id="f2"), a_file("/workspace/b", file_id="f1")])

    assert [one.file_id for one in await files.list("s1")] == ["f1"]


async def test_no_files_are_no_work(files: FileStore) -> None:
    await files.add_many([])

    assert await files.list("s1") == []
