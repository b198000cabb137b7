"""The embedded model's way through a review: asks for what is missing, calls in order, says only what tools said."""

import json
import re
from dataclasses import replace

import pytest

from algorithms.airflow_review.render.digest import review_digest
from algorithms.airflow_review.render.words import load_words
from extensions.vent_airflow.playbook import AirflowPlaybook
from extensions.vent_airflow.upload_roles import choose_roles, find_roles
from tests.unit.algorithms.render.sample import sample_review
from tools.registry import PlaybookResult, PlaybookView
from tools.results import to_json_text

ORDER = [
    "airflow_plan_preprocess",
    "airflow_plan_validate",
    "airflow_report_parse",
    "airflow_plan_verify",
    "airflow_measure_compare",
    "airflow_report_write",
]
PLAN, REPORT = "/workspace/uploads/12月配风计划.pdf", "/workspace/uploads/12月测风报表.xlsx"
BOOK = AirflowPlaybook()


def digest(**changes):
    return json.loads(to_json_text(review_digest(sample_review(**changes), load_words("zh"), max_items=20)))


def payload(name, **changes):
    data = {
        "airflow_plan_preprocess": {
            "statistics": {"places": 92, "systems": 2, "calculations": 241, "doubts": 0},
            "period": "2024-12-01 至 2024-12-31",
            "template_path": "/workspace/outputs/airflow/t.json",
            "extract_path": "/workspace/outputs/airflow/e.json",
        },
        "airflow_plan_validate": {"issues": {"count": 0, "items": [], "omitted": 0}, "extract_path": "/workspace/outputs/airflow/v.json"},
        "airflow_report_parse": {
            "statistics": {"readings": 95, "fans": 2, "doubts": 0},
            "total_intake_m3_min": 35181,
            "total_return_m3_min": 35713,
            "window": "2024-12-11 至 2024-12-20",
            "extract_path": "/workspace/outputs/airflow/r.json",
        },
        "airflow_plan_verify": digest(has_report=False) | {"plan_review_path": "/workspace/outputs/airflow/p.json"},
        "airflow_measure_compare": digest(**changes) | {"review_path": "/workspace/outputs/airflow/c.json"},
        "airflow_report_write": {"files": [{"name": "report.docx", "path": "/workspace/outputs/airflow/x/report.docx", "size": 9}]},
    }[name]  # fmt: skip
    return {"ok": True, "data": data, "sources": []}


def run(view, answers=payload):
    """Play a whole turn; the steps in order."""
    steps = []
    while (step := BOOK.next_step(view)) is not None:
        steps.append(step)
        assert len(steps) < 12, "the playbook loops"
        if step.tool is None:
            break
        answer = answers(step.tool)
        status = "ok" if answer["ok"] else "error"
        result = PlaybookResult(name=step.tool, args=step.args, status=status, payload=answer)
        view = replace(view, results=(*view.results, result))
    return steps, view


def asks(text="请研判", files=(PLAN, REPORT), **parts):
    return PlaybookView(user_text=text, files=files, **({"new_files": files, "tools": frozenset(ORDER)} | parts))


def test_both_files_go_all_the_way_to_the_report():
    steps, _ = run(asks())

    assert [step.tool for step in steps] == [*ORDER, None]
    assert steps[0].args == {"plan_path": PLAN}
    assert steps[1].args == {"extraction": "/workspace/outputs/airflow/t.json", "plan_path": PLAN}
    assert steps[2].args == {"report_path": REPORT}
    assert steps[4].args == {"plan": "/workspace/outputs/airflow/v.json", "report": "/workspace/outputs/airflow/r.json"}
    assert steps[5].args == {"review": "/workspace/outputs/airflow/c.json", "lang": "zh"}
    assert "1. 解析配风计划" in steps[0].text


def test_files_alone_are_enough_to_start():
    steps, _ = run(asks(text=""))

    assert len(steps) == 7


def test_the_last_text_has_verdict_shortages_doubts_and_files():
    steps, _ = run(asks())
    text = steps[-1].text

    assert "1 个对象的计划或实测风量低于需风量，存在错误" in text
    assert "| 范本综采工作面 | 1221 | 1250 | 1105 | -116 | 0.9049 | 不足 |" in text
    assert "F002 人工复核" in text
    assert "未判定（没有可比较的实测数据）" in text
    assert "`/workspace/outputs/airflow/x/report.docx`" in text
    assert "合格" not in text


def test_every_number_said_comes_from_a_payload():
    steps, view = run(asks())
    known = set(re.findall(r"\d+(?:\.\d+)?", to_json_text({str(n): r.payload for n, r in enumerate(view.results)})))
    known |= set(re.findall(r"\d+", PLAN + REPORT)) | {str(n) for n in range(1, 7)}  # names of files, numbered steps

    for step in steps:
        assert set(re.findall(r"\d+(?:\.\d+)?", step.text)) <= known


def test_r_pit_18_without_files_both_are_asked_for():
    steps, _ = run(asks(files=()))

    assert [step.tool for step in steps] == [None]
    assert "配风计划" in steps[0].text
    assert "测风报表" in steps[0].text


def test_a_report_alone_is_not_judged_and_the_plan_is_asked_for():
    steps, _ = run(asks(files=(REPORT,)))

    assert [step.tool for step in steps] == [None]
    assert "还缺 **配风计划**" in steps[0].text


def test_a_plan_alone_is_reviewed_alone_after_saying_so():
    steps, _ = run(asks(files=(PLAN,)), lambda name: payload(name, has_report=False))

    assert [step.tool for step in steps] == [name for name in ORDER if name != "airflow_report_parse"] + [None]
    assert "先单独审查计划" in steps[0].text
    assert steps[3].args["report"] == ""
    assert "未提供测风报表" in steps[-1].text


