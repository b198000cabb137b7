"""Scenario files: what the user writes, what the scripted model does, what people decide, and what must come out."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from extensions.ticket_desk.records import Order, Seed

ModelMode = Literal["scripted", "offline", "live"]


class ScenarioError(ValueError):
    """A scenario file does not say what it must; the message names file and place."""


class _Part(BaseModel):
    # Files may carry remarks of their own: tags, languages, where a case comes from.
    model_config = ConfigDict(frozen=True, extra="ignore")


class ScriptedCall(_Part):
    """A tool call of the scripted model."""

    name: str = Field(min_length=1)
    args: dict[str, Any] = Field(default_factory=dict)


class ScriptedUsage(_Part):
    """Tokens the scripted provider bills for a turn; at the scripted price a million of either is one dollar."""

    input_tokens: int = Field(11, ge=0)
    output_tokens: int = Field(7, ge=0)


class ScriptedTurn(_Part):
    """One answer of the scripted model: calls, or text; `subagent` are the turns of the worker that its `task` calls start."""

    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    subagent: tuple[ScriptedTurn, ...] = ()
    usage: ScriptedUsage = ScriptedUsage()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.model_fields_set & {"text", "tool_calls"}:
            raise ValueError("a scripted turn has neither text nor tool_calls")
        if self.subagent and not any(call.name == "task" for call in self.tool_calls):
            raise ValueError("subagent needs a call of task in the same turn")
        return self


class Rejection(_Part):
    """A person's no, with a reason."""

    reject: str


class Edit(_Part):
    """A person's yes to other arguments."""

    edit: dict[str, Any]


Approval = Literal["approve", "reject"] | Rejection | Edit


class Expectation(_Part):
    """What must come out; what is left out is not compared."""

    trajectory: tuple[str, ...] | None = None
    outcome: str | None = None
    executed_gated_tools: tuple[str, ...] | None = None
    final_text_must_not_claim: tuple[str, ...] = ()


class Scenario(_Part):
    """One case."""

    id: str = ""
    agent: str = "ticket_desk"
    modes: tuple[ModelMode, ...] = ("scripted",)
    user_text: str = Field(min_length=1)
    scripted_model: tuple[ScriptedTurn, ...] = ()
    approvals: tuple[Approval, ...] = ()
    expect: Expectation


class StoreLimits(_Part):
    """Limits of the desk's policy; what is left out is the shipped profile's."""

    max_tool_calls_per_run: Annotated[int, Field(ge=1)] | None = None
    max_cost_per_run_usd: Annotated[Decimal, Field(gt=0)] | None = None


class StoredOrder(Order):
    """An order of a scenario file, remarks allowed; how a refund fails may be said in any form."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @field_validator("issue_refund_fails_with", mode="before")
    @classmethod
    def _as_words(cls, value: object) -> object:
        return str(value) if value else None


class Store(_Part):
    """The desk before each scenario."""

    orders: dict[str, StoredOrder] = Field(default_factory=dict)
    limits: StoreLimits = StoreLimits()
    approval: tuple[str, ...] | None = None

    def seed(self, demo: Seed) -> Seed:
        """What the desk's store begins with: these orders, and the demo's articles."""
        return Seed(orders=dict(self.orders) or demo.orders, articles=demo.articles)


class Meta(_Part):
    """What holds for all scenarios of a file."""

    store: Store = Store()


class ScenarioFile(_Part):
    """A whole file; scenarios have an id each."""

    meta: Meta = Meta()
    scenarios: tuple[Scenario, ...] = Field(min_length=1)


def load_scenarios(file: Path) -> ScenarioFile:
    """Read a file; a scenario without an id gets its place in the file as one.

    Raises:
        ScenarioError: It cannot be read, lacks a field, or two scenarios share an id.
    """
    try:
        # Amounts stay what is printed: a float would round them before anybody has looked.
        values = json.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
        known = ScenarioFile.model_validate(values)
    except (OSError, ValueError, ValidationError) as error:
        raise ScenarioError(f"{file.name}: {error}") from error
    named = tuple(
        scenario if scenario.id else scenario.model_copy(update={"id": f"#{place}"})
        for place, scenario in enumerate(known.scenarios, start=1)
    )
    ids = [scenario.id for scenario in named]
    if twice := sorted({identity for identity in ids if ids.count(identity) > 1}):
        raise ScenarioError(f"{file.name}: ids {twice} stand twice")
    return known.model_copy(update={"scenarios": named})
