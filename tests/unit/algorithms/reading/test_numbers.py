"""Numbers, quantities, ranges and missing marks as documents print them (L14-L18, L27)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.reading.numbers import (
    MissingMark,
    convert,
    missing_mark,
    parse_number,
    parse_quantity,
    parse_range,
    parse_unit,
)

D = Decimal


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1221", "1221"),
        ("１２１７", "1217"),
        ("1,221", "1221"),
        ("1 221", "1221"),
        ("1，5", "1.5"),
        ("11073.6", "11073.6"),
        ("+2.5", "2.5"),
        ("－2.5", "-2.5"),
        ("32,497.2", "32497.2"),
    ],
)
def test_numbers_are_read_in_every_spelling(text, number):
    assert parse_number(text) == D(number)


@pytest.mark.parametrize("text", ["", "—", "1.2.3", "12,34,5", "1221m³", "42105综采", "1 22", "停"])
def test_what_is_not_wholly_a_number_is_none(text):
    assert parse_number(text) is None


@given(st.decimals(min_value=0, max_value=99999, places=2))
def test_a_number_grouped_by_thousands_keeps_its_value(number):
    assert parse_number(f"{number:,}") == number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1221m3/min", "1221", "m3/min"),
        ("11.3㎡", "11.3", "m2"),
        ("525立方米/分", "525", "m3/min"),
        ("19℃", "19", "C"),
        ("0.25%", "0.25", "%"),
        ("25ppm", "25", "ppm"),
        ("35人", "35", "1"),
        ("1221*", "1221", "hint"),
        ("1221", "1221", "hint"),
        ("240kW", "240", "kW"),
        ("+2.5°", "2.5", "deg"),
    ],
)
def test_a_glued_unit_wins_over_the_header_s(text, value, unit):
    assert parse_quantity(text, "hint") == (D(value), unit)


@pytest.mark.parametrize("text", ["FBD№6.0/2×15kW", "9.9kg，三级煤矿许用炸药", "停采", "综采"])
def test_more_than_a_number_with_its_unit_is_no_quantity(text):
    assert parse_quantity(text) is None


def test_flows_per_second_convert_exactly():
    assert convert(D("16.32"), "m3/s", "m3/min") == D("979.20")
    assert convert(D(1), "m2", "m3/min") is None
    assert parse_unit("(m3/s)".strip("()")) == "m3/s"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("20～23", "20", "23"),
        ("1.0-1.5", "1.0", "1.5"),
        ("1.15至1.25", "1.15", "1.25"),
        ("80—150", "80", "150"),
        ("＜20", None, "20"),
        ("2.0m以下", None, "2.0"),
        ("不大于2.5", None, "2.5"),
        ("＞2.5", "2.5", None),
        ("180m及以上", "180", None),
        ("20≤t＜23", "20", "23"),
        ("20℃～23℃", "20", "23"),
        ("1.2", "1.2", "1.2"),
    ],
)
def test_ranges_have_open_or_closed_ends(text, low, high):
    span = parse_range(text)

    assert span is not None
    assert (span.low, span.high) == (low and D(low), high and D(high))


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("", MissingMark.EMPTY),
        ("空", MissingMark.EMPTY),
        ("—", MissingMark.NOT_APPLICABLE),
        ("／", MissingMark.NOT_APPLICABLE),
        ("无", MissingMark.NOT_APPLICABLE),
        ("未测", MissingMark.NOT_MEASURED),
        ("停采", MissingMark.STOPPED),
        ("0", None),
        ("1221", None),
    ],
)
def test_the_four_meanings_of_a_missing_value_stay_apart(text, mark):
    assert missing_mark(text) is mark
