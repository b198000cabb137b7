"""Which agents' answers are guarded, and by what: derived from their tools and policies, once, at the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import structlog

from agents.guards.claims.lexicon import Lexicon, build_lexicon, lacks_chinese
from agents.offline_model import OFFLINE
from agents.profiles import AgentProfile
from api.answer_guard import AnswerGuard, ClaimCheck
from api.number_check import NumberCheck
from api.turn import AgentRules, TurnConfig
from tools.critical_fields import critical_fields_of_turn, should_run_guard
from tools.registry import ToolRegistry

log = structlog.get_logger(__name__)


class AnswerGuards:
    """Makes a guard for each segment; an agent without effects and critical fields streams untouched."""

    def __init__(self, profiles: Mapping[str, AgentProfile], registry: ToolRegistry) -> None:
        self._on_failure = registry.invoker.metrics.guard_failed
        self._lexicons: dict[str, Lexicon] = {}
        for name, profile in profiles.items():
            if effects := _effects_of(profile, registry):
                _warn_of_silence(profile, effects)
                policy = profile.policy
                self._lexicons[name] = build_lexicon(sorted(effects), policy.outcomes, policy.effect_words)

    def guard_of(self, turn: TurnConfig) -> AnswerGuard | None:
        """A guard for one segment of a run; None if nothing its agent could say needs one."""
        lexicon = self._lexicons.get(turn.agent)
        # The embedded model copies its numbers from the payloads by code; withholding one would only hide a finding.
        patterns = () if turn.model == OFFLINE else turn.critical_field_patterns
        if lexicon is None and not patterns:
            return None
        return AnswerGuard(
            claims=None if lexicon is None else ClaimCheck(lexicon),
            numbers=NumberCheck(patterns) if patterns else None,
            lexicon=lexicon,
            on_failure=self._on_failure,
        )


def _warn_of_silence(profile: AgentProfile, effects: Iterable[str]) -> None:
    for effect in sorted(effects):
        if lacks_chinese(effect, profile.policy.effect_words):
            log.warning(
                "effect_without_chinese_words",
                agent=profile.name,
                effect=effect,
                consequence="an answer that claims it in Chinese is neither found nor corrected; outcomes still follow receipts",
                remedy=f'add [policy.effect_words."{effect}"] with nouns and verbs to {profile.name}.toml',
            )


def rules_of(
    profiles: Mapping[str, AgentProfile], models: Mapping[str, str], registry: ToolRegistry
) -> dict[str, AgentRules]:
    """Policy, model and critical fields of every agent, by the tools it has and what its policy binds to them; once extensions are loaded."""
    return {name: _rules(profile, models[name], _effects_of(profile, registry)) for name, profile in profiles.items()}


def _effects_of(profile: AgentProfile, registry: ToolRegistry) -> set[str]:
    return {effect for tool in profile.tools for effect in registry.descriptor(tool).effects}


def _rules(profile: AgentProfile, model: str, effects: set[str]) -> AgentRules:
    policy = profile.policy
    patterns = critical_fields_of_turn(profile.tools, policy.critical_fields)
    is_on = should_run_guard(patterns, response_guard=policy.response_guard)
    return AgentRules(
        policy=policy,
        model=model,
        critical_field_patterns=patterns if is_on else (),
        shows_reasoning=not (is_on or effects) if profile.reasoning is None else profile.reasoning,
    )
