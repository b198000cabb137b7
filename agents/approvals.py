"""Approvals: which calls wait for a person, and what a person may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from langchain.agents.middleware import HumanInTheLoopMiddleware, InterruptOnConfig
from langgraph.types import Interrupt
from pydantic import ValidationError

from agents.errors import DecisionError
from tools.descriptor import args_digest, explain_arguments
from tools.registry import ToolDescriptor, ToolRegistry, UnknownToolError

DecisionKind = Literal["approve", "edit", "reject"]
ALLOWED: Final[tuple[DecisionKind, ...]] = ("approve", "edit", "reject")
_REQUEST_TYPE: Final = "tool_approval"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingApproval:
    """A call that waits for a person.

    Attributes:
        interrupt_id: What a decision refers to; stable across restarts.
        tool_call_id: The call that waits.
        name: Its tool.
        title: The tool's name for people.
        args: The arguments as the model gave them.
        args_digest: Digest of tool and arguments (for clients of the policy too); a decision about others does not fit.
        allowed: Decisions that may be taken.
        schema: JSON Schema of the arguments, for an edit.
        reason: Why a person is asked.
    """

    interrupt_id: str
    tool_call_id: str
    name: str
    title: str
    args: dict[str, Any]
    args_digest: str
    allowed: tuple[str, ...]
    schema: dict[str, Any]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A person's answer; `args` belong to `edit`, `reason` reaches the model on `reject`."""

    decision: DecisionKind
    args: dict[str, Any] | None = None
    reason: str = ""


def build_approval_middleware(descriptors: Sequence[ToolDescriptor]) -> HumanInTheLoopMiddleware[Any, Any, Any]:
    """The framework's gate, one question per call, for these tools."""
    gates: dict[str, bool | InterruptOnConfig] = {
        descriptor.name: InterruptOnConfig(allowed_decisions=list(ALLOWED), description=_reason(descriptor))
        for descriptor in descriptors
    }
    # Without the framework's notice, which would stand in front of the result's JSON; `ApprovalAnswers` says it inside.
    return HumanInTheLoopMiddleware(gates, edit_notice=None, interrupt_mode="per_call")


def to_pending(interrupt: Interrupt, registry: ToolRegistry) -> PendingApproval | None:
    """Read one approval out of the graph's state; None for an interrupt of another kind."""
    request = interrupt.value
    if not isinstance(request, Mapping) or request.get("type") != _REQUEST_TYPE:
        return None
    name, args = str(request["name"]), dict(request["args"])
    try:
        descriptor = registry.descriptor(name)
    except UnknownToolError:
        title, schema = name, {"type": "object"}
    else:
        title, schema = descriptor.title, descriptor.schema
    return PendingApproval(
        interrupt_id=interrupt.id,
        tool_call_id=str(request["tool_call_id"]),
        name=name,
        title=title,
        args=args,
        args_digest=args_digest(name, args),
        allowed=ALLOWED,
        schema=schema,
        reason=str(request.get("description") or ""),
    )


def check_decision(pending: PendingApproval, decision: Decision, registry: ToolRegistry) -> None:
    """Check an answer before the graph sees it.

    Raises:
        DecisionError: It is not allowed here, or an edit's arguments do not fit the tool.
    """
    if decision.decision not in pending.allowed:
        raise DecisionError(pending.interrupt_id, f"不接受决定 {decision.decision}，可用：{'、'.join(pending.allowed)}")
    if decision.decision != "edit":
        return
    if decision.args is None:
        raise DecisionError(pending.interrupt_id, "修改后批准需要给出 args")
    descriptor = registry.descriptor(pending.name)
    try:
        descriptor.arguments.model_validate(decision.args)
    except ValidationError as error:
        raise DecisionError(pending.interrupt_id, explain_arguments(descriptor, error)[0]) from error


def to_answer(pending: PendingApproval, decision: Decision) -> dict[str, Any]:
    """The decision in the framework's words."""
    match decision.decision:
        case "approve":
            return {"type": "approve"}
        case "edit":
            return {"type": "edit", "edited_action": {"name": pending.name, "args": decision.args or {}}}
        case "reject":
            return {"type": "reject", "message": decision.reason or "未说明原因"}


def _reason(descriptor: ToolDescriptor) -> str:
    return f"“{descriptor.title}”的效果超出本会话的工作区，需要人批准后才会执行。"
