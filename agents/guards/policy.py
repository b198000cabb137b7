"""The policy of one kind of agent, as data: what it may call, how much it may use, what its outcomes are.

Code reads it, no prompt does. Every decision names the version it was taken under.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from agents.guards.escalation import EscalationRule, Screen, load_rules
from tools.policy import ToolPolicy

ToolName = Annotated[str, Field(pattern=r"^[a-z]+(_[a-z0-9]+)*$")]
OutcomeName = Annotated[str, Field(pattern=r"^[a-z]+(_[a-z0-9]+)*$")]
RuleName = OutcomeName
Effect = Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_]+$")]

RESOLVED: Final = "resolved"
"""Outcome of a run that ended well and had none of the policy's outcomes."""
ESCALATED: Final = "escalated"
LIMITED: Final = "limited"
_RESERVED: Final = frozenset({RESOLVED, ESCALATED, LIMITED})


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunLimits(_Section):
    """How much one run may use; what it would exceed is refused before it is spent."""

    max_tool_calls_per_run: int = Field(80, ge=1, description="Calls of registered tools.")
    max_framework_calls_per_run: int = Field(50, ge=1, description="Calls of the framework's own tools.")
    max_model_calls_per_run: int | None = Field(None, ge=1, description="Model calls; the server's setting holds too.")
    max_cost_per_run: Decimal | None = Field(None, gt=0, description="Money, in `currency`.")
    currency: str = Field("CNY", pattern=r"^[A-Z]{3}$", description="Currency of `max_cost_per_run`.")
    max_run_s: float | None = Field(None, gt=0, description="Wall time; the server's setting holds too.")


class ReviewRule(_Section):
    """What people look at afterwards. Calls on the approval list are looked at before, by their approvers."""

    sampling_rate: float = Field(0.0, ge=0, le=1, description="Share of runs whose autonomous actions are reviewed.")
    sampling_rates: dict[ToolName, Annotated[float, Field(ge=0, le=1)]] = Field(
        default_factory=dict, description="The same for single tools."
    )
    confidence_below: float | None = Field(
        None, gt=0, lt=1, description="Runs that score lower are reviewed, once reviewed cases prove the scores."
    )

    def rate_of(self, tool: str) -> float:
        """Share of runs in which the tool's actions are reviewed."""
        return self.sampling_rates.get(tool, self.sampling_rate)


class EffectWords(_Section):
    """Words people use for an effect, in Chinese and English; an English verb as infinitive, with `:past,participle` if irregular."""

    nouns: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        min_length=1, description="What it is done to: 休假."
    )
    verbs: tuple[Annotated[str, Field(min_length=1)], ...] = Field(min_length=1, description="What is done: 批准.")


class AgentPolicy(_Section):
    """Everything code enforces for one agent; what is not listed in `allow` is refused."""

    allow: tuple[ToolName, ...] = Field((), description="Tools it may call, the framework's included.")
    approval: tuple[ToolName, ...] = Field((), description="Those that wait for a person, each call anew.")
    self_approval: bool = Field(default=True, description="Whether the session's own user may decide what waits.")
    limits: RunLimits = RunLimits()
    outcomes: dict[OutcomeName, tuple[Effect, ...]] = Field(
        default_factory=dict, description="Outcome → effects a run must have had for it; the first that fits counts."
    )

    effect_words: dict[Effect, EffectWords] = Field(
        default_factory=dict, description="Effect → words by which claims of it are found, beside the server's own."
    )

    review: ReviewRule = ReviewRule()
    response_guard: bool = Field(default=True, description="Whether numbers of critical fields are verified.")
    critical_fields: dict[ToolName, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Tool → further critical fields that are verified where the agent has the tool.",
    )
    escalate: dict[RuleName, EscalationRule] = Field(
        default_factory=dict,
        description="What sends a message to people before any model sees it; a list names rules that the server has.",
    )

    @field_validator("escalate", mode="before")
    @classmethod
    def _named_rules(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        known = load_rules()
        if strays := [name for name in value if name not in known]:
            raise ValueError(f"no escalation rules {strays}; there are {sorted(known)}")
        return {name: known[name] for name in value}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if strays := set(self.approval) - set(self.allow):
            raise ValueError(f"approval names tools that are not allowed: {sorted(strays)}")
        if strays := self.review.sampling_rates.keys() - set(self.allow):
            raise ValueError(
                f"review.sampling_rates names {sorted(strays)}, which allow does not list, so nothing would be sampled; "
                "write a tool of allow, or take it out"
            )
        if taken := _RESERVED & self.outcomes.keys():
            raise ValueError(f"outcomes {sorted(taken)} are the server's own")
        if empty := [name for name, effects in self.outcomes.items() if not effects]:
            raise ValueError(f"outcomes {empty} name no effect")
        return self

    @cached_property
    def version(self) -> str:
        """Digest of everything the policy says: other words, other version."""
        said = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    @cached_property
    def screen(self) -> Screen:
        """Looks at a user's raw words before any model does."""
        return Screen(self.escalate)

    @property
    def tools(self) -> ToolPolicy:
        """The part that the wrapper of calls enforces, under the version of the whole."""
        return ToolPolicy(
            allow=frozenset(self.allow),
            approval=frozenset(self.approval),
            max_tool_calls_per_run=self.limits.max_tool_calls_per_run,
            max_framework_calls_per_run=self.limits.max_framework_calls_per_run,
            version=self.version,
        )
