"""Amounts, ids, recipients and times are read the same in a claim and in a receipt, in digits and in Chinese."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.guards.claims.facts import agrees, read_facts, receipt_facts

DIGITS = "零一二三四五六七八九"


def written(number):
    """A number below a hundred million as Chinese writes it: every group of four with its units, one 零 for a gap."""
    if number >= 10_000:
        low = number % 10_000
        zero = "零" if 0 < low < 1000 else ""
        return written(number // 10_000) + "万" + (zero + written(low) if low else "")
    out = ""
    gap = False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            out += ("零" if gap and out else "") + DIGITS[digit] + name
        gap = digit == 0
    return out


@given(st.integers(1, 99_999_999))
def test_a_chinese_amount_is_the_number_it_writes(number):
    assert read_facts(f"退款{written(number)}元").amounts == {Decimal(number)}


@given(st.integers(1, 10**7), st.integers(0, 99))
def test_an_amount_is_the_same_with_and_without_thousands(whole, cents):
    plain, grouped = f"{whole}.{cents:02}", f"{whole:,}.{cents:02}"

    assert read_facts(f"退款{plain}元").amounts == read_facts(f"a refund of ${grouped}").amounts == {Decimal(plain)}


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("退了三百五块", 350),
        ("一万二元", 12000),
        ("1.36万元", 13600),
        ("二点五元", Decimal("2.5")),
        ("￥一〇二元", 102),
        ("¥ 20", 20),
    ],
)
def test_spoken_amounts_are_read(text, amount):
    assert read_facts(text).amounts == {Decimal(amount)}


@pytest.mark.parametrize("text", ["3个工作日内", "CH4 0.3%", "风量35181 m3/min", "第二条", "共3单"])
def test_other_numbers_are_no_amounts(text):
    assert read_facts(text).amounts == frozenset()


def test_units_and_gases_are_no_ids():
    assert read_facts("35 m3/min, ch4, co2, so-12, #410, wf-2024-001").ids == {"so-12", "#410", "wf-2024-001"}


@pytest.mark.parametrize(
    ("said", "proven", "fits"),
    [
        ("so-2", {"order": "SO-1"}, False),
        ("so-1", {"order": "SO-1"}, True),
        ("so-2", {"ticket": "TK-1"}, True),  # another kind of thing: it proves nothing either way
        ("1208", {"record": "face-1208"}, True),
        ("#410", {"order": 410}, True),
        ("so-1", {}, True),
        ("so-3", {"orders": ["SO-1", "SO-2"]}, False),
        ("so-2", {"orders": ["SO-1", "SO-2"]}, True),
        ("so-2", {"item": {"order": "SO-2"}}, True),
    ],
)
def test_an_id_is_wrong_only_beside_one_of_its_kind(said, proven, fits):
    assert agrees(read_facts(said), receipt_facts(proven)) is fits


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("每天凌晨两点", (2, 0)),
        ("晚上十点", (22, 0)),
        ("下午3点半", (15, 30)),
        ("早上九点15分", (9, 15)),
        ("at 22:30", (22, 30)),
        ("at 6 pm", (18, 0)),
        ("12 am", (0, 0)),
        ("7:05 am", (7, 5)),
    ],
)
def test_times_of_day_are_read(text, time):
    assert read_facts(text).hours == {time}


@pytest.mark.parametrize(
    ("cron", "hours", "days"),
    [
        ("0 2 * * *", {(2, 0)}, set()),
        ("30 22 * * 6", {(22, 30)}, {6}),
        ("0 9,18 * * 1-5", {(9, 0), (18, 0)}, {1, 2, 3, 4, 5}),
        ("0 9 * * 7", {(9, 0)}, {0}),
        ("*/5 * * * *", set(), set()),
        ("0 9 * * mon", {(9, 0)}, {1}),
    ],
)
def test_a_cron_line_is_read_as_times_and_days(cron, hours, days):
    facts = receipt_facts({"cron": cron})

    assert facts.hours == hours
    assert facts.weekdays == days


@pytest.mark.parametrize(("text", "day"), [("每周三", 3), ("星期日", 0), ("every Friday", 5), ("on Tuesdays", 2)])
def test_weekdays_are_read(text, day):
    assert read_facts(text.lower()).weekdays == {day}


def test_what_a_narrow_stretch_does_not_name_is_taken_from_the_wider_one():
    narrow = read_facts("退款30元").or_else(read_facts("so-1 退款50元"))

    assert narrow.amounts == {Decimal(30)}
    assert narrow.ids == {"so-1"}
