"""One place says who asks."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from api.errors import RefusedError
from api.identity import user_of


def request(query: str = "", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return Request({"type": "http", "query_string": query.encode(), "headers": raw})


def test_a_field_wins_over_the_query_and_the_query_over_the_header() -> None:
    asked = request("user_name=b", x_user_name="c")

    assert user_of(asked, "a") == "a"
    assert user_of(asked, " ") == "b"
    assert user_of(request(x_user_name="c")) == "c"


def test_r_api_1_without_a_name_the_user_is_default() -> None:
    assert user_of(request()) == "default"


def test_a_header_may_carry_a_chinese_name_percent_encoded() -> None:
    assert user_of(request(x_user_name="%E5%BC%A0%E5%B7%A5")) == "张工"


@pytest.mark.parametrize("name", ["x" * 65, "a\nb", "a\x00b", "a\u202eb"])
def test_an_unusable_name_is_refused(name: str) -> None:
    with pytest.raises(RefusedError):
        user_of(request(), name)
