"""The conclusion in a few plain lines, for a terminal and for a tool's answer."""

from __future__ import annotations

from algorithms.airflow_review.model import Review
from algorithms.airflow_review.render.sections.conclusion import (
    counts_sentence,
    measured_sentence,
    planned_sentence,
    settled_sentences,
    verdict_sentence,
)
from algorithms.airflow_review.render.standing import standings
from algorithms.airflow_review.render.words import Words


def conclusion_lines(review: Review, words: Words) -> tuple[str, ...]:
    """Verdict, measured air, planned air, number of findings, settled values if there are any; one sentence each."""
    lines = standings(review, words)
    return (
        verdict_sentence(review, words),
        measured_sentence(review, lines, words),
        planned_sentence(lines, words),
        counts_sentence(review, words),
        *settled_sentences(review, words),
    )
