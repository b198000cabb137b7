"""R-GRD-2: the airflow patterns read the tools' real payloads, and the guard holds an answer against them."""

import json
import shutil
from pathlib import Path

import pytest

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from config import get_settings
from extensions.vent_airflow import tools, workspace_paths
from extensions.vent_airflow.critical_fields import CRITICAL_FIELDS
from extensions.vent_airflow.extension import FEATURE, register
from tests.support.governed import governed_registry
from tools.critical_fields import ALL_PATTERNS, select_critical_fields_for_agent

FAULTS = Path(__file__).resolve().parents[4] / "tests" / "fixtures" / "airflow" / "faults"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """What plan, report and comparison return for one pair of documents."""
    settings = get_settings().model_copy(update={"data_dir": tmp_path})
    for module in (workspace_paths, tools):
        monkeypatch.setattr(module, "get_settings", lambda: settings)
    uploads = workspace_paths.session_workspace() / "uploads"
    uploads.mkdir(parents=True)
    shutil.copy(FAULTS / "f14_plan.txt", uploads / "计划.txt")
    shutil.copy(FAULTS / "f14_report.docx", uploads / "报表.docx")
    registry = governed_registry()
    register(registry)
    yield registry
    registry.close()


async def seen(registry, name, **arguments):
    tool = registry.get_tools_by_name([name])[0]
    message = await tool.ainvoke({"type": "tool_call", "id": name, "name": name, "args": arguments})
    return SeenResult(name, json.loads(message.content)["data"], call_id=name, arguments=arguments)


async def whole_review(registry):
    plan = await seen(registry, "airflow_plan_preprocess", plan_path="/workspace/uploads/计划.txt")
    report = await seen(registry, "airflow_report_parse", report_path="/workspace/uploads/报表.docx")
    paths = {"plan": plan.data["extract_path"], "report": report.data["extract_path"]}
    return [plan, report, await seen(registry, "airflow_measure_compare", **paths)]


def values(name, results):
    pattern = next(found for found in CRITICAL_FIELDS if found.name == f"airflow.{name}")
    return {
        (result.tool, value.path): value
        for result in results
        if result.tool in pattern.source_tools
        for value in pattern.extract(result.data)
    }


async def test_r_grd_2_the_patterns_find_their_fields_in_real_payloads(results):
    plan, report, review = payloads = await whole_review(results)

    places = plan.data["places"]["items"]
    for index, place in enumerate(places):
        found = values("required", payloads)["airflow_plan_preprocess", f"places.items[{index}].required_m3_min"]
        assert (float(found.value), found.objects) == (place["required_m3_min"], (place["name"],))
    fans = values("fan_flow", payloads)
    assert [float(value.value) for value in fans.values()] == [fan["flow_m3_min"] for fan in report.data["fans"]]
    intake = values("total_intake", payloads)["airflow_report_parse", "total_intake_m3_min"]
    assert float(intake.value) == report.data["total_intake_m3_min"]
    counted = review.data["statistics"]["findings"]
    for severity in counted:
        found = values(f"findings_{severity}", payloads)
        assert [int(value.value) for value in found.values()] == [counted[severity]]


async def test_r_grd_2_a_number_of_another_place_is_contradicted(results):
    payloads = await whole_review(results)
    rows = payloads[0].data["places"]["items"]
    one = rows[0]
    other = next(row for row in rows if row["required_m3_min"] != one["required_m3_min"])
    guard = ResponseGuard()

    def flagged(text):
        return [v.text for v in guard.verify(text, payloads, CRITICAL_FIELDS) if v.is_flagged]

    assert flagged(f"{one['name']}需风量 {one['required_m3_min']} m³/min。") == []
    assert flagged(f"{one['name']}需风量 {other['required_m3_min']} m³/min。") == [str(other["required_m3_min"])]


async def test_r_grd_2_the_tools_own_summaries_pass(results):
    """The sentences that our own code writes about a review hold no number that the guard would flag."""
    payloads = await whole_review(results)
    texts = [result.data["summary"] for result in payloads] + list(payloads[2].data["conclusion"].values())

    for text in texts:
        wrong = [(v.text, v.grounding) for v in ResponseGuard().verify(text, payloads, CRITICAL_FIELDS) if v.is_flagged]
        assert wrong == [], text


def test_a_printed_value_with_its_evidence_and_a_value_as_text_are_read():
    pattern = next(found for found in CRITICAL_FIELDS if found.name == "airflow.methane")
    data = {
        "readings": [{"station": "102面", "ch4_pct": {"value": "0.34", "text": "0.34"}}],
        "monitoring": {
            "values": [{"place": "103面", "quantity": "ch4_pct", "unit": "%", "latest": "0.41", "highest": "0.52"}]
        },
    }

    assert [(v.path, float(v.value), v.objects) for v in pattern.extract(data)] == [
        ("readings[0].ch4_pct", 0.34, ("102面",)),
        ("monitoring.values[0].latest", 0.41, ("103面",)),
        ("monitoring.values[0].highest", 0.52, ("103面",)),
    ]


def test_r_grd_2_an_agent_with_the_airflow_tools_gets_the_patterns_and_another_gets_none():
    registry = governed_registry()
    register(registry)

    assert FEATURE.critical_fields == CRITICAL_FIELDS
    assert set(CRITICAL_FIELDS) <= set(
        select_critical_fields_for_agent(["airflow_measure_compare", "airflow_report_parse", "airflow_plan_preprocess"])
    )
    assert not set(CRITICAL_FIELDS) & set(select_critical_fields_for_agent(["get_current_time"], ALL_PATTERNS))
    registry.close()
