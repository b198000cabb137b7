"""Words of field names that say how a value was calculated."""

from __future__ import annotations

from typing import Final

DIFFERENCES: Final = frozenset(
    [
        "diff",
        "difference",
        "margin",
        "gap",
        "delta",
        "remaining",
        "left",
        "shortage",
        "short",
        "excess",
        "surplus",
        "reserve",
        "deduction",
        "outstanding",
        "change",
        "increase",
        "decrease",
        "growth",
        "balance",
        "spare",
        "free",
        "available",
        "overage",
        "over",
        "discount",
        "net",
        "profit",
    ]
)
TOTALS: Final = frozenset({"total", "totals", "subtotal", "sum", "all", "grand", "overall"})
