"""`airflow_report_publish`: exactly the approved review is handed over, once, and stays as it is."""

from __future__ import annotations

import asyncio
import hashlib
import json

import pytest

from extensions.vent_airflow import workspace_paths
from extensions.vent_airflow.extension import FEATURE


@pytest.fixture
async def written(papers, call):
    """A review of both documents with its report written: the arguments of its publication."""
    review = (await call("airflow_measure_compare", **papers))["data"]
    report = (await call("airflow_report_write", review=review["review_path"]))["data"]
    assert report["review_sha256"] == review["review_sha256"]
    return {key: report[key] for key in ("review_path", "review_sha256", "open_checks", "name")}


async def test_r_air_the_issue_is_the_review_that_was_approved_with_its_digest_publisher_and_time(written, call):
    answer = await call("airflow_report_publish", **written)

    data = answer["data"]
    files = {item["name"]: workspace_paths.existing_file(item["path"]) for item in data["files"]}
    assert set(files) == {"review.json", "report.md", "report.docx", "report.xlsx", "report.html"}
    assert hashlib.sha256(files["review.json"].read_bytes()).hexdigest() == written["review_sha256"]
    assert data["folder"].startswith("/workspace/outputs/airflow/published/")
    assert written["review_sha256"][:16] in data["folder"]
    note = json.loads((files["review.json"].parent / "published.json").read_text(encoding="utf-8"))
    assert (note["published_by"], note["review_sha256"], note["name"]) == (
        "local",
        written["review_sha256"],
        written["name"],
    )
    assert note["files"] == {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}
    assert {file.stat().st_mode & 0o222 for file in files.values()} == {0}, "nobody may write"
    assert answer["sources"]


async def test_publishing_again_gives_the_same_issue_also_at_the_same_time(written, call):
    both = await asyncio.gather(*(call("airflow_report_publish", **written) for _ in range(2)))
    later = await call("airflow_report_publish", **written)

    assert sorted(answer["data"]["is_new"] for answer in both) == [False, True]
    assert {answer["data"]["published_at"] for answer in (*both, later)} == {both[0]["data"]["published_at"]}
    folder = workspace_paths.resolve_virtual(later["data"]["folder"]).parent
    assert len(list(folder.iterdir())) == 1, "nothing half-made is left"


async def test_a_review_that_changed_since_the_approval_is_not_published(written, call):
    path = workspace_paths.existing_file(written["review_path"])
    review = json.loads(path.read_text(encoding="utf-8"))
    review["summary"]["verdict"] = "conclusive"
    path.write_text(json.dumps(review, ensure_ascii=False), encoding="utf-8")

    answer = await call("airflow_report_publish", **written)

    assert answer["code"] == "review_changed"
    assert not workspace_paths.session_workspace().joinpath("outputs/airflow/published").exists()


async def test_a_review_older_than_a_settled_value_is_not_published(written, papers, call):
    raw = json.loads(workspace_paths.existing_file(papers["report"]).read_text(encoding="utf-8"))
    reading = next(r for r in raw["extract"]["readings"] if r["flow"] and r["kind"] == "heading")
    settled = await call(
        "airflow_value_settle",
        path=f"reading/{reading['station']}/flow_m3_min",
        old=reading["flow"]["value"],
        new="1.5",
        **papers,
    )

    assert (await call("airflow_report_publish", **written))["code"] == "review_outdated"
    report = (await call("airflow_report_write", review=settled["data"]["review_path"]))["data"]
    renewed = {key: report[key] for key in written}
    assert (await call("airflow_report_publish", **renewed))["ok"] is True


@pytest.mark.parametrize("off_by", [1, 3])
async def test_open_manual_checks_must_be_stated_as_they_are(written, call, off_by):
    answer = await call("airflow_report_publish", **{**written, "open_checks": written["open_checks"] + off_by})

    assert answer["code"] == "open_checks"
    assert f"仍有 {written['open_checks']} 项" in answer["error"]


async def test_an_issue_that_was_changed_on_disk_is_not_passed_on(written, call):
    folder = workspace_paths.resolve_virtual((await call("airflow_report_publish", **written))["data"]["folder"])
    (folder / "report.md").chmod(0o644)
    (folder / "report.md").write_text("另一份结论", encoding="utf-8")

    answer = await call("airflow_report_publish", **written)

    assert (answer["code"], "report.md" in answer["error"]) == ("published_changed", True)


@pytest.mark.parametrize(
    "change",
    [
        {"review_sha256": "0" * 63},
        {"review_sha256": "A" * 64},
        {"name": ""},
        {"name": "长" * 81},
        {"open_checks": -1},
        {"lang": "fr"},
    ],
)
async def test_arguments_that_cannot_be_are_refused(written, call, change):
    assert (await call("airflow_report_publish", **{**written, **change}))["code"] == "bad_arguments"


@pytest.mark.parametrize("name", ["../../外面", "a/b", "con", "…"])
async def test_no_name_leads_out_of_the_folder(written, call, name):
    answer = await call("airflow_report_publish", **{**written, "name": name})

    folder = workspace_paths.resolve_virtual(answer["data"]["folder"])
    assert folder.parent == workspace_paths.session_workspace() / "outputs" / "airflow" / "published"
    assert answer["data"]["name"] == name


def test_it_is_declared_as_an_effect_that_cannot_be_taken_back():
    (tool,) = [d for d in FEATURE.descriptors if d.name == "airflow_report_publish"]

    assert (tool.write_action, tool.destructive, tool.effects) == (True, True, ("report.published",))
    assert tool.evidence is not None
    assert tool.evidence({"review_sha256": "f" * 64}) == "f" * 64
