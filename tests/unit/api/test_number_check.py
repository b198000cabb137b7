"""R-GRD-2: evidence is what tools returned, never what a model wrote, by whatever way it comes back."""

from __future__ import annotations

import pytest

from agents.guards.evidence.seen_result import SeenResult
from api.number_check import NumberCheck
from extensions.vent_airflow.critical_fields import CRITICAL_FIELDS

SENTENCE = "3201工作面的需风量为 1221 m³/min。"


def seen(tool: str, text: str, call_id: str, **arguments: str) -> SeenResult:
    return SeenResult(tool, text, call_id, arguments)


def verdict(*results: SeenResult) -> str:
    check = NumberCheck(CRITICAL_FIELDS)
    check.learn(results)
    finding = check(SENTENCE, 0)
    return "grounded" if finding is None else finding.verdict


def test_r_grd_2_a_file_that_a_tool_wrote_is_evidence_when_it_is_read():
    assert verdict(seen("read_file", "需风量 1221 m³/min", "c1", file_path="/workspace/outputs/a.json")) == "grounded"
    assert verdict(seen("grep", "a.json: 需风量 1221 m³/min", "c1", pattern="需风量")) == "grounded"


@pytest.mark.parametrize("write", ["write_file", "edit_file"])
def test_r_grd_2_a_number_that_the_model_wrote_into_a_file_is_none_when_it_reads_it_back(write):
    mine = seen(write, "Updated file", "c1", file_path="/workspace/note.md")

    assert verdict(mine, seen("read_file", "需风量 1221 m³/min", "c2", file_path="/workspace/note.md")) == "unverified"
    assert verdict(mine, seen("grep", "note.md: 需风量 1221 m³/min", "c2", pattern="需风量")) == "unverified"
    other = seen("read_file", "需风量 1221 m³/min", "c2", file_path="/workspace/outputs/a.json")
    assert verdict(mine, other) == "grounded"


@pytest.mark.parametrize("tool", ["task", "write_todos", "write_file", "ls"])
def test_r_grd_2_what_a_sub_agent_says_and_what_the_frameworks_tools_echo_is_no_evidence(tool):
    assert verdict(seen(tool, "3201工作面的需风量为 1221 m³/min", "c1")) == "unverified"


def test_r_grd_2_after_a_sub_agent_worked_only_uploads_are_evidence_of_their_own():
    worker = seen("task", "fertig", "c1")

    assert verdict(worker, seen("read_file", "需风量 1221 m³/min", "c2", file_path="/workspace/b.md")) == "unverified"
    upload = seen("read_file", "需风量 1221 m³/min", "c2", file_path="/workspace/uploads/plan.txt")
    assert verdict(worker, upload) == "grounded"
    sly = seen("read_file", "需风量 1221 m³/min", "c2", file_path="/workspace/uploads/../b.md")
    assert verdict(worker, sly) == "unverified"
