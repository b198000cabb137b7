"""What chat refuses: clearly, in one shape, and without spoiling the session."""

from __future__ import annotations

import httpx
import pytest

from tests.support.server import RunningServer, of_type, text_of

PDF = b"%PDF-1.7\n%test"


def error_of(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert answer.status_code == status, answer.text
    error: dict[str, object] = answer.json()["error"]
    assert error.keys() == {"code", "message", "hint", "details", "request_id"}
    assert error["code"] == code
    assert error["message"]
    assert error["hint"]
    assert error["request_id"] == answer.headers["x-request-id"]
    return error


def test_r_inv_1_a_thread_id_other_than_the_session_is_404(offline: RunningServer) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]

    error_of(offline.post_chat("x", session_id=session_id, thread_id="other"), 404, "thread_not_found")
    error_of(offline.post_chat("x", thread_id=session_id), 404, "thread_not_found")
    assert offline.chat("算 1+1", session_id=session_id, thread_id=session_id)[-1]["status"] == "succeeded"


def test_r_inv_1_an_unknown_session_is_404(offline: RunningServer) -> None:
    error_of(offline.post_chat("x", session_id="nope"), 404, "session_not_found")


def test_r_inv_1_the_session_of_somebody_else_is_404_on_every_route(offline: RunningServer) -> None:
    frames = offline.chat("算 1+1", files=[("a.txt", b"x")])
    session_id, run_id = frames[0]["session_id"], frames[0]["run_id"]
    path = f"/api/sessions/{session_id}"
    stranger = {"user_name": "stranger"}

    answers = [
        offline.client.post("/api/chat", data={"message": "x", "session_id": session_id, **stranger}),
        offline.client.post(
            "/api/chat/resume",
            json={"session_id": session_id, "decisions": [{"interrupt_id": "i", "decision": "approve"}], **stranger},
        ),
        offline.client.get("/api/chat/interrupt", params={"session_id": session_id, **stranger}),
        offline.client.post("/api/chat/interrupt", json={"session_id": session_id, **stranger}),
        offline.client.get(path, params=stranger),
        offline.client.patch(path, params=stranger, json={"title": "mine"}),
        offline.client.delete(path, params=stranger),
        offline.client.get(f"{path}/messages", params=stranger),
        offline.client.get(f"{path}/files", params=stranger),
        offline.client.get(f"{path}/files/uploads/a.txt", params=stranger),
        offline.client.get(f"/api/runs/{run_id}", params=stranger),
        offline.client.get(f"/api/runs/{run_id}/events", params=stranger),
        offline.client.post(f"/api/runs/{run_id}/cancel", params=stranger),
    ]

    assert [answer.status_code for answer in answers] == [404] * len(answers)
    assert len(offline.messages(session_id)) == 2


def test_an_empty_message_without_files_is_refused(offline: RunningServer) -> None:
    error_of(offline.post_chat(" \n"), 422, "empty_message")
    assert offline.json("/api/sessions")["items"] == []


def test_an_unknown_agent_is_404_and_names_those_there_are(offline: RunningServer) -> None:
    error = error_of(offline.post_chat("x", agent="nobody"), 404, "agent_not_found")

    assert "ventilation" in str(error["hint"])


@pytest.mark.parametrize("field", ["on_conflict", "permission_mode", "plan_mode"])
def test_a_choice_that_does_not_exist_is_refused(offline: RunningServer, field: str) -> None:
    answer = offline.client.post("/api/chat", data={"message": "x", field: "whatever"})

    error_of(answer, 422, "bad_field")


def test_r_api_1_the_old_field_and_the_new_one_are_merged(offline: RunningServer) -> None:
    form = [("file", ("a.txt", b"a")), ("files", ("b.txt", b"b")), ("files", ("a.txt", b"c"))]
    answer = offline.client.post("/api/chat", data={"message": "现在几点", "user_name": offline.user}, files=form)
    session_id = answer.headers["x-session-id"]

    listed = offline.json(f"/api/sessions/{session_id}/files")["items"]

    assert [file["path"] for file in listed] == [f"/workspace/uploads/{n}" for n in ("a.txt", "b.txt", "a-2.txt")]
    assert [file["name"] for file in offline.messages(session_id)[0]["files"]] == ["a.txt", "b.txt", "a-2.txt"]


def test_r_api_1_too_many_files_are_refused_with_the_limit(offline: RunningServer) -> None:
    error = error_of(offline.post_chat("x", files=[(f"{n}.txt", b"x") for n in range(9)]), 422, "too_many_files")

    assert error["details"] == {"limit": 8}
    assert "8" in str(error["message"])


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("计划.exe", b"MZ", "file_type_unsupported"),
        ("计划.pdf", b"<html>", "file_content_mismatch"),
        ("计划.pdf", b"", "empty_file"),
    ],
)
def test_a_wrong_file_is_refused_by_name_and_the_session_stays_usable(
    offline: RunningServer, name: str, content: bytes, code: str
) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]

    error = error_of(offline.post_chat("看", files=[(name, content)], session_id=session_id), 422, code)

    assert name in str(error["message"])
    assert len(offline.messages(session_id)) == 2
    assert "2" in text_of(offline.chat("算 1+1", session_id=session_id))


def test_r_api_1_a_body_over_the_limit_is_413_before_it_is_parsed(offline: RunningServer) -> None:
    large = b"%PDF-" + b"x" * (3 * 1024 * 1024)

    error = error_of(offline.post_chat("看", files=[("大.pdf", large)]), 413, "body_too_large")

    assert "2 MiB" in str(error["message"])
    assert offline.json("/api/sessions")["items"] == []


def test_r_api_1_a_body_of_unannounced_length_is_cut_at_the_limit(offline: RunningServer) -> None:
    def chunks() -> object:
        yield b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
        for _ in range(48):
            yield b"x" * 65_536

    answer = offline.client.post(
        "/api/chat",
        content=chunks(),  # type: ignore[arg-type]
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )

    error_of(answer, 413, "body_too_large")


def test_a_broken_form_is_refused_readably(offline: RunningServer) -> None:
    answer = offline.client.post(
        "/api/chat", content=b"nonsense", headers={"Content-Type": "multipart/form-data; boundary=b"}
    )

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] in {"bad_form", "empty_message"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/chat", 405, "method_not_allowed"),
        ("GET", "/api/sessions?limit=none", 422, "invalid_request"),
        ("GET", "/api/sessions?cursor=broken", 400, "bad_cursor"),
        ("GET", "/api/runs/nope", 404, "run_not_found"),
        ("POST", "/api/chat/resume", 422, "invalid_request"),
    ],
)
def test_every_error_has_one_shape(offline: RunningServer, method: str, path: str, status: int, code: str) -> None:
    error_of(offline.client.request(method, path), status, code)


def test_files_alone_make_a_message_and_a_title(offline: RunningServer) -> None:
    frames = offline.chat(files=[("说明.txt", "试验".encode())])

    assert frames[-1]["status"] in {"succeeded", "failed"}
    assert frames[0]["title"] == "说明.txt"
    assert of_type(frames, "error") == []
