"""The chapter about an earlier review: what changed since, and which findings stayed."""

from __future__ import annotations

from algorithms.airflow_review.changes import Changes, ValueChange
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
from algorithms.airflow_review.render.changed import change_groups, head_sentences, signed, subject_text
from algorithms.airflow_review.render.figures import number_cell
from algorithms.airflow_review.render.words import Words


def changes_section(changes: Changes, words: Words) -> Section:
    """Head and cautions, then a list for every sort of change; values stand in a table with their differences."""
    which, verdicts, *cautions = head_sentences(changes, words)
    blocks: list[Block] = [Paragraph(text=which), Paragraph(text=verdicts)]
    blocks += [Paragraph(text=text, tone=Tone.WATCH) for text in cautions]
    for group in change_groups(changes, words):
        blocks.append(Heading(text=group.title))
        if group.key == "values" and group.items:
            blocks.append(_values_table(changes.values, words))
        elif group.items:
            blocks.append(Bullets(items=group.items))
    return Section(key="changes", title=words.say("section.changes"), blocks=tuple(blocks))


def _values_table(values: tuple[ValueChange, ...], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=28),
        Column(title=words.say("column.type"), width=12),
        Column(title=words.say("column.quantity"), width=12),
        Column(title=words.say("changes.column_old"), width=12, numeric=True),
        Column(title=words.say("changes.column_new"), width=12, numeric=True),
        Column(title=words.say("changes.column_difference"), width=12, numeric=True),
    )
    rows = tuple(
        (
            Cell(text=subject_text(change.name, change.system, words)),
            Cell(text=words.name("type", change.type)),
            Cell(text=words.say(f"column.{change.quantity}")),
            number_cell(change.old, words),
            number_cell(change.new, words),
            Cell(text=signed(change.difference, words), number=change.difference),
        )
        for change in values
    )
    return Table(columns=columns, rows=rows, caption=words.say("changes.values_caption"))
