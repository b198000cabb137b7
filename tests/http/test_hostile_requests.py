"""Requests no friendly client sends: each gets the status and the shape of its kind, none is a fault of the server."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.support.server import RunningServer, of_type, read_frames

BOUNDARY = {"Content-Type": "multipart/form-data; boundary=b"}
HALF_CHARACTER = "\\ud800"


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def part(name: str, content: bytes, extra: str = "") -> bytes:
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n'.encode() + content + b"\r\n"


def post_form(server: RunningServer, *parts: bytes, end: bytes = b"--b--\r\n") -> httpx.Response:
    body = b"".join((part("user_name", server.user.encode()), *parts, end))
    return server.client.post("/api/chat", content=body, headers=BOUNDARY)


def post_json(server: RunningServer, path: str, text: str, method: str = "POST") -> httpx.Response:
    return server.client.request(method, path, content=text, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize("path", ["/", "/docs", "/health", "/api/agents", "/static/js/main.js", "/nothing"])
def test_head_is_answered_like_get_without_a_body(offline: RunningServer, path: str) -> None:
    got, head = offline.client.get(path), offline.client.head(path)

    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.content == b""
    assert "content-security-policy" in head.headers


def test_head_of_a_download_and_of_a_stream_ends_at_once(live: RunningServer) -> None:
    frames = live.chat("[[tokens=3]]", files=[("a.txt", b"abc")])
    mine = {"user_name": live.user}

    file = live.client.head(f"/api/sessions/{frames[0]['session_id']}/files/uploads/a.txt", params=mine)
    stream = live.client.head(f"/api/runs/{frames[0]['run_id']}/events", params=mine)

    assert (file.status_code, file.headers["content-length"]) == (200, "3")
    assert stream.status_code == 200


@pytest.mark.parametrize("digits", [19, 20, 5_000])
def test_a_cursor_of_many_digits_is_400(offline: RunningServer, digits: int) -> None:
    run_id = offline.chat("算 1+1")[0]["run_id"]
    path = f"/api/runs/{run_id}/events"

    assert code_of(offline.get(path, after="9" * digits)) == (400, "bad_cursor")
    answer = offline.client.get(path, params={"user_name": offline.user}, headers={"Last-Event-ID": "9" * digits})
    assert code_of(answer) == (400, "bad_cursor")


def test_half_a_character_in_json_is_422_on_every_route(offline: RunningServer) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]
    decision = '{"interrupt_id": "i", "decision": "approve"}'
    bodies = [
        ("POST", "/api/chat/interrupt", f'{{"session_id": "{HALF_CHARACTER}"}}'),
        ("POST", "/api/chat/resume", f'{{"session_id": "{HALF_CHARACTER}", "decisions": [{decision}]}}'),
        ("PATCH", f"/api/sessions/{session_id}", f'{{"title": "{HALF_CHARACTER}"}}'),
        ("PATCH", f"/api/sessions/{session_id}", f'{{"title": "x", "user_name": "{HALF_CHARACTER}"}}'),
    ]

    assert [post_json(offline, path, text, method).status_code for method, path, text in bodies] == [422] * 4


@pytest.mark.parametrize("text", ["[" * 50_000, '{"session_id": ' + "9" * 5_000 + "}", "\xff", "null", ""])
def test_json_that_is_none_is_refused_in_the_one_shape(offline: RunningServer, text: str) -> None:
    answer = post_json(offline, "/api/chat/resume", text)

    assert answer.status_code in {400, 422}
    assert answer.json()["error"]["hint"]


def test_a_path_longer_than_any_system_takes_is_404(offline: RunningServer) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]

    assert code_of(offline.get(f"/api/sessions/{session_id}/files/{'a/' * 3_000}")) == (404, "file_not_found")


def test_a_very_long_id_is_not_repeated_in_full(offline: RunningServer) -> None:
    answer = offline.post_chat("x", session_id="s" * 500_000)

    assert code_of(answer) == (404, "session_not_found")
    assert len(answer.content) < 1_000


@pytest.mark.parametrize("title", ["\u0000", "\u202e\u200b", "  \t "])
def test_a_title_without_a_visible_character_is_refused(offline: RunningServer, title: str) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]

    answer = offline.client.patch(
        f"/api/sessions/{session_id}", params={"user_name": offline.user}, json={"title": title}
    )

    assert code_of(answer) == (422, "bad_field")


def test_a_title_cannot_turn_the_writing_around(offline: RunningServer) -> None:
    assert offline.chat("算 1+1\u202e\u0000 说明")[0]["title"] == "算 1+1 说明"


def test_a_form_that_breaks_off_loses_no_file_silently(offline: RunningServer) -> None:
    file = part("files", b"%PDF-1.7 abc", '; filename="a.pdf"')

    cut = post_form(offline, part("message", "研判".encode()), file, end=b"")

    assert code_of(cut) == (422, "bad_form")
    assert offline.json("/api/sessions")["items"] == []
    assert read_frames(post_form(offline, part("message", b"x"), end=b"--b--"))[-1]["type"] == "done"


def test_json_in_place_of_a_form_is_told_what_to_send(offline: RunningServer) -> None:
    error = offline.client.post("/api/chat", json={"message": "x"}).json()["error"]

    assert error["code"] == "bad_form"
    assert "application/json" in error["message"]
    assert "multipart/form-data" in error["hint"]


def test_a_form_without_files_may_be_url_encoded(offline: RunningServer) -> None:
    answer = offline.client.post("/api/chat", data={"message": "算 1+1", "user_name": offline.user})

    assert read_frames(answer)[-1]["status"] == "succeeded"


def test_a_text_over_the_limit_is_told_to_come_as_a_file(offline: RunningServer) -> None:
    error = offline.post_chat("长" * 400_000).json()["error"]

    assert error["code"] == "text_too_long"
    assert "文件" in error["hint"]


def test_r_api_1_hundreds_of_files_are_refused_with_the_limit(offline: RunningServer) -> None:
    error = offline.post_chat("x", files=[(f"{n}.txt", b"x") for n in range(201)]).json()["error"]

    assert (error["code"], error["details"]) == ("too_many_files", {"limit": 8})


@pytest.mark.parametrize(
    "args",
    [
        '{"title": "\\ud800", "steps": "x"}',
        f'{{"title": "t", "steps": {"9" * 40}}}',
        f'{{"a": {"[" * 200}{"]" * 200}}}',
    ],
)
def test_an_edit_with_values_nobody_can_store_changes_nothing(offline: RunningServer, args: str) -> None:
    frames = offline.chat("提交计划：调风；核对测点")
    session_id = frames[0]["session_id"]
    (interrupt,) = of_type(frames, "interrupt")[0]["interrupts"]
    head = json.dumps({"session_id": session_id, "user_name": offline.user})[:-1]
    decision = f'{{"interrupt_id": "{interrupt["interrupt_id"]}", "decision": "edit", "args": {args}}}'

    answer = post_json(offline, "/api/chat/resume", f'{head}, "decisions": [{decision}]}}')

    assert code_of(answer) == (422, "bad_decision")
    assert len(offline.json("/api/chat/interrupt", session_id=session_id)["interrupts"]) == 1
