"""Spans of days in all the shapes documents print them (R-PIT-21, L26)."""

from __future__ import annotations

from datetime import date

import pytest

from algorithms.airflow_review.evidence import WindowStatus
from algorithms.airflow_review.reading.dates import parse_day, parse_window

DECEMBER = (date(2024, 12, 1), date(2024, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "2024年12月1日至2024年12月31日",
        "2024年12月1日～31日",
        "2024年12月1日—12月31日",
        "2024.12.1－2024.12.31",
        "2024-12-01 ~ 2024-12-31",
        "2024/12/01 ~ 2024/12/31",
        "2024-12-01 9:00 至 2024-12-31 16:00",
        "2024年12月",
        "2024年12月份",
        "2024年第12月",
        "2024-12",
        "20241201-20241231",
        "二〇二四年十二月一日至三十一日",
        "自2024年12月1日起至2024年12月31日止",
        "2024年12月1～31日",
        "2024-12-01～31",
        "开始日期：2024-12-01 结束日期：2024-12-31",
    ],
)
def test_r_pit_21_a_month_is_read_in_every_shape(text):
    window = parse_window(text)

    assert window.status is WindowStatus.OK
    assert (window.start, window.end) == DECEMBER


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("2024年12月上旬", 1, 10), ("2024年12月中旬", 11, 20), ("2024年12月下旬", 21, 31), ("2024年12月11日", 11, 11)],
)
def test_a_third_of_a_month_is_ten_days(text, first, last):
    window = parse_window(text)

    assert (window.start, window.end) == (date(2024, 12, first), date(2024, 12, last))


@pytest.mark.parametrize("text", ["12.1-12.31", "12月1日至12月31日"])
def test_days_without_a_year_need_the_document_s_year(text):
    assert parse_window(text).status is WindowStatus.UNPARSABLE
    assert (parse_window(text, year=2024).start, parse_window(text, year=2024).end) == DECEMBER


def test_a_span_may_run_into_the_next_year():
    window = parse_window("2024年12月26日至1月25日")

    assert (window.start, window.end) == (date(2024, 12, 26), date(2025, 1, 25))


@pytest.mark.parametrize(
    "text",
    [
        "本月",
        "以调度通知为准",
        "2024年11月31日至12月30日",
        "2024年12月1日起",
        "2024年12月31日至2024年12月1日",
        "2024年12月1日至",
    ],
)
def test_r_pit_21_what_cannot_be_read_goes_to_a_person(text):
    window = parse_window(text)

    assert window.status is WindowStatus.UNPARSABLE
    assert window.start is None


def test_nothing_printed_is_missing():
    assert parse_window("").status is WindowStatus.MISSING
    assert parse_window("—").status is WindowStatus.MISSING


def test_a_single_day_is_found_in_a_line():
    assert parse_day("编制日期：2024年11月26日") == date(2024, 11, 26)
    assert parse_day("编制单位：通风科") is None


def test_the_number_of_a_shaft_is_no_day():
    window = parse_window("竹溪矿业公司二号井月度配风计划（2025年1月）")

    assert (window.start, window.end) == (date(2025, 1, 1), date(2025, 1, 31))


def test_words_between_the_first_day_and_the_last_are_passed_over():
    window = parse_window("自2025年3月1日起执行，至3月31日止")

    assert (window.start, window.end) == (date(2025, 3, 1), date(2025, 3, 31))
