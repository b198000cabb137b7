"""The audit over HTTP: for operators only, in pages, by filters that are read strictly."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.server import RunningServer, running_server

PATHS = ("/api/audit", "/api/audit/verify")
CHINA = timezone(timedelta(hours=8))


def ask(server: RunningServer, **params: str | int) -> httpx.Response:
    return server.client.get("/api/audit", params=params)


def rows(server: RunningServer, **params: str | int) -> list[dict[str, Any]]:
    answer = ask(server, **params)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@pytest.fixture
def session_id(offline: RunningServer) -> str:
    """A session of two calls, four rows."""
    frames = offline.chat("现在几点")
    again = offline.chat("现在几点", session_id=frames[0]["session_id"])
    found: str = again[0]["session_id"]
    return found


def test_pages_are_walked_without_gap_or_repetition_and_end(offline: RunningServer, session_id: str) -> None:
    everything = [row["seq"] for row in rows(offline, session_id=session_id)]
    assert len(everything) == 4
    walked, before = [], None
    for _ in range(4):
        page = ask(offline, session_id=session_id, limit=1, **({} if before is None else {"before_seq": before})).json()
        walked += [row["seq"] for row in page["items"]]
        before = page["next_before_seq"]

    assert walked == everything == sorted(everything, reverse=True)
    assert before is None
    assert ask(offline, session_id=session_id, limit=4).json()["next_before_seq"] is None


def test_every_filter_narrows(offline: RunningServer, session_id: str) -> None:
    (row, *_) = rows(offline, session_id=session_id, outcome="ok")
    for name in ("run_id", "user_id", "trace_id", "audit_id", "tool"):
        found = rows(offline, session_id=session_id, **{name: row[name]})
        assert found
        assert all(one[name] == row[name] for one in found)
        assert rows(offline, session_id=session_id, **{name: "nobody"}) == []
    assert rows(offline, session_id=session_id, outcome="timeout") == []


def test_moments_are_compared_in_their_own_time_zones(offline: RunningServer, session_id: str) -> None:
    last = rows(offline, session_id=session_id)[0]
    moment = datetime.fromisoformat(last["happened_at"])
    assert last["happened_at"].endswith("Z")
    for shown in (
        last["happened_at"],
        moment.astimezone(CHINA).isoformat(),
        moment.astimezone(timezone(timedelta(hours=-9.5))).isoformat(),
    ):
        assert [row["seq"] for row in rows(offline, session_id=session_id, since=shown)] == [last["seq"]]
        assert last["seq"] not in [row["seq"] for row in rows(offline, session_id=session_id, until=shown)]
    # A plus sign that nobody encoded reaches the server as a blank.
    raw = offline.client.get(f"/api/audit?session_id={session_id}&since={moment.astimezone(CHINA).isoformat()}")
    assert [row["seq"] for row in raw.json()["items"]] == [last["seq"]]


INJECTIONS = [
    "' OR '1'='1",
    "1; DROP TABLE tool_audit",
    "x\x00y",
    "x\ny",
    "../../etc/passwd",
    "%27",
    "\u2028",
    "",
    "x" * 129,
]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("session_id", "run_id", "trace_id", "audit_id") for value in INJECTIONS),
        *((name, value) for name in ("user_id", "tool") for value in ("x\x00y", "x\ny", "\x85", "", "x" * 129)),
        *(("outcome", value) for value in ("OK", "ok' --", "")),
        *(("limit", value) for value in ("0", "-1", "501", "1e2", "ten", "", "9" * 40, "1;", "٣")),
        *(("before_seq", value) for value in ("0", "-1", "1.5", "9" * 19, "9" * 5000, "1 OR 1=1")),
        *(
            (name, value)
            for name in ("since", "until")
            for value in (
                "2026-01-31T08:00:00",
                "2026-01-31",
                "yesterday",
                "",
                "2026-13-01T00:00:00Z",
                "0001-01-01T00:00:00+14:00",
                "9999-12-31T23:59:59-14:00",
                "2026-01-31T08:00:00Z' OR '1'='1",
            )
        ),
        ("sesion_id", "s1"),
        ("organization_id", "other"),
        ("order", "seq"),
    ],
)
def test_what_cannot_be_a_filter_is_refused_in_both_languages(offline: RunningServer, name: str, value: str) -> None:
    answer = ask(offline, **{name: value})

    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert error["code"] == "bad_filter"
    assert f"筛选条件 {name} " in error["message"]
    assert f"Filter {name} " in error["message"]
    assert error["hint"]
    assert len(answer.text) < 2000


def test_a_filter_that_is_stated_twice_is_refused(offline: RunningServer) -> None:
    answer = offline.client.get("/api/audit?outcome=ok&outcome=failed")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_filter")


@pytest.mark.parametrize("value", ["' OR '1'='1", "x'; DROP TABLE tool_audit; --", "李雷 & 韩梅梅", "%", "_"])
def test_a_name_is_a_value_and_never_part_of_a_statement(offline: RunningServer, session_id: str, value: str) -> None:
    assert rows(offline, user_id=value) == rows(offline, tool=value) == []
    assert rows(offline, session_id=session_id)


def test_the_filters_stand_in_the_description_of_the_api(offline: RunningServer) -> None:
    listed = offline.json("/openapi.json")["paths"]["/api/audit"]["get"]["parameters"]

    assert {"session_id", "since", "until", "before_seq", "limit"} <= {one["name"] for one in listed}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, str]]:
    token = "-".join(["operators", "x" * 24])
    with running_server(tmp_path_factory.mktemp("closed"), admin_token=token) as server:
        yield server, token


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("stated", [None, "", "Bearer", "Bearer wrong", "Basic {token}", "bearer {token}x", "{token}"])
def test_without_the_token_nobody_sees_it_not_even_on_this_machine(
    closed: tuple[RunningServer, str], path: str, stated: str | None
) -> None:
    server, token = closed
    headers = {} if stated is None else {"Authorization": stated.format(token=token)}

    answer = server.client.get(path, headers=headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "operator_only")
    assert server.client.get(f"{path}?limit=x", headers=headers).status_code == 403  # before anything is read


@pytest.mark.parametrize("path", PATHS)
def test_with_the_token_it_opens(closed: tuple[RunningServer, str], path: str) -> None:
    server, token = closed

    answer = server.client.get(path, headers={"Authorization": f"Bearer {token}", "X-Forwarded-For": "10.0.0.7"})

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
@pytest.mark.parametrize("path", PATHS)
def test_without_a_token_in_the_settings_only_this_machine_sees_it(
    offline: RunningServer, path: str, header: str
) -> None:
    assert offline.client.get(path).status_code == 200
    assert offline.client.get(path, headers={header: "127.0.0.1"}).status_code == 403


def test_a_check_says_what_is_odd_about_the_anchors(tmp_path: Path) -> None:
    with running_server(tmp_path, audit_anchor_rows=1, audit_poll_s=0.05) as server:
        server.chat("现在几点")
        (tmp_path / "audit_anchors.jsonl").write_text("somebody was here\n")

        answer = server.json("/api/audit/verify")

    assert not answer["ok"]
    assert any("line 1" in fault for fault in answer["anchors"]["faults"])
