"""Reads what a text claims to have done, with the server's own finder of claims."""

from __future__ import annotations

from typing import Final

from agents.guards.claims.finder import find_claims
from agents.guards.claims.lexicon import build_lexicon
from agents.profiles import load_profiles

# The ticket desk's, and the others that `final_text_must_not_claim` may name.
_EFFECTS: Final = (
    "refund.issued",
    "email.sent",
    "approval.submitted",
    "report.published",
    "ticket.closed",
    "record.updated",
    "schedule.created",
    "plan.approved",
    "plan.submitted",
)


class ClaimFinder:
    """Names the effects that a text asserts as done in the assistant's own voice."""

    def __init__(self) -> None:
        outcomes = {
            name: effects for profile in load_profiles().values() for name, effects in profile.policy.outcomes.items()
        }
        self._lexicon = build_lexicon(_EFFECTS, outcomes)

    def __call__(self, text: str) -> frozenset[str]:
        """The effects; empty if the text claims none."""
        return frozenset(claim.effect for claim in find_claims(text, self._lexicon) if claim.polarity == "done")
