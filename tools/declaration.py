"""Marking a function as a tool, and reading its signature; what is not fit for a tool stops the start with one sentence."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from tools.context import AgentContext
from tools.descriptor import EVERYWHERE, Availability, ToolDescriptor
from tools.errors import ToolRegistrationError

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MARK: Final = "__agent_tool__"
_NAME: Final = re.compile(r"[a-z]+(_[a-z0-9]+)+")
_AVAILABILITY_KEYS: Final = frozenset({"surface", "permissions", "required_capabilities"})
_NOT_NAMED: Final = frozenset(
    {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What `agent_tool` was told, kept at the function; the signature is read when a feature lists it."""

    name: str
    where: str
    traits: Mapping[str, Any] = field(repr=False)


def agent_tool(
    *,
    name: str,
    title: str,
    description: str,
    category: str,
    availability: Mapping[str, Sequence[str]] | None = None,
    write_action: bool = False,
    destructive: bool = False,
    control_tool: bool = False,
    effects: Sequence[str] = (),
    evidence: Callable[[Any], str | None] | None = None,
    timeout_s: float = 30.0,
    idempotent: bool = False,
) -> Callable[[_Function], _Function]:
    """Mark a function or method as a tool. It stays as it is; only a feature that lists it registers it.

    Args:
        name: `<domain>_<action>`, for the model.
        title: Name for people.
        description: What it does and takes, for the model.
        category: Groups tools in lists.
        availability: `surface`, `permissions`, `required_capabilities`, each a list; what is missing does not restrict.
        write_action: Has an effect outside the session's own workspace.
        destructive: The effect cannot be taken back.
        control_tool: Steers the work itself; plan mode leaves it visible.
        effects: Names of the effects a person would ask about.
        evidence: Takes the payload's data and gives what proves the effect, or None.
        timeout_s: Seconds a call may take.
        idempotent: Calling twice does no more than calling once.

    Raises:
        ToolRegistrationError: Name, text or availability is not fit for a tool.
    """

    def mark(function: _Function) -> _Function:
        where = _where(function)
        if not _NAME.fullmatch(name):
            raise _refuse(where, name, f"the name does not match {_NAME.pattern}", "call it <domain>_<action>")
        if not (title.strip() and description.strip() and category.strip()):
            raise _refuse(where, name, "title, description or category is empty", "fill all three")
        traits = {
            "title": title,
            "description": inspect.cleandoc(description),
            "category": category,
            "availability": _availability(where, name, availability or {}),
            "write_action": write_action,
            "destructive": destructive,
            "control_tool": control_tool,
            "effects": tuple(effects),
            "evidence": evidence,
            "timeout_s": timeout_s,
            "idempotent": idempotent,
        }
        setattr(function, _MARK, Declaration(name=name, where=where, traits=traits))
        return function

    return mark


def declaration_of(function: object) -> Declaration | None:
    """What `agent_tool` was told about a function or bound method; None if it was not marked."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, Declaration) else None


def descriptor_of(function: Callable[..., Any], *, feature: str) -> ToolDescriptor:
    """The descriptor of a marked function or bound method, for the feature that lists it.

    Raises:
        ToolRegistrationError: It is not marked, or its signature is not fit for a tool.
    """
    declaration = declaration_of(function)
    if declaration is None:
        named = getattr(function, "__qualname__", repr(function))
        raise _refuse(_where(function), named, "it is not decorated", "decorate it with @agent_tool")
    arguments, input_name, context_name = _read_signature(declaration, function)
    return ToolDescriptor(
        name=declaration.name,
        function=function,
        arguments=arguments,
        input_name=input_name,
        context_name=context_name,
        feature=feature,
        **declaration.traits,
    )


def unlisted(modules: Iterable[object], listed: Iterable[Callable[..., Any]]) -> list[Declaration]:
    """Marked functions and methods that stand in `modules` and in no feature."""
    known = {id(getattr(function, "__func__", function)) for function in listed}
    found: dict[int, Declaration] = {}
    for module in modules:
        for value in list(vars(module).values()):
            members = list(vars(value).values()) if inspect.isclass(value) else [value]
            for member in members:
                declaration = declaration_of(member)
                if declaration is not None and id(getattr(member, "__func__", member)) not in known:
                    found[id(member)] = declaration
    return list(found.values())


def refuse_unlisted(declaration: Declaration) -> ToolRegistrationError:
    """The sentence about a marked function that no feature lists."""
    return _refuse(
        declaration.where, declaration.name, "no feature lists it", "add it to for_feature(...) or remove the mark"
    )


def _read_signature(declaration: Declaration, function: Callable[..., Any]) -> tuple[type[BaseModel], str | None, str]:
    where, name = declaration.where, declaration.name
    remedy = "give it typed parameters and a last one `ctx: AgentContext`, or `(input: Model, ctx: AgentContext)`"
    hints = _types_of(declaration, function)
    fields: dict[str, Any] = {}
    context_names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in {"self", "cls"}:
            raise _refuse(where, name, "it is a method without its object", "list the bound method, service.method")
        if parameter.kind in _NOT_NAMED:
            raise _refuse(where, name, f"parameter {parameter.name!r} cannot be given by name", remedy)
        if parameter.name not in hints:
            raise _refuse(where, name, f"parameter {parameter.name!r} has no type", remedy)
        if hints[parameter.name] is AgentContext:
            context_names.append(parameter.name)
            continue
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    if len(context_names) != 1:
        raise _refuse(where, name, f"it takes {len(context_names)} parameters of type AgentContext, not one", remedy)
    if fields.keys() == {"input"}:
        model = fields["input"][0]
        if not (inspect.isclass(model) and issubclass(model, BaseModel)):
            raise _refuse(where, name, "its parameter `input` is no pydantic model", remedy)
        if model.model_config.get("extra") != "forbid":
            raise _refuse(where, name, f"{model.__name__} takes unknown arguments", 'set extra="forbid" on the model')
        return model, "input", context_names[0]
    config = ConfigDict(extra="forbid", allow_inf_nan=False, title=name)
    return create_model(f"{name}_arguments", __config__=config, **fields), None, context_names[0]


def _types_of(declaration: Declaration, function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except NameError as error:
        what = f"a type of its signature cannot be found ({error})"
        raise _refuse(declaration.where, declaration.name, what, "import it at the top of the module") from error


def _availability(where: str, name: str, stated: Mapping[str, Sequence[str]]) -> Availability:
    if strays := sorted(stated.keys() - _AVAILABILITY_KEYS):
        raise _refuse(where, name, f"availability has no {', '.join(strays)}", f"use {sorted(_AVAILABILITY_KEYS)}")
    if not stated:
        return EVERYWHERE
    return Availability(
        surfaces=frozenset(stated.get("surface", ())),
        permissions=frozenset(stated.get("permissions", ())),
        required_capabilities=frozenset(stated.get("required_capabilities", ())),
    )


def _where(function: Any) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "?" if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def _refuse(where: str, name: str, what: str, remedy: str) -> ToolRegistrationError:
    return ToolRegistrationError(f"{where}: tool {name!r}: {what}; {remedy}.")
