"""Chapter 7: the sum tree, mine → return-air system → place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from math import prod

from algorithms.airflow_review.model import Review, System
from algorithms.airflow_review.render.blocks import Block, Cell, Column, Paragraph, Section, Table
from algorithms.airflow_review.render.charts import tree_charts
from algorithms.airflow_review.render.excel_formula import LONGEST_FORMULA
from algorithms.airflow_review.render.figures import first_spot, number_cell
from algorithms.airflow_review.render.json_text import decimal_text
from algorithms.airflow_review.render.sections.calculations import status_cell
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.sum_tree import sum_tree
from algorithms.airflow_review.render.words import Words


def sums_section(review: Review, lines: Sequence[Standing], words: Words) -> Section:
    """The tree as a drawing, printed and recomputed sums side by side, then the members each sum is made of."""
    blocks: list[Block] = [
        Paragraph(text=words.say("sums.sentence")),
        *tree_charts(sum_tree(review, lines, words), words, has_report=review.report is not None),
        _systems_table(review, words),
    ]
    blocks += [_members_table(review, system, words) for system in review.plan.systems]
    loose = [place.id for place in review.plan.places if place.system is None]
    if loose:
        blocks.append(_places_table(review, tuple(loose), words.say("sums.without_system"), words))
    return Section(key="sums", title=words.say("section.sums"), blocks=tuple(blocks))


def _systems_table(review: Review, words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=20),
        Column(title=words.say("column.subtotal_stated"), width=12, numeric=True),
        Column(title=words.say("column.subtotal_recomputed"), width=12, numeric=True),
        Column(title=words.say("column.coefficient"), width=8, numeric=True),
        Column(title=words.say("column.required_stated"), width=12, numeric=True),
        Column(title=words.say("column.required_recomputed"), width=12, numeric=True),
        Column(title=words.say("column.sum_status"), width=10),
        Column(title=words.say("column.evidence"), width=18),
    )
    rows = [
        (
            Cell(text=system.name),
            number_cell(system.subtotal_stated, words),
            _with_formula(system.subtotal_recomputed, _members_of(review, system), "+", words),
            number_cell(system.coefficient, words),
            number_cell(system.required_stated, words),
            _with_formula(system.required_recomputed, [system.subtotal_recomputed, system.coefficient], "*", words),
            status_cell(system.status, words),
            Cell(text=first_spot(system.evidence, words)),
        )
        for system in review.plan.systems
    ]
    total = review.plan.mine_total
    empty = Cell(text=words.say("none"))
    rows.append(
        (
            Cell(text=words.say("sums.mine")),
            empty,
            empty,
            empty,
            number_cell(total.stated, words),
            _with_formula(total.recomputed, [system.required_stated for system in review.plan.systems], "+", words),
            status_cell(total.status, words),
            Cell(text=first_spot(total.evidence, words)),
        )
    )
    return Table(columns=columns, rows=tuple(rows), caption=words.say("caption.sums"))


def _members_of(review: Review, system: System) -> list[Decimal | None]:
    needs = {place.id: place.stated_required_m3_min for place in review.plan.places}
    return [needs.get(member) for member in system.members]


def _with_formula(value: Decimal | None, parts: Sequence[Decimal | None], sign: str, words: Words) -> Cell:
    """A recomputed sum or product with the spreadsheet's own calculation, where the parts really give the value."""
    cell = number_cell(value, words)
    known = [part for part in parts if part is not None]
    if value is None or len(known) != len(parts) or not known:
        return cell
    if (sum(known) if sign == "+" else prod(known)) != value:
        return cell
    formula = "=" + sign.join(decimal_text(part) for part in known)
    return replace(cell, formula=formula) if len(formula) <= LONGEST_FORMULA else cell


def _members_table(review: Review, system: System, words: Words) -> Table:
    return _places_table(review, system.members, words.say("caption.members", name=system.name), words)


def _places_table(review: Review, members: tuple[str, ...], caption: str, words: Words) -> Table:
    columns = (
        Column(title=words.say("column.row"), width=5, numeric=True),
        Column(title=words.say("column.place"), width=30),
        Column(title=words.say("column.type"), width=14),
        Column(title=words.say("column.required_stated"), width=13, numeric=True),
        Column(title=words.say("column.required"), width=13, numeric=True),
        Column(title=words.say("column.planned"), width=13, numeric=True),
        Column(title=words.say("column.series_after"), width=18),
    )
    places = {place.id: place for place in review.plan.places}
    rows = []
    for number, member in enumerate(members, start=1):
        place = places.get(member)
        if place is None:
            continue
        series = places.get(place.series_after or "")
        rows.append(
            (
                Cell(text=str(number)),
                Cell(text=place.name),
                Cell(text=words.name("type", place.type)),
                number_cell(place.stated_required_m3_min, words),
                number_cell(place.required_m3_min, words),
                number_cell(place.planned_m3_min, words),
                Cell(text=series.name if series else place.series_after or words.say("none")),
            )
        )
    return Table(columns=columns, rows=tuple(rows), caption=caption)
