"""The product over HTTP, without any key: two files in, a verdict and report files out; bad files are told readably."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.server import RunningServer, of_type, text_of


def test_r_run_1_two_files_become_a_review_with_report_files(offline: RunningServer, fixtures_path: Path) -> None:
    folder = fixtures_path / "airflow" / "reference"
    files = [(name, (folder / name).read_bytes()) for name in ("plan.pdf", "report.xlsx")]

    frames = offline.chat("请研判", files=files)

    assert frames[-1]["status"] == "succeeded"
    assert {result["status"] for result in of_type(frames, "tool_result")} == {"ok"}
    assert text_of(frames)
    produced = {file["name"]: file["path"] for file in of_type(frames, "file")}
    assert {"review.json", "report.docx", "report.md"} <= produced.keys()
    session_id = frames[0]["session_id"]
    address = f"/api/sessions/{session_id}/files/{produced['review.json'].removeprefix('/workspace/')}"
    assert json.loads(offline.get(address).content)["schema"] == "airflow_review/1"
    listed = {file["path"] for file in offline.json(f"/api/sessions/{session_id}/files", role="output")["items"]}
    assert listed == set(produced.values())


def test_a_review_with_findings_tells_each_of_them_whole(offline: RunningServer, fixtures_path: Path) -> None:
    folder = fixtures_path / "airflow" / "faults"
    files = [(name, (folder / name).read_bytes()) for name in ("f14_plan.txt", "f14_report.docx")]

    frames = offline.chat("请研判", files=files)

    (result,) = [one for one in of_type(frames, "tool_result") if one["name"] == "airflow_measure_compare"]
    found = json.loads(result["content"])["data"]["findings"]["items"] if not result["truncated"] else []
    listed = [line for line in text_of(frames).splitlines() if line.startswith("- F0")]
    assert len(listed) == 4
    assert all("警告 · " in line and "：" in line for line in listed), listed
    assert all(any(item["message"] in line for line in listed) for item in found)
    assert of_type(frames, "guard") == [], "the embedded model's words are code's own"


def test_r_inv_4_the_reviews_sources_name_document_and_page(offline: RunningServer, fixtures_path: Path) -> None:
    plan = (fixtures_path / "airflow" / "reference" / "plan.txt").read_bytes()

    frames = offline.chat("请审查这份计划", files=[("plan.txt", plan)])

    (sources,) = of_type(frames, "sources")
    assert any(item["locator"] for item in sources["items"])
    assert len({json.dumps(item, sort_keys=True) for item in sources["items"]}) == len(sources["items"])


@pytest.mark.parametrize("name", ["h01_encrypted.pdf", "h02_truncated.pdf"])
def test_an_unreadable_pdf_is_uploaded_and_refused_readably(
    offline: RunningServer, fixtures_path: Path, name: str
) -> None:
    content = (fixtures_path / "airflow" / "hostile" / name).read_bytes()

    frames = offline.chat("请审查", files=[(name, content)])

    (result,) = of_type(frames, "tool_result")
    payload = json.loads(result["content"])
    assert (result["status"], payload["ok"]) == ("error", False)
    assert payload["error"]
    assert payload["hint"]
    assert frames[-1]["status"] == "succeeded"
    assert of_type(frames, "error") == []
    assert offline.chat("算 1+1", session_id=frames[0]["session_id"])[-1]["status"] == "succeeded"


def test_a_page_renamed_to_pdf_is_refused_at_the_door(offline: RunningServer, fixtures_path: Path) -> None:
    content = (fixtures_path / "airflow" / "hostile" / "h06_html.pdf").read_bytes()

    answer = offline.post_chat("请审查", files=[("h06_html.pdf", content)])

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "file_content_mismatch")
    assert "h06_html.pdf" in answer.json()["error"]["message"]
