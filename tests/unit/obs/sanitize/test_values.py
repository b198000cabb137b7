"""Nested values: what stands in them, under which names, and what comes back untouched."""

from __future__ import annotations

from collections import namedtuple
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from typing_extensions import override

from obs.sanitize import REDACTED, redact_credentials, sanitize_value
from tests.support.messages import Maker

KEY = Maker(7).kind("sk")
PLAIN: list[Any] = [
    None,
    True,
    3,
    2.5,
    "",
    "35181 m³/min",
    [],
    {},
    {"run_id": "0123456789abcdef0123456789abcdef", "input_tokens": 12, "token_rate": "1.5", "max_tokens": 4096},
    {
        "items": [{"name": "8104 工作面", "measured_m3_min": Decimal("1198.5")}],
        "path": "/workspace/outputs/airflow/review.json",
    },
    ("a", {"b": {"c": [1, "二"]}}),
    {"keywords": ["通风"], "primary_key": "序号", "secretary": "王工", "author": "李工"},
    datetime(2026, 4, 3, tzinfo=UTC),
    b"\x89PNG\x00\xff",
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_a_value_without_secrets_comes_back_as_the_same_object(value: Any) -> None:
    assert redact_credentials(value) is value
    assert sanitize_value(value) is value


def test_results_keep_addresses_people_and_paths_but_no_credentials() -> None:
    value = {"contact": "li.na@corp.example", "host": "10.0.0.7", "file": "/srv/a/b.txt", "note": f"use {KEY}"}

    assert redact_credentials(value) == value | {"note": f"use {REDACTED}"}


def test_every_class_is_hidden_at_any_depth_and_in_keys() -> None:
    value = {"a": [{"b": ("from 10.0.0.7", {"li.na@corp.example": 1})}], "n": 5}

    assert sanitize_value(value) == {"a": [{"b": (f"from {REDACTED}", {REDACTED: 1})}], "n": 5}


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "db_password",
        "API-Key",
        "accessKeySecret",
        "Authorization",
        "Set-Cookie",
        "client_secret",
        "密码",
        "id_token",
    ],
)
def test_the_name_says_that_the_whole_value_is_a_secret(name: str) -> None:
    for hide in (redact_credentials, sanitize_value):
        assert hide({name: "plain words", "other": 1}) == {name: REDACTED, "other": 1}
        assert hide({name: ["one", None]}) == {name: [REDACTED, None]}
        assert hide({name: {"value": "one", "ready": True}}) == {name: {"value": REDACTED, "ready": True}}


def test_a_number_is_hidden_under_the_name_of_a_password_only() -> None:
    assert redact_credentials({"password": 123456, "token": 17, "pwd": True}) == {
        "password": REDACTED,
        "token": 17,
        "pwd": True,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("table", "refund_request"),
        ("constraint", "ck_amount"),
        ("mobile", "15464259792"),
        ("host", "db-primary"),
        ("column", "salary_enc"),
    ],
)
def test_a_value_is_read_beside_its_name_as_in_json(name: str, value: str) -> None:
    assert sanitize_value([{name: value}]) == [{name: REDACTED}]


def test_names_that_become_the_same_lose_no_entry() -> None:
    shown = sanitize_value({"a.li@corp.example": 1, "b.li@corp.example": 2})

    assert sorted(shown.values()) == [1, 2]
    assert sanitize_value(shown) == shown


def test_kinds_of_containers_stay() -> None:
    pair = namedtuple("pair", "left right")  # noqa: PYI024 - the value of a foreign library

    shown = redact_credentials(pair(KEY, {KEY}))

    assert (type(shown), type(shown.right)) == (pair, set)
    assert shown == pair(REDACTED, {REDACTED})


def test_bytes_are_read_as_text() -> None:
    assert redact_credentials(b"key " + KEY.encode()) == b"key " + REDACTED.encode()


def test_a_value_that_contains_itself_ends() -> None:
    loop: list[Any] = ["a"]
    loop += [loop, loop]

    assert sanitize_value(loop) == ["a", REDACTED, REDACTED]


def test_what_is_nested_too_deep_to_read_is_hidden() -> None:
    deep: Any = KEY
    for _ in range(500):
        deep = [deep]

    assert KEY not in repr(sanitize_value(deep))
    assert KEY not in repr(redact_credentials(deep))


class _Broken:
    @override
    def __repr__(self) -> str:
        raise RuntimeError


def test_foreign_objects_are_shown_by_what_they_say_where_that_hides_something() -> None:
    error = ConnectionError(f"refused {KEY}")

    assert sanitize_value({"error": error}) == {"error": f"ConnectionError('refused {REDACTED}')"}
    assert sanitize_value([_Broken()]) == [REDACTED]
    assert redact_credentials([error])[0] is error


def test_a_long_result_is_read_to_its_end_and_not_cut() -> None:
    text = "正常行\n" * 50_000 + KEY

    assert redact_credentials(text) == "正常行\n" * 50_000 + REDACTED
