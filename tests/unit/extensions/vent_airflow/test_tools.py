"""The six tools from upload to report, through the one door; their names and arguments stand in the skill."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review import review as review_files
from algorithms.airflow_review.documents.reader import read_document
from algorithms.airflow_review.render.json_text import review_from_json_text, review_to_json_text
from config import get_settings
from extensions.vent_airflow import tools, workspace_paths
from extensions.vent_airflow.extension import FEATURE, register
from extensions.vent_airflow.playbook import AirflowPlaybook
from tests.support.governed import SOMEBODY
from tools.registry import PlaybookResult, PlaybookView, ToolError

ROOT = Path(__file__).resolve().parents[4]
FIXTURES = ROOT / "tests" / "fixtures" / "airflow"
SKILL = ROOT / "skills" / "airflow-review"


@pytest.fixture
def max_inline_items():
    return 3


@pytest.mark.parametrize("switch", [False, True])
async def test_scans_are_recognised_only_where_the_administrator_has_switched_it_on(
    workspace, call, monkeypatch, switch
):
    settings = get_settings().model_copy(update={"airflow_ocr": switch})
    recognised = []

    def read_recognizing(path):
        recognised.append(path.name)
        return read_document(path)

    monkeypatch.setattr(tools, "get_settings", lambda: settings)
    monkeypatch.setattr(tools, "read_recognizing", read_recognizing)

    await call("airflow_plan_preprocess", plan_path="/workspace/uploads/计划.txt")
    await call("airflow_report_parse", report_path="/workspace/uploads/报表.docx")

    assert recognised == (["计划.txt", "报表.docx"] if switch else [])


async def test_r_air_7_the_tools_lead_from_upload_to_report(workspace, call):
    plan = (await call("airflow_plan_preprocess", plan_path="/workspace/uploads/计划.txt"))["data"]
    valid = await call(
        "airflow_plan_validate", extraction=plan["template_path"], plan_path="/workspace/uploads/计划.txt"
    )
    report = await call("airflow_report_parse", report_path="/workspace/uploads/报表.docx")
    verified = await call("airflow_plan_verify", plan=valid["data"]["extract_path"])
    compared = await call(
        "airflow_measure_compare",
        plan=valid["data"]["extract_path"],
        report=report["data"]["extract_path"],
    )
    written = await call("airflow_report_write", review=compared["data"]["review_path"])

    assert valid["data"]["valid"] is True
    assert verified["ok"] is True
    assert [item["name"] for item in written["data"]["files"]] == [
        "review.json", "report.md", "report.docx", "report.xlsx", "report.html",
    ]  # fmt: skip
    for item in written["data"]["files"]:
        assert workspace_paths.existing_file(item["path"]).stat().st_size == item["size"]
    by_tools = review_from_json_text((workspace_paths.existing_file(compared["data"]["review_path"])).read_text())
    directly = review_files(workspace / "uploads" / "计划.txt", workspace / "uploads" / "报表.docx")
    assert review_to_json_text(by_tools) == review_to_json_text(directly)


async def test_r_pit_19_a_tool_returns_the_first_rows_and_the_path_of_all(workspace, call):
    answer = await call("airflow_plan_preprocess", plan_path="计划.txt")
    places = answer["data"]["places"]

    assert answer["data"]["summary"]
    assert len(places["items"]) == 3
    assert places["count"] == answer["data"]["statistics"]["places"] == 3 + places["omitted"]
    assert re.fullmatch(r"/workspace/outputs/airflow/[\d-]+-plan-extract\.json", answer["data"]["extract_path"])
    whole = json.loads(workspace_paths.existing_file(answer["data"]["extract_path"]).read_text(encoding="utf-8"))
    assert len(whole["extract"]["places"]) == places["count"]


async def test_r_inv_4_sources_name_document_and_row(workspace, call):
    answer = await call("airflow_report_parse", report_path="报表.docx")

    assert len(answer["sources"]) == 3
    for source in answer["sources"]:
        assert source["kind"] == "document"
        assert source["locator"]["file"] == "报表.docx"
        assert source["locator"]["row"]
        assert source["locator"]["quote"]


async def test_a_plan_alone_is_compared_without_measured_verdicts(workspace, call):
    plan = (await call("airflow_plan_preprocess", plan_path="计划.txt"))["data"]
    answer = (await call("airflow_measure_compare", plan=plan["extract_path"]))["data"]

    assert answer["measured_window"] is None
    assert answer["shortages"]["count"] == 0
    assert "未提供测风报表" in answer["summary"]


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("airflow_plan_preprocess", {"plan_path": "/workspace/uploads/没有.pdf"}, "file_not_found"),
        ("airflow_plan_preprocess", {"plan_path": "/etc/passwd"}, "path_outside_workspace"),
        ("airflow_plan_preprocess", {"plan_path": "broken.pdf"}, "damaged"),
        ("airflow_plan_preprocess", {"plan_path": "other.txt"}, "not_a_plan"),
        ("airflow_report_parse", {"report_path": "other.txt"}, "not_a_report"),
        ("airflow_measure_compare", {"plan": "{}"}, "bad_arguments"),
        ("airflow_measure_compare", {"plan": '{"schema": "airflow_plan_extract/1"}'}, "bad_arguments"),
        ("airflow_measure_compare", {"plan": '{"schema": "airflow_plan_extract/1", "source": {"a": 1}, "extract": {"b": 2}}'}, "bad_arguments"),
        ("airflow_report_write", {"review": '{"schema": "airflow_review/1", "plan": 1}'}, "bad_arguments"),
        ("airflow_report_write", {"review": "{}", "lang": "fr"}, "bad_arguments"),
        ("airflow_plan_validate", {"extraction": "nothing", "plan_path": "计划.txt"}, "file_not_found"),
    ],
)  # fmt: skip
async def test_r_lay_5_a_refusal_is_readable_and_tells_what_to_do(workspace, call, name, args, code):
    (workspace / "uploads" / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"x" * 300)
    (workspace / "uploads" / "other.txt").write_text("会议纪要\n\n今天没有开会。\n" * 5, encoding="utf-8")
    answer = await call(name, **args)

    assert answer["ok"] is False
    assert answer["code"] == code
    assert answer["error"]
    assert answer["hint"]
    assert str(workspace) not in json.dumps(answer, ensure_ascii=False)


async def test_the_embedded_model_plays_the_whole_review(workspace, registry, call):
    names = frozenset(descriptor.name for descriptor in registry.descriptors)
    view = PlaybookView(
        user_text="请研判",
        files=("/workspace/uploads/计划.txt", "/workspace/uploads/报表.docx"),
        new_files=("/workspace/uploads/计划.txt", "/workspace/uploads/报表.docx"),
        tools=names,
    )
    results: list[PlaybookResult] = []
    while (step := AirflowPlaybook().next_step(view)) is not None and step.tool is not None:
        payload = await call(step.tool, **step.args)
        results.append(
            PlaybookResult(name=step.tool, args=step.args, status="ok" if payload["ok"] else "error", payload=payload)
        )
        view = PlaybookView(
            user_text=view.user_text, files=view.files, new_files=view.new_files, tools=names, results=tuple(results)
        )

    assert [result.name for result in results] == [tool.name for tool in FEATURE.descriptors if not tool.effects]
    assert step is not None
    assert "report.docx" in step.text


def test_r_air_7_the_skill_names_the_tools_and_parameters_that_are_registered():
    text = (SKILL / "references" / "contracts" / "tools.md").read_text(encoding="utf-8")
    written = {
        name: {row[0]: row[1] == "是" for row in re.findall(r"^\| `(\w+)` \| (是|否) \|", body, re.MULTILINE)}
        for name, body in re.findall(r"^## (airflow_\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    }
    registered = {
        descriptor.name: {name: info.is_required() for name, info in descriptor.arguments.model_fields.items()}
        for descriptor in FEATURE.descriptors
    }

    assert written == registered


def test_the_skill_has_a_head_names_all_tools_and_only_files_that_exist():
    text = (SKILL / "SKILL.md").read_text(encoding="utf-8")
    head = re.match(r"---\nname: ([\w-]+)\ndescription: (.+)\n---\n", text)

    assert head is not None
    assert head[1] == SKILL.name
    assert len(head[2]) < 1024
    assert all(descriptor.name in text for descriptor in FEATURE.descriptors)
    assert "/workspace/uploads/" in text
    for link in re.findall(r"\]\((references/[^)]+)\)", text):
        assert (SKILL / link).is_file()


def test_no_airflow_tool_but_publishing_writes_outside_the_workspace_and_all_are_of_the_domain():
    assert {one.name for one in FEATURE.descriptors if one.write_action} == {"airflow_report_publish"}
    assert {one.domain for one in FEATURE.descriptors} == {"airflow"}


def test_registering_twice_stops_the_start(registry):
    with pytest.raises(ValueError, match="already"):
        register(registry)


def test_a_direct_call_of_a_tool_gives_decimals_as_they_are(workspace):
    answer = tools.airflow_plan_preprocess("计划.txt", SOMEBODY)

    assert isinstance(answer["data"]["places"]["items"][0]["required_m3_min"], Decimal)
    with pytest.raises(ToolError):
        tools.airflow_plan_preprocess("", SOMEBODY)
