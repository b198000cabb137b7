"""The tools every agent may have, and the rules by which the embedded model uses them."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.governed import SOMEBODY
from tools.arithmetic import ArithmeticTextError, evaluate, to_plain_text
from tools.demo_playbook import DemoPlaybook
from tools.demo_tools import docs_search, math_evaluate, plan_submit, time_now
from tools.passages import find_passages
from tools.registry import AgentContext, PlaybookResult, PlaybookView, ToolError, Trace

TOOLS = frozenset({"time_now", "docs_search", "math_evaluate", "plan_submit"})
CONTEXT = AgentContext(
    user_id="张三", organization_id="o", surface="chat", session_id="s", turn_id="t", trace=Trace(trace_id="x")
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("60*11.3*1.2", "813.6"),
        ("60×11.3×1×1.2×1.5", "1220.4"),
        ("ceil(60×11.3×1.2×1.5)", "1221"),
        ("（1＋2）÷4 =", "0.75"),
        ("0.1+0.2", "0.3"),
        ("2^10 % 1000", "24"),
        ("-3 + +5", "2"),
        ("max(1, 2.50, min(9, 7))", "7"),
        ("sqrt(16)", "4"),
        ("9228+17853", "27081"),
        ("100", "100"),
    ],
)
def test_arithmetic_is_decimal_and_exact(text, value):
    assert to_plain_text(evaluate(text)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1/0",
        "1 +",
        "9**9**9",
        "1e999*10",
        "__import__('os').system('true')",
        "(1).__class__",
        "x",
        "True",
        "1 if 1 else 2",
        "[1][0]",
        "'a'*9",
        "max()",
        "max(key=1)",
        "sqrt(1, 2)",
        "sqrt(0-1)",
        "0x10",
        "1j",
        "(" * 150 + "1" + ")" * 40,
        "1" * 201,
        "1<2",
    ],
)
def test_whatever_is_no_arithmetic_is_refused_with_words(text):
    with pytest.raises(ArithmeticTextError):
        evaluate(text)


@given(st.lists(st.decimals(-1000, 1000, places=2, allow_nan=False), min_size=1, max_size=10))
def test_sums_agree_with_decimal_sums(numbers):
    text = "+".join(f"({number})" for number in numbers)

    if len(text) <= 200:
        assert evaluate(text) == sum(numbers, Decimal(0))


@given(st.text(max_size=60))
def test_no_text_makes_the_evaluator_raise_anything_else(text):
    with suppress(ArithmeticTextError):
        evaluate(text)


def test_math_evaluate_names_the_calculator_as_its_source():
    answer = math_evaluate(ctx=SOMEBODY, expression="60*11.3*1.2")

    assert answer["data"]["value"] == "813.6"
    assert answer["sources"][0]["kind"] == "calculation"
    with pytest.raises(ToolError, match="1/0"):
        math_evaluate(ctx=SOMEBODY, expression="1/0")


def test_time_now_knows_time_zones_and_refuses_unknown_ones():
    assert time_now(ctx=SOMEBODY, timezone="Asia/Shanghai")["data"]["iso"].endswith("+08:00")
    assert time_now(ctx=SOMEBODY)["data"]["weekday"].startswith("星期")
    for name in ("Mars/Base", "../etc/passwd", "/etc/localtime"):
        with pytest.raises(ToolError):
            time_now(ctx=SOMEBODY, timezone=name)


def test_plan_submit_gives_a_receipt_for_the_lines_of_the_plan():
    answer = plan_submit("复测", " 一 \n\n二", CONTEXT)

    assert answer["data"]["steps"] == ["一", "二"]
    assert answer["data"]["submitted_by"] == "张三"
    assert answer["data"]["plan_id"] == plan_submit("复测", "一\n二", CONTEXT)["data"]["plan_id"]
    with pytest.raises(ToolError):
        plan_submit("复测", " \n ", CONTEXT)


def test_passages_are_found_by_shared_words_and_cited_by_file_and_line(tmp_path):
    (tmp_path / "a.md").write_text("# 风量\n\n需风量按人数计算。\n第二行。\n\n## 其他\n\n与此无关。\n", "utf-8")
    (tmp_path / "b.md").write_bytes(b"\xff\xfe broken")
    files = [*sorted(tmp_path.glob("*.md")), tmp_path / "gone.md"]

    (passage,) = find_passages(tmp_path, files, "需风量怎么算", limit=5)

    assert (passage.file, passage.heading, passage.line) == ("a.md", "风量", 3)
    assert passage.text == "需风量按人数计算。\n第二行。"
    assert find_passages(tmp_path, files, "zzz", limit=5) == []


def test_docs_search_answers_from_the_projects_own_texts_with_sources():
    answer = docs_search("airflow review", SOMEBODY, limit=3)

    for passage, source in zip(answer["data"]["passages"], answer["sources"], strict=True):
        assert source["locator"] == {"file": passage["file"], "row": passage["line"]}


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ("现在几点", "time_now", {}),
        ("今天几号？", "time_now", {}),
        ("算 60*11.3*1.2", "math_evaluate", {"expression": "60*11.3*1.2"}),
        ("计算：60×11.3×1.2=", "math_evaluate", {"expression": "60×11.3×1.2"}),
        ("算 sqrt(16)", "math_evaluate", {"expression": "sqrt(16)"}),
        ("搜索 需风量", "docs_search", {"query": "需风量"}),
        ("提交计划 复测：一；二", "plan_submit", {"title": "复测", "steps": "一\n二"}),
        ("提交计划", "plan_submit", {"title": "工作计划", "steps": "演示步骤：确认批准流程可用"}),
    ],
)
def test_the_demo_playbook_knows_its_four_requests(text, tool, args):
    step = DemoPlaybook().next_step(PlaybookView(user_text=text, tools=TOOLS))

    assert step is not None
    assert (step.tool, dict(step.args)) == (tool, args)


@pytest.mark.parametrize(
    "text",
    [
        "你好",
        "请审查我上传的配风计划",
        "",
        "哪些地点风量不足？",
        "测风时间是几号到几号的那份报表有问题吗",
        "计算需风量",
        "提交配风计划审查",
    ],
)
def test_the_demo_playbook_leaves_other_messages_to_others(text):
    assert DemoPlaybook().next_step(PlaybookView(user_text=text, tools=TOOLS)) is None


def test_the_demo_playbook_calls_nothing_the_agent_does_not_have():
    assert DemoPlaybook().next_step(PlaybookView(user_text="现在几点")) is None


def test_a_refused_call_is_told_and_not_repeated():
    failed = PlaybookResult(
        name="plan_submit", args={}, status="error", payload={"ok": False, "error": "被驳回", "hint": "说明原因"}
    )

    step = DemoPlaybook().next_step(PlaybookView(user_text="提交计划", tools=TOOLS, results=(failed,)))

    assert step is not None
    assert step.tool is None
    assert "被驳回" in step.text
