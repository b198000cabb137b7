"""What people look at after a run ended by itself: samples of what it did alone, and runs that score low where scores mean something."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Protocol

from agents.guards.confidence import Calibration, Case, calibrate, score
from agents.guards.sampling import is_sampled
from agents.profiles import FRAMEWORK_TOOLS
from api.review_desk import ReviewDesk
from api.sse_events import EventType, to_json_text
from api.turn import TurnConfig, TurnEnd
from db.records import AloneCall
from db.review_store import ReviewStore

_RIGHT: Final = "right"
_UNSURE: Final = "unsure"


class CallRecord(Protocol):
    """Knows what a run did."""

    async def made_alone(self, run_id: str) -> list[AloneCall]:
        """The calls of a run that were let through without a person's approval."""
        ...


class AfterRun:
    """Fills the queue for people; decides nothing about the run itself."""

    def __init__(
        self,
        desk: ReviewDesk,
        store: ReviewStore,
        *,
        calls: CallRecord,
        frames: Callable[[str], Awaitable[Sequence[Mapping[str, Any]]]],
        key: bytes,
    ) -> None:
        """Make it for one server.

        Args:
            desk: Takes items.
            store: Has the verdicts that calibration is computed from.
            calls: The record of calls.
            frames: Gives what a run has logged, for the arguments of what is drawn.
            key: Of the draw; whoever does not know it cannot tell which runs are drawn.
        """
        self._desk = desk
        self._store = store
        self._calls = calls
        self._frames = frames
        self._key = key

    async def look(self, turn: TurnConfig, end: TurnEnd) -> None:
        """Draw the run's autonomous actions, however it ended, and send it to a person if its score is low and proven to mean something.

        A second look draws nothing twice.
        """
        await self._draw(turn, end)
        rule = turn.policy.review
        if rule.confidence_below is None or end.signals is None:
            return
        known = _known(end)
        confidence = known["confidence"]
        if confidence >= rule.confidence_below:
            return
        if (await self.calibration(turn.model)).is_proven:
            subject = f"confidence {confidence:.2f} < {rule.confidence_below:.2f}"
            await self._desk.put(turn, "confidence", rule="confidence_below", subject=subject, signals=known)

    async def _draw(self, turn: TurnConfig, end: TurnEnd) -> None:
        rule = turn.policy.review
        # The framework's own tools read and write the session's files; they are actions only to a policy that names them.
        calls = [
            call
            for call in await self._calls.made_alone(turn.run_id)
            if call.tool not in FRAMEWORK_TOOLS or call.tool in rule.sampling_rates
        ]
        drawn = [
            tool
            for tool in dict.fromkeys(call.tool for call in calls)
            if is_sampled(self._key, run_id=turn.run_id, tool=tool, rate=rule.rate_of(tool))
        ]
        if not drawn:
            return
        is_there = await self._store.sampled_tools(turn.run_id)
        asked = {
            frame["tool_call_id"]: frame["args"]
            for frame in await self._frames(turn.run_id)
            if frame["type"] == EventType.TOOL_CALL
        }
        for tool in drawn:
            if tool not in is_there:
                mine = [call for call in calls if call.tool == tool]
                subject = "\n".join(_line(call, asked.get(call.tool_call_id)) for call in mine)
                await self._desk.put(turn, "sample", rule=tool, subject=subject, tool=tool, signals=_known(end))

    async def calibration(self, model: str) -> Calibration:
        """Whether scores of a model version may decide anything, by the samples people have judged."""
        judged = await self._store.outcomes(kind="sample", model=model)
        return calibrate(
            Case(float(item.signals["confidence"]), item.verdict == _RIGHT)
            for item in judged
            if item.verdict != _UNSURE and "confidence" in item.signals
        )


def _known(end: TurnEnd) -> dict[str, Any]:
    ended = {"status": end.status.value, "outcome": end.outcome}
    return ended if end.signals is None else {**ended, **asdict(end.signals), "confidence": score(end.signals)}


def _line(call: AloneCall, args: Any) -> str:
    """One action as a person reads it; what a sub-agent asked for is found by its audit id."""
    said = "" if args is None else f" {to_json_text(args)}"
    return f"{call.tool}{said} → {call.outcome or 'unknown'} ({call.audit_id})"
