"""The door of plan reading: a parsed document in, a `PlanExtract` out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.evidence import Method, PlaceType, Printed
from algorithms.airflow_review.extract import (
    CalculationExtract,
    CoefficientTable,
    Mention,
    PlaceExtract,
    PlanExtract,
    Statement,
    SystemExtract,
)
from algorithms.airflow_review.reading.chapter import Chapter, with_chapter
from algorithms.airflow_review.reading.coefficient_tables import from_paragraph, read_coefficient_tables
from algorithms.airflow_review.reading.distribution import Distribution, read_distribution
from algorithms.airflow_review.reading.mentions import read_mentions, series_in_remark, series_in_text
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, parse_number
from algorithms.airflow_review.reading.plan_head import read_head
from algorithms.airflow_review.reading.recognized import with_recognition
from algorithms.airflow_review.reading.section_reader import read_chapter
from algorithms.airflow_review.reading.statements import read_statements
from algorithms.airflow_review.reading.summary import Summary, read_fans, read_summary
from algorithms.airflow_review.reading.system_names import SystemNames, collect_system_names
from algorithms.airflow_review.reading.text import fold, normal_name
from algorithms.airflow_review.reading.text_tables import with_whole_tables

_TOLD_BY_LISTS: Final = {
    None: (PlaceType.HEADING, PlaceType.STANDBY_FACE, PlaceType.COAL_FACE, PlaceType.CHAMBER),
    PlaceType.OTHER_ROADWAY: (PlaceType.HEADING,),
    PlaceType.COAL_FACE: (PlaceType.STANDBY_FACE,),
}


def read_plan(document: Document) -> PlanExtract:
    """Everything the engine needs of an airflow plan; nothing is computed, nothing guessed."""
    document = with_whole_tables(document)
    systems = collect_system_names(document)
    distribution = read_distribution(document, systems)
    summary = read_summary(document, systems)
    chapter = read_chapter(document, distribution.places, systems, distribution.tables)
    mentions = (*read_mentions(document, distribution.places, systems, distribution.tables), *chapter.mentions)
    places = tuple(
        with_chapter(_with_listed_type(place, mentions), chapter.places.get(index))
        for index, place in enumerate(distribution.places)
    )
    head = read_head(document)
    total = _mine_total(distribution, summary, chapter)
    sums = _with_text_sums(distribution.systems, chapter, systems)
    extract = PlanExtract(
        file=document.file,
        mine=head.mine,
        period=head.period,
        issued_on=head.issued_on,
        places=_with_series(places, chapter),
        systems=_with_mine_sums(sums, distribution.places, chapter, total),
        summary=summary.systems,
        mine_total=total,
        mine_total_expression=next(
            (c.expression for c in reversed(chapter.loose) if c.method is Method.MINE_TOTAL), ""
        ),
        tables=(*read_coefficient_tables(document), *_tables_in_text(document, chapter)),
        statements=_followed(read_statements(document, chapter.general), places),
        mentions=mentions,
        fans=read_fans(document, systems),
        loose_calculations=tuple(chapter.loose),
        doubts=(*document.doubts, *distribution.doubts, *chapter.doubts),
    )
    return with_recognition(extract, document)


def _mine_total(distribution: Distribution, summary: Summary, chapter: Chapter) -> Printed | None:
    """The total as the summary prints it, else as a sum row or the text does."""
    return summary.mine_total or distribution.mine_total or (chapter.mine_totals[-1] if chapter.mine_totals else None)


def _with_listed_type(place: PlaceExtract, mentions: Sequence[Mention]) -> PlaceExtract:
    """A place without a category of its own is what the working plan lists it as: 顺槽 under 掘进, a face under 备用."""
    if place.type_text:
        return place
    name = normal_name(place.name)
    listed = (m.type for m in mentions if m.type is not None and normal_name(m.name) == name)
    return replace(
        place, type=next((kind for kind in listed if kind in _TOLD_BY_LISTS.get(place.type, ())), place.type)
    )


def _with_series(places: tuple[PlaceExtract, ...], chapter: Chapter) -> tuple[PlaceExtract, ...]:
    after = dict(series_in_text(chapter.general, places))
    for place in places:
        upstream = series_in_remark(place, places)
        if upstream is not None and after.get(normal_name(upstream)) != place.name:
            after[normal_name(place.name)] = upstream
    return tuple(replace(place, series_after=after.get(normal_name(place.name))) for place in places)


def _with_text_sums(
    systems: tuple[SystemExtract, ...], chapter: Chapter, names: SystemNames
) -> tuple[SystemExtract, ...]:
    """Sums of systems whose tables print none are taken from the text's `Q=小计×K=…`."""
    known = {system.name: system for system in systems}
    for name in (*known, *(c.subject for c in chapter.loose if c.subject in names.names)):
        system = known.get(name) or SystemExtract(name=name)
        totals = [c for c in chapter.loose if c.subject == name and c.method is Method.SYSTEM_TOTAL]
        if system.required is None and totals:
            known[name] = _with_total(system, totals[-1])
    return tuple(known.values())


def _with_mine_sums(
    systems: tuple[SystemExtract, ...], places: Sequence[PlaceExtract], chapter: Chapter, total: Printed | None
) -> tuple[SystemExtract, ...]:
    """In a mine with one system the mine's total, and its coefficient, are the system's."""
    if len(systems) != 1 or {place.system for place in places} - {systems[0].name, None}:
        return systems
    system = systems[0]
    told = next((c for c in reversed(chapter.loose) if c.method is Method.MINE_TOTAL and _is_product(c)), None)
    if system.required is None and told is not None:
        system = _with_total(system, told)
    return (replace(system, required=system.required or total),)


def _is_product(total: CalculationExtract) -> bool:
    """`小计×K`, not a sum of systems."""
    numbers = re.findall(NUMBER_PATTERN, fold(total.expression))
    return len(numbers) == 2 and re.search(r"[+＋(（]", total.expression) is None  # noqa: PLR2004 - 小计 × K


def _with_total(system: SystemExtract, total: CalculationExtract) -> SystemExtract:
    numbers = [parse_number(n) for n in re.findall(NUMBER_PATTERN, fold(total.expression))]
    values = [Printed(value=n, text=str(n), evidence=total.evidence) for n in numbers if n is not None]
    subtotal, coefficient = values if len(values) == 2 else (None, None)  # noqa: PLR2004 - 小计 × K
    return replace(
        system,
        subtotal=system.subtotal or subtotal,
        coefficient=system.coefficient or coefficient,
        required=Printed(value=total.stated, text=str(total.stated), evidence=total.evidence),
        evidence=system.evidence or total.evidence,
    )


def _tables_in_text(document: Document, chapter: Chapter) -> tuple[CoefficientTable, ...]:
    paragraphs = (item for item in chapter.general if not isinstance(item, Table))
    return tuple(table for item in paragraphs for table in from_paragraph(document.file, item))


def _followed(statements: tuple[Statement, ...], places: tuple[PlaceExtract, ...]) -> tuple[Statement, ...]:
    """Leave out methods the principles list but the plan itself applies to less than half of the places of a kind."""
    kept: list[Statement] = []
    for statement in statements:
        if statement.key == "method":
            calculated = [p for p in places if p.type is statement.place_type and p.calculations]
            applied = [p for p in calculated if any(c.method.value == statement.text for c in p.calculations)]
            if 2 * len(applied) <= len(calculated):
                continue
        kept.append(statement)
    return tuple(kept)
