"""R-GRD-2: evidence is what tools returned, never what a model wrote, by whatever way it comes back."""

from __future__ import annotations

import pytest

from agents.guards.evidence.seen_result import SeenResult
from api.answer_guard import GuardedMessage
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


def of_review(*messages: str, **counts: int) -> NumberCheck:
    data = {
        "statistics": {"findings": counts},
        "findings": {"items": [{"message": message} for message in messages]},
        "places": [{"name": "12采区轨道上山掘进工作面", "required_m3_min": 563.0, "measured_m3_min": 523.0}],
    }
    check = NumberCheck(CRITICAL_FIELDS)
    check.learn([SeenResult("airflow_measure_compare", data, "c1")])
    return check


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("警告 4 项。", "grounded"),
        ("共有 4 项警告。", "grounded"),
        ("警告 3 项。", "blocked"),
        ("警告：**3** 项。", "blocked"),
        ("3 项警告。", "blocked"),
        ("| 严重程度 | 项数 |\n|---|---|\n| 警告 | 3 |\n", "blocked"),
        ("警告 · 12采区轨道上山掘进工作面的实测风量为 523 m³/min。", "grounded"),
        ("警告 · 12采区轨道上山掘进工作面的实测风量为 533 m³/min。", "blocked"),
    ],
)
def test_r_grd_2_a_count_stands_beside_its_word_and_a_name_holds_no_value(sentence, expected):
    finding = of_review(warning=4)(sentence, 0)

    assert ("grounded" if finding is None else finding.verdict) == expected


def test_r_grd_2_a_tools_own_sentence_may_be_repeated_and_not_altered():
    said = "12采区轨道上山掘进工作面最高风速取 8m/s，应不高于 4m/s。"
    check = of_review(said, "最低温度取 26 ℃，应不低于 2 ℃。", warning=4)

    assert check(f"- F001 警告 · {said}", 0) is None
    altered = check(said.replace("8m/s", "9m/s"), 0)
    assert altered is not None
    assert altered.spans


def test_r_grd_2_every_withheld_number_is_told():
    message = GuardedMessage("m", [of_review(warning=4)], None, lambda: 0.0, lambda _: None)

    shown = [*message.feed("警告 3 项。警告 5 项。"), *message.close()]

    assert "".join(shown) == message.final_text
    assert message.final_text.count("已拦截") == 2


@pytest.mark.parametrize(
    "above",
    [
        "{}：\n",
        "{}\n- ",
        "**{}**\n\n- ",
        "### {}\n\n",
        "先看{}。",
        "{}的情况如下：\n\n1. ",
        "### {}\n| 项目 | 数值 |\n|---|---|\n| ",
        "### {}\n| ",
    ],
)
def test_r_grd_2_a_figure_belongs_to_the_row_that_the_line_above_names(above):
    rows = [{"name": "1301工作面", "required_m3_min": 1220.0}, {"name": "1302工作面", "required_m3_min": 1508.0}]
    check = NumberCheck(CRITICAL_FIELDS)
    check.learn([SeenResult("airflow_plan_preprocess", {"places": {"items": rows}}, "c1")])
    field = "需风量 | {} |" if above.endswith("| ") else "需风量为 {} m³/min。"

    def finding_of(name: str, value: int):
        text = above.format(name) + field.format(value)
        return check(text, text.rindex("\n") + 1 if "\n" in text else text.index("。") + 1)

    assert finding_of("1301工作面", 1220) is None
    assert finding_of("1302工作面", 1508) is None
    assert finding_of("1302工作面", 1220).verdict == "blocked"
    assert finding_of("1301工作面", 1508).verdict == "blocked"


def test_r_grd_2_a_sentence_that_says_more_than_a_name_is_no_heading():
    rows = [{"name": "1301工作面", "required_m3_min": 1220.0}, {"name": "1302工作面", "required_m3_min": 1508.0}]
    check = NumberCheck(CRITICAL_FIELDS)
    check.learn([SeenResult("airflow_plan_preprocess", {"places": {"items": rows}}, "c1")])

    assert check("1301工作面一切正常。需风量最大的是 1508 m³/min。", 11) is None
