"""May this call happen? Decided in memory, before anything is written; the first rule that objects wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tools.context import AgentContext
from tools.descriptor import ToolTraits
from tools.session_facts import SessionFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was decided and by which rule.

    Attributes:
        rule: Name of the rule, as it stands in the audit.
        code: Why not, for programs; None if the call may happen.
        message: The same for model and user.
        hint: What to do instead.
        detail: What only the audit may know.
    """

    rule: str
    code: str | None = None
    message: str = ""
    hint: str = ""
    detail: str = ""


FORBIDDEN_TEXT: Final = "权限不足"
UNKNOWN_TOOL: Final = "unknown_tool"
_TELL_THE_USER: Final = "不要用别的工具绕开；把情况告诉用户。"
_MODES: Final = {
    "read_only": Verdict(
        rule="permission_mode=read_only",
        code="read_only",
        message=f"{FORBIDDEN_TEXT}：本会话是只读模式，不能执行此操作。",
        hint=_TELL_THE_USER,
    ),
    "plan_required": Verdict(
        rule="plan_mode=required",
        code="plan_required",
        message=f"{FORBIDDEN_TEXT}：本会话要求先有经人批准的计划。",
        hint="请先提交计划，批准后再执行。",
    ),
}


def judge(tool: ToolTraits, context: AgentContext, facts: SessionFacts) -> Verdict:
    """Judge a call whose arguments are in order: availability, permission mode, plan mode, allow list; default deny."""
    if (objection := unavailable(tool, context, facts)) is not None:
        return objection
    if (mode := blocking_mode(tool, facts)) is not None:
        return _MODES[mode]
    if tool.name not in facts.policy.allow:
        return Verdict(rule="allow_list", code="not_allowed", message=FORBIDDEN_TEXT, hint=_TELL_THE_USER)
    return Verdict(rule="approval" if tool.name in facts.policy.approval else "allow_list")


def unavailable(tool: ToolTraits, context: AgentContext, facts: SessionFacts) -> Verdict | None:
    """What the tool's own declaration has against this caller."""
    need = tool.availability
    if need.surfaces and context.surface not in need.surfaces:
        detail = f"surface {context.surface} is none of {sorted(need.surfaces)}"
    elif missing := need.permissions - facts.permissions:
        detail = f"missing permissions: {', '.join(sorted(missing))}"
    elif missing := need.required_capabilities - facts.capabilities:
        detail = f"missing capabilities: {', '.join(sorted(missing))}"
    else:
        return None
    return Verdict(
        rule="availability", code="not_available", message=FORBIDDEN_TEXT, hint=_TELL_THE_USER, detail=detail
    )


def blocking_mode(tool: ToolTraits, facts: SessionFacts) -> str | None:
    """Which of the session's modes forbids the tool: `read_only`, `plan_required`, or none.

    A control tool steers the work itself (it submits the plan), so a plan may be required before everything but it.
    """
    if facts.permission_mode == "read_only" and (tool.write_action or tool.destructive):
        return "read_only"
    waits = facts.plan_mode == "required" and not facts.has_approved_plan
    if waits and (tool.write_action or tool.destructive) and not tool.control_tool:
        return "plan_required"
    return None


def is_visible(tool: ToolTraits, context: AgentContext, facts: SessionFacts) -> bool:
    """Whether a model is shown the tool: not if the call would be refused whatever its arguments are."""
    return judge(tool, context, facts).code is None
