"""The response guard: one verdict for every number of a reply, with the place it comes from. Pure; it changes no text."""

from __future__ import annotations

from collections.abc import Sequence

from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.seen_result import SeenResult
from agents.guards.reply_check import ReplyCheck
from agents.guards.verdict import NumberVerdict
from tools.critical_fields import CriticalField


class ResponseGuard:
    """Verifies replies against what tools returned.

    The evidence of the last call is kept: while a reply streams it is verified many times against the same results, whose
    `data` must not change after it was given.
    """

    def __init__(self) -> None:
        self._read: EvidenceBook | None = None

    def verify(
        self,
        text: str,
        tool_results: Sequence[SeenResult],
        patterns: Sequence[CriticalField],
        user_text: str = "",
    ) -> list[NumberVerdict]:
        """One verdict per number of the text, in order.

        Args:
            text: The reply, Markdown, Chinese or English.
            tool_results: Everything the thread's tools returned, oldest first.
            patterns: Critical fields of the turn.
            user_text: What the user wrote in this thread.
        """
        return self.verify_against(self._book(tool_results, patterns, user_text), text)

    def _book(
        self, tool_results: Sequence[SeenResult], patterns: Sequence[CriticalField], user_text: str
    ) -> EvidenceBook:
        """The evidence, read once for as long as the very same results are given."""
        read = self._read
        if (
            read is not None
            and read.user_text == user_text
            and len(read.results) == len(tool_results)
            and all(
                mine.data is theirs.data and mine.tool == theirs.tool
                for mine, theirs in zip(read.results, tool_results, strict=True)
            )
            and len(read.patterns) == len(patterns)
            and all(mine is theirs for mine, theirs in zip(read.patterns, patterns, strict=True))
        ):
            return read
        self._read = EvidenceBook(tool_results, patterns, user_text)
        return self._read

    @staticmethod
    def verify_against(book: EvidenceBook, text: str) -> list[NumberVerdict]:
        """The same with evidence read before."""
        return ReplyCheck(book, text).run()
