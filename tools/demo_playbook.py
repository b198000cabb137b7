"""The embedded model's rules for the demo tools, so that each of them and the approval can be tried without a key."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tools.playbook import PlaybookResult, PlaybookStep, PlaybookView

_TIME: Final = re.compile(
    r"^(现在|当前)?.{0,4}(几点|时间是|的时间|当前时间|现在时间|几号|星期几|what time).{0,8}$", re.IGNORECASE
)
_CALCULATE: Final = re.compile(r"^(?:请|帮我)?(?:算一下|计算|算|calc(?:ulate)?)\s*[:：]?\s*(?P<expression>[\w\s.,+\-*/%^()×÷（），＋－＊／．=＝]*\d[\w\s.,+\-*/%^()×÷（），＋－＊／．=＝]*)$", re.IGNORECASE)  # fmt: skip
_SEARCH: Final = re.compile(
    r"^(?:请|帮我)?(?:搜索|检索|查文档|查找文档|search)\s*[:：]?\s*(?P<query>.+)$", re.IGNORECASE | re.DOTALL
)
_PLAN: Final = re.compile(r"^(?:请|帮我)?(?:提交计划|submit plan)\s*[:：]?\s*(?P<plan>.*)$", re.IGNORECASE | re.DOTALL)
_STEP_ENDS: Final = re.compile(r"[\n;；]+")
_SHOWN_PASSAGE_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class _Demo:
    tool: str
    pattern: re.Pattern[str]
    call: Callable[[re.Match[str]], tuple[str, dict[str, Any]]]
    tell: Callable[[dict[str, Any]], str]


class DemoPlaybook:
    """Answers four kinds of short requests: the time, a sum, a search, a plan to submit."""

    name = "demo"

    def next_step(self, view: PlaybookView) -> PlaybookStep | None:
        """One tool call, then one text; None for any other message."""
        for demo in _DEMOS:
            match = demo.pattern.match(view.user_text.strip())
            if match is None or demo.tool not in view.tools:
                continue
            if view.results:
                return PlaybookStep(text=_tell(demo, view.results[-1]))
            text, args = demo.call(match)
            return PlaybookStep(text=text, tool=demo.tool, args=args)
        return None


def _tell(demo: _Demo, result: PlaybookResult) -> str:
    if result.payload.get("ok"):
        return demo.tell(result.payload["data"])
    hint = result.payload.get("hint") or ""
    return f"没有完成：{result.payload.get('error', '工具没有给出原因')}。{hint}".rstrip()


def _call_time(_: re.Match[str]) -> tuple[str, dict[str, Any]]:
    return "我看一下时钟。", {}


def _tell_time(data: dict[str, Any]) -> str:
    return f"现在是 {data['date']} {data['time']}，{data['weekday']}({data['timezone']})。"


def _call_sum(match: re.Match[str]) -> tuple[str, dict[str, Any]]:
    return "我来计算。", {"expression": match["expression"].strip().rstrip("=＝").strip()}


def _tell_sum(data: dict[str, Any]) -> str:
    expression = data["expression"].replace("*", " × ").replace("  ", " ")
    return f"{expression} = {data['value']}"


def _call_search(match: re.Match[str]) -> tuple[str, dict[str, Any]]:
    return "我在项目文档里查找。", {"query": match["query"].strip()[:200]}


def _tell_search(data: dict[str, Any]) -> str:
    passages = data["passages"]
    if not passages:
        return f"项目文档里没有找到与“{data['query']}”有关的内容。"
    lines = [f"- **{p['heading']}**({p['file']} 第 {p['line']} 行)：{_shorten(p['text'])}" for p in passages]
    return f"找到 {len(passages)} 段相关内容：\n\n" + "\n".join(lines)


def _call_plan(match: re.Match[str]) -> tuple[str, dict[str, Any]]:
    title, colon, rest = match["plan"].replace(":", "：").partition("：")
    steps = [step.strip() for step in _STEP_ENDS.split(rest if colon else title) if step.strip()]
    title = title.strip() if colon else ""
    args = {"title": title[:120] or "工作计划", "steps": "\n".join(steps) or "演示步骤：确认批准流程可用"}
    return "计划已拟好，需要您批准后才会提交。", args


def _tell_plan(data: dict[str, Any]) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(data["steps"], start=1))
    return f"计划“{data['title']}”已提交，编号 {data['plan_id']}。\n\n{steps}"


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN_PASSAGE_CHARS else flat[:_SHOWN_PASSAGE_CHARS] + "…"


_DEMOS: Final = (
    _Demo("time_now", _TIME, _call_time, _tell_time),
    _Demo("math_evaluate", _CALCULATE, _call_sum, _tell_sum),
    _Demo("docs_search", _SEARCH, _call_search, _tell_search),
    _Demo("plan_submit", _PLAN, _call_plan, _tell_plan),
)
