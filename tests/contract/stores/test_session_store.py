"""What SessionStore promises on every database."""

from __future__ import annotations

import pytest

from db.errors import BadCursorError, DuplicateError, NotFoundError
from db.file_store import FileStore
from db.message_store import MessageStore
from db.run_event_store import RunEventStore
from db.run_store import RunStore
from db.session_store import SessionStore
from db.stamp import utc_now
from db.usage_ledger import UsageLedger
from tests.contract.stores.samples import a_call, a_file, a_message, a_run, a_session, an_event, at


async def test_a_session_comes_back_as_it_was_stored(sessions: SessionStore) -> None:
    await sessions.create(a_session(title="一采区 🌬 'x' %"))

    assert await sessions.get("s1", "王工") == a_session(title="一采区 🌬 'x' %")


async def test_an_id_is_given_once(sessions: SessionStore) -> None:
    await sessions.create(a_session())

    with pytest.raises(DuplicateError):
        await sessions.create(a_session(user_name="李工"))
    assert (await sessions.get("s1", "王工")).user_name == "王工"


@pytest.mark.parametrize("stranger", ["李工", "", "王工 ", "%", "王"])
async def test_r_inv_1_a_foreign_session_does_not_exist(sessions: SessionStore, stranger: str) -> None:
    await sessions.create(a_session())

    with pytest.raises(NotFoundError):
        await sessions.get("s1", stranger)
    with pytest.raises(NotFoundError):
        await sessions.rename("s1", stranger, "mine now")
    with pytest.raises(NotFoundError):
        await sessions.delete("s1", stranger)
    assert (await sessions.list(stranger)).items == []
    assert await sessions.get("s1", "王工") == a_session()


async def test_users_and_ids_that_differ_in_case_are_different(sessions: SessionStore) -> None:
    await sessions.create(a_session("a", user_name="Li"))
    await sessions.create(a_session("A", user_name="li"))

    assert [one.session_id for one in (await sessions.list("li")).items] == ["A"]


async def test_sessions_are_listed_by_their_last_use(sessions: SessionStore) -> None:
    for name, seconds in (("s1", 2), ("s2", 3), ("s3", 1)):
        await sessions.create(a_session(name, updated_at=at(seconds)))

    await sessions.touch("s3", title="新标题")

    assert [one.session_id for one in (await sessions.list("王工")).items] == ["s3", "s2", "s1"]
    touched = await sessions.get("s3", "王工")
    assert touched.title == "新标题"
    assert abs((utc_now() - touched.updated_at).total_seconds()) < 60


async def test_touching_without_a_title_keeps_the_title(sessions: SessionStore) -> None:
    await sessions.create(a_session())

    await sessions.touch("s1")

    assert (await sessions.get("s1", "王工")).title == "12月配风计划"
    with pytest.raises(NotFoundError):
        await sessions.touch("s2")


async def test_a_new_title_leaves_the_session_in_its_place(sessions: SessionStore) -> None:
    await sessions.create(a_session())

    await sessions.rename("s1", "王工", "改名")

    assert await sessions.get("s1", "王工") == a_session(title="改名")


async def test_pages_join_without_hole_or_repeat_even_in_one_moment(sessions: SessionStore) -> None:
    made = [f"s{number:02}" for number in range(10)]
    for number, name in enumerate(made):
        await sessions.create(a_session(name, updated_at=at(number // 4)))  # four share each moment

    seen, cursor = [], None
    while True:
        page = await sessions.list("王工", limit=3, cursor=cursor)
        seen += [one.session_id for one in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert seen == sorted(made, reverse=True)


async def test_a_page_that_holds_the_rest_has_no_next(sessions: SessionStore) -> None:
    for name in ("s1", "s2"):
        await sessions.create(a_session(name))

    assert (await sessions.list("王工", limit=2)).next_cursor is None


async def test_paging_is_stable_while_sessions_come_and_are_used(sessions: SessionStore) -> None:
    for number in range(6):
        await sessions.create(a_session(f"s{number}", updated_at=at(number)))
    first = await sessions.list("王工", limit=3)

    await sessions.create(a_session("s9", updated_at=at(9)))
    await sessions.touch("s4")
    second = await sessions.list("王工", limit=3, cursor=first.next_cursor)

    assert [one.session_id for one in first.items] == ["s5", "s4", "s3"]
    assert [one.session_id for one in second.items] == ["s2", "s1", "s0"]


@pytest.mark.parametrize("cursor", ["", "x", "!!", "AAAA", "MjAyNC0xMi0wMQ==", "2024-12-01T00:00:00Z", "风"])
async def test_a_cursor_of_somebody_else_is_refused(sessions: SessionStore, cursor: str) -> None:
    with pytest.raises(BadCursorError):
        await sessions.list("王工", cursor=cursor)


async def test_search_finds_titles_and_takes_no_wildcards(sessions: SessionStore) -> None:
    await sessions.create(a_session("s1", title="配风计划 Alpha"))
    await sessions.create(a_session("s2", title="100% 合格"))

    for query, found in (("配风", ["s1"]), ("ALPHA", ["s1"]), ("%", ["s2"]), ("_", []), ("'", [])):
        assert [one.session_id for one in (await sessions.list("王工", query=query)).items] == found


async def test_r_api_3_deleting_a_session_removes_all_of_it_but_the_bill(
    sessions: SessionStore,
    messages: MessageStore,
    files: FileStore,
    runs: RunStore,
    events: RunEventStore,
    ledger: UsageLedger,
) -> None:
    for name in ("s1", "s2"):
        await sessions.create(a_session(name))
        await messages.add(a_message(f"m-{name}", session_id=name))
        await files.add_many([a_file(file_id=f"f-{name}", session_id=name)])
        await runs.create(a_run(f"r-{name}", session_id=name))
        await events.append(f"r-{name}", [an_event(1, f"r-{name}")])
        await ledger.add(a_call(f"c-{name}", session_id=name))

    await sessions.delete("s1", "王工")

    with pytest.raises(NotFoundError):
        await sessions.get("s1", "王工")
    with pytest.raises(NotFoundError):
        await runs.get("r-s1")
    assert [await messages.list("s1"), await files.list("s1"), await events.read("r-s1")] == [[], [], []]
    assert (await ledger.totals_of_session("s1")).calls == 1
    assert [len(await messages.list("s2")), len(await files.list("s2")), len(await events.read("r-s2"))] == [1, 1, 1]


async def test_nothing_can_be_written_to_a_deleted_session(
    sessions: SessionStore, messages: MessageStore, files: FileStore, runs: RunStore, events: RunEventStore
) -> None:
    await sessions.create(a_session())
    await runs.create(a_run())
    await sessions.delete("s1", "王工")

    with pytest.raises(NotFoundError):
        await messages.add(a_message())
    with pytest.raises(NotFoundError):
        await files.add_many([a_file()])
    with pytest.raises(NotFoundError):
        await runs.create(a_run("r2"))
    with pytest.raises(NotFoundError):
        await events.append("r1", [an_event(1)])
