"""Chapter 4: need, plan and measurement of every place."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.airflow_review.model import Comparison, InputFile, Review, Verdict
from algorithms.airflow_review.render.blocks import Block, Cell, Column, Heading, Paragraph, Section, Table
from algorithms.airflow_review.render.charts import bullet_charts
from algorithms.airflow_review.render.figures import number_cell, ratio_cell, spots_by_role
from algorithms.airflow_review.render.sections.conclusion import standing_verdict, verdict_cell
from algorithms.airflow_review.render.standing import Standing, severest_first
from algorithms.airflow_review.render.words import Words


def comparisons_section(review: Review, lines: Sequence[Standing], words: Words) -> Section:
    """The drawing, one line per object, and the three comparisons one by one with their thresholds."""
    ordered = severest_first(lines)
    blocks: list[Block] = [
        Paragraph(text=words.say("comparisons.sentence")),
        *bullet_charts(ordered, words, has_report=review.report is not None),
        _lines_table(ordered, review.inputs, words),
    ]
    if review.comparisons:
        blocks += [Heading(text=words.say("comparisons.detail")), _detail_table(review.comparisons, words)]
    return Section(key="comparisons", title=words.say("section.comparisons"), blocks=tuple(blocks), is_wide=True)


def _lines_table(lines: Sequence[Standing], inputs: tuple[InputFile, ...], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=22),
        Column(title=words.say("column.type"), width=11),
        Column(title=words.say("column.system"), width=15),
        Column(title=words.say("column.required"), width=9, numeric=True),
        Column(title=words.say("column.planned"), width=9, numeric=True),
        Column(title=words.say("column.measured"), width=9, numeric=True),
        Column(title=words.say("column.margin"), width=9, numeric=True),
        Column(title=words.say("column.ratio"), width=8, numeric=True),
        Column(title=words.say("column.planned_ratio"), width=8, numeric=True),
        Column(title=words.say("column.verdict"), width=16),
        Column(title=words.say("column.evidence"), width=25),
    )
    rows = tuple(
        (
            Cell(text=line.name),
            Cell(text=words.name("type", line.type)),
            Cell(text=line.system or words.say("none")),
            number_cell(line.required, words),
            number_cell(line.planned, words),
            number_cell(line.measured, words),
            number_cell(line.margin_m3_min, words),
            ratio_cell(line.measured_to_required, words),
            ratio_cell(line.planned_to_required, words),
            standing_verdict(line, words),
            Cell(text=spots_by_role(line.evidence, inputs, words)),
        )
        for line in lines
    )
    return Table(columns=columns, rows=rows, caption=words.say("caption.lines"))


def _detail_table(comparisons: Sequence[Comparison], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=22),
        Column(title=words.say("column.basis"), width=14),
        Column(title=words.say("column.ratio_any"), width=9, numeric=True),
        Column(title=words.say("column.margin_any"), width=10, numeric=True),
        Column(title=words.say("column.threshold"), width=8, numeric=True),
        Column(title=words.say("column.policy_source"), width=16),
        Column(title=words.say("column.verdict"), width=18),
        Column(title=words.say("column.reason"), width=24),
    )
    rows = tuple(
        (
            Cell(text=words.subject(row.subject_name)),
            Cell(text=words.name("basis", row.basis)),
            ratio_cell(row.ratio, words),
            number_cell(row.margin_m3_min, words),
            number_cell(row.threshold, words),
            Cell(text=words.rule(row.policy_source) if row.policy_source else words.say("none")),
            verdict_cell(
                row.verdict, words.choose(row.reason, row.reason_en) if row.verdict is Verdict.NOT_JUDGED else "", words
            ),
            Cell(text=words.choose(row.reason, row.reason_en) or words.say("none")),
        )
        for row in comparisons
    )
    return Table(columns=columns, rows=rows, caption=words.say("caption.detail"))
