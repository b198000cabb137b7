"""What people look at after a run ended by itself: samples of what it did alone, and runs that score low where scores mean something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from agents.guards.confidence import Calibration, Case, Signals, calibrate, score
from agents.guards.receipts import Receipt
from agents.guards.sampling import is_sampled
from api.review_desk import ReviewDesk
from api.turn import TurnConfig
from db.review_store import ReviewStore

_RIGHT: Final = "right"
_UNSURE: Final = "unsure"


class AfterRun:
    """Fills the queue for people; decides nothing about the run itself."""

    def __init__(self, desk: ReviewDesk, store: ReviewStore, *, key: bytes) -> None:
        """Make it for one server.

        Args:
            desk: Takes items.
            store: Has the verdicts that calibration is computed from.
            key: Of the draw; whoever does not know it cannot tell which runs are drawn.
        """
        self._desk = desk
        self._store = store
        self._key = key

    async def look(self, turn: TurnConfig, receipts: Sequence[Receipt], signals: Signals) -> None:
        """Draw the run's autonomous actions, and send it to a person if its score is low and proven to mean something."""
        confidence = score(signals)
        known = {**asdict(signals), "confidence": confidence}
        rule = turn.policy.review
        alone = [one for one in receipts if one.turn == "this" and one.status == "ok" and one.approval_id is None]
        for tool in dict.fromkeys(one.tool for one in alone):
            if is_sampled(self._key, run_id=turn.run_id, tool=tool, rate=rule.rate_of(tool)):
                done = [one for one in alone if one.tool == tool]
                subject = "\n".join(f"{one.effect}: {dict(one.args)}" for one in done)
                await self._desk.put(turn, "sample", rule=tool, subject=subject, tool=tool, signals=known)
        if rule.confidence_below is None or confidence >= rule.confidence_below:
            return
        if (await self.calibration(turn.model)).is_proven:
            subject = f"confidence {confidence:.2f} < {rule.confidence_below:.2f}"
            await self._desk.put(turn, "confidence", rule="confidence_below", subject=subject, signals=known)

    async def calibration(self, model: str) -> Calibration:
        """Whether scores of a model version may decide anything, by the samples people have judged."""
        judged = await self._store.outcomes(kind="sample", model=model)
        return calibrate(
            Case(float(item.signals["confidence"]), item.verdict == _RIGHT)
            for item in judged
            if item.verdict != _UNSURE and "confidence" in item.signals
        )
