"""What only the registry can tell about policies: names of effects, tools and critical fields that nobody registered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from agents.profiles import FRAMEWORK_TOOLS, AgentProfile, ProfileError
from tools.critical_fields import ALL_PATTERNS, PatternTable
from tools.registry import ToolCatalogue


def check_policies(
    profiles: Mapping[str, AgentProfile], catalogue: ToolCatalogue, patterns: PatternTable = ALL_PATTERNS
) -> None:
    """Make sure that what policies name exists: a typo would switch off what it was meant to switch on, silently.

    Raises:
        ProfileError: A policy names something unknown; a sentence for each, with file, key and remedy.
    """
    faults = [fault for profile in profiles.values() for fault in _faults(profile, catalogue, patterns)]
    if faults:
        raise ProfileError("\n".join(faults))


def _faults(profile: AgentProfile, catalogue: ToolCatalogue, patterns: PatternTable) -> Iterator[str]:
    policy, file = profile.policy, f"profile {profile.name}.toml"
    tools = {descriptor.name: descriptor for descriptor in catalogue.descriptors}
    yield from (
        f"{file}: policy.allow names the tool {tool!r}, which nobody registered; "
        f"write one of {_listed({*tools, *FRAMEWORK_TOOLS})}, or take it out."
        for tool in profile.tools
        if tool not in tools
    )
    effects = {effect for tool in profile.tools if tool in tools for effect in tools[tool].effects}
    yield from (
        f"{file}: policy.outcomes.{outcome} names the effect {effect!r}, which no tool in policy.allow has, "
        f"so no run would end so; write one of {_listed(effects)}, or allow the tool that has it."
        for outcome, needed in policy.outcomes.items()
        for effect in needed
        if effect not in effects
    )
    yield from (
        f"{file}: policy.effect_words names the effect {effect!r}, which no tool in policy.allow has; "
        f"write one of {_listed(effects)}, or take it out."
        for effect in policy.effect_words
        if effect not in effects
    )
    names = [pattern.name for pattern in patterns]
    for tool, fields in policy.critical_fields.items():
        if tool not in tools:
            yield (
                f"{file}: policy.critical_fields names the tool {tool!r}, which nobody registered; "
                f"write one of {_listed(tools)}, or take it out."
            )
        yield from (
            f"{file}: policy.critical_fields.{tool} names the field {field!r}, which nobody registered; "
            f"write one of {_listed(names)}, or take it out."
            for field in fields
            if field not in names
        )


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "(there are none)"
