"""Which cues stand beside the numbers of a reply: in the sentence, in the clause, right before and behind."""

from __future__ import annotations

from typing import Final

from agents.guards.cues import has_cue
from agents.guards.reply.layout import Layout

_REACH: Final = 240
_BEHIND: Final = 12
_NEAR_LEFT: Final = 14
_NEAR_RIGHT: Final = 4


class Beside:
    """The words beside the numbers of one reply."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def says(self, cue: str, number: int) -> bool:
        """Whether the sentence speaks of it, up to a little behind the number."""
        spot, quantity = self._layout.spots[number], self._layout.quantities[number]
        sentence = self._layout.sentences[spot.sentence]
        start = max(sentence.start, quantity.start - _REACH)
        return has_cue(cue, self._layout.words(start, min(sentence.end, quantity.unit_end + _BEHIND)))

    def says_in_clause(self, cue: str, number: int) -> bool:
        """Whether the words between the number before and the end of the clause speak of it."""
        spot, quantity = self._layout.spots[number], self._layout.quantities[number]
        return has_cue(cue, self._layout.words(spot.left, min(spot.right, quantity.unit_end + _BEHIND)))

    def says_near(self, cue: str, number: int) -> bool:
        """Whether the words right before or behind the number speak of it."""
        spot, quantity = self._layout.spots[number], self._layout.quantities[number]
        left = self._layout.words(max(spot.left, quantity.start - _NEAR_LEFT), quantity.start)
        right = self._layout.words(quantity.unit_end, min(spot.right, quantity.unit_end + _NEAR_RIGHT))
        return has_cue(cue, f"{left} {right}")
