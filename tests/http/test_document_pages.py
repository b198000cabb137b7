"""Pages of uploaded documents as pictures over HTTP: framed, cached, bounded, and nobody else's."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import httpx
import pytest
from PIL import Image

from tests.support.documents.pdf_writer import PdfPage, write_pdf
from tests.support.server import RunningServer

BOX = "94.0,373.7,277.8,384.2"  # Q采1=60×11.3×… on page 9 of the reference plan


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def plan(fixtures_path: Path) -> Path:
    return fixtures_path / "airflow" / "reference" / "plan.pdf"


@pytest.fixture
def session_id(offline: RunningServer, plan: Path) -> str:
    """A session of the asking user with the reference plan and report uploaded."""
    files = [(path.name, path.read_bytes()) for path in (plan, plan.with_name("report.xlsx"))]
    found: str = offline.chat("算 1+1", files=files)[0]["session_id"]
    return found


def page(
    server: RunningServer,
    document: str,
    session: str,
    number: object = 9,
    headers: dict[str, str] | None = None,
    **query,
) -> httpx.Response:
    asked = {"user_name": server.user, "session_id": session, **query}
    return server.client.get(f"/api/documents/{document}/pages/{number}.png", params=asked, headers=headers)


def refusal(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"]
    assert error["hint"]
    return answer.status_code, error["code"]


def test_r_air_6_a_cited_place_is_shown_on_its_page(offline: RunningServer, session_id: str, plan: Path) -> None:
    plain = page(offline, sha256(plan), session_id)
    framed = page(offline, sha256(plan), session_id, highlight=BOX)

    assert (framed.status_code, framed.headers["content-type"]) == (200, "image/png")
    assert framed.headers["x-picture-scale"] == "2"
    picture = Image.open(io.BytesIO(framed.content)).convert("RGB")
    assert picture.size == (1191, 1684)  # 595.28 × 841.89 pt, A4
    red, green, blue = picture.crop((370, 743, 371, 744)).tobytes()  # on the upper line: (373.7 - 1.5 pt) × 2
    assert red > green + 60
    assert red > blue + 60
    assert framed.content != plain.content


def test_the_uploads_of_a_session_are_listed_by_their_content(
    offline: RunningServer, session_id: str, plan: Path
) -> None:
    items = offline.json("/api/documents", session_id=session_id)["items"]

    report = plan.with_name("report.xlsx")
    assert [(item["name"], item["id"], item["has_pages"]) for item in items] == [
        ("plan.pdf", sha256(plan), True),
        ("report.xlsx", sha256(report), False),
    ]
    stored = offline.get(f"/api/sessions/{session_id}/files/{items[0]['path'].removeprefix('/workspace/')}")
    assert stored.content == plan.read_bytes()


def test_a_browser_that_has_the_picture_gets_none_again(offline: RunningServer, session_id: str, plan: Path) -> None:
    first = page(offline, sha256(plan), session_id, highlight=BOX)
    tag = first.headers["etag"]

    again = page(offline, sha256(plan), session_id, highlight=BOX, headers={"If-None-Match": f'"other", W/{tag}'})
    other = page(offline, sha256(plan), session_id, number=10, headers={"If-None-Match": tag})

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert first.headers["cache-control"] == "private, no-cache"
    assert other.status_code == 200
    assert other.headers["etag"] != tag


def test_another_users_and_another_sessions_documents_do_not_exist(
    offline: RunningServer, session_id: str, plan: Path
) -> None:
    other_session = offline.chat("算 2+2")[0]["session_id"]
    tag = page(offline, sha256(plan), session_id).headers["etag"]

    assert refusal(page(offline, sha256(plan), other_session)) == (404, "document_not_found")
    assert refusal(page(offline, sha256(plan), "nobody")) == (404, "session_not_found")
    stranger = page(offline, sha256(plan), session_id, user_name="stranger", headers={"If-None-Match": tag})
    assert refusal(stranger) == (404, "session_not_found")
    assert refusal(offline.get("/api/documents", session_id=session_id, user_name="stranger"))[0] == 404
    assert refusal(page(offline, "0" * 64, session_id)) == (404, "document_not_found")
    assert refusal(page(offline, "..%2F..%2Fplan.pdf", session_id))[0] == 404


def test_a_document_without_pages_says_so(offline: RunningServer, session_id: str, plan: Path) -> None:
    answer = page(offline, sha256(plan.with_name("report.xlsx")), session_id, number=1)

    assert refusal(answer) == (422, "document_has_no_pages")
    assert "report.xlsx" in answer.json()["error"]["message"]


def test_a_page_that_is_not_there_names_how_many_there_are(offline: RunningServer, session_id: str, plan: Path) -> None:
    answer = page(offline, sha256(plan), session_id, number=64)

    assert refusal(answer) == (404, "page_not_found")
    assert "63" in answer.json()["error"]["hint"]
    for number in (0, -1, 10**9, "x"):
        assert refusal(page(offline, sha256(plan), session_id, number=number))[0] == 422


@pytest.mark.parametrize(
    "highlight",
    [
        "",
        "1,2,3",
        "1,2,3,4,5",
        "a,b,c,d",
        "1,2,nan,4",
        "1,2,inf,4",
        "3,2,1,4",
        "1,4,3,2",
        "1,2,1,4",
        "1e300,2,1e301,4",
        "1,2,3," + "4" * 5000,
        "1;2;3;4",
    ],
)
def test_a_malformed_highlight_is_422(offline: RunningServer, session_id: str, plan: Path, highlight: str) -> None:
    assert refusal(page(offline, sha256(plan), session_id, highlight=highlight)) == (422, "bad_highlight")


def test_frames_are_bounded_and_stand_on_the_page(offline: RunningServer, session_id: str, plan: Path) -> None:
    assert page(offline, sha256(plan), session_id, highlight=[BOX] * 32).status_code == 200
    assert refusal(page(offline, sha256(plan), session_id, highlight=[BOX] * 33)) == (422, "too_many_highlights")
    assert refusal(page(offline, sha256(plan), session_id, highlight="700,10,800,20")) == (422, "highlight_off_page")


@pytest.mark.parametrize("scale", ["0.1", "5", "nan", "inf", "-2", "x"])
def test_the_scale_is_bounded(offline: RunningServer, session_id: str, plan: Path, scale: str) -> None:
    assert refusal(page(offline, sha256(plan), session_id, scale=scale))[0] == 422


@pytest.mark.parametrize("name", ["h01_encrypted.pdf", "h02_truncated.pdf"])
def test_a_pdf_that_cannot_be_read_is_refused_readably(offline: RunningServer, fixtures_path: Path, name: str) -> None:
    path = fixtures_path / "airflow" / "hostile" / name
    session = offline.chat("算 1+1", files=[(name, path.read_bytes())])[0]["session_id"]

    answer = page(offline, sha256(path), session, number=1)

    assert refusal(answer) == (422, "document_unreadable")
    assert name in answer.json()["error"]["message"]


def test_a_page_that_brings_down_its_drawer_leaves_the_server_standing(offline: RunningServer, tmp_path: Path) -> None:
    sheet = PdfPage()
    sheet.operators = ["0 0 m 1 1 l S\n" * 100_000] * 30
    path = write_pdf(tmp_path / "plan.pdf", [sheet])
    session = offline.chat("算 1+1", files=[("plan.pdf", path.read_bytes())])[0]["session_id"]

    answer = page(offline, sha256(path), session, number=1)

    assert refusal(answer) == (422, "document_unreadable")
    assert offline.get("/health").status_code == 200


def test_a_deleted_session_takes_its_pages_with_it(offline: RunningServer, session_id: str, plan: Path) -> None:
    assert page(offline, sha256(plan), session_id).status_code == 200

    offline.client.delete(f"/api/sessions/{session_id}", params={"user_name": offline.user})

    assert refusal(page(offline, sha256(plan), session_id)) == (404, "session_not_found")
