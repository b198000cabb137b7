"""A tool as data: what it is called, what it takes, what it may do."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from typing_extensions import override

from tools.json_values import to_storable
from tools.nested import nested_fields

_SHOWN_FAULTS: Final = 8
_SHOWN_CHARS: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Who may be offered a tool at all; empty means everybody.

    Attributes:
        surfaces: Where the caller may come from: `chat`, `schedule`, `local` …
        permissions: What the user must be allowed to do.
        required_capabilities: What the surface must be able to do.
    """

    surfaces: frozenset[str] = frozenset()
    permissions: frozenset[str] = frozenset()
    required_capabilities: frozenset[str] = frozenset()


EVERYWHERE = Availability()


@dataclass(frozen=True, kw_only=True)
class ToolTraits:
    """What rules about calls need to know of a tool, ours or the framework's.

    Attributes:
        write_action: Has an effect outside the session's own workspace.
        destructive: The effect cannot be taken back.
        control_tool: Steers the work itself (submits a plan); plan mode leaves it visible.
        effects: Names of the effects a person would ask about, such as `report.published`.
    """

    name: str
    title: str
    category: str
    availability: Availability = EVERYWHERE
    write_action: bool = False
    destructive: bool = False
    control_tool: bool = False
    effects: tuple[str, ...] = ()

    @property
    def needs_evidence(self) -> bool:
        """Whether the tool declared what proves its effects."""
        return False

    @property
    def version(self) -> str:
        """Digest of what a caller has to know; the framework's tools have the framework's version."""
        return "framework"


@dataclass(frozen=True, kw_only=True)
class ToolDescriptor(ToolTraits):
    """Everything known about a registered tool before it is called.

    Attributes:
        function: The decorated function or bound method, sync or async.
        arguments: Model of the arguments, made from the signature; unknown names are refused.
        input_name: Name of the parameter that takes the arguments as one model; None if they are parameters of their own.
        context_name: Name of the parameter that takes the `AgentContext`.
        feature: Feature that registered the tool; empty until then.
        evidence: Takes the payload's data and gives what proves the effect (a number, an id), or None if nothing does.
        timeout_s: Seconds a call may take.
        idempotent: Calling twice with the same arguments does no more than calling once.
    """

    description: str
    function: Callable[..., Any]
    arguments: type[BaseModel]
    input_name: str | None
    context_name: str
    feature: str = ""
    evidence: Callable[[Any], str | None] | None = None
    timeout_s: float = 30.0
    idempotent: bool = False

    @property
    def is_async(self) -> bool:
        """Whether the function is awaited instead of run in a thread."""
        return inspect.iscoroutinefunction(self.function)

    @property
    def domain(self) -> str:
        """First word of the name."""
        return self.name.partition("_")[0]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, as a model is shown it."""
        return self.arguments.model_json_schema()

    @cached_property
    def json_fields(self) -> frozenset[str]:
        """Arguments that are nested and may come as JSON text."""
        return nested_fields(self.arguments)

    @property
    @override
    def needs_evidence(self) -> bool:
        return self.evidence is not None

    @property
    @override
    def version(self) -> str:
        """Digest of name and schema: an approval of one version does not fit another."""
        return self._version

    @cached_property
    def _version(self) -> str:
        said = json.dumps([self.name, self.schema], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def keywords(self, checked: BaseModel, context: object) -> dict[str, Any]:
        """Checked arguments as the function takes them."""
        if self.input_name is not None:
            return {self.input_name: checked, self.context_name: context}
        values = {name: getattr(checked, name) for name in self.arguments.model_fields}
        return {**values, self.context_name: context}


def args_digest(name: str, args: Mapping[str, Any]) -> str:
    """Digest of a call, independent of the order of its arguments; an approval is bound to it."""
    canonical = json.dumps([name, to_storable(args)], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode(errors="backslashreplace")).hexdigest()


def explain_arguments(descriptor: ToolDescriptor, error: ValidationError) -> tuple[str, str]:
    """Say in words what is wrong with a call's arguments and which ones there are: (reason, hint)."""
    faults = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False)[:_SHOWN_FAULTS]:
        where = ".".join(str(part) for part in fault["loc"])[:_SHOWN_CHARS] or "参数"
        match fault["type"]:
            case "missing":
                faults.append(f"缺少参数 {where}")
            case "extra_forbidden":
                faults.append(f"没有名为 {where} 的参数")
            case _:
                faults.append(f"参数 {where} 不合要求({fault['msg'][:_SHOWN_CHARS]})")
    known = "、".join(
        f"{field}{'(必填)' if info.is_required() else ''}" for field, info in descriptor.arguments.model_fields.items()
    )
    return "；".join(faults), f"{descriptor.name} 的参数：{known or '无'}。请改正后重试。"
