"""What MessageStore promises on every database."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from db.errors import DuplicateError, NotFoundError
from db.message_store import MessageStore
from db.session_store import SessionStore
from tests.contract.stores.samples import NOON, a_message, a_session, at


@pytest.fixture(autouse=True)
async def _session(sessions: SessionStore) -> None:
    await sessions.create(a_session())


async def test_a_message_comes_back_as_it_was_stored(messages: MessageStore) -> None:
    message = a_message(content="风\n" * 40_000, parts=[{"b": 1, "a": [None, 1.5, "✓"]}], run_id=None)

    await messages.add(message)

    assert await messages.list("s1") == [message]


async def test_r_pit_8_messages_of_one_moment_keep_the_order_they_were_added(messages: MessageStore) -> None:
    added = [f"m{number:02}" for number in (7, 3, 9, 1, 5)]
    for name in added:
        await messages.add(a_message(name))

    assert [one.message_id for one in await messages.list("s1")] == added


async def test_r_pit_8_messages_of_one_second_are_ordered_by_their_microseconds(messages: MessageStore) -> None:
    for microseconds in (999_999, 1, 10, 0, 100_000):
        moment = NOON.replace(microsecond=microseconds)
        await messages.add(a_message(f"m{microseconds}", created_at=moment))

    listed = await messages.list("s1")

    assert [one.created_at.microsecond for one in listed] == [0, 1, 10, 100_000, 999_999]


async def test_r_pit_8_a_moment_of_another_zone_is_the_same_moment_in_utc(messages: MessageStore) -> None:
    beijing = timezone(timedelta(hours=8))
    await messages.add(a_message("later", created_at=at(1).astimezone(beijing)))
    await messages.add(a_message("earlier", created_at=at(0)))

    earlier, later = await messages.list("s1")

    assert (earlier.message_id, later.message_id) == ("earlier", "later")
    assert later.created_at == at(1)
    assert later.created_at.utcoffset() == timedelta(0)


async def test_r_pit_8_a_moment_without_a_zone_is_refused(messages: MessageStore) -> None:
    with pytest.raises(Exception, match="no time zone"):
        await messages.add(a_message(created_at=NOON.replace(tzinfo=None)))

    assert await messages.list("s1") == []


async def test_a_message_grows_in_its_place(messages: MessageStore) -> None:
    await messages.add(a_message("m1", status="streaming", content="", parts=[]))
    await messages.add(a_message("m2"))

    await messages.replace("m1", content="完", parts=[{"type": "done"}], status="complete")

    first, second = await messages.list("s1")
    assert first == a_message("m1", content="完", parts=[{"type": "done"}], status="complete")
    assert second == a_message("m2")


async def test_unknown_and_repeated_messages_are_refused(messages: MessageStore) -> None:
    await messages.add(a_message())

    with pytest.raises(NotFoundError):
        await messages.replace("m2", content="", parts=[], status="complete")
    with pytest.raises(DuplicateError):
        await messages.add(a_message(content="another"))
    assert await messages.list("s1") == [a_message()]
