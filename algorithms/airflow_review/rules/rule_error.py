"""The refusal of a rule library: a sentence in both languages that says what is wrong and what to write instead."""

from __future__ import annotations

from algorithms.airflow_review.messages.catalogue import Text


class RuleError(ValueError):
    """The rule library cannot be used; the text names file, record, what is wrong and the remedy."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.zh)
        self.text = text

    def sentence(self, lang: str) -> str:
        """The refusal in one language."""
        return self.text.in_language(lang)
