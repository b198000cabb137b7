"""Chapters 10 and 11: what could not be judged and why, and what a review of this kind leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.airflow_review.model import CheckStatus, Review, Severity, Verdict
from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Paragraph,
    Section,
    Table,
    Tone,
)
from algorithms.airflow_review.render.sections.conclusion import verdict_cell
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.words import Words


def unjudged_section(review: Review, lines: Sequence[Standing], words: Words) -> Section:
    """Objects without a verdict, calculations that need a person, readings tied to nothing."""
    blocks: list[Block] = []
    open_lines = [line for line in lines if line.verdict is Verdict.NOT_JUDGED]
    if open_lines:
        blocks.append(_open_table(open_lines, words))
    items = _open_items(review, words)
    if items:
        blocks += [Heading(text=words.say("unjudged.manual")), Bullets(items=tuple(items))]
    if not blocks:
        blocks.append(Paragraph(text=words.say("unjudged.nothing"), tone=Tone.GOOD))
    return Section(key="unjudged", title=words.say("section.unjudged"), blocks=tuple(blocks))


def scope_section(words: Words) -> Section:
    """What the review does not look at, so that nobody takes it for approved (R-AIR-10)."""
    items = tuple(words.say(f"scope.{number}") for number in range(1, 6))
    blocks = (Paragraph(text=words.say("scope.sentence")), Bullets(items=items), Paragraph(text=words.say("scope.end")))
    return Section(key="scope", title=words.say("section.scope"), blocks=blocks)


def _open_table(lines: Sequence[Standing], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=30),
        Column(title=words.say("column.type"), width=16),
        Column(title=words.say("column.verdict"), width=50),
    )
    rows = tuple(
        (
            Cell(text=line.name),
            Cell(text=words.name("type", line.type)),
            verdict_cell(line.verdict, line.reason or words.say("unjudged.no_reason"), words),
        )
        for line in lines
    )
    return Table(columns=columns, rows=rows, caption=words.say("unjudged.count", count=len(lines)))


def _open_items(review: Review, words: Words) -> list[str]:
    items = [
        words.say(
            "unjudged.finding",
            id=finding.id,
            subject=words.subject(finding.subject_name),
            message=words.choose(finding.message, finding.message_en),
        )
        for finding in review.findings
        if finding.severity is Severity.MANUAL
    ]
    for place in review.plan.places:
        items += [
            words.say(
                "unjudged.calculation", place=place.name, label=calculation.label, expression=calculation.expression
            )
            for calculation in place.calculations
            if calculation.status is CheckStatus.MANUAL
        ]
        if place.required_source != "recomputed":
            source = words.name("required_source", place.required_source)
            items.append(words.say("unjudged.need", place=place.name, source=source))
    if review.report is not None:
        items += [
            words.say("unjudged.reading", id=reading.id, station=reading.station)
            for reading in review.report.readings
            if reading.place_id is None and reading.kind in {"face", "heading", "chamber"}
        ]
    return items
