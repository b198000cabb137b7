"""What a check of a sentence finds, and what is done about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from api.guard_record import Guard, Verdict


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
