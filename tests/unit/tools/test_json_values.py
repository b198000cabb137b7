"""What models and documents send becomes something that every store and reader takes."""

from __future__ import annotations

import orjson
import pytest

from tools.json_values import to_storable, whole_text
from tools.results import to_json_text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("需风量 😀", "需风量 😀"),
        ("\ud83d\ude00", "😀"),
        ("a\ud800b", "a\ufffdb"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("", ""),
    ],
)
def test_halves_of_characters_are_joined_or_replaced(given: str, expected: str) -> None:
    assert whole_text(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"a": [1, 2.5, None, True, "x"]}, {"a": [1, 2.5, None, True, "x"]}),
        ({"n": 2**63 - 1, "m": 2**63}, {"n": 9223372036854775807, "m": "9223372036854775808"}),
        ({"\ud800": ("\ud83d\ude00",)}, {"\ufffd": ["😀"]}),
        (10**5000, "16610 bit"),
    ],
    ids=["plain", "large", "half characters", "huge"],
)
def test_values_that_cannot_be_kept_become_text(given: object, expected: object) -> None:
    assert to_storable(given) == expected


def test_what_is_nested_too_deeply_is_cut_and_can_be_written() -> None:
    value: object = 1
    for _ in range(900):
        value = [value]

    assert b"\xe2\x80\xa6" in orjson.dumps(to_storable(value))


def test_the_answer_of_a_tool_holds_no_half_characters() -> None:
    assert to_json_text({"ok": True, "data": "a\ud800"}) == '{"ok": true, "data": "a\ufffd"}'
