"""A tool as data: what it is called, what it takes, what it may do; checked when a feature is put together."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from tools.context import AgentContext
from tools.errors import ToolRegistrationError

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MARK: Final = "__agent_tool__"
_NAME: Final = re.compile(r"[a-z]+(_[a-z0-9]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescriptor:
    """Everything known about a tool before it is called.

    Attributes:
        function: The decorated function, sync or async.
        arguments: Model of the arguments, made from the signature; unknown names are refused.
        context_name: Name of the parameter that takes the `AgentContext`, if there is one.
        feature: Feature that registered the tool; empty until then.
        write_action: Has an effect outside the session's own workspace.
        destructive: The effect cannot be taken back.
        effects: Names of the effects a person would ask about, such as `report.published`.
        timeout_s: Seconds a call may take.
        idempotent: Calling twice with the same arguments does no more than calling once.
    """

    name: str
    title: str
    description: str
    category: str
    function: Callable[..., Any]
    arguments: type[BaseModel]
    context_name: str | None
    feature: str = ""
    write_action: bool = False
    destructive: bool = False
    effects: tuple[str, ...] = ()
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

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, as a model is shown it."""
        return self.arguments.model_json_schema()


def agent_tool(
    *,
    name: str,
    title: str,
    description: str,
    category: str,
    write_action: bool = False,
    destructive: bool = False,
    effects: Sequence[str] = (),
    timeout_s: float = 30.0,
    idempotent: bool = False,
) -> Callable[[_Function], _Function]:
    """Mark a function as a tool. The function stays as it is; only a feature that lists it registers it.

    Raises:
        ToolRegistrationError: The name or the signature is not fit for a tool.
    """

    def mark(function: _Function) -> _Function:
        arguments, context_name = _read_signature(name, function)
        descriptor = ToolDescriptor(
            name=name,
            title=title,
            description=inspect.cleandoc(description),
            category=category,
            function=function,
            arguments=arguments,
            context_name=context_name,
            write_action=write_action,
            destructive=destructive,
            effects=tuple(effects),
            timeout_s=timeout_s,
            idempotent=idempotent,
        )
        setattr(function, _MARK, descriptor)
        return function

    if not _NAME.fullmatch(name):
        raise ToolRegistrationError(f"tool name {name!r} does not match {_NAME.pattern}")
    if not (title.strip() and description.strip() and category.strip()):
        raise ToolRegistrationError(f"tool {name!r} needs title, description and category")
    return mark


def descriptor_of(function: Callable[..., Any]) -> ToolDescriptor:
    """The descriptor of a decorated function.

    Raises:
        ToolRegistrationError: The function is not decorated with `agent_tool`.
    """
    descriptor = getattr(function, _MARK, None)
    if not isinstance(descriptor, ToolDescriptor):
        raise ToolRegistrationError(f"{getattr(function, '__qualname__', function)!r} is not decorated with agent_tool")
    return descriptor


def explain_arguments(descriptor: ToolDescriptor, error: ValidationError) -> tuple[str, str]:
    """Say in words what is wrong with a call's arguments and which ones there are: (reason, hint)."""
    faults = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        where = ".".join(str(part) for part in fault["loc"]) or "参数"
        match fault["type"]:
            case "missing":
                faults.append(f"缺少参数 {where}")
            case "extra_forbidden":
                faults.append(f"没有名为 {where} 的参数")
            case _:
                faults.append(f"参数 {where} 不合要求({fault['msg']})")
    known = "、".join(
        f"{field}{'(必填)' if info.is_required() else ''}" for field, info in descriptor.arguments.model_fields.items()
    )
    return "；".join(faults), f"{descriptor.name} 的参数：{known or '无'}。请改正后重试。"


def _read_signature(name: str, function: Callable[..., Any]) -> tuple[type[BaseModel], str | None]:
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    context_name = None
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            raise ToolRegistrationError(f"tool {name!r}: parameter {parameter.name!r} cannot be given by name")
        if parameter.name not in hints:
            raise ToolRegistrationError(f"tool {name!r}: parameter {parameter.name!r} has no type")
        if hints[parameter.name] is AgentContext:
            context_name = parameter.name
            continue
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    config = ConfigDict(extra="forbid", allow_inf_nan=False, title=name)
    return create_model(f"{name}_arguments", __config__=config, **fields), context_name
