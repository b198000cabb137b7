"""One pattern of something that must not be shown, and when a match counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# Chinese has no spaces: `\b` would see no border between a Chinese character and a secret, so borders are ASCII borders.
BEFORE: Final = r"(?<![A-Za-z0-9_])"
AFTER: Final = r"(?![A-Za-z0-9_])"


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` hides its group `secret`, or all it matches; `holds` may refuse a match.

    `needs` are lower-case texts of which one must occur, or the pattern is not even tried. Patterns are linear: they start at a literal or
    at the border of a word, their repeats are bounded or possessive.
    """

    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str]], bool] | None = None
    needs: tuple[str, ...] = ()

    def applies(self, lowered: str) -> bool:
        """Whether the text, lower-cased, can contain a match at all."""
        for part in self.needs:  # a generator would cost more than the search
            if part in lowered:
                return True
        return not self.needs

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Half-open spans of `text` to hide."""
        group = "secret" if "secret" in self.pattern.groupindex else 0
        return [
            found.span(group)
            for found in self.pattern.finditer(text)
            if found.end(group) > found.start(group) >= 0 and (self.holds is None or self.holds(found))
        ]


def rule(
    pattern: str,
    holds: Callable[[re.Match[str]], bool] | None = None,
    *,
    needs: tuple[str, ...] = (),
    case: bool = False,
) -> Rule:
    """A rule; letters match in either case unless `case`."""
    return Rule(re.compile(pattern, re.ASCII | (0 if case else re.IGNORECASE)), holds, needs)
