"""What a model may send as argument, and what it gets back when something breaks."""

import inspect
import json
import re
from decimal import Decimal

import pytest
from structlog.testing import capture_logs

from algorithms.airflow_review.documents.document import InputError, InputProblem
from extensions.vent_airflow import workspace_paths
from extensions.vent_airflow.tool_support import _load_argument, _readable_errors, save_result
from tests.support.governed import SOMEBODY, RememberedLedger, governed_registry
from tools.ports import Outcome
from tools.registry import AgentContext, ToolError, ToolPayload, agent_tool, for_feature


@pytest.fixture
def workspace(empty_workspace):
    (empty_workspace / "outputs").mkdir()
    return empty_workspace


def test_r_pit_19_an_argument_is_json_text_or_a_path(workspace):
    (workspace / "outputs" / "x.json").write_text('{"a": 1.10}', encoding="utf-8")

    for argument in ('{"a": 1.10}', "/workspace/outputs/x.json", "outputs/x.json"):
        assert _load_argument(argument, "plan") == {"a": Decimal("1.10")}


@pytest.mark.parametrize(
    "text", ['[{"a": 1}]', '"{\\"a\\": 1}"', '{"ok": true, "data": {"a": 1}, "sources": []}', '{"data": [{"a": 1}]}']
)
def test_r_pit_21_shapes_a_model_makes_are_normalised(text):
    assert _load_argument(text, "plan") == {"a": 1}


@pytest.mark.parametrize("text", ["{", "[1, 2]", '"x"', "[" * 100_000, '"[1]"'])
def test_r_pit_21_what_is_no_object_is_refused_in_words(text):
    with pytest.raises(ToolError) as refusal:
        _load_argument(text, "plan")

    assert "plan" in refusal.value.message
    assert "_path" in refusal.value.hint


def test_r_pit_19_results_are_named_by_time_and_logical_name(workspace):
    path = save_result("研判/结果", "{}")

    assert re.fullmatch(r"/workspace/outputs/airflow/\d{8}-\d{6}-\d{6}-研判_结果\.json", path)
    assert json.loads(workspace_paths.existing_file(path).read_text()) == {}


async def test_r_pit_21_an_unexpected_exception_is_a_readable_answer_a_log_line_and_a_failed_call_on_record():
    @agent_tool(name="airflow_tried_break", title="试", description="试", category="airflow")
    @_readable_errors
    def broken(ctx: AgentContext) -> ToolPayload:
        raise KeyError("/secret/path")

    ledger = RememberedLedger()
    registry = governed_registry(ledger=ledger)
    registry.add_feature(for_feature("f", domain="airflow", tools=[broken]))
    with capture_logs() as logs:
        answer = (await registry.invoke("airflow_tried_break", {}, context=SOMEBODY)).payload
    registry.close()

    (end,) = ledger.ends
    assert answer["ok"] is False
    assert "secret" not in json.dumps(answer)
    assert (end.outcome, end.code) == (Outcome.FAILED, "tool_failed")
    assert end.incident_id in answer["error"]
    assert answer["hint"]
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["tool_failed"]


def test_an_unreadable_document_is_a_business_error_with_its_remedy():
    @_readable_errors
    def refuses() -> ToolPayload:
        raise InputError(InputProblem.ENCRYPTED, "a.pdf", "文件已加密", "请去除密码后重新上传。")

    with pytest.raises(ToolError) as refusal:
        refuses()

    assert refusal.value.code == "encrypted"
    assert refusal.value.message == "a.pdf：文件已加密"
    assert refusal.value.hint == "请去除密码后重新上传。"


def test_the_decorator_keeps_the_signature_a_tool_is_described_by():
    @_readable_errors
    def tool(plan_path: str) -> ToolPayload:
        return {"ok": True, "data": plan_path}

    assert list(inspect.signature(tool).parameters) == ["plan_path"]
