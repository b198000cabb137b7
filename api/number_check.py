"""Whether the numbers of a sentence are borne out by what tools returned, critical fields above all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from agents.guards.claims.reading import CJK
from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from agents.guards.verdict import Grounding, NumberVerdict
from api.answer_check import UNVERIFIED, Finding, Language, language_of
from api.own_files import OwnFiles
from tools.critical_fields import CriticalField

_MOST_NAMED: Final = 3
_CONTEXT_CHARS: Final = 2_000
_LABEL_CHARS: Final = 24
_CLAUSE: Final = re.compile(r"[，。；、,;.\n\d]")
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "blocked": "【已拦截】此处“{label}”的数值与工具结果不一致，未予显示；工具结果：{expected}。",
        "join": "、",
    },
    "en": {
        "blocked": "[Withheld] The figure for “{label}” differs from the tool's result and is not shown. On record: {expected}.",
        "join": ", ",
    },
}


class NumberCheck:
    """Verifies sentences against the thread's results; a number is never replaced by another one."""

    guard: Final = "response"

    def __init__(self, patterns: Sequence[CriticalField]) -> None:
        self._patterns = tuple(patterns)
        self._guard = ResponseGuard()
        self._results: dict[str, SeenResult] = {}
        self._own_files = OwnFiles()
        self._user_text = ""
        self.numbers = 0
        """Numbers judged so far."""
        self.derived = 0
        self.unverified = 0

    def learn(self, results: Iterable[SeenResult], user_text: str = "") -> None:
        """Add results, in the order they came, and what the user wrote; a result of the same call replaces the one there was."""
        for result in results:
            if self._own_files.is_evidence(result):
                self._results.pop(result.call_id, None)
                self._results[result.call_id] = result
        self._user_text = f"{self._user_text}\n{user_text}" if user_text else self._user_text

    def __call__(self, text: str, start: int) -> Finding | None:
        """The worst thing about the numbers of the sentence that begins at `start`; the text before it is context."""
        # What stands far above is no context for a number, and looking through it again for each sentence would take long.
        cut = max(0, start - _CONTEXT_CHARS)
        text, start = text[cut:], start - cut
        verdicts = self._guard.verify(text, [*self._results.values()], self._patterns, self._user_text)
        here = [verdict for verdict in verdicts if verdict.start >= start]
        self._count(here)
        flagged = [verdict for verdict in here if verdict.is_flagged]
        if not flagged:
            return None
        language = language_of(text[start:])
        spans = tuple(_span(verdict, start) for verdict in flagged)
        wrong = [verdict for verdict in flagged if verdict.critical and verdict.grounding is Grounding.CONTRADICTED]
        if wrong:
            return Finding(
                guard="response",
                verdict="blocked",
                code=wrong[0].critical,
                instead=_WORDS[language]["blocked"].format(
                    label=self._label(wrong[0].critical, language),
                    expected=_WORDS[language]["join"].join(_figures(wrong[0])),
                ),
                spans=spans,
            )
        loose = next((name for verdict in flagged if (name := verdict.critical or self._stated_as(text, verdict))), "")
        if loose:
            return Finding(guard="response", verdict="unverified", code=loose, mark=UNVERIFIED[language], spans=spans)
        return Finding(guard="response", verdict="annotated", code="ungrounded", spans=spans)

    @cached_property
    def label_pattern(self) -> re.Pattern[str]:
        """Finds the label of any critical field in folded text."""
        labels = sorted(
            {label.lower() for pattern in self._patterns for label in pattern.labels}, key=len, reverse=True
        )
        return re.compile("|".join(rf"(?<![a-z]){re.escape(label)}" for label in labels))

    def _stated_as(self, text: str, verdict: NumberVerdict) -> str:
        """The critical field whose label stands beside a number that no result has anything to say about; empty if none does."""
        before = _CLAUSE.split(text[max(0, verdict.start - _LABEL_CHARS) : verdict.start])[-1]
        return self._labelled(before) or self._labelled(_behind(text[verdict.end : verdict.end + _LABEL_CHARS]))

    def _labelled(self, words: str) -> str:
        lowered = words.lower()
        return next((p.name for p in self._patterns if any(label.lower() in lowered for label in p.labels)), "")

    def _count(self, verdicts: Sequence[NumberVerdict]) -> None:
        judged = [verdict for verdict in verdicts if verdict.grounding is not Grounding.EXEMPT]
        self.numbers += len(judged)
        self.unverified += sum(verdict.is_flagged for verdict in judged)
        as_it_stands = {Grounding.EXACT, Grounding.USER}
        self.derived += sum(not verdict.is_flagged and verdict.grounding not in as_it_stands for verdict in judged)

    def _label(self, name: str, language: Language) -> str:
        labels = next((pattern.labels for pattern in self._patterns if pattern.name == name), (name,))
        fitting = (label for label in labels if bool(CJK.search(label)) is (language == "zh"))
        return next(fitting, labels[0])


def _behind(text: str) -> str:
    """The rest of the clause behind a number; nothing where another number follows, whose label it would be."""
    end = _CLAUSE.search(text)
    if end is None:
        return text
    return "" if end.group().isdigit() else text[: end.start()]


def _span(verdict: NumberVerdict, start: int) -> dict[str, Any]:
    reason = "contradicted" if verdict.grounding is Grounding.CONTRADICTED else "ungrounded"
    return {"start": verdict.start - start, "end": verdict.end - start, "reason": reason}


def _figures(verdict: NumberVerdict) -> list[str]:
    figures = dict.fromkeys(f"{source.value:.10g}" for source in verdict.expected)
    return [*figures][:_MOST_NAMED]
