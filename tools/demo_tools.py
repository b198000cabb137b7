"""Small tools that every agent may have: the time, a search of the project's own texts, arithmetic, a plan to approve."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from config import PROJECT_ROOT
from tools.arithmetic import MAX_LENGTH, ArithmeticTextError, evaluate, to_plain_text
from tools.context import AgentContext
from tools.declaration import agent_tool
from tools.demo_playbook import DemoPlaybook
from tools.errors import ToolError
from tools.feature import Feature, for_feature
from tools.passages import find_passages
from tools.results import ToolPayload, sourced

_SEARCHED: Final = ("*.md", "docs/**/*.md", "skills/**/*.md")
_MAX_STEPS: Final = 50


@agent_tool(
    name="time_now",
    title="当前时间",
    description="返回现在的日期、时间和星期。timezone 为 IANA 时区名(如 Asia/Shanghai)，不填用服务器所在时区。",
    category="demo",
    idempotent=True,
)
def time_now(
    ctx: AgentContext, timezone: Annotated[str, Field(description="IANA 时区名，可不填", max_length=64)] = ""
) -> ToolPayload:
    """Tell the time; data has `iso`, `date`, `time`, `weekday`, `timezone`."""
    try:
        now = datetime.now(ZoneInfo(timezone)) if timezone else datetime.now(UTC).astimezone()
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ToolError(f"没有名为 {timezone!r} 的时区", hint="请用 IANA 名称，例如 Asia/Shanghai。") from error
    data = {
        "iso": now.isoformat(timespec="seconds"),
        "date": now.strftime("%Y-%m-%d"),
        "time": now.strftime("%H:%M:%S"),
        "weekday": "星期" + "一二三四五六日"[now.weekday()],
        "timezone": now.tzname() or timezone,
    }
    return sourced(data=data, sources=[{"id": "clock", "title": "服务器时钟", "kind": "clock"}])


@agent_tool(
    name="docs_search",
    title="检索项目文档",
    description="在本系统自己的说明文档和技能文档里检索，返回最相关的段落及其出处。",
    category="demo",
    idempotent=True,
)
def docs_search(
    query: Annotated[str, Field(description="要找的词句，中文或英文", min_length=1, max_length=200)],
    ctx: AgentContext,
    limit: Annotated[int, Field(description="最多返回几段", ge=1, le=20)] = 5,
) -> ToolPayload:
    """Search README, docs and skills; data has `passages[{file, heading, line, text}]`."""
    files = sorted({file for pattern in _SEARCHED for file in PROJECT_ROOT.glob(pattern) if file.is_file()})
    passages = find_passages(PROJECT_ROOT, files, query, limit=limit)
    data: dict[str, Any] = {
        "query": query,
        "passages": [{"file": p.file, "heading": p.heading, "line": p.line, "text": p.text} for p in passages],
    }
    sources = [
        {
            "id": f"{p.file}:{p.line}",
            "title": f"{p.file} · {p.heading}",
            "kind": "document",
            "locator": {"file": p.file, "row": p.line},
        }
        for p in passages
    ]
    return sourced(data=data, sources=sources)


@agent_tool(
    name="math_evaluate",
    title="计算",
    description="计算一个算式，十进制精确运算。支持 + - * / % ^、括号和 abs min max sqrt ceil floor。",
    category="demo",
    idempotent=True,
)
def math_evaluate(
    expression: Annotated[str, Field(description="算式，例如 60*11.3*1.2", min_length=1, max_length=MAX_LENGTH)],
    ctx: AgentContext,
) -> ToolPayload:
    """Compute an expression; data has `expression` and `value` (decimal text)."""
    try:
        value = evaluate(expression)
    except ArithmeticTextError as error:
        raise ToolError(str(error), hint="请写成例如 60*11.3*1.2 的算式。", code="bad_expression") from error
    source = {"id": "arithmetic", "title": "十进制计算器", "kind": "calculation"}
    return sourced(data={"expression": expression, "value": to_plain_text(value)}, sources=[source])


@agent_tool(
    name="plan_submit",
    title="提交计划",
    description="提交一份工作计划，经人批准后生效。steps 每行一步。批准前不会执行，被拒绝时说明原因后再修改。",
    category="demo",
    write_action=True,
    control_tool=True,
    effects=("plan.submitted",),
)
def plan_submit(
    title: Annotated[str, Field(description="计划名称", min_length=1, max_length=120)],
    steps: Annotated[str, Field(description="步骤，每行一步", min_length=1, max_length=4000)],
    ctx: AgentContext,
) -> ToolPayload:
    """Put an approved plan on record; data is the receipt `plan_id, title, steps[], submitted_by, submitted_at`."""
    lines = [line.strip() for line in steps.splitlines() if line.strip()]
    if not lines or len(lines) > _MAX_STEPS:
        raise ToolError(f"计划要有 1 到 {_MAX_STEPS} 步，现在是 {len(lines)} 步")
    digest = hashlib.sha256("\n".join([ctx.session_id, title, *lines]).encode()).hexdigest()
    data = {
        "plan_id": f"plan-{digest[:12]}",
        "title": title,
        "steps": lines,
        "submitted_by": ctx.user_id,
        "submitted_at": datetime.now(UTC).isoformat(timespec="microseconds"),
    }
    return sourced(data=data, sources=[{"id": data["plan_id"], "title": f"计划 {title}", "kind": "plan"}])


DEMO_FEATURE: Final[Feature] = for_feature(
    "demo",
    domain=("time", "docs", "math", "plan"),
    tools=[time_now, docs_search, math_evaluate, plan_submit],
    playbooks=[DemoPlaybook()],
)