@pytest.mark.parametrize("failing", ORDER)
def test_r_lay_5_a_tool_that_fails_ends_the_turn_in_words(failing):
    refusal = {"ok": False, "error": "文件已加密", "hint": "请去除密码。", "code": "encrypted"}
    steps, _ = run(asks(), lambda name: refusal if name == failing else payload(name))

    assert steps[-1].tool is None
    assert "没有完成**：文件已加密。请去除密码。" in steps[-1].text
    assert [step.tool for step in steps[:-1]] == ORDER[: ORDER.index(failing) + 1]


def test_a_report_under_a_plans_name_gives_way_to_the_other_file():
    files = ("/workspace/uploads/配风计划.docx", "/workspace/uploads/b.pdf")
    tried = []

    def answers(name):
        if name == "airflow_plan_preprocess":
            tried.append(name)
            if len(tried) == 1:
                return {"ok": False, "error": "没有读出用风地点", "hint": "", "code": "not_a_plan"}
        return payload(name)

    steps, _ = run(asks(files=files), answers)

    assert steps[1].args == {"plan_path": files[1]}
    assert next(step for step in steps if step.tool == "airflow_report_parse").args == {"report_path": files[0]}
    assert steps[-1].tool is None


def test_two_files_that_are_no_plan_end_the_turn():
    refusal = {"ok": False, "error": "没有读出用风地点", "hint": "", "code": "not_a_plan"}
    steps, _ = run(asks(files=("/workspace/uploads/a.pdf", "/workspace/uploads/b.pdf")), lambda _: refusal)

    assert [step.tool for step in steps] == [ORDER[0], ORDER[0], None]


def after_review(text, **parts):
    _, view = run(asks())
    return asks(text=text, new_files=(), earlier=view.results, **parts)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("哪些地点风量不足？", "实测风量低于需风量：1 个"),
        ("有哪些需要人工复核", "F002 人工复核"),
        ("结论是什么", "1 个对象的计划或实测风量低于需风量，存在错误"),
        ("报告在哪里下载", "report.docx"),
        ("范本综采工作面的情况", "F001 错误"),
    ],
)
def test_questions_after_a_review_are_answered_from_it(question, part):
    steps, _ = run(after_review(question))

    assert [step.tool for step in steps] == [None]
    assert part in steps[0].text


def test_a_review_is_made_again_when_asked_again():
    steps, _ = run(after_review("请重新研判"))

    assert steps[0].tool == ORDER[0]


@pytest.mark.parametrize("text", ["现在几点", "你好", "算 60×11.3×1.2"])
def test_other_business_is_left_to_others(text):
    assert BOOK.next_step(asks(text=text, new_files=())) is None


def test_an_agent_without_the_tools_is_left_alone():
    assert BOOK.next_step(asks(tools=frozenset({"time_now"}))) is None


@pytest.mark.parametrize(
    ("files", "plan", "report"),
    [
        (("a/x.pdf", "a/y.xlsx"), "a/x.pdf", "a/y.xlsx"),
        (("a/y.csv", "a/x.docx"), "a/x.docx", "a/y.csv"),
        (("a/测风报表.pdf", "a/配风计划.pdf"), "a/配风计划.pdf", "a/测风报表.pdf"),
        (("a/report.docx", "a/plan.txt"), "a/plan.txt", "a/report.docx"),
        (("a/1.pdf", "a/2.pdf"), "a/1.pdf", "a/2.pdf"),
        (("a/11月配风计划.pdf", "a/12月配风计划.pdf", "a/t.xls"), "a/12月配风计划.pdf", "a/t.xls"),
        (("a/x.png",), None, None),
        (("a/旬报.pdf",), None, "a/旬报.pdf"),
    ],
)  # fmt: skip
def test_roles_are_found_by_name_and_kind_newest_first(files, plan, report):
    roles = find_roles(files)

    assert (roles.plan, roles.report) == (plan, report)


@pytest.mark.parametrize(
    ("older", "new", "plan", "report"),
    [
        (("a/12月配风计划.pdf", "a/12月.xlsx"), ("a/1月.pdf", "a/1月.xlsx"), "a/1月.pdf", "a/1月.xlsx"),
        (("a/12月配风计划.pdf", "a/12月.xlsx"), ("a/1月.pdf",), "a/1月.pdf", "a/12月.xlsx"),
        (("a/12月配风计划.pdf",), ("a/1.pdf",), "a/12月配风计划.pdf", "a/1.pdf"),
        (("a/12月配风计划.pdf",), ("a/1月.xlsx",), "a/12月配风计划.pdf", "a/1月.xlsx"),
        (("a/12月配风计划.pdf", "a/12月.xlsx"), (), "a/12月配风计划.pdf", "a/12月.xlsx"),
        (("a/12月配风计划.pdf",), ("a/x.png",), "a/12月配风计划.pdf", None),
    ],
)  # fmt: skip
def test_new_files_go_before_those_of_earlier_messages(older, new, plan, report):
    roles = choose_roles((*older, *new), new)

    assert (roles.plan, roles.report) == (plan, report)


def test_a_new_plan_that_cannot_be_read_is_never_replaced_by_an_older_one():
    refusal = {"ok": False, "error": "没有读出用风地点", "hint": "请确认文件", "code": "not_a_plan"}
    new = ("/workspace/uploads/1月配风计划.pdf", "/workspace/uploads/1月测风报表.xlsx")
    steps, _ = run(asks(files=(PLAN, REPORT, *new), new_files=new), lambda _: refusal)

    assert [step.args for step in steps if step.tool] == [{"plan_path": new[0]}]
    assert "没有读出用风地点" in steps[-1].text
