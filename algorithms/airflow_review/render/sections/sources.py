"""Chapter 2: which documents in which edition, which rules."""

from __future__ import annotations

from algorithms.airflow_review.model import Review
from algorithms.airflow_review.render.blocks import Block, Bullets, Cell, Column, Paragraph, Section, Table
from algorithms.airflow_review.render.figures import window_text
from algorithms.airflow_review.render.words import Words


def sources_section(review: Review, words: Words) -> Section:
    """Input files with hash and period, rule library with edition, and how settled values came in."""
    columns = (
        Column(title=words.say("column.role"), width=14),
        Column(title=words.say("column.file"), width=24),
        Column(title=words.say("column.pages"), width=7, numeric=True),
        Column(title=words.say("column.mine"), width=16),
        Column(title=words.say("column.period"), width=24),
        Column(title="SHA-256", width=34),
    )
    blocks: list[Block] = [
        Table(columns=columns, rows=tuple(_file_row(review, index, words) for index in range(len(review.inputs)))),
        Paragraph(
            text=words.say(
                "rules.sentence",
                id=review.rules.id,
                edition=review.rules.edition,
                mine=review.rules.mine or words.say("rules.any_mine"),
            )
        ),
    ]
    if review.rules.sources:
        blocks.append(Bullets(items=tuple(words.rule(source) for source in review.rules.sources)))
    blocks.append(Paragraph(text=words.say("rules.clause_hint")))
    return Section(key="sources", title=words.say("section.sources"), blocks=tuple(blocks))


def settled_section(review: Review, words: Words) -> Section | None:
    """Values a person has corrected, if there are any."""
    if not review.settled:
        return None
    titles = ("column.path", "column.old", "column.new", "column.who", "column.when", "column.note")
    rows = tuple(
        tuple(
            Cell(text=text or words.say("none"))
            for text in (item.path, item.old, item.new, item.who, item.when, item.note)
        )
        for item in review.settled
    )
    table = Table(columns=tuple(Column(title=words.say(title)) for title in titles), rows=rows)
    return Section(
        key="settled",
        title=words.say("section.settled"),
        blocks=(Paragraph(text=words.say("settled.sentence")), table),
    )


def _file_row(review: Review, index: int, words: Words) -> tuple[Cell, ...]:
    item = review.inputs[index]
    is_plan = item.role == "plan"
    judged = review.plan if is_plan else review.report
    window = review.plan.period if is_plan else (review.report.window if review.report else None)
    return (
        Cell(text=words.name("role", item.role)),
        Cell(text=item.file),
        Cell(text=words.say("none") if item.pages is None else str(item.pages)),
        Cell(text=(judged.mine if judged else None) or words.say("none")),
        Cell(text=window_text(window, words) if window else words.say("none")),
        Cell(text=item.sha256),
    )
