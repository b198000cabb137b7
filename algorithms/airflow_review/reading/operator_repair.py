"""÷ that a text layer shows as +: repaired only when the repair, and not the print, gives the printed result."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Final

from algorithms.airflow_review.engine.formula import try_compute
from algorithms.airflow_review.engine.rounding import accepted

_PLUS: Final = re.compile(r"[+＋]")
_MAX_PLUSES: Final = 4


def repaired_expression(expression: str, stated: Decimal) -> tuple[str, bool]:
    """The expression with `+` turned into `÷` where only that reproduces `stated`; and whether it was changed."""
    plain = try_compute(expression)
    if plain is None or _fits(plain, stated):
        return expression, False
    pluses = [match.start() for match in _PLUS.finditer(expression)]
    if not pluses or len(pluses) > _MAX_PLUSES:
        return expression, False
    for count in range(1, len(pluses) + 1):
        for chosen in combinations(pluses, count):
            candidate = "".join("÷" if i in chosen else char for i, char in enumerate(expression))
            value = try_compute(candidate)
            if value is not None and _fits(value, stated):
                return candidate, True
    return expression, False


def _fits(exact: Fraction, stated: Decimal) -> bool:
    return accepted(exact, stated) is not None
