"""Columns are told by their words, units are taken out of headers."""

from __future__ import annotations

import pytest

from algorithms.airflow_review.reading.headers import Header, split_header, word_table


@pytest.mark.parametrize(
    ("printed", "label", "unit"),
    [
        ("需风量（m³/min）", "需风量", "m3/min"),
        ("配风量/(立方米/分)", "配风量", "m3/min"),
        ("断面积/平方米", "断面积", "m2"),
        ("进风温度，℃", "进风温度", "C"),
        ("需用风量m³/min", "需用风量", "m3/min"),
        ("一次爆破最大炸药量（kg，三级煤矿许用）", "一次爆破最大炸药量", "kg"),
        ("用风地点", "用风地点", ""),
        ("需风量\n(m3/s)", "需风量", "m3/s"),
    ],
)
def test_the_unit_is_taken_out_of_a_header(printed, label, unit):
    assert split_header(printed) == Header(label=label, unit=unit)


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("用风地点", "place"),
        ("井下用风点", "place"),
        ("供风地点", "place"),
        ("需要风量", "required"),
        ("需风", "required"),
        ("计划配风量", "planned"),
        ("安排风量", "planned"),
        ("计划风量", "planned"),
        ("实测风量", "measured"),
        ("用风地点需风量小计", "subtotal"),
        ("系统总需风量", "system_required"),
        ("计入系数后需风量", "system_required"),
        ("S", "area"),
        ("V", "speed"),
        ("计划风速", "speed"),
        ("服务系统", "system"),
        ("通风机最大风量", "fan_capacity"),
        ("VS", None),
    ],
)
def test_the_longest_known_word_tells_the_column(label, key):
    assert word_table("columns").key_of(label) == key
