"""One turn as data: who asks what of which agent, under which limits, and how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from agents.guards.confidence import Signals
from agents.guards.policy import AgentPolicy
from agents.offline_model import OFFLINE
from agents.session_agent import Decision, TurnIdentity, UserInput
from db.records import Run, RunStatus, Session
from tools.critical_fields import CriticalField

_CANCEL_AGAIN_S: Final = 3.0
ModelMode = Literal["live", "offline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLimits:
    """What holds for every turn of this server, from its settings."""

    window_tokens: int
    run_timeout_s: float
    approval_wait_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRules:
    """What holds for every turn of one agent."""

    policy: AgentPolicy = field(default_factory=AgentPolicy)
    model: str = OFFLINE
    critical_field_patterns: tuple[CriticalField, ...] = ()
    shows_reasoning: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnConfig:
    """The frozen settings of one turn."""

    run_id: str
    session_id: str
    user_name: str
    agent: str
    title: str
    permission_mode: str
    plan_mode: str
    limits: TurnLimits
    policy: AgentPolicy
    model: str
    """Name of the model that works in the turn, as records and prices have it."""
    critical_field_patterns: tuple[CriticalField, ...] = ()
    """Fields that the answer must state right; empty where the agent's tools return none, or its policy switches the guard off."""
    shows_reasoning: bool = True
    """Whether the model's thinking is shown; no guard verifies it."""

    @property
    def answer_id(self) -> str:
        """Id of the assistant's row in the history: a run has one, so it carries the run's id."""
        return self.run_id

    @property
    def model_mode(self) -> ModelMode:
        """Whether a language model works in the turn, or the embedded one."""
        return "offline" if self.model == OFFLINE else "live"

    def time_left(self, worked_s: float) -> tuple[float, str]:
        """Seconds a segment may take, and the reason that it is stopped with then.

        The server's bound is one segment's; the policy's is the run's, so what earlier segments took counts.
        """
        most = self.policy.limits.max_run_s
        if most is not None and most - worked_s < self.limits.run_timeout_s:
            return max(most - worked_s, 0.0), "time_limit"
        return self.limits.run_timeout_s, "run_timeout"

    @property
    def identity(self) -> TurnIdentity:
        """The same, as the agent wants it."""
        return TurnIdentity(
            user_name=self.user_name,
            session_id=self.session_id,
            run_id=self.run_id,
            agent=self.agent,
            trace_id=self.run_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """A person's answers to pending approvals, by interrupt id; `denied` names the calls that were rejected."""

    by_interrupt: Mapping[str, Decision]
    denied: frozenset[str]


TurnInput = UserInput | Decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How a segment of a run ended."""

    status: RunStatus
    stop_reason: str | None = None
    error_code: str | None = None
    message_id: str | None = None
    outcome: str | None = None
    """What the run achieved, computed from receipts; None where it did not end by itself."""
    waits_until: datetime | None = None
    """When what waits for a person counts as rejected."""
    signals: Signals | None = None
    """What guards saw of a run that ended by itself; its score is computed from them."""

    @property
    def is_final(self) -> bool:
        """Whether the run is over; an interrupted one goes on after the decision."""
        return self.status is not RunStatus.INTERRUPTED


def resolve_turn(
    session: Session, *, run_id: str, limits: TurnLimits, rules: Mapping[str, AgentRules], row: Run | None = None
) -> TurnConfig:
    """Fix what one turn of a session may do, before it starts; a run that has a `row` keeps the modes it began with."""
    modes = session if row is None else row
    mine = rules.get(session.agent, AgentRules())
    return TurnConfig(
        run_id=run_id,
        session_id=session.session_id,
        user_name=session.user_name,
        agent=session.agent,
        title=session.title,
        permission_mode=modes.permission_mode,
        plan_mode=modes.plan_mode,
        limits=limits,
        policy=mine.policy,
        model=mine.model,
        critical_field_patterns=mine.critical_field_patterns,
        shows_reasoning=mine.shows_reasoning,
    )


class StoppedError(Exception):
    """A turn was stopped from outside; `reason` says by what."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StopSignal:
    """Stops a turn from outside. The stream runs in a task of its own, so that stopping it stops the model at once."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.worked_s = 0.0
        """Seconds that earlier segments of the run worked."""
        self._task: asyncio.Task[None] | None = None

    def request(self, reason: str) -> None:
        """Stop; the first reason stays."""
        if self.reason is None:
            self.reason = reason
            self._cancel()

    def check(self) -> None:
        """Stop here if it was asked for.

        A cancellation alone may get lost: `asyncio.wait_for`, which model clients use, drops it in Python 3.11 when the
        awaited value has just arrived. So whoever works in steps asks after each.

        Raises:
            StoppedError: It was.
        """
        if self.reason is not None:
            raise StoppedError(self.reason)

    async def run(self, work: Coroutine[Any, Any, None], *, timeout_s: float, on_timeout: str = "run_timeout") -> None:
        """Run `work` to its end; without any time left it does not begin.

        Raises:
            StoppedError: It was stopped, or took longer than `timeout_s` (reason `on_timeout`).
        """
        if timeout_s <= 0:
            self.request(on_timeout)
        if self.reason is not None:
            work.close()
            raise StoppedError(self.reason)
        alarm = asyncio.get_running_loop().call_later(timeout_s, self.request, on_timeout)
        self._task = asyncio.create_task(work)
        try:
            await self._task
        except asyncio.CancelledError:
            if self.reason is None:
                raise
            raise StoppedError(self.reason) from None
        finally:
            alarm.cancel()
            self._task = None

    def _cancel(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()
            asyncio.get_running_loop().call_later(_CANCEL_AGAIN_S, self._cancel)
