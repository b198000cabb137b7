"""A feature: the tools and playbooks that are registered together, listed by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tools.critical_fields import CriticalField
from tools.declaration import descriptor_of
from tools.descriptor import ToolDescriptor
from tools.errors import ToolRegistrationError
from tools.playbook import Playbook


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """What one extension brings along."""

    name: str
    domains: tuple[str, ...]
    descriptors: tuple[ToolDescriptor, ...]
    playbooks: tuple[Playbook, ...] = ()
    critical_fields: tuple[CriticalField, ...] = ()


def for_feature(
    name: str,
    *,
    domain: str | Sequence[str],
    tools: Sequence[Callable[..., Any]],
    playbooks: Sequence[Playbook] = (),
    critical_fields: Sequence[CriticalField] = (),
) -> Feature:
    """Put a feature together from decorated functions and bound methods; nothing is registered yet.

    Args:
        name: Name of the feature.
        domain: First word, or words, of its tools' names.
        tools: Functions decorated with `agent_tool`.
        playbooks: Rules for the embedded model, asked in this order.
        critical_fields: Fields that an answer must state right.

    Raises:
        ToolRegistrationError: A function is not decorated or not fit for a tool, a name stands twice or lies outside the domains.
    """
    domains = (domain,) if isinstance(domain, str) else tuple(domain)
    descriptors = tuple(descriptor_of(function, feature=name) for function in tools)
    names = [descriptor.name for descriptor in descriptors]
    if twice := sorted({tool for tool in names if names.count(tool) > 1}):
        raise ToolRegistrationError(
            f"feature {name!r} lists {', '.join(twice)} twice: Tool already registered; list each once."
        )
    if strays := sorted(d.name for d in descriptors if d.domain not in domains):
        raise ToolRegistrationError(
            f"feature {name!r} has domains {domains}, not those of {', '.join(strays)}; rename the tool or declare its domain."
        )
    return Feature(
        name=name,
        domains=domains,
        descriptors=descriptors,
        playbooks=tuple(playbooks),
        critical_fields=tuple(critical_fields),
    )
