"""What a check of a sentence finds, and what is done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from agents.guards.claims.reading import CJK
from api.guard_record import Guard, Verdict

Language = Literal["zh", "en"]
UNVERIFIED: Final[Mapping[Language, str]] = {"zh": "（未核验）", "en": " (unverified)"}
"""Stands behind a sentence that nobody could check."""


def language_of(sentence: str) -> Language:
    """The language a guard answers a sentence in."""
    return "zh" if CJK.search(sentence) else "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong with a sentence.

    Attributes:
        guard: Who found it.
        verdict: What is done about it.
        code: Why: an effect, a critical field.
        instead: What stands in the sentence's place; None leaves it as it is.
        mark: What is put behind the sentence instead.
        spans: Places, relative to the sentence.
    """

    guard: Guard
    verdict: Verdict
    code: str
    instead: str | None = None
    mark: str = ""
    spans: tuple[dict[str, Any], ...] = ()


class SentenceCheck(Protocol):
    """Looks at one sentence of an answer."""

    @property
    def guard(self) -> Guard:
        """Whose check it is."""
        ...

    def __call__(self, text: str, start: int) -> Finding | None:
        """What is wrong with the sentence that begins at `start` and ends the text; the text before it is context."""
        ...
