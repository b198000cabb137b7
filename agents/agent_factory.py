"""Builds an agent: one compiled graph for a profile, shared by all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import structlog
from deepagents import (
    FilesystemPermission,
    GeneralPurposeSubagentProfile,
    HarnessProfile,
    create_deep_agent,
    register_harness_profile,
)
from deepagents.backends.protocol import BackendProtocol
from deepagents.middleware.filesystem import FilesystemMiddleware
from langchain.agents.middleware import (
    AgentMiddleware,
    TodoListMiddleware,
    ToolCallRequest,
    ToolErrorMiddleware,
)
from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from agents.approvals import build_approval_middleware
from agents.errors import WorkspaceIdentityError
from agents.guards.ports import AgentPorts
from agents.middleware.approval_answers import EditedCallMiddleware, RejectionMiddleware
from agents.middleware.bounded_summary import BoundedSummarizationMiddleware
from agents.middleware.call_order import CallOrderMiddleware
from agents.middleware.dynamic_time import DynamicTimeMiddleware
from agents.middleware.early_refusal import EarlyRefusalMiddleware
from agents.middleware.model_answers import ModelAnswerMiddleware
from agents.middleware.no_compaction import NoCompactionMiddleware
from agents.middleware.receipts_digest import ReceiptsDigestMiddleware
from agents.middleware.redraft import RedraftMiddleware
from agents.middleware.run_limits import RunLimitsMiddleware
from agents.middleware.tool_guard import ToolGuardMiddleware
from agents.middleware.visible_tools import VisibleToolsMiddleware
from agents.offline_model import OfflineModel
from agents.profiles import AgentProfile
from agents.subagents import build_subagents
from agents.workspace import build_permissions
from config import Settings
from tools.registry import ToolDescriptor, ToolRegistry
from tools.results import ToolPayload, refused, to_json_text

log = structlog.get_logger(__name__)

AgentGraph = CompiledStateGraph[Any, Any, Any, Any]
_Share = tuple[Literal["fraction"], float]

# The framework's names for the makers of our two models.
_PROVIDERS: Final = ("openai", "offlinemodel")


def build_agent(
    profile: AgentProfile,
    *,
    model: BaseChatModel,
    registry: ToolRegistry,
    backend: BackendProtocol,
    ports: AgentPorts,
    checkpointer: BaseCheckpointSaver[Any],
    settings: Settings,
) -> AgentGraph:
    """Compile the graph of a profile.

    Raises:
        UnknownToolError: The profile names a tool that is not registered.
    """
    _switch_off_general_subagent(settings.model_name)
    permissions = build_permissions(keeps_uploads=profile.model_egress != "all")
    gated = [registry.descriptor(name) for name in profile.policy.approval]

    def stack() -> list[AgentMiddleware[Any, Any, Any]]:
        return build_middleware(profile, model, backend, permissions, gated, registry, ports, settings)

    graph: AgentGraph = create_deep_agent(
        model=model,
        tools=registry.get_tools_by_name(profile.tools),
        system_prompt=profile.prompt,
        middleware=stack(),
        subagents=build_subagents(profile, registry, stack),
        skills=list(profile.skills) or None,
        permissions=permissions,
        backend=backend,
        checkpointer=checkpointer,
        name=profile.name,
    )
    _require_no_stray_subagent(graph, profile)
    return graph


def build_middleware(
    profile: AgentProfile,
    model: BaseChatModel,
    backend: BackendProtocol,
    permissions: Sequence[FilesystemPermission],
    gated: Sequence[ToolDescriptor],
    registry: ToolRegistry,
    ports: AgentPorts,
    settings: Settings,
) -> list[AgentMiddleware[Any, Any, Any]]:
    """The stack of an agent, outermost first; entries with a name the framework knows take that place instead."""
    name = model.model_name if isinstance(model, OfflineModel) else settings.model_name
    return [
        FilesystemMiddleware(backend=backend, tools=list(profile.file_tools), permissions=list(permissions)),
        _build_compaction(profile, model, name, backend, ports, settings),
        # A quarter of the window where a token is two characters; what is written goes into every later request.
        ModelAnswerMiddleware(max_argument_chars=settings.model_context_window // 2),
        # Nothing a tool raises may break the stream.
        ToolErrorMiddleware(on_error=_last_resort),
        CallOrderMiddleware(),
        RejectionMiddleware(),
        EarlyRefusalMiddleware(registry.invoker),
        build_approval_middleware(gated),
        EditedCallMiddleware(),
        ToolGuardMiddleware(registry.invoker, _explain_tool_error),
        VisibleToolsMiddleware(registry.invoker),
        # The framework's own bound is 9999 steps.
        RunLimitsMiddleware(
            ports.budget,
            profile.policy.limits,
            model=name,
            max_model_calls=settings.max_model_calls_per_run,
        ),
        DynamicTimeMiddleware(),
        # Innermost of those that write the prompt: it changes more often than the date.
        *([ReceiptsDigestMiddleware(ports.receipts)] if _has_effects(profile, registry) else []),
        RedraftMiddleware(),
        *([TodoListMiddleware()] if profile.todos else []),
    ]


def _build_compaction(
    profile: AgentProfile,
    model: BaseChatModel,
    model_name: str,
    backend: BackendProtocol,
    ports: AgentPorts,
    settings: Settings,
) -> AgentMiddleware[Any, Any, Any]:
    if not settings.ctx_compact_enabled:
        return NoCompactionMiddleware()
    trigger: _Share = ("fraction", settings.ctx_compact_trigger)
    keep: _Share = ("fraction", settings.ctx_compact_keep)
    return BoundedSummarizationMiddleware(
        budget=ports.budget,
        limits=profile.policy.limits,
        model_name=model_name,
        max_model_calls=settings.max_model_calls_per_run,
        model=model,
        backend=backend,
        trigger=trigger,
        keep=keep,
        # The default would silently leave all but the last 4000 tokens out of the summary.
        trim_tokens_to_summarize=None,
        truncate_args_settings={"trigger": trigger, "keep": keep},
        summarizer=model.summarize if isinstance(model, OfflineModel) else None,
    )


def _has_effects(profile: AgentProfile, registry: ToolRegistry) -> bool:
    return any(registry.descriptor(name).effects for name in profile.tools)


def _switch_off_general_subagent(model_name: str) -> None:
    """Take away the sub-agent the framework adds by itself: it would run gated tools without asking.

    A registered profile is the one way the framework has; it holds for the whole process. A model name such as
    `maker:model` finds the framework's own profile of that maker before ours, so it is said for that name too.
    """
    for key in (*_PROVIDERS, *([model_name] if ":" in model_name else [])):
        register_harness_profile(
            key, HarnessProfile(general_purpose_subagent=GeneralPurposeSubagentProfile(enabled=False))
        )


def _require_no_stray_subagent(graph: AgentGraph, profile: AgentProfile) -> None:
    node: Any = graph.nodes["tools"].bound if "tools" in graph.nodes else None
    if node is not None and "task" in node.tools_by_name and not profile.has_subagents:
        raise RuntimeError("the framework added a sub-agent, whose calls no approval guards")


def _last_resort(error: Exception, request: ToolCallRequest) -> str | None:
    if isinstance(error, WorkspaceIdentityError):
        return None  # our fault, and next to other people's files: the run ends
    return to_json_text(_explain_tool_error(error, request))


def _explain_tool_error(error: Exception, request: ToolCallRequest) -> ToolPayload:
    name = request.tool_call["name"]
    log.warning("tool_call_failed", tool=name, error=type(error).__name__)
    reason = f"工具 {name} 没有完成：参数或路径不可用({type(error).__name__})"
    return refused(reason, hint="请检查参数；文件路径应在 /workspace/ 之下。", code="tool_failed")
