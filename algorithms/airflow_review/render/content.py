"""The whole report of a review as blocks, in one language."""

from __future__ import annotations

from algorithms.airflow_review.changes import Changes
from algorithms.airflow_review.model import Review
from algorithms.airflow_review.render.blocks import Content, Section
from algorithms.airflow_review.render.figures import window_text
from algorithms.airflow_review.render.sections.calculations import calculations_section
from algorithms.airflow_review.render.sections.changes import changes_section
from algorithms.airflow_review.render.sections.comparisons import comparisons_section
from algorithms.airflow_review.render.sections.conclusion import conclusion_section
from algorithms.airflow_review.render.sections.findings import findings_section
from algorithms.airflow_review.render.sections.limits import scope_section, unjudged_section
from algorithms.airflow_review.render.sections.readings import fans_section, readings_section
from algorithms.airflow_review.render.sections.sources import settled_section, sources_section
from algorithms.airflow_review.render.sections.speeds import speeds_section
from algorithms.airflow_review.render.sections.sums import sums_section
from algorithms.airflow_review.render.standing import standings
from algorithms.airflow_review.render.words import Words


def report_content(review: Review, words: Words, changes: Changes | None = None) -> Content:
    """All chapters in reading order; optional ones (settled values, changes, fans) only where there is something to show."""
    lines = standings(review, words)
    sections: tuple[Section | None, ...] = (
        conclusion_section(review, lines, words),
        sources_section(review, words),
        settled_section(review, words),
        None if changes is None else changes_section(changes, words),
        findings_section(review, words),
        comparisons_section(review, lines, words),
        speeds_section(review, words),
        calculations_section(review, words),
        sums_section(review, lines, words),
        readings_section(review, words),
        fans_section(review, words),
        unjudged_section(review, lines, words),
        scope_section(words),
    )
    mine = review.plan.mine or words.say("title.unknown_mine")
    return Content(
        title=words.say("title.report", mine=mine),
        subtitle=words.say("title.subtitle", window=window_text(review.plan.period, words)),
        header=words.say("title.header", mine=mine),
        sections=tuple(section for section in sections if section is not None),
    )


def numbered_title(number: int, section: Section) -> str:
    """The heading of a chapter, counted over the chapters that are there."""
    return f"{number} {section.title}"
