"""Without `ADMIN_TOKEN` operators are who sits at this machine, and no web page that merely runs in its browser."""

from __future__ import annotations

import pytest

from tests.support.server import RunningServer

ROUTES = ("/api/reviews", "/api/approvals", "/api/audit")


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-for": "127.0.0.1"},
        {"x-forwarded-host": "mine.example"},
        {"via": "1.1 proxy"},
        {"forwarded": "for=127.0.0.1"},
        {"host": "rebound.example"},
        {"host": "127.0.0.1.rebound.example"},
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_a_request_of_others_is_no_operators(offline: RunningServer, route: str, headers: dict[str, str]) -> None:
    refused = offline.client.get(route, headers=headers)

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "operator_only")


@pytest.mark.parametrize("route", ROUTES)
def test_the_page_and_programs_of_this_machine_are(offline: RunningServer, route: str) -> None:
    for headers in ({}, {"origin": offline.base_url, "sec-fetch-site": "same-origin"}, {"host": "localhost:8080"}):
        assert offline.client.get(route, headers=headers).status_code == 200
