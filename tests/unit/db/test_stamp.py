"""R-PIT-8: moments carry microseconds; ids sort by their making."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.stamp import fmt_dt, new_id, parse_dt, utc_now

MOMENTS = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(timedelta(hours=-3.5))]))


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2024, 12, 1, 0, 0, 0, 1, tzinfo=UTC), "2024-12-01T00:00:00.000001Z"),
        (datetime(2024, 12, 1, tzinfo=UTC), "2024-12-01T00:00:00.000000Z"),
        (datetime(2024, 12, 1, 8, 30, tzinfo=timezone(timedelta(hours=8))), "2024-12-01T00:30:00.000000Z"),
        (datetime(999, 1, 2, tzinfo=UTC), "0999-01-02T00:00:00.000000Z"),
    ],
)
def test_r_pit_8_a_moment_is_written_in_utc_with_microseconds(moment: datetime, text: str) -> None:
    assert fmt_dt(moment) == text


@given(MOMENTS.filter(lambda one: 1 < one.year < 9999), MOMENTS.filter(lambda one: 1 < one.year < 9999))
def test_r_pit_8_text_order_is_time_order_and_nothing_is_lost(one: datetime, other: datetime) -> None:
    assert parse_dt(fmt_dt(one)) == one
    assert (fmt_dt(one) < fmt_dt(other)) == (one < other)


def test_a_moment_without_a_zone_is_refused_both_ways() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        fmt_dt(datetime(2024, 12, 1))  # noqa: DTZ001 - the refusal is what is tested
    with pytest.raises(ValueError, match="no time zone"):
        parse_dt("2024-12-01T00:00:00")


def test_now_is_aware_and_in_utc() -> None:
    assert utc_now().utcoffset() == timedelta(0)


def test_ids_are_uuids_of_version_7_that_tell_their_millisecond() -> None:
    before = time.time_ns() // 1_000_000
    made = UUID(new_id())
    after = time.time_ns() // 1_000_000

    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    assert before - 1 <= made.int >> 80 <= after + 1


def test_ids_rise_within_a_millisecond() -> None:
    made = [new_id() for _ in range(20_000)]

    assert made == sorted(set(made))


def test_ids_rise_when_the_clock_steps_back(monkeypatch: pytest.MonkeyPatch) -> None:
    first = new_id()
    monkeypatch.setattr(time, "time_ns", lambda: 0)

    assert new_id() > first


def test_threads_never_share_an_id() -> None:
    made: list[list[str]] = []
    threads = [threading.Thread(target=lambda: made.append([new_id() for _ in range(2_000)])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({one for part in made for one in part}) == 16_000
    assert all(part == sorted(part) for part in made)
