"""Numbers that are the reply's own: how many things it lists, deadlines and thresholds that it advises."""

from __future__ import annotations

from typing import Final

from agents.guards.beside import Beside
from agents.guards.cues import has_cue
from agents.guards.lists_named import ListsNamed
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.units import COUNT
from agents.guards.reply.layout import Layout
from agents.guards.reply.listing import lists_beside

_MOST_LISTED: Final = 12
_SUM_BEHIND: Final = 10
_BEHIND: Final = 14


class OwnNumbers:
    """Judges the numbers that nothing bears out."""

    def __init__(self, layout: Layout, beside: Beside, lists: ListsNamed) -> None:
        self._layout = layout
        self._beside = beside
        self._lists = lists

    def is_own_count(self, number: int, quantity: Quantity) -> bool:
        """Whether a small count tells how many things the reply itself lists beside it or in the lines below."""
        if (
            quantity.ulp != 1
            or (quantity.unit is not None and quantity.unit.dimension != COUNT)
            or not 1 < quantity.value <= _MOST_LISTED
            or quantity.is_ratio
        ):
            return False
        layout = self._layout
        sentence = layout.sentences[layout.spots[number].sentence]
        counts = lists_beside(layout.text, (sentence.start, sentence.end), (quantity.start, quantity.unit_end))
        behind = layout.words(quantity.unit_end, min(sentence.end, quantity.unit_end + _SUM_BEHIND))
        summed = has_cue("said_sum", behind) and quantity.unit is not None and not quantity.text.isdigit()
        return quantity.value in counts or summed or self._lists.counts(number, quantity)

    def is_advice(self, number: int, quantity: Quantity) -> bool:
        """A deadline or a threshold that the reply sets: 请在 24 小时内上报, anyone below 75 % should."""
        layout = self._layout
        if quantity.is_ratio and self._beside.says_near("threshold", number):
            sentence = layout.sentences[layout.spots[number].sentence]
            return has_cue("advised", layout.words(quantity.unit_end, sentence.end))
        if quantity.unit is None or quantity.unit.dimension != "time":
            return False
        if self._beside.says("usual", number):
            return True  # 一般 1-2 个工作日: what is usual, no result of a tool
        if not self._beside.says("advice", number):
            return False
        behind = layout.words(quantity.unit_end, quantity.unit_end + _BEHIND)
        said_behind = behind.startswith(("内", "之内", "以内")) or has_cue("within", behind)
        return said_behind or self._beside.says_near("within", number)
