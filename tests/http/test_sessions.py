"""Sessions over HTTP: found, renamed, deleted with everything; files confined to their session."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.support.server import RunningServer, of_type, read_frames

WRITE = '[[tokens=2 tool=write_file args={"file_path":"/workspace/outputs/%s","content":"测风"}]]'


def rename(server: RunningServer, session_id: str, title: str) -> httpx.Response:
    return server.client.patch(f"/api/sessions/{session_id}", json={"title": title, "user_name": server.user})


def delete(server: RunningServer, session_id: str) -> httpx.Response:
    return server.client.delete(f"/api/sessions/{session_id}", params={"user_name": server.user})


def download(server: RunningServer, session_id: str, path: str) -> httpx.Response:
    # Raw, because a client would resolve `..` before it asks.
    request = server.client.build_request(
        "GET", f"/api/sessions/{session_id}/files/x", params={"user_name": server.user}
    )
    request.url = request.url.copy_with(
        raw_path=f"/api/sessions/{session_id}/files/{path}?user_name={server.user}".encode()
    )
    return server.client.send(request)


def test_r_api_3_sessions_are_listed_latest_use_first_page_by_page(offline: RunningServer) -> None:
    ids = [offline.chat(f"算 {number}+1")[0]["session_id"] for number in range(3)]
    offline.chat("算 9+9", session_id=ids[0])

    first = offline.json("/api/sessions", limit="2")
    second = offline.json("/api/sessions", limit="2", cursor=first["next_cursor"])

    assert [item["session_id"] for item in first["items"] + second["items"]] == [ids[0], ids[2], ids[1]]
    assert second["next_cursor"] is None


def test_r_api_3_sessions_are_found_by_their_titles(offline: RunningServer) -> None:
    offline.chat("算 1+1")
    wanted = offline.chat("现在几点")[0]["session_id"]

    found = offline.json("/api/sessions", query="几点")["items"]

    assert [item["session_id"] for item in found] == [wanted]


def test_r_lay_8_the_title_is_the_beginning_of_the_first_message(offline: RunningServer) -> None:
    frames = offline.chat("算 " + "1+" * 40 + "1")

    shown = offline.json(f"/api/sessions/{frames[0]['session_id']}")
    assert shown["title"] == frames[0]["title"]
    assert shown["title"].startswith("算 1+1+")
    assert len(shown["title"]) == 30


def test_r_api_3_a_session_is_renamed(offline: RunningServer) -> None:
    session_id = offline.chat("算 1+1")[0]["session_id"]

    assert rename(offline, session_id, " 十二月\n研判 ").json()["title"] == "十二月 研判"
    assert offline.json(f"/api/sessions/{session_id}")["title"] == "十二月 研判"
    assert rename(offline, session_id, "").status_code == 422
    assert rename(offline, session_id, " \n").status_code == 422


def test_r_api_3_a_deleted_session_takes_everything_with_it_but_the_bill(offline: RunningServer) -> None:
    frames = offline.chat("算 1+1", files=[("计划.txt", b"x")])
    session_id, run_id = frames[0]["session_id"], frames[0]["run_id"]
    stored = list(offline.data_dir.glob("workspaces/*/*/workspace/uploads/计划.txt"))
    bill = offline.json("/api/usage/today")["calls"]
    assert stored

    assert delete(offline, session_id).status_code == 204

    for path in (f"/api/sessions/{session_id}", f"/api/sessions/{session_id}/messages", f"/api/runs/{run_id}"):
        assert offline.get(path).status_code == 404
    assert not any(path.exists() for path in stored)
    assert offline.json("/api/usage/today")["calls"] == bill > 0
    assert delete(offline, session_id).status_code == 404


def test_r_api_3_a_session_that_is_at_work_can_be_deleted(live: RunningServer) -> None:
    form = {"message": "[[tokens=1000 delay_ms=20]]", "user_name": live.user}
    with (
        httpx.Client(base_url=live.base_url, timeout=60, trust_env=False) as client,
        client.stream("POST", "/api/chat", data=form) as answer,
    ):
        session_id = answer.headers["x-session-id"]
        assert delete(live, session_id).status_code == 204

    assert live.get(f"/api/sessions/{session_id}").status_code == 404
    assert live.json("/api/sessions")["items"] == []


def test_r_api_3_produced_files_are_announced_listed_and_downloaded(live: RunningServer) -> None:
    frames = live.chat(WRITE % "report.md")
    session_id = frames[0]["session_id"]

    (file,) = of_type(frames, "file")
    assert (file["path"], file["name"]) == ("/workspace/outputs/report.md", "report.md")
    assert (file["media_type"], file["size"]) == ("text/markdown", len("测风".encode()))
    (listed,) = live.json(f"/api/sessions/{session_id}/files", role="output")["items"]
    assert (listed["path"], listed["run_id"]) == (file["path"], frames[0]["run_id"])

    answer = live.get(f"/api/sessions/{session_id}/files/outputs/report.md")
    assert answer.content.decode() == "测风"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert live.get(f"/api/sessions/{session_id}/files/workspace/outputs/report.md").content == answer.content


def test_a_file_that_was_there_before_is_not_announced_again(live: RunningServer) -> None:
    session_id = live.chat(WRITE % "a.md")[0]["session_id"]

    again = live.chat(WRITE % "b.md", session_id=session_id)

    assert [file["name"] for file in of_type(again, "file")] == ["b.md"]


def test_r_api_3_a_chinese_file_name_survives_upload_and_download(offline: RunningServer) -> None:
    session_id = offline.chat("现在几点", files=[("配风 计划.txt", "内容".encode())])[0]["session_id"]

    answer = offline.get(f"/api/sessions/{session_id}/files/uploads/配风 计划.txt")

    assert answer.content.decode() == "内容"
    assert "%E9%85%8D%E9%A3%8E%20%E8%AE%A1%E5%88%92.txt" in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    "path",
    [
        "../../../deep_agent.sqlite3",
        "..%2f..%2f..%2fdeep_agent.sqlite3",
        "uploads/../../conversation_history/x",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "uploads/%00",
        "uploads/a.txt%00.pdf",
        "..%5c..%5cdeep_agent.sqlite3",
        "uploads",
        "",
        "uploads/missing.txt",
        "uploads/link.txt",
        "uploads/link/server.lock",
    ],
)
def test_r_api_3_no_path_leads_out_of_the_session(offline: RunningServer, path: str) -> None:
    session_id = offline.chat("现在几点", files=[("a.txt", b"x")])[0]["session_id"]
    (uploads,) = {
        file.parent
        for file in offline.data_dir.glob("workspaces/*/*/workspace/uploads/a.txt")
        if (file.parent / "link.txt").is_symlink() or _is_newest(offline.data_dir, file)
    }
    (uploads / "link.txt").symlink_to(offline.data_dir / "server.lock")
    (uploads / "link").symlink_to(offline.data_dir)

    answer = download(offline, session_id, path)

    assert answer.status_code in {404, 307, 400}
    assert b"SQLite" not in answer.content
    assert b"root:" not in answer.content
    for link in ("link.txt", "link"):
        (uploads / link).unlink()


def test_r_pit_18_uploads_of_two_sessions_do_not_meet(offline: RunningServer) -> None:
    first = offline.chat("现在几点", files=[("a.txt", b"first")])[0]["session_id"]
    second = offline.chat("现在几点", files=[("a.txt", b"second")])[0]["session_id"]

    assert offline.get(f"/api/sessions/{first}/files/uploads/a.txt").content == b"first"
    assert offline.get(f"/api/sessions/{second}/files/uploads/a.txt").content == b"second"


def test_a_session_says_what_it_is_doing(live: RunningServer) -> None:
    session_id = live.chat("[[tokens=2]]")[0]["session_id"]

    assert live.json(f"/api/sessions/{session_id}")["active_run"] is None


def test_a_deleted_session_leaves_no_graph_state(live: RunningServer) -> None:
    first = live.chat("[[tokens=2]]")
    delete(live, first[0]["session_id"])

    refused = live.post_chat("[[tokens=2]]", session_id=first[0]["session_id"])

    assert refused.status_code == 404
    assert read_frames(live.post_chat("[[tokens=2]]"))[-1]["status"] == "succeeded"


def _is_newest(data_dir: Path, file: Path) -> bool:
    files = data_dir.glob("workspaces/*/*/workspace/uploads/a.txt")
    return file == max(files, key=lambda path: path.stat().st_mtime_ns)
